package workload

import (
	"context"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Starts come at the rate and cluster as a Poisson process does: the gaps vary
// as much as their mean is long.
func TestArrivals(t *testing.T) {
	const rate, n = 500, 100_000
	a := newArrivals(rate, 1, time.Second)
	last, sum, squares := time.Second, 0.0, 0.0
	for range n {
		start := a.take()
		if start < last {
			t.Fatalf("a start at %s after one at %s", start, last)
		}
		gap := (start - last).Seconds()
		sum, squares, last = sum+gap, squares+gap*gap, start
	}
	mean := sum / n
	deviation := math.Sqrt(squares/n - mean*mean)
	// Both are off by one part in 316 (one standard deviation) by chance.
	if math.Abs(mean*rate-1) > 0.01 || math.Abs(deviation*rate-1) > 0.02 {
		t.Errorf("gaps of %g s, deviation %g s, want %g both", mean, deviation, 1.0/rate)
	}
}

func TestArrivalsAreSeeded(t *testing.T) {
	a, again, other := newArrivals(100, 1, 0), newArrivals(100, 1, 0), newArrivals(100, 2, 0)
	same := 0
	for range 100 {
		start := a.take()
		if got := again.take(); got != start {
			t.Fatalf("the same seed gives %s, then %s", start, got)
		}
		if other.take() == start {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of 100 starts are those of another seed", same)
	}
	from := newArrivals(100, 1, time.Minute)
	if first := newArrivals(100, 1, 0); from.peek() != first.peek()+time.Minute {
		t.Errorf("a minute later the first start is %s, not a minute after %s", from.peek(), first.peek())
	}
}

func TestBacklog(t *testing.T) {
	s := newSchedule(100, 1, 0)
	starts := s.all
	var at [6]time.Duration
	for i := range at {
		at[i] = starts.take()
	}
	if b := s.backlog(at[0] - 1); b != (backlog{}) {
		t.Errorf("before the first start: %+v", b)
	}
	s.take()
	s.take()
	if b := s.backlog(at[1]); b != (backlog{}) {
		t.Errorf("all that is due is taken: %+v", b)
	}
	if b, want := s.backlog(at[4]), (backlog{operations: 3, behind: at[4] - at[2]}); b != want {
		t.Errorf("three wait: %+v, want %+v", b, want)
	}
	if got := s.due(&window{start: at[1], end: at[4]}); got != 3 {
		t.Errorf("%d due in the window, want 3: what is taken counts, its first moment does not", got)
	}
	if b := (*schedule)(nil).backlog(time.Hour); b != (backlog{}) {
		t.Errorf("a closed loop is behind: %+v", b)
	}
}

// simulate drives a schedule for a window of 10 s with connections whose
// operations take service, but for one stall of the whole server at 5 s.
func simulate(t *testing.T, plan Plan, service, stall time.Duration) (*tally, *OpenLoop) {
	t.Helper()
	epoch := time.Now()
	clock := func() time.Duration { return time.Since(epoch) }
	stop := make(chan struct{})
	w := &window{end: plan.Duration}
	s := newSchedule(plan.Rate, plan.Seed, 0)
	all := newTally()
	var group sync.WaitGroup
	recorders := make([]*recorder, plan.Connections)
	for i := range recorders {
		recorders[i] = newRecorder()
		recorders[i].measure(w)
		worker := &worker{schedule: s, stop: stop, clock: clock}
		group.Go(func() {
			for !worker.stopped() {
				due, ok := worker.await(t.Context())
				if !ok {
					continue
				}
				begun := clock()
				if begun < due {
					t.Errorf("an operation due at %s began at %s", due, begun)
				}
				if from, to := 5*time.Second, 5*time.Second+stall; begun >= from && begun < to {
					time.Sleep(to - begun)
				}
				time.Sleep(service)
				if err := recorders[i].committed(payment, span{due: due, begun: begun, ended: clock()}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	time.Sleep(plan.Duration)
	open := openLoop(plan, s.due(w), backlog{}, s.backlog(w.end))
	close(stop)
	group.Wait()
	for _, r := range recorders {
		all.add(&r.kinds[payment])
	}
	return &all, open
}

func TestOpenLoopThatKeepsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := Plan{Connections: 20, Rate: 100, Duration: 10 * time.Second, Seed: 1}
		all, open := simulate(t, plan, 10*time.Millisecond, 0)
		if !open.KeptUp || open.Achieved != open.Offered || open.Backlog != 0 || open.Behind != 0 || len(open.warnings(20)) != 0 {
			t.Errorf("%+v, %q", open, open.warnings(20))
		}
		// With 20 connections at a load of one nothing ever waits.
		if l := all.latency(); l.P50 < 9.99 || l.Max > 10.01 {
			t.Errorf("latencies %+v, want 10 ms", l)
		}
		if due := int64(open.Offered * 10); all.committed < due-3 || all.committed > due {
			t.Errorf("%d committed of %d due", all.committed, due)
		}
	})
}

// All that was due while the server stood counts with its wait, not only what
// the connections had in hand: no coordinated omission.
func TestOpenLoopCountsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := Plan{Connections: 4, Rate: 100, Duration: 10 * time.Second, Seed: 1}
		all, open := simulate(t, plan, time.Millisecond, 2*time.Second)
		if !open.KeptUp || open.Backlog != 0 {
			t.Errorf("a server that caught up: %+v", open)
		}
		// 2 of the 10 seconds: a fifth of the operations waits 1 s on average.
		if l := all.latency(); l.P50 > 1.01 || l.P95 < 1200 || l.P95 > 1800 || l.Max < 1900 || l.Max > 2001 {
			t.Errorf("latencies %+v, want a p95 of about 1500 ms", l)
		}
	})
}

func TestOpenLoopThatFallsBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		plan := Plan{Connections: 2, Rate: 200, Duration: 10 * time.Second, Seed: 1}
		all, open := simulate(t, plan, 20*time.Millisecond, 0) // 100 a second are possible
		if open.KeptUp || math.Abs(open.Achieved-100) > 1 || math.Abs(open.Offered-200) > 15 {
			t.Errorf("%+v, want 100 of 200 achieved", open)
		}
		if growth := (open.Offered - open.Achieved) * 10; math.Abs(growth-float64(open.Backlog)) > 1e-6 {
			t.Errorf("%g operations more were due than begun, %d wait", growth, open.Backlog)
		}
		if s := open.Behind.Seconds(); s < 4 || s > 6 {
			t.Errorf("behind by %g s, want half the window", s)
		}
		if warnings := open.warnings(2); len(warnings) != 1 {
			t.Errorf("warnings %q, want one", warnings)
		}
		if l := all.latency(); l.P50 < 2000 {
			t.Errorf("latencies %+v, want a median of half the delay at the end", l)
		}
	})
}

// A connection that waits for its next start ends with the run, however far
// that start is.
func TestAwaitEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		clock := func() time.Duration { return time.Since(began) }
		s := newSchedule(1e-6, 1, 0)
		stop := make(chan struct{})
		time.AfterFunc(time.Second, func() { close(stop) })
		if _, ok := (&worker{schedule: s, stop: stop, clock: clock}).await(t.Context()); ok || clock() != time.Second {
			t.Errorf("stopped at 1 s, ended at %s (due: %t)", clock(), ok)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, ok := (&worker{schedule: s, clock: clock}).await(ctx); ok || clock() != 2*time.Second {
			t.Errorf("cancelled at 2 s, ended at %s (due: %t)", clock(), ok)
		}
	})
}
