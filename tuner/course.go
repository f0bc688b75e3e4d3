package tuner

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// A course is where a tuning stands after some trials, and what comes next. It
// is made from the plan and the trials alone, so that a tuning can be cut short
// and resumed anywhere.
type course struct {
	Tuning
	env   Environment
	space *space.Space
	named []Cell
	cells map[string]Cell // of every trial, by name

	ledger
	cut     bool             // the search is to end with what it found
	trials  []Trial          // that count, in the order they were begun
	singles []single         // of them, those of search and calibration
	related []stats.Relative // of the singles

	load   Load          // of the next trial
	each   time.Duration // of a trial, known after the calibration as the budget is
	budget Budget
	lineup stats.Lineup
	lined  []Cell // of the lineup's candidates, known after the search
	step   stats.Step
}

// single is a trial that is compared with the runs of the control around it.
type single struct {
	stats.Single
	worker string
	point  space.Point // nil when the configuration is not in the space
}

// newCourse goes through the trials of a tuning.
func newCourse(t Tuning, env Environment, l ledger) (*course, error) {
	sp, err := t.Space(env)
	if err != nil {
		return nil, err
	}
	c := &course{Tuning: t, env: env, space: sp, named: t.named(), cells: map[string]Cell{}, load: t.Load, ledger: l, trials: slices.Clone(l.counting)}
	for _, cell := range c.named {
		c.cells[cell.Name] = cell
	}
	for _, trial := range c.trials {
		c.add(trial)
	}
	return c, c.relate()
}

// add takes a trial into account.
func (c *course) add(t Trial) {
	if _, known := c.cells[t.Cell]; !known {
		c.cells[t.Cell] = Cell{Name: t.Cell, Mode: t.Mode, Settings: maps.Clone(t.Settings)}
	}
	if t.Stage != StageSearch && t.Stage != StageCalibration {
		return
	}
	c.singles = append(c.singles, single{
		Single: stats.Single{Control: t.Cell == StockName, Score: t.score(), Failed: t.Status != study.OK},
		worker: t.Worker, point: c.point(t.Settings),
	})
}

// point returns the place of settings in the space, nil for a configuration of
// the user's that is not in it.
func (c *course) point(settings map[string]string) space.Point {
	point, exact, err := c.space.Point(settings)
	if err != nil || !exact {
		return nil
	}
	return point
}

// relate divides the scores of each worker by those of its own control.
func (c *course) relate() error {
	c.related = make([]stats.Relative, len(c.singles))
	places := map[string][]int{}
	for i, s := range c.singles {
		places[s.worker] = append(places[s.worker], i)
	}
	for worker, at := range places {
		related, err := stats.Relate(c.singlesOf(worker))
		if err != nil {
			return fmt.Errorf("relate trials to the control: %w", err)
		}
		for i, r := range related {
			c.related[at[i]] = r
		}
	}
	return nil
}

// singlesOf returns the singles of one worker.
func (c *course) singlesOf(worker string) []stats.Single {
	var own []stats.Single
	for _, s := range c.singles {
		if s.worker == worker {
			own = append(own, s.Single)
		}
	}
	return own
}

// beside is how many configurations are measured beside the winner.
func (c *course) beside() int { return len(c.named) }

// next returns what this worker runs next.
func (c *course) next() (*job, bool, error) {
	if first := c.first(); first != nil && len(c.trials) == 0 {
		if len(c.running) > 0 {
			return nil, false, nil
		}
		return first, false, nil
	}
	if next, over := c.calibrate(); !over {
		return next, false, nil
	}
	if next, over, err := c.searchNext(); !over || err != nil {
		return next, false, err
	}
	return c.decide()
}

// first is the run of the current configuration, which must succeed before
// anything is tried. Where that is stock, the calibration begins with it.
func (c *course) first() *job {
	i := slices.IndexFunc(c.named, func(cell Cell) bool { return cell.Name == CurrentName })
	if i < 0 {
		return nil
	}
	return &job{c.named[i], Slot{Stage: StageSearch}, 1}
}

// calibrate asks for the runs of the control alone, which one worker does. When
// they are over the budget is known.
func (c *course) calibrate() (next *job, over bool) {
	runs, seconds := 0, 0.0
	for _, t := range c.trials {
		if t.Stage == StageCalibration {
			runs++
			seconds += t.elapsed()
		}
	}
	if runs < c.calibration() {
		if c.held(place{StageCalibration, 0}) {
			return nil, false
		}
		return &job{c.cells[StockName], Slot{Stage: StageCalibration, Order: runs}, int64(runs) + 1}, false
	}
	c.load = c.Load.calibrated(c.trials)
	rest := time.Duration(seconds/float64(runs)*float64(time.Second)) - c.Load.Duration
	if c.Load.Auto && c.Time > 0 {
		c.load.Duration = min(c.load.Duration, affordable(c.Time/goodTrials-rest))
	}
	c.each = rest + c.load.Duration
	c.budget = c.Tuning.budget(c.total(c.each), c.beside())
	return nil, true
}

