package tuner

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// Verdict is what the confirmation says about the winner against another
// configuration.
type Verdict struct {
	Against string        `json:"against"` // cell
	Outcome stats.Outcome `json:"outcome"`
	// Ratio is the winner's operations per second divided by the other's, by
	// the fresh blocks of the confirmation alone; Low and High cover the truth
	// in 95 % of studies, early ends and extensions included.
	Ratio  float64 `json:"ratio"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Blocks int     `json:"blocks"`
	// MoreBlocks is about how many further blocks would decide, 0 when decided
	// or beyond reason.
	MoreBlocks int `json:"more_blocks"`
	// Announced says that the winner may be called better: the interval is
	// above 1, the gain above the detection limit, and it never failed.
	Announced bool `json:"announced"`
}

// Contender is what is known of one configuration of a tuning.
type Contender struct {
	Cell
	Memory   confgen.Bytes `json:"memory_bytes"`   // in the worst case
	N        int           `json:"n"`              // trials that count
	Failed   int           `json:"failed"`         // trials that failed
	Reason   string        `json:"reason"`         // of the last failure
	Searched float64       `json:"searched_ratio"` // to the control, of its trial in the search; 0 without one
	Figure                 // of race and confirmation; zero when in neither
	Plateau  bool          `json:"plateau"` // not to be told from the best of the race
}

// Influence is the effect of one value of a setting on the score, all others
// held.
type Influence struct {
	Name      string  `json:"name"`
	Value     string  `json:"value"`   // "" for the effect of a step up the ladder
	Against   string  `json:"against"` // the default's value
	Ratio     float64 `json:"ratio"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	Estimable bool    `json:"estimable"` // whether the trials can tell it from other effects
}

// Calibration is what runs of stock alone say about the machine.
type Calibration struct {
	Runs     int     `json:"runs"`
	CV       float64 `json:"run_to_run_cv"` // a fraction, slow drift not counted
	CVLow    float64 `json:"low"`           // of its 95 % interval
	CVHigh   float64 `json:"high"`
	Drift    float64 `json:"drift"`   // the last run divided by the first, on a straight line through all
	Duration float64 `json:"trial_s"` // seconds that a trial takes in all
}

// Outcome is the result of a tuning, finished or not.
type Outcome struct {
	Tuning      Tuning       `json:"plan"`
	Complete    bool         `json:"complete"`
	Stage       Stage        `json:"stage"` // that is not over; empty at the end
	Load        Load         `json:"load"`  // of all trials after the calibration
	Budget      Budget       `json:"budget"`
	Trials      []Trial      `json:"trials"`
	Calibration *Calibration `json:"calibration"` // null before its end
	Contenders  []Contender  `json:"contenders"`  // stock first
	Winner      string       `json:"winner"`      // "" before the end of the race
	Recommended bool         `json:"recommended"` // whether the winner was shown to be better than what is in use
	Ended       string       `json:"race_ended"`  // why
	Verdicts    []Verdict    `json:"verdicts"`    // against stock first
	// DetectionLimit is the smallest true gain that the confirmation finds
	// with 80 % power, a fraction.
	DetectionLimit float64          `json:"detection_limit"`
	Influences     []Influence      `json:"influences"`
	Omitted        []space.Omission `json:"not_exercised"`
	Refused        []space.Refusal  `json:"refused"`
	Flags          []string         `json:"flags"`
	Overhead       Overhead         `json:"overhead"`
	OverheadTotal  float64          `json:"overhead_total_s"`
	Environment    Environment      `json:"environment"`
	Warnings       []string         `json:"warnings"`
}

