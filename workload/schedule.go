package workload

import (
	"math"
	"sync"
	"time"
)

// arrivals are the starts of operations at a mean rate, without end: a Poisson
// process, as many independent people make it, drawn from a seed. Evenly
// spaced starts would never meet in a queue below the server's capacity, and
// the queue is what a latency at a rate is about. Equal seeds give equal
// starts, so that all configurations meet the same crowds.
type arrivals struct {
	g    lcg
	gap  float64 // mean, nanoseconds
	next float64 // start, nanoseconds since the run's epoch
}

// newArrivals returns the starts from a moment on, rate a second.
func newArrivals(rate float64, seed int64, from time.Duration) arrivals {
	a := arrivals{g: newLCG(seed, seedArrivals), gap: float64(time.Second) / rate, next: float64(from)}
	a.take()
	return a
}

// peek returns the next start.
func (a *arrivals) peek() time.Duration { return time.Duration(a.next) }

// take returns the next start and goes on to the one after it.
func (a *arrivals) take() time.Duration {
	start := a.peek()
	a.next -= a.gap * math.Log(float64(a.g.next())/lcgModulus)
	return start
}

// upTo counts the starts up to a moment.
func (a arrivals) upTo(end time.Duration) int64 {
	var n int64
	for ; a.peek() <= end; n++ {
		a.take()
	}
	return n
}

// schedule deals the starts of an open loop to all connections: whichever is
// free takes the next one, waits for it, or begins at once when it has passed.
type schedule struct {
	all arrivals // from the first on

	mu   sync.Mutex
	left arrivals // that no connection has taken yet
}

func newSchedule(rate float64, seed int64, from time.Duration) *schedule {
	all := newArrivals(rate, seed, from)
	return &schedule{all: all, left: all}
}

// take returns the start of the next operation, which is the caller's from now on.
func (s *schedule) take() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left.take()
}

// backlog is how far behind its schedule a load is at one moment.
type backlog struct {
	operations int64         // due, and taken by no connection: all are at work
	behind     time.Duration // since when the first of them waits
}

// backlog returns how far behind the load is now. A closed loop has no schedule
// and is never behind.
func (s *schedule) backlog(now time.Duration) backlog {
	if s == nil {
		return backlog{}
	}
	s.mu.Lock()
	left := s.left
	s.mu.Unlock()
	b := backlog{operations: left.upTo(now)}
	if b.operations > 0 {
		b.behind = now - left.peek()
	}
	return b
}

// due counts the starts in a window.
func (s *schedule) due(w *window) int64 { return s.all.upTo(w.end) - s.all.upTo(w.start) }