// chosen returns what the calibration chose.
func (c *course) chosen() (Load, Budget) { return c.load, c.budget }

// of returns how many trials are of a stage.
func of(trials []Trial, stage Stage) int {
	n := 0
	for _, t := range trials {
		if t.Stage == stage {
			n++
		}
	}
	return n
}

// searchNext asks for the next trial of the search: the advised configuration
// first, then what the sampler proposes, the control in between and at the end
// of what a worker did. The search is over when nothing of it is left and every
// worker has come to its end; no trial joins it after that.
func (c *course) searchNext() (next *job, over bool, err error) {
	began := of(c.trials, StageSearch) + of(c.running, StageSearch)
	if of(c.trials, StageRace)+of(c.trials, StageConfirmation)+of(c.running, StageRace)+of(c.running, StageConfirmation) > 0 {
		c.endSearch(began)
		return nil, true, nil
	}
	at := Slot{Stage: StageSearch, Order: began}
	seed := int64(100 + began)
	control := &job{c.cells[StockName], at, seed}
	switch {
	case c.cut && c.found():
		c.endSearch(began)
	case began < c.budget.Search-1:
		if stats.ControlDue(c.singlesOf(c.worker)) {
			return control, false, nil
		}
		cell, more, err := c.propose()
		if err != nil {
			return nil, false, err
		}
		if more {
			return &job{cell, at, seed}, false, nil
		}
		c.endSearch(began)
	}
	if !c.closed(c.worker) {
		return control, false, nil
	}
	for worker := range c.alive {
		if !c.closed(worker) {
			return nil, false, nil
		}
	}
	return nil, of(c.running, StageSearch) == 0, nil
}

// endSearch takes what the search leaves of its budget out of it.
func (c *course) endSearch(began int) {
	if left := c.budget.Search - began; left > 0 {
		c.budget.Total, c.budget.Search = c.budget.Total-left, began
	}
}

// found reports whether the search has a candidate for the race.
func (c *course) found() bool {
	return slices.ContainsFunc(c.trials, func(t Trial) bool {
		return t.Stage == StageSearch && t.Status == study.OK && t.Cell != StockName && t.Cell != CurrentName && t.Cell != AdvisedName
	})
}

// closed reports whether what a worker searched ends with the control.
func (c *course) closed(worker string) bool {
	own := c.singlesOf(worker)
	return len(own) == 0 || own[len(own)-1].Control
}

// propose returns the configuration that the search tries next, and false when
// nothing is left to try, or nothing that could be shown to be better.
func (c *course) propose() (Cell, bool, error) {
	if advised, ok := c.cells[AdvisedName]; ok && !c.ran(AdvisedName) {
		return advised, true, nil
	}
	searcher, noise, err := c.searcher()
	if err != nil {
		return Cell{}, false, err
	}
	limit := c.protocol(c.budget).Rule().DetectionLimit(noise, c.budget.Confirm+c.budget.Extension)
	if gain, known := searcher.Headroom(); known && noise > 0 && gain < limit {
		return Cell{}, false, nil
	}
	point, err := searcher.Ask()
	if errors.Is(err, search.ErrExhausted) {
		return Cell{}, false, nil
	}
	if err != nil {
		return Cell{}, false, err
	}
	name := fmt.Sprintf("#%d", len(c.trials)+len(c.running)+1)
	return Cell{Name: name, Mode: c.space.Mode(point), Settings: c.space.Settings(point)}, true, nil
}

// ran reports whether a cell was measured, or is being measured.
func (c *course) ran(name string) bool {
	of := func(t Trial) bool { return t.Cell == name }
	return slices.ContainsFunc(c.trials, of) || slices.ContainsFunc(c.running, of)
}

