package study

import (
	"context"
	"fmt"
	"time"
)

// A Claim is a trial that a process is about to run.
type Claim struct {
	Params map[string]string // the settings, each a value of the study's Space
	Attrs  map[string]any    // documents, as in Record
}

// Claim shows all trials of the study to decide and begins the one that it asks
// for, if any, in one transaction: of several processes that work on the study,
// no two decide from the same state. The identifier is 0 when decide returned
// nil. decide must not use the store.
func (s *Study) Claim(ctx context.Context, decide func([]Trial) (*Claim, error)) (TrialID, error) {
	var id TrialID
	err := s.store.update(ctx, func(db session) error {
		trials, err := s.trials(db)
		if err != nil {
			return err
		}
		claim, err := decide(trials)
		if err != nil || claim == nil {
			return err
		}
		id, err = s.begin(db, *claim)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("claim a trial of %q: %w", s.Name, err)
	}
	return id, nil
}

// AtWork reports whether the process that began a trial can still be working on
// the study: it is not known to have ended, and its last sign of life in that
// trial is not older than maxAge.
func (s *Study) AtWork(t Trial, maxAge time.Duration) (bool, error) {
	reason, err := s.staleness(t, time.Now(), maxAge)
	return reason == "", err
}

// Own reports whether this process began the trial.
func (s *Study) Own(t Trial) bool { return t.Owner.same(s.self) }
