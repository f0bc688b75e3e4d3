package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// A Trial is a slot that was run.
type Trial struct {
	Slot
	Score  float64 `json:"score"`            // operations per second, above 0; not read when Failed
	Failed bool    `json:"failed,omitempty"` // it gave no score
}

// A Stage is a part of a protocol.
type Stage string

// The stages of a protocol, in their order.
const (
	StageCalibration  Stage = "calibration"
	StageRace         Stage = "race"
	StageConfirmation Stage = "confirmation"
	StageDone         Stage = "done"
)

// MaxFailures is after how many failures in a row a cell is not run again.
const MaxFailures = 2

// A Step is where a study stands, and what to run next.
type Step struct {
	Stage Stage `json:"stage"`
	// Round counts the rounds of the race, and the looks of the confirmation,
	// from 0.
	Round int `json:"round"`
	// Next is what the round still lacks, in the order to run it; empty when
	// the study is done.
	Next []Slot `json:"next,omitempty"`
	// Live are the cells that take part in the round, ascending.
	Live []int `json:"live,omitempty"`
	// Out are the cells that failed MaxFailures times in a row, ascending.
	Out []int `json:"out,omitempty"`
	// Calibration is known when its runs are over.
	Calibration *Calibration `json:"calibration,omitempty"`
	// Race is known from the end of the first round on.
	Race *Standing `json:"race,omitempty"`
	// Comparisons are the verdicts on the winner, against the control first;
	// known from the first look on. There are none when the winner is the only
	// configuration.
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// Next says from everything measured so far what to run next. The same trials
// give the same answer whatever their order, and trials of a round that is not
// over change nothing but what is left of it. A slot that was run twice, for
// instance because the first run was disturbed, must be given once.
//
// An error means that the protocol or the lineup cannot be followed, or that
// trials belong to other ones.
func (p Protocol) Next(l Lineup, trials []Trial) (Step, error) {
	r, err := p.replay(l, trials)
	if err != nil {
		return Step{}, err
	}
	return r.step, nil
}

// replay goes through the protocol as far as the trials reach.
func (p Protocol) replay(l Lineup, trials []Trial) (*replay, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := l.Validate(); err != nil {
		return nil, err
	}
	r, err := newReplay(p, l, trials)
	if err != nil {
		return nil, err
	}
	return r, r.run()
}

// A replay is a way through a protocol with the trials of a study.
type replay struct {
	Protocol
	lineup Lineup
	trials map[place]Trial
	reach  float64 // Protocol.reach
	step   Step

	// Of the trials that the replay has come to:
	seen     int
	failures map[int]int  // in a row, by cell
	out      map[int]bool // cells that are not run again
	race     []Observation
	spent    int // trials that the rounds that are over asked for
}

// place is where a trial ran.
type place struct{ block, order int }

// newReplay sorts the trials in.
func newReplay(p Protocol, l Lineup, trials []Trial) (*replay, error) {
	r := &replay{
		Protocol: p, lineup: l, reach: p.reach(),
		trials: make(map[place]Trial, len(trials)), failures: map[int]int{}, out: map[int]bool{},
	}
	for _, t := range trials {
		at := place{t.Block, t.Order}
		if _, twice := r.trials[at]; twice {
			return nil, fmt.Errorf("block %d, order %d was run twice; give the trial that counts", t.Block, t.Order)
		}
		if !t.Failed && (!(t.Score > 0) || math.IsInf(t.Score, 1)) {
			return nil, fmt.Errorf("block %d, order %d: score %v is not a positive number; mark failed trials as failed", t.Block, t.Order, t.Score)
		}
		r.trials[at] = t
	}
	return r, nil
}

// note keeps count of a trial. What failed later must not change what was
// decided earlier, so trials are noted as the replay comes to them.
func (r *replay) note(t Trial) {
	r.seen++
	if !t.Failed {
		delete(r.failures, t.Cell)
		return
	}
	if r.failures[t.Cell]++; r.failures[t.Cell] == MaxFailures {
		r.out[t.Cell] = true
	}
}

// run takes the stages in their order.
func (r *replay) run() error {
	over, err := r.calibrate()
	if over && err == nil {
		over, err = r.raceRounds()
	}
	if over && err == nil {
		over, err = r.confirm()
	}
	if err != nil {
		return err
	}
	r.step.Out = slices.Sorted(maps.Keys(r.out))
	if over {
		r.step.Stage, r.step.Live = StageDone, nil
	}
	if r.seen < len(r.trials) {
		return fmt.Errorf("%d trial(s) are of slots that this protocol does not ask for: were its plan or its seed changed?", len(r.trials)-r.seen)
	}
	return nil
}

// calibrate asks for the runs of the control and reports whether they are over.
func (r *replay) calibrate() (bool, error) {
	r.step.Stage, r.step.Live = StageCalibration, []int{r.lineup.Control}
	runs, err := r.block(calibrationBlock, slices.Repeat([]int{r.lineup.Control}, r.Calibration))
	if err != nil || len(r.step.Next) > 0 {
		return false, err
	}
	if r.Calibration > 0 {
		c, err := Calibrate(scores(runs))
		if err != nil {
			return false, fmt.Errorf("calibrate: %w", err)
		}
		c.Limit = math.Expm1(r.reach * c.CV)
		r.spent = r.Calibration
		r.step.Calibration = &c
	}
	return true, nil
}

// block looks up the trials of one block, adds what it lacks to the slots to be
// run, and returns what has a score.
func (r *replay) block(block int, order []int) ([]Observation, error) {
	var observations []Observation
	for i, cell := range order {
		t, ran := r.trials[place{block, i}]
		switch {
		case ran && t.Cell != cell:
			return nil, fmt.Errorf("block %d, order %d ran cell %d, the protocol asks for %d: were its plan or its seed changed?", block, i, t.Cell, cell)
		case ran:
			r.note(t)
			if !t.Failed {
				position := float64(i) / float64(max(1, len(order)-1))
				observations = append(observations, Observation{Cell: cell, Block: block, Position: position, Score: t.Score})
			}
		case !r.out[cell]:
			r.step.Next = append(r.step.Next, Slot{Block: block, Order: i, Cell: cell})
		}
	}
	return observations, nil
}

// blocks looks up several blocks over the same cells.
func (r *replay) blocks(first, n int, cells []int) ([]Observation, error) {
	r.step.Live = slices.Clone(cells)
	slices.Sort(r.step.Live)
	var observations []Observation
	for b := first; b < first+n; b++ {
		one, err := r.block(b, r.blockOrder(b, r.lineup.Control, r.step.Live))
		if err != nil {
			return nil, err
		}
		observations = append(observations, one...)
	}
	return observations, nil
}

// scores are the scores of observations, in their order.
func scores(observations []Observation) []float64 {
	list := make([]float64, len(observations))
	for i, o := range observations {
		list[i] = o.Score
	}
	return list
}
