package study

import (
	"context"
	"fmt"
	"time"

	"github.com/c-bata/goptuna"
)

// TakeOverStale ends the trials that a killed run left running and returns how
// many: they become Interrupted, to be repeated. A trial is stale when its
// owner is known to have ended, or when its last heartbeat is older than
// maxAge, which is how the end of a process on another host is noticed. Choose
// maxAge well above the interval of heartbeats plus the difference of the
// hosts' clocks.
func (s *Study) TakeOverStale(ctx context.Context, maxAge time.Duration) (int, error) {
	n := 0
	err := s.store.update(ctx, func(db session) error {
		frozen, err := db.GetAllTrials(s.id)
		if err != nil {
			return err
		}
		now := time.Now()
		for _, f := range frozen {
			if f.State != goptuna.TrialStateRunning {
				continue
			}
			t, err := newTrial(f)
			if err != nil {
				return err
			}
			reason, err := s.staleness(t, now, maxAge)
			if err != nil {
				return err
			}
			if reason == "" {
				continue
			}
			if err := s.finish(db, f.ID, Record{Status: Interrupted, Reason: reason}); err != nil {
				return fmt.Errorf("trial %d: %w", f.Number, err)
			}
			n++
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("take over stale trials of %q: %w", s.Name, err)
	}
	return n, nil
}

// staleness says why a running trial is stale, or nothing if it is not.
func (s *Study) staleness(t Trial, now time.Time, maxAge time.Duration) (string, error) {
	gone, err := t.Owner.gone(s.self)
	if err != nil {
		return "", err
	}
	silent := now.Sub(t.Heartbeat)
	switch {
	case gone:
		return fmt.Sprintf("%v has ended", t.Owner), nil
	case silent > maxAge:
		return fmt.Sprintf("%v was not heard of for %v", t.Owner, silent.Round(time.Second)), nil
	}
	return "", nil
}
