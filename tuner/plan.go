package tuner

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

// Load is how trials are driven.
type Load struct {
	Scale       workload.Scale `json:"scale"`
	Connections int            `json:"connections"`
	Reports     int            `json:"reports"`
	Rate        float64        `json:"rate,omitempty"` // operations per second at scheduled times; 0 is as fast as the connections can
	Warmup      time.Duration  `json:"warmup_ns"`      // 0 is automatic
	Duration    time.Duration  `json:"duration_ns"`
	Auto        bool           `json:"auto,omitempty"` // Duration is only of the calibration, which chooses another
	PageSize    int            `json:"page_size"`      // bytes
	// Verify says that all nine consistency conditions are tested after every
	// trial, not the three cheap ones.
	Verify bool `json:"verify,omitempty"`
}

// Times that bound a trial before it was ever run. The measured overhead is
// far below these, which README gives.
const (
	warmupMax     = 15 * time.Second // of an automatic warm-up
	overheadQuick = 3 * time.Second  // at a tenth of the cardinality
	overheadFull  = 5 * time.Second
	quickBytes    = 200 << 20
)

// bound is the longest a successful trial is promised to take.
func (l Load) bound() time.Duration {
	warmup := l.Warmup
	if warmup == 0 {
		warmup = warmupMax
	}
	overhead := overheadFull
	if l.Scale.EstimatedBytes() < quickBytes {
		overhead = overheadQuick
	}
	window := l.Duration
	if l.Auto {
		window = max(window, longestWindow())
	}
	return warmup + window + overhead
}

// plan is the workload's view of the load.
func (l Load) plan(seed int64) workload.Plan {
	return workload.Plan{
		Connections: l.Connections, Reports: l.Reports, Rate: l.Rate,
		Warmup: l.Warmup, WarmupMax: warmupMax, Duration: l.Duration, Seed: seed,
	}
}

// Plan is a sweep: every value of one setting, or of two together, in every
// mode, and the control.
type Plan struct {
	Param  string   `json:"param"`
	Values []string `json:"values"`
	// Second is a setting that is varied together with Param, and Others its
	// values; both are empty when there is none.
	Second string   `json:"second_param,omitempty"`
	Others []string `json:"second_values,omitempty"`

	Modes  []confgen.Mode    `json:"modes"`
	Base   map[string]string `json:"base,omitempty"` // held in every cell but the control
	Blocks int               `json:"blocks"`
	// Calibration is how many runs of the control come first, from which
	// warm-up and window are chosen where the load leaves them open.
	Calibration int           `json:"calibration,omitempty"`
	Seed        uint64        `json:"seed"` // of the order within blocks
	Load        Load          `json:"load"`
	Limits      Limits        `json:"limits"`
	Cap         confgen.Bytes `json:"cap_bytes"` // of the server's memory
	Path        string        `json:"path"`      // where databases live
	Root        string        `json:"firebird_root"`
	Service     *Service      `json:"service,omitempty"` // nil where servers are private

	// LikePublished says that the sweep repeats IBSurgeon's, so that their
	// figures are shown beside it.
	LikePublished bool `json:"like_published,omitempty"`
}

// ControlName is the name of the control's cell.
const ControlName = "control"

// controlMode is the architecture of a stock Firebird.
const controlMode = confgen.Super

// Cell is one configuration of a sweep.
type Cell struct {
	Name     string            `json:"cell"`
	Mode     confgen.Mode      `json:"mode"`
	Value    string            `json:"value,omitempty"`        // of the plan's setting; "" for the control
	Other    string            `json:"second_value,omitempty"` // of the plan's second setting; "" without one
	Settings map[string]string `json:"settings"`               // as written in firebird.conf, ServerMode among them
}

// Validate reports what keeps the plan from being run.
func (p Plan) Validate() error {
	if err := validateParam(p.Param, p.Values); err != nil {
		return err
	}
	if p.Second != "" {
		if err := validateParam(p.Second, p.Others); err != nil {
			return err
		}
	}
	switch {
	case strings.EqualFold(p.Param, p.Second):
		return fmt.Errorf("sweep %s twice: name two settings, or give all its values to one --values", p.Param)
	case p.Calibration != 0 && p.Calibration < leastCalibration:
		return fmt.Errorf("calibrate in %d runs: give at least %d", p.Calibration, leastCalibration)
	case len(p.Modes) == 0:
		return errors.New("sweep: give architectures, such as --modes Classic,SuperClassic")
	case p.Blocks < 1:
		return fmt.Errorf("sweep in %d blocks: give at least 1, better 3 or more", p.Blocks)
	case p.Load.Duration <= 0:
		return errors.New("sweep: give a window above 0, such as --duration 10s")
	}
	if twice := repeated(modeNames(p.Modes)); twice != "" {
		return fmt.Errorf("sweep: %s is given twice; give each mode once", twice)
	}
	for key := range p.Base {
		if strings.EqualFold(key, p.Param) || strings.EqualFold(key, p.Second) || strings.EqualFold(key, confgen.ServerMode) {
			return fmt.Errorf("sweep: --set %s is what the sweep itself varies; leave it out", key)
		}
	}
	if err := p.Load.Scale.Validate(); err != nil {
		return err
	}
	return p.Load.plan(1).Validate()
}

