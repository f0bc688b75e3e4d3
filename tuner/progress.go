package tuner

import (
	"cmp"
	"slices"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// Progress is what the events so far add up to.
type Progress struct {
	Plan        Plan               // of a sweep
	Tuning      Tuning             // of a tuning
	Growth      Growth             // of a growth
	Loadings    map[string]Loading // of a growth, by cell
	Budget      Budget             // of a tuning, after its calibration
	Load        Load               // of the trials to come
	Environment Environment
	Trials      []Trial // that ended and count, in the order they were begun
	Notes       []string

	Cell string // of the running trial
	Slot
	Phase  string
	Tick   workload.Tick // the last one
	Recent []int64       // operations of the running trial's last seconds

	Loading     string // what is being loaded; "" when nothing is
	Done, Total int64  // of it

	Ended bool
	Cause string // why it was cut short; "" otherwise

	begun    time.Time     // of the running trial
	spent    time.Duration // in trials of this run
	measured int           // trials of this run
}

// recentSeconds is how many seconds of throughput are kept for a view.
const recentSeconds = 120

// Apply takes one event into account.
func (p *Progress) Apply(e Event) {
	switch e.Kind {
	case EventNote:
		p.Notes = append(p.Notes, e.Message)
	case EventPlan:
		p.Environment, p.Loading = *e.Environment, ""
		if e.Plan != nil {
			p.Plan, p.Load = *e.Plan, e.Plan.Load
		}
		if e.Tuning != nil {
			p.Tuning, p.Load = *e.Tuning, e.Tuning.Load
		}
		if e.Growth != nil {
			p.Growth, p.Load, p.Loadings = *e.Growth, e.Growth.Load, map[string]Loading{}
		}
	case EventLoadChosen:
		p.Load = *e.Load
	case EventBudget:
		p.Budget = *e.Budget
	case EventLoad:
		p.Loading, p.Done, p.Total = e.Phase, e.Done, e.Total
	case EventLoaded:
		p.Loadings[e.Cell], p.Loading = *e.Loading, ""
	case EventTrial:
		p.Cell, p.Slot, p.begun, p.Phase = e.Cell, Slot{e.Stage, e.Block, e.Order}, e.Time, ""
		p.Tick, p.Recent = workload.Tick{}, nil
	case EventPhase:
		p.Phase = e.Phase
	case EventTick:
		p.Tick = *e.Tick
		p.Recent = append(p.Recent, e.Tick.Ops)
		p.Recent = p.Recent[max(0, len(p.Recent)-recentSeconds):]
	case EventSuperseded:
		p.Trials = slices.DeleteFunc(p.Trials, func(t Trial) bool {
			return t.Stage == e.Stage && t.Block == e.Block && t.Worker != e.Worker
		})
	case EventResult:
		after, _ := slices.BinarySearchFunc(p.Trials, e.Trial.Number+1, func(t Trial, number int) int { return cmp.Compare(t.Number, number) })
		p.Trials = slices.Insert(p.Trials, after, *e.Trial)
		p.Cell, p.Phase = "", ""
		if !e.Replayed {
			p.spent += e.Time.Sub(p.begun)
			p.measured++
		}
	case EventEnd:
		p.Ended, p.Cause, p.Phase = true, e.Message, ""
	}
}

// Left is about how long the rest will take at time now.
func (p *Progress) Left(now time.Time) time.Duration {
	runs := p.Planned()
	if p.Ended || runs == 0 {
		return 0
	}
	each := p.Load.bound()
	if p.measured > 0 {
		each = p.spent / time.Duration(p.measured)
	}
	left := time.Duration(runs-len(p.Trials)) * each
	if p.Cell != "" {
		left -= min(now.Sub(p.begun), each)
	}
	return max(left, 0)
}

// Planned returns how many trials are asked for in all, 0 before that is known.
func (p *Progress) Planned() int {
	switch {
	case p.Plan.Blocks > 0:
		return p.Plan.Runs()
	case p.Growth.Blocks > 0:
		return p.Growth.Runs()
	case p.Budget.Total > 0:
		return p.Budget.Total
	}
	return p.Tuning.Trials
}

// Blocks returns how many blocks a sweep or a growth has.
func (p *Progress) Blocks() int { return max(p.Plan.Blocks, p.Growth.Blocks) }

// Memory returns what the configuration of the last trial needs in the worst
// case and the cap of the server's memory, and false before there is one or
// where its need is not known.
func (p *Progress) Memory() (need, limit confgen.Bytes, ok bool) {
	limit = max(p.Plan.Cap, p.Tuning.Cap, p.Growth.Cap) // only one is not 0
	if len(p.Trials) == 0 || limit == 0 {
		return 0, 0, false
	}
	t := p.Trials[len(p.Trials)-1]
	need, err := confgen.Required(p.Environment.Candidate(Cell{Name: t.Cell, Mode: t.Mode, Settings: t.Settings}))
	return need, limit, err == nil
}

// CellState is what is known of a cell.
type CellState string

// States of a cell.
const (
	CellOK     CellState = "ok"      // at least one trial counts
	CellFailed CellState = "failed"  // every trial failed
	CellNotRun CellState = "not run" // no trial ended
)

// CellResult is what is known of one configuration.
type CellResult struct {
	Cell
	N          int       `json:"n"`      // trials that count
	Failed     int       `json:"failed"` // trials that failed
	Figure               // at the average block
	SameAsBest bool      `json:"same_as_best"` // cannot be told from the best
	Status     CellState `json:"status"`
	Reason     string    `json:"reason,omitempty"` // of the last failure
	Published  float64   `json:"published_ops_per_second,omitempty"`
}

// Result is the outcome of a sweep, finished or not.
type Result struct {
	Plan           Plan          `json:"plan"`
	Load           Load          `json:"load"`     // of all trials after a calibration
	Complete       bool          `json:"complete"` // every trial of the plan ended
	Trials         []Trial       `json:"trials"`
	Cells          []CellResult  `json:"cells"` // the control first
	Best           string        `json:"best"`  // the cell with the highest mean; "" without one
	Choice         string        `json:"choice"`
	ChoiceMemory   confgen.Bytes `json:"choice_memory_bytes"` // worst case
	Sigma          float64       `json:"run_to_run_cv"`       // a fraction
	Bounded        bool          `json:"bounded"`             // whether there are intervals
	DetectionLimit float64       `json:"detection_limit"`     // a fraction
	Overhead       Overhead      `json:"overhead"`            // seconds a trial, by cause
	OverheadTotal  float64       `json:"overhead_total_s"`
	Environment    Environment   `json:"environment"`
	Warnings       []string      `json:"warnings"`
}

// Result estimates all cells from the trials so far.
func (p *Progress) Result() Result {
	r := Result{
		Plan: p.Plan, Load: p.Plan.Load.calibrated(p.Trials), Environment: p.Environment, Trials: slices.Clone(p.Trials),
		Complete: p.Ended && p.Cause == "", Overhead: meanOverhead(p.Trials), Warnings: []string{},
	}
	if r.Trials == nil {
		r.Trials = []Trial{}
	}
	r.OverheadTotal = r.Overhead.Total()
	for _, c := range p.Plan.Cells() {
		r.Cells = append(r.Cells, p.tally(c))
	}
	p.estimate(&r)
	return r
}

// tally counts the trials of a cell.
func (p *Progress) tally(c Cell) CellResult {
	result := CellResult{Cell: c, Status: CellNotRun}
	for _, t := range p.Trials {
		switch {
		case t.Cell != c.Name || t.Stage == StageCalibration:
		case t.Status == study.OK:
			result.N++
			result.Status = CellOK
		default:
			result.Failed++
			result.Reason = t.Reason
		}
	}
	if result.N == 0 && result.Failed > 0 {
		result.Status = CellFailed
	}
	if p.Plan.LikePublished {
		result.Published, _ = Published(c.Value, c.Mode)
	}
	return result
}

// fit estimates cells from the trials that count. Cells without a score take no
// part in it: scored are the indices of the others, in the order of the fit.
func (p *Progress) fit(cells []CellResult) (fit stats.Fit, scored []int, err error) {
	place := map[string]int{}
	for i, c := range cells {
		if c.N > 0 {
			place[c.Name] = len(scored)
			scored = append(scored, i)
		}
	}
	if len(scored) == 0 {
		return fit, nil, nil
	}
	var observations []stats.Observation
	for _, t := range p.Trials {
		if t.Status == study.OK && t.Stage != StageCalibration {
			observations = append(observations, stats.Observation{
				Cell: place[t.Cell], Block: t.Block,
				Position: float64(t.Order) / float64(len(cells)), Score: t.score(),
			})
		}
	}
	fit, err = stats.Estimate(observations, stats.Options{Cells: len(scored)})
	return fit, scored, err
}

// estimate fills in what the cells have in common.
func (p *Progress) estimate(r *Result) {
	fit, scored, err := p.fit(r.Cells)
	switch {
	case len(scored) == 0:
		return
	case err != nil:
		r.Warnings = append(r.Warnings, "no estimate: "+err.Error())
		return
	}
	for i, c := range fit.Cells {
		cell := &r.Cells[scored[i]]
		cell.Figure, cell.SameAsBest = p.Plan.Load.figure(c), c.SameAsBest
	}
	r.Best = r.Cells[scored[fit.Best]].Name
	r.Bounded, r.Sigma, r.DetectionLimit = fit.Bounded, fit.Sigma, fit.DetectionLimit
	r.Warnings = append(r.Warnings, fit.Warnings...)
	p.choose(r)
}

// choose picks, of the cells that cannot be told from the best, the one that
// takes the least memory when its caches are full; of equals the faster one.
func (p *Progress) choose(r *Result) {
	best := -1.0
	for _, c := range r.Cells {
		if !c.SameAsBest || c.N == 0 {
			continue
		}
		need, err := confgen.Required(p.Environment.Candidate(c.Cell))
		if err != nil {
			continue // it would not have run
		}
		if r.Choice == "" || need < r.ChoiceMemory || need == r.ChoiceMemory && c.score() > best {
			r.Choice, r.ChoiceMemory, best = c.Name, need, c.score()
		}
	}
}
