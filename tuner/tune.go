package tuner

import (
	"context"
	"errors"
	"fmt"

	"github.com/fbtune/fbtune/tuner/study"
)

// mostFailures is after how many failures of candidates in a row a tuning
// stops: something else than the candidates is at fault then.
const mostFailures = 3

// ErrStuck is the error of a tuning in which nothing works any more.
var ErrStuck = errors.New("candidates failed again and again, so something else may be at fault: look at the reasons, mend it and resume")

// Tune searches for a configuration as a study's plan asks for, going on with
// what the study holds, and returns what is known at the end. When ctx ends it
// stops cleanly: the error is then ctx's cause, and what was measured is still
// returned. control and sink may be nil.
func Tune(ctx context.Context, m Measurer, st *study.Study, t Tuning, env Environment, control *Control, sink Sink) (*Progress, error) {
	r := newRunner(m, st, t.Limits, t.Load, control, sink)
	return r.end(r.tune(ctx, t, env))
}

// tune runs trials until the course is over.
func (r *runner) tune(ctx context.Context, t Tuning, env Environment) error {
	r.sink.emit(Event{Kind: EventPlan, Tuning: &t, Environment: &env})
	recorded, err := r.replay(ctx)
	if err != nil {
		return err
	}
	c, err := newCourse(t, env, recorded)
	if err != nil {
		return err
	}
	var told Budget
	for {
		c.cut = c.cut || r.control.confirming()
		next, more, err := c.next()
		if err != nil {
			return err
		}
		if c.budget != told {
			told = c.budget
			r.calibrate(c.load)
			r.sink.emit(Event{Kind: EventBudget, Budget: &told})
		}
		if !more {
			return r.study.MarkFinished(ctx)
		}
		trial, err := r.run(ctx, next.cell, next.at, next.seed)
		if err != nil {
			return err
		}
		if err := c.add(trial); err != nil {
			return err
		}
		if err := c.fault(trial); err != nil {
			return err
		}
	}
}

// fault returns why a tuning must not go on after a trial, or nil.
func (c *course) fault(t Trial) error {
	failures := 0
	for i := len(c.trials) - 1; i >= 0 && c.trials[i].Status == study.Failed && !c.trials[i].Skipped; i-- {
		failures++
	}
	switch {
	case t.Status != study.Failed || t.Skipped:
		return nil
	case len(c.trials) == 1 && t.Cell == CurrentName:
		return fmt.Errorf("the configuration in use failed, before anything else was tried: mend that first (fbtune check helps): %s", t.Reason)
	case t.Cell == StockName && (t.Stage == StageCalibration || failures >= maxFailures):
		return fmt.Errorf("%w: %s", ErrHarness, t.Reason)
	case failures >= mostFailures:
		return fmt.Errorf("%w: %s", ErrStuck, t.Reason)
	}
	return nil
}