// validateParam reports what keeps a setting from being varied over values.
func validateParam(param string, values []string) error {
	row, ok := confgen.Lookup(param)
	switch {
	case !ok:
		return fmt.Errorf("sweep %s: no such setting is known; fbtune settings lists them", param)
	case row.Name == confgen.ServerMode:
		return fmt.Errorf("sweep %s: name architectures by --modes", row.Name)
	case len(values) == 0:
		return fmt.Errorf("sweep %s: give values, such as --values 256,512,1024", row.Name)
	}
	if twice := repeated(values); twice != "" {
		return fmt.Errorf("sweep: %s is given twice; give each value once", twice)
	}
	for _, v := range values {
		if strings.TrimSpace(v) == "" {
			return errors.New("sweep: a value is empty; write --values 256,512,1024")
		}
	}
	return nil
}

func modeNames(modes []confgen.Mode) []string {
	names := make([]string, len(modes))
	for i, m := range modes {
		names[i] = string(m)
	}
	return names
}

// repeated returns a word that is in the list twice, or "".
func repeated(list []string) string {
	seen := map[string]bool{}
	for _, word := range list {
		if seen[word] {
			return word
		}
		seen[word] = true
	}
	return ""
}

// Cells returns the configurations of the plan, the control first.
func (p Plan) Cells() []Cell {
	cells := []Cell{{Name: ControlName, Mode: controlMode, Settings: map[string]string{confgen.ServerMode: string(controlMode)}}}
	others := p.Others
	if p.Second == "" {
		others = []string{""}
	}
	for _, mode := range p.Modes {
		for _, value := range p.Values {
			for _, other := range others {
				settings := maps.Clone(p.Base)
				if settings == nil {
					settings = map[string]string{}
				}
				settings[confgen.ServerMode] = string(mode)
				settings[p.Param] = value
				name := string(mode) + " " + value
				if p.Second != "" {
					settings[p.Second] = other
					name += " " + other
				}
				cells = append(cells, Cell{Name: name, Mode: mode, Value: value, Other: other, Settings: settings})
			}
		}
	}
	return cells
}

// Order returns the indices of the cells in the order of one block: the control
// first and last, the others between in an order of that block's own.
func (p Plan) Order(block int) []int {
	n := len(p.Cells())
	order := []int{0}
	random := rand.New(rand.NewPCG(p.Seed, uint64(block)))
	for _, i := range random.Perm(n - 1) {
		order = append(order, i+1)
	}
	return append(order, 0)
}

// Runs is how many trials the plan has.
func (p Plan) Runs() int { return p.Calibration + p.Blocks*(len(p.Cells())+1) }

// Bound is the longest the trials of the plan are promised to take, loading
// not counted, as long as none fails to start.
func (p Plan) Bound() time.Duration { return time.Duration(p.Runs()) * p.Load.bound() }

// The published sweep of page buffers: IBSurgeon, "Tuning 1.7 terabyte Firebird
// SQL database", Firebird 2.5, 16 KiB pages, 20 terminals, operations per
// second.
var published = map[string]map[confgen.Mode]float64{
	"256":  {confgen.Classic: 299, confgen.SuperClassic: 372},
	"512":  {confgen.Classic: 371, confgen.SuperClassic: 359},
	"768":  {confgen.Classic: 362, confgen.SuperClassic: 386},
	"1024": {confgen.Classic: 312, confgen.SuperClassic: 387},
	"1500": {confgen.Classic: 390, confgen.SuperClassic: 392},
	"2048": {confgen.Classic: 285, confgen.SuperClassic: 284},
}

// Published returns the published figure for a number of page buffers in an
// architecture, in operations per second, and false where there is none.
func Published(value string, mode confgen.Mode) (float64, bool) {
	ops, ok := published[value][mode]
	return ops, ok
}

// AsPublished returns the plan with what the published sweep held fixed.
func (p Plan) AsPublished() Plan {
	p.LikePublished = true
	p.Param = confgen.DefaultDbCachePages
	p.Values = []string{"256", "512", "768", "1024", "1500", "2048"}
	p.Modes = []confgen.Mode{confgen.Classic, confgen.SuperClassic}
	p.Base = maps.Clone(p.Base)
	if p.Base == nil {
		p.Base = map[string]string{}
	}
	p.Base[confgen.LockHashSlots] = "30011"
	p.Base[confgen.LockMemSize] = "7M"
	p.Load.PageSize = 16384
	p.Load.Connections = 20
	return p
}