// Outcome says what the trials so far come to. The error is for trials that do
// not belong to the plan.
func (p *Progress) Outcome() (Outcome, error) {
	o := Outcome{
		Tuning: p.Tuning, Environment: p.Environment, Trials: slices.Concat([]Trial{}, p.Trials),
		Contenders: []Contender{}, Verdicts: []Verdict{}, Influences: []Influence{}, Warnings: []string{},
		Overhead: meanOverhead(p.Trials), Complete: p.Ended && p.Cause == "",
	}
	o.OverheadTotal = o.Overhead.Total()
	c, err := newCourse(p.Tuning, p.Environment, ledger{counting: p.Trials})
	if err != nil {
		return o, err
	}
	o.Omitted = append([]space.Omission{}, c.space.Omitted...)
	o.Refused = append([]space.Refusal{}, c.space.Refused...)
	o.Flags = append([]string{}, c.space.Flags...)
	next, _, err := c.next()
	if err != nil {
		return o, err
	}
	if next != nil {
		o.Stage = next.at.Stage
	}
	o.Budget, o.Load = c.budget, c.load
	if k, err := stats.Calibrate(c.calibrationScores()); err == nil && c.budget.Total > 0 {
		o.Calibration = &Calibration{Runs: k.N, CV: k.CV, CVLow: k.CVLow, CVHigh: k.CVHigh, Drift: k.Drift.Mean, Duration: c.each.Seconds()}
		o.Warnings = append(o.Warnings, k.Warnings...)
	}
	if err := c.contenders(&o); err != nil {
		return o, err
	}
	c.verdicts(&o)
	o.Recommended = o.recommended()
	if err := c.influences(&o); err != nil {
		return o, err
	}
	return o, nil
}

// contenders lists every configuration that was measured.
func (c *course) contenders(o *Outcome) error {
	place := map[string]int{}
	for _, cell := range c.named {
		place[cell.Name] = len(o.Contenders)
		o.Contenders = append(o.Contenders, Contender{Cell: cell})
	}
	single := -1
	for _, t := range c.trials {
		at, known := place[t.Cell]
		if !known {
			at = len(o.Contenders)
			place[t.Cell] = at
			o.Contenders = append(o.Contenders, Contender{Cell: c.cells[t.Cell]})
		}
		contender := &o.Contenders[at]
		if t.Status == study.OK {
			contender.N++
		} else {
			contender.Failed++
			contender.Reason = t.Reason
		}
		if t.Stage == StageSearch || t.Stage == StageCalibration {
			single++
			if t.Cell != StockName {
				contender.Searched = c.related[single].Ratio
			}
		}
	}
	for i := range o.Contenders {
		need, err := confgen.Required(c.env.Candidate(o.Contenders[i].Cell))
		if err != nil {
			return fmt.Errorf("memory of %s: %w", o.Contenders[i].Name, err)
		}
		o.Contenders[i].Memory = need
	}
	return c.estimates(o, place)
}

// estimates adds what race and confirmation say of the contenders in them.
func (c *course) estimates(o *Outcome, place map[string]int) error {
	var observations []stats.Observation
	scored := map[string]int{}
	var names []string
	lengths := map[int]int{}
	for _, t := range c.trials {
		lengths[t.Block] = max(lengths[t.Block], t.Order)
	}
	for _, t := range c.trials {
		if t.Stage != StageRace && t.Stage != StageConfirmation || t.Status != study.OK {
			continue
		}
		if _, known := scored[t.Cell]; !known {
			scored[t.Cell] = len(names)
			names = append(names, t.Cell)
		}
		observations = append(observations, stats.Observation{
			Cell: scored[t.Cell], Block: t.Block, Position: float64(t.Order) / float64(max(lengths[t.Block], 1)), Score: t.score(),
		})
	}
	if len(names) < 2 {
		return nil
	}
	fit, err := stats.Estimate(observations, stats.Options{Cells: len(names)})
	if err != nil {
		return fmt.Errorf("estimate race and confirmation: %w", err)
	}
	for i, cell := range fit.Cells {
		contender := &o.Contenders[place[names[i]]]
		contender.Figure = c.Tuning.Load.figure(cell)
		contender.Plateau = cell.SameAsBest && fit.Bounded
	}
	o.Warnings = append(o.Warnings, fit.Warnings...)
	return nil
}

