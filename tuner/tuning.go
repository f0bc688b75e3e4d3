package tuner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// Tuning is the plan of a search for a configuration.
type Tuning struct {
	Version confgen.Version `json:"firebird"`
	Modes   []confgen.Mode  `json:"modes"`
	Only    []string        `json:"only"`   // the settings searched; none is what the load feels
	Fix     []string        `json:"fix"`    // Key=Value, held in every candidate
	Ranges  []string        `json:"ranges"` // Key=lo..hi

	// Current is the configuration in use and Source where it is from; empty
	// when stock is. Advised is what the rules of thumb give.
	Current map[string]string `json:"current"`
	Source  string            `json:"current_source"`
	Advised map[string]string `json:"advised"`

	Sampler string        `json:"sampler"`
	Seed    uint64        `json:"seed"`
	Trials  int           `json:"trials"`  // the whole budget; 0 where Time is given
	Time    time.Duration `json:"time_ns"` // the whole budget; 0 where Trials is given
	Margin  float64       `json:"margin"`  // the relative difference that does not matter
	Limits  Limits        `json:"limits"`
	Load    Load          `json:"load"`
	Cap     confgen.Bytes `json:"cap_bytes"`
	Path    string        `json:"path"`
	Root    string        `json:"firebird_root"`
	Service *Service      `json:"service,omitempty"` // nil where servers are private
}

// Names of the cells of a tuning besides those that the search finds.
const (
	StockName   = ControlName
	CurrentName = "current"
	AdvisedName = "advised"
)

// leastTrials is the smallest budget that is worth a search: one that leaves
// leastSearch trials to it beside calibration, race and confirmation when the
// current, the advised and the stock configuration all differ.
const leastTrials = leastCalibration + leastSearch + 2*(3+finalists+1) + confirmBlocks*(1+3+1)

// goodTrials is how many trials a time should pay for before windows are made
// longer: leastTrials leave next to nothing to the search.
const goodTrials = 75

// Validate reports what keeps the plan from being run.
func (t Tuning) Validate() error {
	switch {
	case t.Trials == 0 && t.Time == 0:
		return errors.New("tune: give a budget, --trials or --time")
	case t.Trials != 0 && t.Time != 0:
		return errors.New("tune: give --trials or --time, not both")
	case t.Trials != 0 && t.Trials < leastTrials:
		return fmt.Errorf("tune in %d trials: give at least %d, of which most go to making sure; for fewer use fbtune sweep", t.Trials, leastTrials)
	case t.Time < 0:
		return fmt.Errorf("tune in %s: give a time above 0", t.Time)
	case t.Time != 0 && int(t.Time/t.Load.bound()) < leastTrials/2:
		return fmt.Errorf("tune in %s: a trial takes up to %s and %d are the least; give more --time, a shorter --duration, or --quick", t.Time, t.Load.bound(), leastTrials)
	case !(t.Margin > 0 && t.Margin < 1):
		return fmt.Errorf("tune with a margin of %g: give a fraction, such as 0.05", t.Margin)
	case t.Load.Duration <= 0:
		return errors.New("tune: give a window above 0, such as --duration 10s")
	case search.About(t.Sampler) == "":
		return fmt.Errorf("tune with the sampler %q: choose one of %q", t.Sampler, search.Names())
	}
	if err := t.Load.Scale.Validate(); err != nil {
		return err
	}
	return t.Load.plan(1).Validate()
}

// Bound is the longest that a budget of trials is promised to take, loading and
// an extension of the confirmation not counted.
func (t Tuning) Bound() time.Duration { return time.Duration(t.Trials) * t.Load.bound() }

// Space returns the configurations that the search may try, given the database
// it is measured on.
func (t Tuning) Space(env Environment) (*space.Space, error) {
	return space.Build(space.Options{
		Version: t.Version, Modes: t.Modes, Cap: t.Cap,
		Load: space.Load{
			Connections: t.Load.Connections, Reports: t.Load.Reports,
			PageSize: confgen.Bytes(t.Load.PageSize), Database: confgen.Bytes(env.Database.Bytes),
		},
		Only: t.Only, Fix: t.Fix, Ranges: t.Ranges,
		Include: []map[string]string{t.Current, t.Advised},
	})
}

