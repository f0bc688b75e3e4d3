package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// crew starts every goroutine of the program and waits for its end. A panic in
// one stops the others, so that servers are ended and the terminal is given
// back before anything is said about it.
type crew struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
	failure error // of the first panic
}

// newCrew returns a crew whose work ends with ctx.
func newCrew(ctx context.Context) *crew {
	ctx, cancel := context.WithCancelCause(ctx)
	return &crew{ctx: ctx, cancel: cancel}
}

// crashedMsg tells the program that a goroutine panicked.
type crashedMsg struct{ err error }

// enter counts a goroutine in, unless the crew goes home.
func (c *crew) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.running.Add(1)
	return true
}

// guarded runs work and turns its panic into the crew's failure.
func (c *crew) guarded(work func()) (failure error) {
	defer c.running.Done()
	defer func() {
		if p := recover(); p != nil {
			failure = fmt.Errorf("a fault of fbtune, please report it: %v\n%s", p, debug.Stack())
			c.mu.Lock()
			if c.failure == nil {
				c.failure = failure
			}
			c.mu.Unlock()
			c.cancel(failure)
		}
	}()
	work()
	return nil
}

// cmd returns work as a command of bubbletea, which runs it in a goroutine and
// takes its message.
func (c *crew) cmd(work func(context.Context) tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		if !c.enter() {
			return nil
		}
		if err := c.guarded(func() { msg = work(c.ctx) }); err != nil {
			return crashedMsg{err}
		}
		return msg
	}
}

// start runs work in a goroutine and calls failed when it panics.
func (c *crew) start(work func(), failed func()) {
	if !c.enter() {
		return
	}
	go func() {
		if c.guarded(work) != nil {
			failed()
		}
	}()
}

// stop ends the work for a reason and waits for it.
func (c *crew) stop(cause error) {
	c.cancel(cause)
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.running.Wait()
}

// failed returns the first panic, or nil. Call it after stop.
func (c *crew) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}