// searcher returns a sampler that was told of every trial so far, each score
// divided by what the control would have scored in its place, and of what others
// are measuring; and the noise of one run, 0 when it is not known.
func (c *course) searcher() (searcher *search.Searcher, noise float64, err error) {
	if searcher, err = search.New(c.Sampler, c.space, c.Seed); err != nil {
		return nil, 0, err
	}
	if calibration, err := stats.Calibrate(c.calibrationScores()); err == nil {
		noise = calibration.CV
	}
	for i, s := range c.singles {
		if s.point == nil {
			continue
		}
		told := search.Trial{Point: s.point, Status: study.OK, Score: c.related[i].Ratio, Noise: noise * c.related[i].Spread}
		if c.related[i].Ratio == 0 {
			told = search.Trial{Point: s.point, Status: study.Failed}
		}
		if err := searcher.Tell(told); err != nil {
			return nil, 0, err
		}
	}
	for _, t := range c.running {
		if point := c.point(t.Settings); point != nil {
			if err := searcher.Tell(search.Trial{Point: point, Status: study.Running}); err != nil {
				return nil, 0, err
			}
		}
	}
	return searcher, noise, nil
}

// calibrationScores are the scores of the control's runs in a row.
func (c *course) calibrationScores() []float64 {
	var list []float64
	for _, t := range c.trials {
		if t.Stage == StageCalibration && t.Status == study.OK {
			list = append(list, t.score())
		}
	}
	return list
}

// decide asks for the next trial of the race or of the confirmation.
func (c *course) decide() (*job, bool, error) {
	if err := c.lineUp(); err != nil {
		return nil, false, err
	}
	var ran []stats.Trial
	for _, t := range c.trials {
		if t.Stage == StageSearch {
			continue
		}
		cell := slices.IndexFunc(c.lined, func(cell Cell) bool { return cell.Name == t.Cell })
		if cell < 0 {
			return nil, false, fmt.Errorf("trial of %s: it does not take part in the race; was the study's plan changed?", t.Cell)
		}
		ran = append(ran, stats.Trial{
			Slot:  stats.Slot{Block: t.Block, Order: t.Order, Cell: cell},
			Score: t.score(), Failed: t.Status != study.OK,
		})
	}
	var err error
	if c.step, err = c.protocol(c.budget).Next(c.lineup, ran); err != nil {
		return nil, false, err
	}
	for _, slot := range c.step.Next {
		at := Slot{Stage: Stage(c.step.Stage), Block: slot.Block, Order: slot.Order}
		if p, _ := placeOf(at); !c.held(p) {
			return &job{c.lined[slot.Cell], at, int64(slot.Block) + 1}, false, nil // all cells of a block get the same inputs
		}
	}
	return nil, len(c.step.Next) == 0, nil
}

// lineUp picks the configurations that go to the race: the named ones and the
// best that the search found.
func (c *course) lineUp() error {
	if c.lined != nil {
		return nil
	}
	best, err := c.bestFound()
	if err != nil {
		return err
	}
	c.lined = slices.Clone(c.named)
	for _, name := range best {
		c.lined = append(c.lined, c.cells[name])
	}
	points := make([]space.Point, len(c.lined))
	for i, cell := range c.lined {
		points[i] = c.point(cell.Settings)
	}
	for i, cell := range c.lined {
		need, err := confgen.Required(c.env.Candidate(cell))
		if err != nil {
			return fmt.Errorf("memory of %s: %w", cell.Name, err)
		}
		candidate := stats.Candidate{Cost: float64(need)}
		if points[i] != nil {
			for _, neighbour := range c.space.Neighbours(points[i]) {
				if at := slices.IndexFunc(points, func(p space.Point) bool { return slices.Equal(p, neighbour) }); at >= 0 {
					candidate.Neighbours = append(candidate.Neighbours, at)
				}
			}
		}
		c.lineup.Candidates = append(c.lineup.Candidates, candidate)
	}
	for i := range c.named[1:] {
		c.lineup.References = append(c.lineup.References, i+1)
	}
	return nil
}

// bestFound returns the names of the best configurations of the search, besides
// the named ones: the one the sampler believes in first.
func (c *course) bestFound() ([]string, error) {
	type found struct {
		name  string
		ratio float64
	}
	var all []found
	i := -1
	for _, t := range c.trials {
		if t.Stage != StageSearch && t.Stage != StageCalibration {
			continue
		}
		i++
		named := slices.ContainsFunc(c.named, func(cell Cell) bool { return cell.Name == t.Cell })
		if !named && c.related[i].Ratio > 0 && c.singles[i].point != nil {
			all = append(all, found{t.Cell, c.related[i].Ratio})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.ratio, a.ratio) })
	searcher, _, err := c.searcher()
	if err != nil {
		return nil, err
	}
	var names []string
	if at, ok := searcher.Best(); ok {
		key := c.space.Key(searcher.Trials()[at].Point)
		for _, f := range all {
			if point, _, err := c.space.Point(c.cells[f.name].Settings); err == nil && c.space.Key(point) == key {
				names = append(names, f.name)
			}
		}
	}
	for _, f := range all {
		if !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	return names[:min(len(names), finalists)], nil
}
