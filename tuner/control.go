package tuner

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/tuner/study"
)

// Control is how a person acts on a study that is running. The study heeds it
// between trials, but for Skip, which ends the one that runs. All methods may be
// called from any goroutine; a nil Control is one that nobody uses.
type Control struct {
	mu      sync.Mutex
	resumed chan struct{}           // closed by Resume; nil when not paused
	skip    context.CancelCauseFunc // of the running trial; nil when there is none that may be skipped
	confirm bool
}

// errSkipped is the cause of the context of a trial that Skip ended.
var errSkipped = errors.New("skipped on request")

// Pause holds the study back after the trial that runs.
func (c *Control) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resumed == nil {
		c.resumed = make(chan struct{})
	}
}

// Resume lets a study go on that Pause holds back.
func (c *Control) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resumed != nil {
		close(c.resumed)
		c.resumed = nil
	}
}

// Skip ends the running trial, whose candidate then counts as failed. It
// reports whether there was one that may be skipped: not what the others are
// compared with, nor a trial on which a verdict rests.
func (c *Control) Skip() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.skip == nil {
		return false
	}
	c.skip(errSkipped)
	c.skip = nil
	return true
}

// Confirm ends the search of a tuning: the best that was found so far goes to
// race and confirmation. Until there is one the search goes on.
func (c *Control) Confirm() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.confirm = true
}

// confirming reports whether Confirm was called.
func (c *Control) confirming() bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.confirm
}

// wait returns when the study may go on, with the cause of a ctx that ended.
func (c *Control) wait(ctx context.Context) error {
	if c == nil {
		return context.Cause(ctx)
	}
	c.mu.Lock()
	resumed := c.resumed
	c.mu.Unlock()
	if resumed != nil {
		select {
		case <-resumed:
		case <-ctx.Done():
		}
	}
	return context.Cause(ctx)
}

// skippable reports whether a trial may be skipped.
func skippable(c Cell, at Slot) bool {
	return c.Name != StockName && c.Name != CurrentName && (at.Stage == "" || at.Stage == StageSearch)
}

// measured measures a trial that Skip may end.
func (c *Control) measured(ctx context.Context, cell Cell, at Slot, measure func(context.Context) (Trial, error)) (Trial, error) {
	if c == nil || !skippable(cell, at) {
		return measure(ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c.setSkip(cancel)
	defer c.setSkip(nil)
	begun := time.Now()
	t, err := measure(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errSkipped) {
		t = Trial{Cell: cell.Name, Mode: cell.Mode, Settings: cell.Settings, Started: begun, Status: study.Failed, Reason: errSkipped.Error(), Skipped: true, Effective: []running.Effective{}}
		t.Overhead.Other = time.Since(begun).Seconds()
		return t, nil
	}
	return t, err
}

func (c *Control) setSkip(skip context.CancelCauseFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.skip = skip
}
