package tuner

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/fbtune/fbtune/tuner/study"
)

// maxFailures is after how many failures in a row a cell is not tried again.
const maxFailures = 2

// NewStudy records a new study of a plan.
func NewStudy(ctx context.Context, store *study.Store, name string, plan Plan, env Environment) (*study.Study, error) {
	var settings []map[string]string
	for _, c := range plan.Cells() {
		settings = append(settings, c.Settings)
	}
	return create(ctx, store, study.Meta{Name: name, Kind: study.Sweep, Space: study.SpaceOf(settings...)}, plan, env)
}

// create records a new study with its plan and environment.
func create(ctx context.Context, store *study.Store, meta study.Meta, plan any, env Environment) (*study.Study, error) {
	var err error
	if meta.Plan, err = json.Marshal(plan); err != nil {
		return nil, fmt.Errorf("record the plan: %w", err)
	}
	if meta.Environment, err = json.Marshal(env); err != nil {
		return nil, fmt.Errorf("record the environment: %w", err)
	}
	return store.Create(ctx, meta)
}

// ReadPlan returns what a sweep was recorded with.
func ReadPlan(s *study.Study) (plan Plan, env Environment, err error) {
	return plan, env, read(s, study.Sweep, &plan, &env)
}

// read returns what a study of a kind was recorded with.
func read(s *study.Study, kind study.Kind, plan any, env *Environment) error {
	if s.Kind != kind {
		return fmt.Errorf("study %s is a %s, not a %s; go on with it by fbtune %s --resume %s", s.Name, s.Kind, kind, s.Kind, s.Name)
	}
	if err := json.Unmarshal(s.Plan, plan); err != nil {
		return fmt.Errorf("read the plan of study %s: %w", s.Name, err)
	}
	if err := json.Unmarshal(s.Environment, env); err != nil {
		return fmt.Errorf("read the environment of study %s: %w", s.Name, err)
	}
	return nil
}

// Sweep measures what a study's plan asks for and the study does not hold yet,
// and returns what is known at the end. When ctx ends it stops cleanly: the
// error is then ctx's cause, and what was measured is still returned. control and
// sink may be nil.
func Sweep(ctx context.Context, m Measurer, st *study.Study, plan Plan, env Environment, control *Control, sink Sink) (*Progress, error) {
	s := &sweep{runner: newRunner(m, st, plan.Limits, plan.Load, control, sink), cells: plan.Cells(), done: map[Slot]bool{}, failures: map[string]int{}}
	return s.end(s.all(ctx, plan, env))
}

// sweep is one run of a sweep.
type sweep struct {
	*runner
	cells    []Cell
	done     map[Slot]bool
	failures map[string]int // in a row, by cell
}

// all runs every trial that is not done.
func (s *sweep) all(ctx context.Context, plan Plan, env Environment) error {
	s.sink.emit(Event{Kind: EventPlan, Plan: &plan, Environment: &env})
	recorded, err := s.replay(ctx)
	if err != nil {
		return err
	}
	for _, t := range recorded {
		s.note(t)
	}
	if err := s.calibration(ctx, plan, recorded); err != nil {
		return err
	}
	for block := range plan.Blocks {
		for order, cell := range plan.Order(block) {
			at := Slot{Block: block, Order: order}
			if s.done[at] || s.failures[s.cells[cell].Name] >= maxFailures {
				continue
			}
			if err := s.trial(ctx, s.cells[cell], at); err != nil {
				return err
			}
		}
	}
	return s.study.MarkFinished(ctx)
}

// calibration runs the control alone as often as the plan says, and chooses the
// load of all other trials from that.
func (s *sweep) calibration(ctx context.Context, plan Plan, recorded []Trial) error {
	for i := range plan.Calibration {
		at := Slot{Stage: StageCalibration, Order: i}
		if s.done[at] {
			continue
		}
		if err := s.trial(ctx, s.cells[0], at); err != nil {
			return err
		}
		recorded = append(recorded, s.progress.Trials[len(s.progress.Trials)-1])
	}
	s.calibrate(plan.Load.calibrated(recorded))
	return nil
}

// note keeps count of a trial that ended.
func (s *sweep) note(t Trial) {
	s.done[t.Slot] = true
	if t.Status == study.Failed {
		s.failures[t.Cell]++
	} else {
		delete(s.failures, t.Cell)
	}
}

// trial measures one slot. A sweep whose control does not work is over.
func (s *sweep) trial(ctx context.Context, c Cell, at Slot) error {
	t, err := s.run(ctx, c, at, int64(at.Block)+1) // all cells of a block get the same inputs
	if err != nil {
		return err
	}
	s.note(t)
	if c.Name == ControlName && t.Status == study.Failed && (len(s.done) == 1 || s.failures[c.Name] >= maxFailures) {
		return fmt.Errorf("%w: %s", ErrHarness, t.Reason)
	}
	return nil
}