// named returns the configurations that are measured beside what the search
// finds: stock, and the current and the advised one where they are others.
func (t Tuning) named() []Cell {
	stock := map[string]string{confgen.ServerMode: string(controlMode)}
	cells := []Cell{{Name: StockName, Mode: controlMode, Settings: stock}}
	for _, c := range []struct {
		name     string
		settings map[string]string
	}{{CurrentName, t.Current}, {AdvisedName, t.Advised}} {
		cell := Cell{Name: c.name, Mode: confgen.EngineMode(c.settings[confgen.ServerMode]), Settings: maps.Clone(c.settings)}
		if len(c.settings) > 0 && t.find(cells, cell.Settings) < 0 {
			cell.Settings[confgen.ServerMode] = string(cell.Mode)
			cells = append(cells, cell)
		}
	}
	return cells
}

// find returns the index of the cell that the engine cannot tell from some
// settings, or -1.
func (t Tuning) find(cells []Cell, settings map[string]string) int {
	for i, c := range cells {
		if confgen.SameSettings(t.Version, c.Settings, settings) {
			return i
		}
	}
	return -1
}

// NewTuning records a new study of a tuning.
func NewTuning(ctx context.Context, store *study.Store, name string, t Tuning, env Environment) (*study.Study, error) {
	sp, err := t.Space(env)
	if err != nil {
		return nil, err
	}
	ladders := study.Space(sp.Ladders())
	var settings []map[string]string
	for _, c := range t.named() {
		settings = append(settings, c.Settings)
	}
	return create(ctx, store, study.Meta{Name: name, Kind: study.Tune, Space: ladders.Join(study.SpaceOf(settings...))}, t, env)
}

// ReadTuning returns what a tuning was recorded with.
func ReadTuning(s *study.Study) (t Tuning, env Environment, err error) {
	return t, env, read(s, study.Tune, &t, &env)
}

// Budget is how the trials of a tuning are shared out.
type Budget struct {
	Total       int `json:"total"`       // without an extension of the confirmation
	Calibration int `json:"calibration"` // of the control alone
	Search      int `json:"search"`      // runs of the control among them, the current configuration's too
	Race        int `json:"race"`        // at most
	Confirm     int `json:"confirm"`     // blocks of confirmation
	Extension   int `json:"extension"`   // further blocks, when the first leave the verdict open
}

// Shares of a budget.
const (
	mostCalibration  = 6
	leastCalibration = 3
	searchShare      = 0.40 // of all trials
	confirmBlocks    = 6
	finalists        = 3 // that the search sends to the race
	leastSearch      = 8
)

// calibration returns how many runs of the control a tuning begins with.
func (t Tuning) calibration() int {
	about := t.Trials
	if t.Time > 0 {
		about = int(t.Time / t.Load.bound())
	}
	return min(max(about/15, leastCalibration), mostCalibration)
}

// total returns the budget in trials, given how long one takes: what the time
// pays for, but no less than is worth a search.
func (t Tuning) total(each time.Duration) int {
	if t.Time > 0 {
		return max(int(t.Time/max(each, time.Millisecond)), leastTrials)
	}
	return t.Trials
}

// budget shares out a number of trials, given how many configurations are
// measured beside the winner.
func (t Tuning) budget(total, beside int) Budget {
	b := Budget{Total: total, Calibration: t.calibration(), Confirm: confirmBlocks}
	block := 1 + beside + 1 // the winner, what it is compared with, and the control once more
	leastRace := 2 * (beside + finalists + 1)
	left := total - b.Calibration - b.Confirm*block
	b.Search = max(int(searchShare*float64(total)), leastSearch)
	b.Race = max(left-b.Search, leastRace)
	b.Search = max(left-b.Race, leastSearch)
	if extension := confirmBlocks * block; b.Race >= extension+leastRace {
		b.Extension, b.Race = confirmBlocks, b.Race-extension
	}
	return b
}

// protocol is what follows the search.
func (t Tuning) protocol(b Budget) stats.Protocol {
	p := stats.DefaultProtocol()
	p.Calibration, p.Confirm, p.Extension = b.Calibration, b.Confirm, b.Extension
	p.Budget = b.Calibration + b.Race
	p.Margin, p.Seed = t.Margin, t.Seed
	return p
}
