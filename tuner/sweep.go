package tuner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fbtune/fbtune/tuner/study"
)

// Measurer measures one trial of a cell, as [Bench.Measure] does.
type Measurer interface {
	Measure(ctx context.Context, c Cell, seed int64, sink Sink) (Trial, error)
}

// How a study is kept alive and taken over.
const (
	heartbeat = 5 * time.Second
	staleAge  = time.Minute
)

// attribute is the name of a trial's document in its study.
const attribute = "trial"

// maxFailures is after how many failures a cell is not tried again.
const maxFailures = 2

// ErrHarness is the error of a sweep whose control does not work: what is at
// fault then is not a configuration.
var ErrHarness = errors.New("the stock configuration failed, so the fault is not a candidate's: mend that first")

// NewStudy records a new study of a plan.
func NewStudy(ctx context.Context, store *study.Store, name string, plan Plan, env Environment) (*study.Study, error) {
	planJSON, err := json.Marshal(plan)
	if err != nil {
		return nil, fmt.Errorf("record the plan: %w", err)
	}
	envJSON, err := json.Marshal(env)
	if err != nil {
		return nil, fmt.Errorf("record the environment: %w", err)
	}
	var settings []map[string]string
	for _, c := range plan.Cells() {
		settings = append(settings, c.Settings)
	}
	return store.Create(ctx, study.Meta{
		Name: name, Kind: study.Sweep, Plan: planJSON, Environment: envJSON, Space: study.SpaceOf(settings...),
	})
}

// ReadPlan returns what a study was recorded with.
func ReadPlan(s *study.Study) (Plan, Environment, error) {
	var plan Plan
	if err := json.Unmarshal(s.Plan, &plan); err != nil {
		return Plan{}, Environment{}, fmt.Errorf("read the plan of study %s: %w", s.Name, err)
	}
	var env Environment
	if err := json.Unmarshal(s.Environment, &env); err != nil {
		return Plan{}, Environment{}, fmt.Errorf("read the environment of study %s: %w", s.Name, err)
	}
	return plan, env, nil
}

// Sweep measures what a study's plan asks for and the study does not hold yet,
// and returns what is known at the end. When ctx ends it stops cleanly: the
// error is then ctx's cause, and what was measured is still returned.
func Sweep(ctx context.Context, m Measurer, st *study.Study, plan Plan, env Environment, sink Sink) (*Progress, error) {
	s := &sweep{measurer: m, study: st, cells: plan.Cells(), done: map[slot]bool{}, failures: map[string]int{}}
	s.sink = func(e Event) {
		s.progress.Apply(e)
		if sink != nil {
			sink(e)
		}
	}
	err := s.all(ctx, plan, env)
	end := Event{Kind: EventEnd}
	if err != nil {
		end.Message = err.Error()
	}
	s.sink.emit(end)
	return &s.progress, err
}

// slot is the place of a trial in a plan.
type slot struct{ block, order int }

// sweep is one run of a sweep.
type sweep struct {
	measurer Measurer
	study    *study.Study
	cells    []Cell
	done     map[slot]bool
	failures map[string]int // by cell
	progress Progress
	sink     Sink
}

// all runs every trial that is not done.
func (s *sweep) all(ctx context.Context, plan Plan, env Environment) error {
	s.sink.emit(Event{Kind: EventPlan, Plan: &plan, Environment: &env})
	if err := s.replay(ctx); err != nil {
		return err
	}
	for block := range plan.Blocks {
		for order, cell := range plan.Order(block) {
			if s.done[slot{block, order}] || s.failures[s.cells[cell].Name] >= maxFailures {
				continue
			}
			if err := s.trial(ctx, s.cells[cell], block, order); err != nil {
				return err
			}
		}
	}
	return s.study.MarkFinished(ctx)
}

// replay takes over what the study holds.
func (s *sweep) replay(ctx context.Context) error {
	torn, err := s.study.TakeOverStale(ctx, staleAge)
	if err != nil {
		return err
	}
	if torn > 0 {
		s.sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("%d trial(s) were cut short by the end of an earlier run and are repeated", torn)})
	}
	trials, err := s.study.Trials(ctx)
	if err != nil {
		return err
	}
	for _, recorded := range trials {
		if recorded.Status != study.OK && recorded.Status != study.Failed {
			continue
		}
		var t Trial
		if err := json.Unmarshal(recorded.Attrs[attribute], &t); err != nil {
			return fmt.Errorf("read trial %d of study %s: %w", recorded.Number, s.study.Name, err)
		}
		s.note(t)
		s.sink.emit(Event{Kind: EventResult, Trial: &t, Replayed: true})
	}
	return nil
}

// note keeps count of a trial that ended.
func (s *sweep) note(t Trial) {
	s.done[slot{t.Block, t.Order}] = true
	if t.Status == study.Failed {
		s.failures[t.Cell]++
	} else {
		delete(s.failures, t.Cell)
	}
}

// trial measures one slot and records it.
func (s *sweep) trial(ctx context.Context, c Cell, block, order int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	id, err := s.study.Begin(ctx, c.Settings, nil)
	if err != nil {
		return err
	}
	s.sink.emit(Event{Kind: EventTrial, Cell: c.Name, Block: block, Order: order})
	t, err := s.measure(ctx, id, c, int64(block)+1) // all cells of a block get the same inputs
	t.Block, t.Order = block, order
	kept := context.WithoutCancel(ctx)
	if err != nil {
		torn := s.study.Finish(kept, id, study.Record{Status: study.Interrupted, Reason: err.Error()})
		return errors.Join(err, torn)
	}
	err = s.study.Finish(kept, id, study.Record{
		Status: t.Status, Reason: t.Reason, Score: t.OpsPerSecond, Attrs: map[string]any{attribute: t},
	})
	if err != nil {
		return err
	}
	s.note(t)
	s.sink.emit(Event{Kind: EventResult, Trial: &t})
	if c.Name == ControlName && t.Status == study.Failed && (len(s.done) == 1 || s.failures[c.Name] >= maxFailures) {
		return fmt.Errorf("%w: %s", ErrHarness, t.Reason)
	}
	return nil
}

// measure measures while the study hears that this process is alive.
func (s *sweep) measure(ctx context.Context, id study.TrialID, c Cell, seed int64) (Trial, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var beat sync.WaitGroup
	defer beat.Wait()
	beating, stop := context.WithCancel(ctx)
	defer stop()
	beat.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-tick.C:
			}
			if err := s.study.Heartbeat(beating, id); err != nil && beating.Err() == nil {
				cancel(err)
				return
			}
		}
	})
	return s.measurer.Measure(ctx, c, seed, s.sink)
}
