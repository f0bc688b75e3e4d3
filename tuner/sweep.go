package tuner

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/fbtune/fbtune/tuner/study"
)

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
		return fmt.Errorf("study %s is a %s, not a %s; go on with it by fbtune %s --resume %s", s.Name, s.Kind, kind, s.Kind.Command(), s.Name)
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
// and returns what is known at the end. When ctx ends it stops cleanly: the error
// is then ctx's cause, and what was measured is still returned. control and sink
// may be nil.
func Sweep(ctx context.Context, m Measurer, st *study.Study, plan Plan, env Environment, control *Control, sink Sink) (*Progress, error) {
	r := newRunner(m, st, plan.Limits, plan.Load, control, sink)
	r.sink.emit(Event{Kind: EventPlan, Plan: &plan, Environment: &env})
	return r.end(r.follow(ctx, func(l ledger) (schedule, error) { return newSweep(plan, l), nil }))
}

// sweep is where a sweep stands.
type sweep struct {
	Plan
	blocks
}

// newSweep goes through the trials of a sweep.
func newSweep(plan Plan, l ledger) *sweep {
	return &sweep{plan, newBlocks(l, plan.Blocks, plan.Cells(), plan.Order)}
}

// next returns what this worker runs next: the runs of the control alone, then
// block by block.
func (s *sweep) next() (*job, bool, error) {
	at, left := s.calibrationLeft()
	if !left {
		return s.blocks.next()
	}
	if s.held(place{Stage: StageCalibration}) {
		return nil, false, nil
	}
	return &job{s.cells[0], at, 1}, false, nil
}

// calibrationLeft returns the next run of the control alone, if one is left.
func (s *sweep) calibrationLeft() (Slot, bool) {
	for i := range s.Calibration {
		if at := (Slot{Stage: StageCalibration, Order: i}); !s.done[at] {
			return at, true
		}
	}
	return Slot{}, false
}

// chosen returns the load that the calibration chose.
func (s *sweep) chosen() (Load, Budget) {
	if _, left := s.calibrationLeft(); left {
		return s.Load, Budget{}
	}
	return s.Load.calibrated(s.counting), Budget{}
}

// fault returns why the sweep is over after a trial: its control does not work.
func (s *sweep) fault(t Trial) error {
	s.note(t)
	if t.Cell == ControlName && t.Status == study.Failed && (len(s.done) == 1 || s.failures[t.Cell] >= maxFailures) {
		return fmt.Errorf("%w: %s", ErrHarness, t.Reason)
	}
	return nil
}
