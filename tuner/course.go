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

	trials  []Trial // in the order they ran
	cut     bool    // the search is to end with what it found
	raced   bool    // the race has begun, so the search is over
	singles []stats.Single
	points  []space.Point // of the singles; nil for one that is not in the space
	related []stats.Relative

	load   Load          // of the next trial
	each   time.Duration // of a trial, known after the calibration as the budget is
	budget Budget
	lineup stats.Lineup
	lined  []Cell // of the lineup's candidates, known after the search
	step   stats.Step
}

// next is a trial to be run.
type next struct {
	cell Cell
	at   Slot
	seed int64
}

// newCourse goes through the trials of a tuning.
func newCourse(t Tuning, env Environment, trials []Trial) (*course, error) {
	sp, err := t.Space(env)
	if err != nil {
		return nil, err
	}
	c := &course{Tuning: t, env: env, space: sp, named: t.named(), cells: map[string]Cell{}, load: t.Load}
	for _, cell := range c.named {
		c.cells[cell.Name] = cell
	}
	for _, trial := range trials {
		if err := c.add(trial); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// add takes a trial into account.
func (c *course) add(t Trial) error {
	c.trials = append(c.trials, t)
	if _, known := c.cells[t.Cell]; !known {
		c.cells[t.Cell] = Cell{Name: t.Cell, Mode: t.Mode, Settings: maps.Clone(t.Settings)}
	}
	if t.Stage == StageRace || t.Stage == StageConfirmation {
		c.raced = true
		return nil
	}
	point, exact, err := c.space.Point(t.Settings)
	if err != nil || !exact {
		point = nil // of a configuration of the user's, which need not be in the space
	}
	c.points = append(c.points, point)
	c.singles = append(c.singles, stats.Single{Control: t.Cell == StockName, Score: t.score(), Failed: t.Status != study.OK})
	if c.related, err = stats.Relate(c.singles); err != nil {
		return fmt.Errorf("relate trial %d to the control: %w", len(c.trials), err)
	}
	return nil
}

// beside is how many configurations are measured beside the winner.
func (c *course) beside() int { return len(c.named) }

// next returns the trial to be run, and false when the tuning is over.
func (c *course) next() (next, bool, error) {
	if first, ok := c.first(); ok && len(c.trials) == 0 {
		return first, true, nil
	}
	if slot, ok, err := c.calibrate(); ok || err != nil {
		return slot, ok, err
	}
	if trial, ok, err := c.searchNext(); ok || err != nil {
		return trial, ok, err
	}
	return c.decide()
}

// first is the run of the current configuration, which must succeed before
// anything is tried. Where that is stock, the calibration begins with it.
func (c *course) first() (next, bool) {
	i := slices.IndexFunc(c.named, func(cell Cell) bool { return cell.Name == CurrentName })
	if i < 0 {
		return next{}, false
	}
	return next{c.named[i], Slot{Stage: StageSearch}, 1}, true
}

// calibrate asks for the runs of the control alone. When they are over the
// budget is known.
func (c *course) calibrate() (next, bool, error) {
	runs, seconds := 0, 0.0
	for _, t := range c.trials {
		if t.Stage == StageCalibration {
			runs++
			seconds += t.elapsed()
		}
	}
	if runs < c.calibration() {
		return next{c.cells[StockName], Slot{Stage: StageCalibration, Order: runs}, int64(runs) + 1}, true, nil
	}
	c.load = c.Load.calibrated(c.trials)
	rest := time.Duration(seconds/float64(runs)*float64(time.Second)) - c.Load.Duration
	if c.Load.Auto && c.Time > 0 {
		c.load.Duration = min(c.load.Duration, affordable(c.Time/goodTrials-rest))
	}
	c.each = rest + c.load.Duration
	c.budget = c.Tuning.budget(c.total(c.each), c.beside())
	return next{}, false, nil
}

// searched returns how many trials of the search were run.
func (c *course) searched() int {
	n := 0
	for _, t := range c.trials {
		if t.Stage == StageSearch {
			n++
		}
	}
	return n
}

// searchNext asks for the next trial of the search: the advised configuration
// first, then what the sampler proposes, the control in between and at the end.
func (c *course) searchNext() (next, bool, error) {
	done := c.searched()
	if done >= c.budget.Search {
		return next{}, false, nil
	}
	cut := c.cut && c.found()
	if c.raced || cut && c.singles[len(c.singles)-1].Control {
		c.endSearch(done)
		return next{}, false, nil
	}
	at := Slot{Stage: StageSearch, Order: done}
	seed := int64(100 + done)
	if cut || done == c.budget.Search-1 || stats.ControlDue(c.singles) {
		return next{c.cells[StockName], at, seed}, true, nil
	}
	if advised, ok := c.cells[AdvisedName]; ok && !c.ran(AdvisedName) {
		return next{advised, at, seed}, true, nil
	}
	searcher, err := c.searcher()
	if err != nil {
		return next{}, false, err
	}
	point, err := searcher.Ask()
	if errors.Is(err, search.ErrExhausted) {
		c.endSearch(done) // the control has run after all of them soon enough
		return next{}, false, nil
	}
	if err != nil {
		return next{}, false, err
	}
	settings := c.space.Settings(point)
	cell := Cell{Name: fmt.Sprintf("#%d", len(c.trials)+1), Mode: c.space.Mode(point), Settings: settings}
	return next{cell, at, seed}, true, nil
}

// endSearch takes what the search leaves of its budget out of it.
func (c *course) endSearch(done int) {
	c.budget.Total -= c.budget.Search - done
	c.budget.Search = done
}

// found reports whether the search has a candidate for the race.
func (c *course) found() bool {
	return slices.ContainsFunc(c.trials, func(t Trial) bool {
		return t.Stage == StageSearch && t.Status == study.OK && t.Cell != StockName && t.Cell != CurrentName && t.Cell != AdvisedName
	})
}

// ran reports whether a cell was measured.
func (c *course) ran(name string) bool {
	return slices.ContainsFunc(c.trials, func(t Trial) bool { return t.Cell == name })
}

// searcher returns a sampler that was told of every trial so far, each score
// divided by what the control would have scored in its place.
func (c *course) searcher() (*search.Searcher, error) {
	searcher, err := search.New(c.Sampler, c.space, c.Seed)
	if err != nil {
		return nil, err
	}
	noise := 0.0
	if calibration, err := stats.Calibrate(c.calibrationScores()); err == nil {
		noise = calibration.CV
	}
	for i, point := range c.points {
		if point == nil {
			continue
		}
		told := search.Trial{Point: point, Status: study.OK, Score: c.related[i].Ratio, Noise: noise * c.related[i].Spread}
		if c.related[i].Ratio == 0 {
			told = search.Trial{Point: point, Status: study.Failed}
		}
		if err := searcher.Tell(told); err != nil {
			return nil, err
		}
	}
	return searcher, nil
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
func (c *course) decide() (next, bool, error) {
	if err := c.lineUp(); err != nil {
		return next{}, false, err
	}
	var ran []stats.Trial
	for _, t := range c.trials {
		if t.Stage == StageSearch {
			continue
		}
		cell := slices.IndexFunc(c.lined, func(cell Cell) bool { return cell.Name == t.Cell })
		if cell < 0 {
			return next{}, false, fmt.Errorf("trial of %s: it does not take part in the race; was the study's plan changed?", t.Cell)
		}
		ran = append(ran, stats.Trial{
			Slot:  stats.Slot{Block: t.Block, Order: t.Order, Cell: cell},
			Score: t.score(), Failed: t.Status != study.OK,
		})
	}
	var err error
	if c.step, err = c.protocol(c.budget).Next(c.lineup, ran); err != nil {
		return next{}, false, err
	}
	if len(c.step.Next) == 0 {
		return next{}, false, nil
	}
	slot := c.step.Next[0]
	at := Slot{Stage: Stage(c.step.Stage), Block: slot.Block, Order: slot.Order}
	return next{c.lined[slot.Cell], at, int64(slot.Block) + 1}, true, nil // all cells of a block get the same inputs
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
		if point, exact, err := c.space.Point(cell.Settings); err == nil && exact {
			points[i] = point
		}
	}
	for i, cell := range c.lined {
		need, err := confgen.Required(c.env.candidate(cell))
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
		if !named && c.related[i].Ratio > 0 && c.points[i] != nil {
			all = append(all, found{t.Cell, c.related[i].Ratio})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.ratio, a.ratio) })
	searcher, err := c.searcher()
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
