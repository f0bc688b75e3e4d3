package workload

import (
	"context"
	"errors"
	"fmt"
)

// databaseState is what MON$DATABASE says.
type databaseState struct {
	transactions  Transactions
	forcedWrites  bool
	sweepInterval int64
	bytes         int64 // pages times page size
}

// onSession opens a short-lived session, runs f in one read-only transaction on it, and closes it.
func onSession(ctx context.Context, t Target, f func(*session) error) (err error) {
	s, err := connect(ctx, t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	return s.within(ctx, readOnly, func() error { return f(s) })
}

// readState reads MON$DATABASE on a connection of its own.
func readState(ctx context.Context, t Target) (databaseState, error) {
	var st databaseState
	err := onSession(ctx, t, func(s *session) error {
		v, err := s.queryInts(ctx, `SELECT MON$OLDEST_ACTIVE, MON$NEXT_TRANSACTION, MON$FORCED_WRITES, MON$SWEEP_INTERVAL,
			CAST(MON$PAGES * MON$PAGE_SIZE AS BIGINT) FROM MON$DATABASE`) // without the cast it is an INT128 from 4.0 on
		if err != nil {
			return err
		}
		st = databaseState{
			transactions:  Transactions{OldestActive: v[0], Next: v[1]},
			forcedWrites:  v[2] == 1,
			sweepInterval: v[3],
			bytes:         v[4],
		}
		return nil
	})
	if err != nil {
		return st, fmt.Errorf("read the state of %s: %w", t.Path, err)
	}
	return st, nil
}
