package workload

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// checkConnections is how many connections share the queries of a check.
const checkConnections = 2

// Violation is a consistency condition that does not hold.
type Violation struct {
	Condition int    `json:"condition"` // its number in TPC-C 3.3.2
	Statement string `json:"statement"` // what should hold
	Rows      int64  `json:"rows"`      // how many rows break it
}

func (v Violation) String() string {
	return fmt.Sprintf("consistency condition %d broken by %d rows: %s", v.Condition, v.Rows, v.Statement)
}

// Check tests the consistency conditions with the given numbers, all nine if
// none is given, and returns those that do not hold, by number. The database
// must be at rest. It works out the warehouses from the marker.
func Check(ctx context.Context, t Target, ids ...int) ([]Violation, error) {
	scale, _, err := ReadMarker(ctx, t)
	if err != nil {
		return nil, err
	}
	return checkConditions(ctx, t, scale.Warehouses, ids...)
}

// conditionsByID returns the conditions with the given numbers, all if none is given.
func conditionsByID(ids []int) ([]condition, error) {
	if len(ids) == 0 {
		return conditions, nil
	}
	var chosen []condition
	for _, id := range ids {
		i := slices.IndexFunc(conditions, func(c condition) bool { return c.id == id })
		if i < 0 {
			return nil, fmt.Errorf("consistency condition %d: give numbers from 1 to %d", id, len(conditions))
		}
		chosen = append(chosen, conditions[i])
	}
	return chosen, nil
}

func checkConditions(ctx context.Context, t Target, warehouses int, ids ...int) ([]Violation, error) {
	chosen, err := conditionsByID(ids)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	offenders := make(map[int]int64)
	var jobs []job
	for _, c := range chosen {
		count := func(args ...driver.Value) job {
			return func(ctx context.Context, s *session) error {
				return s.within(ctx, readOnly, func() error {
					n, err := s.queryInts(ctx, c.query, args...)
					if err != nil {
						return fmt.Errorf("consistency condition %d: %w", c.id, err)
					}
					mu.Lock()
					offenders[c.id] += n[0]
					mu.Unlock()
					return nil
				})
			}
		}
		if c.params == 0 {
			jobs = append(jobs, count())
			continue
		}
		for w := range warehouses {
			args := slices.Repeat([]driver.Value{int64(w + 1)}, c.params)
			jobs = append(jobs, count(args...))
		}
	}
	if err := runJobs(ctx, t, checkConnections, jobs); err != nil {
		return nil, err
	}
	var violations []Violation
	for _, c := range chosen {
		if n := offenders[c.id]; n > 0 {
			violations = append(violations, Violation{c.id, c.statement, n})
		}
	}
	slices.SortFunc(violations, func(a, b Violation) int { return cmp.Compare(a.Condition, b.Condition) })
	return violations, nil
}

// job is work for any one of several sessions.
type job func(ctx context.Context, s *session) error

// runJobs works jobs off in order on n sessions, and returns the first error
// after all have stopped.
func runJobs(ctx context.Context, t Target, n int, jobs []job) (err error) {
	sessions, err := connectAll(ctx, t, min(n, len(jobs)))
	defer func() { err = errors.Join(err, closeAll(sessions)) }()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan job, len(jobs))
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	var wg sync.WaitGroup
	failures := make([]error, len(sessions))
	for i, s := range sessions {
		wg.Go(func() {
			failures[i] = guarded(func() error { return workOff(ctx, s, queue) })
			if failures[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	return firstCause(failures)
}

// workOff runs jobs from the queue on one session until it is empty or one fails.
func workOff(ctx context.Context, s *session, queue <-chan job) error {
	for j := range queue {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// firstCause returns the first error that is not merely the cancellation that
// another one caused, else the first, else nil.
func firstCause(failures []error) error {
	var first error
	for _, err := range failures {
		switch {
		case err == nil:
		case !errors.Is(err, context.Canceled):
			return err
		case first == nil:
			first = err
		}
	}
	return first
}
