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
	r.sink.emit(Event{Kind: EventPlan, Tuning: &t, Environment: &env})
	return r.end(r.follow(ctx, func(l ledger) (schedule, error) {
		c, err := newCourse(t, env, l)
		if err != nil {
			return nil, err
		}
		c.cut = control.confirming()
		return c, nil
	}))
}

// fault returns why a tuning must not go on after a trial, or nil.
func (c *course) fault(t Trial) error {
	c.trials = append(c.trials, t)
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