// verdicts adds what race and confirmation decided.
func (c *course) verdicts(o *Outcome) {
	if c.step.Race == nil {
		return
	}
	if c.step.Race.Ended != "" {
		o.Winner, o.Ended = c.lined[c.step.Race.Winner].Name, string(c.step.Race.Ended)
	}
	o.DetectionLimit = c.step.Race.Limit
	for _, comparison := range c.step.Comparisons {
		v := comparison.Verdict
		o.Verdicts = append(o.Verdicts, Verdict{
			Against: c.lined[comparison.Reference].Name, Outcome: v.Outcome,
			Ratio: v.Interval.Mean, Low: v.Interval.Low, High: v.Interval.High,
			Blocks: v.Interval.N, MoreBlocks: v.MoreBlocks, Announced: comparison.Announced,
		})
	}
}

// stretch is what a worker measured under the same conditions: a block, or its
// trials of the search between two runs of the control.
type stretch struct {
	place
	worker string
	part   int
}

// influences adds the main effects of the settings that were searched.
func (c *course) influences(o *Outcome) error {
	factors, levels := c.factors()
	var trials []stats.FactorTrial
	parts, blocks := map[string]int{}, map[stretch]int{}
	for _, t := range c.trials {
		at := stretch{place: place{Stage: StageSearch}, worker: t.Worker}
		if t.Stage == StageRace || t.Stage == StageConfirmation {
			at.place = place{t.Stage, t.Block}
		} else {
			if t.Stage == StageSearch && t.Cell == StockName {
				parts[t.Worker]++
			}
			at.part = parts[t.Worker]
		}
		point := c.point(t.Settings)
		if t.Status != study.OK || point == nil {
			continue
		}
		if _, known := blocks[at]; !known {
			blocks[at] = len(blocks)
		}
		trial := stats.FactorTrial{Block: blocks[at], Score: t.score()}
		for i := range c.space.Dimensions {
			trial.Levels = append(trial.Levels, slices.Index(levels[i], c.space.Value(i, point)))
		}
		trials = append(trials, trial)
	}
	if len(trials) < 2 || len(factors) == 0 {
		return nil
	}
	influence, err := stats.Influences(factors, trials)
	if err != nil {
		return fmt.Errorf("estimate the influence of settings: %w", err)
	}
	for _, e := range influence.Effects {
		row := Influence{
			Name: c.space.Dimensions[e.Factor].Name, Against: levels[e.Factor][e.Default],
			Ratio: e.Ratio.Mean, Low: e.Ratio.Low, High: e.Ratio.High, Estimable: e.Estimable,
		}
		if !e.PerStep {
			row.Value = levels[e.Factor][e.Level]
		}
		o.Influences = append(o.Influences, row)
	}
	o.Warnings = append(o.Warnings, influence.Warnings...)
	return nil
}

// factors returns the dimensions of the space as factors, and the values of
// each that stand for its levels: those of all architectures, in the order of
// the ladders.
func (c *course) factors() ([]stats.Factor, [][]string) {
	stock := c.space.Default(c.space.Modes[0])
	if slices.Contains(c.space.Modes, controlMode) {
		stock = c.space.Default(controlMode)
	}
	ladders := c.space.Ladders()
	var factors []stats.Factor
	var levels [][]string
	for i, d := range c.space.Dimensions {
		values := ladders[d.Name]
		factors = append(factors, stats.Factor{
			Levels: len(values), Default: max(slices.Index(values, c.space.Value(i, stock)), 0), Ordered: !d.Words,
		})
		levels = append(levels, values)
	}
	return factors, levels
}

// Find returns the contender of a name.
func (o Outcome) Find(name string) (Contender, bool) {
	i := slices.IndexFunc(o.Contenders, func(c Contender) bool { return c.Name == name })
	if i < 0 {
		return Contender{}, false
	}
	return o.Contenders[i], true
}

// Label names a contender for a person: the name and, for what nobody has in a
// file, its settings.
func (o Outcome) Label(name string) string {
	c, ok := o.Find(name)
	if !ok || name == StockName || name == CurrentName {
		return spoken(name)
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(c.Settings)) {
		parts = append(parts, key+" "+c.Settings[key])
	}
	return spoken(name) + " (" + strings.Join(parts, ", ") + ")"
}
