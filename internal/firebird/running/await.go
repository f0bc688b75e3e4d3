package running

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// How long a start may take, which takes 10 to 30 ms, and how long is waited
// between two questions.
const (
	startTimeout = 45 * time.Second
	attemptPause = 5 * time.Millisecond
)

// StartError is why a server did not start or died.
type StartError struct {
	Reason string // in words, with what to do
	Log    string // the end of the server's log; "" when it wrote nothing
}

func (e *StartError) Error() string {
	if e.Log == "" {
		return e.Reason
	}
	return e.Reason + "\nfirebird.log ends:\n" + e.Log
}

// Await returns once the server answered a query on its database. died tells
// meanwhile why it never will, and ended is closed when it is known to have
// ended; nil is for a server of which only died knows. The error is a
// [*StartError], or the cause of ctx.
func (s *Server) Await(ctx context.Context, ended <-chan struct{}, died func() error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout,
		&StartError{Reason: fmt.Sprintf("the server did not answer a query within %s", startTimeout)})
	defer cancel()
	go func() { // a query does not notice that its server was killed on the way
		select {
		case <-ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	target := s.Target(s.Database)
	for {
		err := ask(ctx, target)
		if err == nil {
			return nil
		}
		if dead := died(); dead != nil {
			return dead
		}
		if refusedForGood(err) {
			return &StartError{Reason: fmt.Sprintf("the server refuses every connection: %v", err), Log: s.Log()}
		}
		select {
		case <-ended:
			return died()
		case <-ctx.Done():
			var timeout *StartError
			if errors.As(context.Cause(ctx), &timeout) {
				timeout.Log = s.Log()
			}
			return context.Cause(ctx)
		case <-time.After(attemptPause):
		}
	}
}
