package workload

import "time"

// Automatic warm-up: the last steadyBins one-second bins within steadySpread of each other.
const (
	steadyBins       = 3
	steadySpread     = 0.10
	defaultWarmupMax = 15 * time.Second
)

// steady reports whether throughput is flat: the last three one-second bins
// lie within 10 % of the largest of them, and something was done.
func steady(bins []int64) bool {
	if len(bins) < steadyBins {
		return false
	}
	last := bins[len(bins)-steadyBins:]
	lo, hi := last[0], last[0]
	for _, b := range last[1:] {
		lo, hi = min(lo, b), max(hi, b)
	}
	return lo > 0 && float64(hi-lo) <= steadySpread*float64(hi)
}

// window is the measured time, in time since the run's epoch.
type window struct{ start, end time.Duration }

// holds reports whether an operation counts: it starts and ends inside.
func (w *window) holds(start, end time.Duration) bool {
	return w != nil && start >= w.start && end <= w.end
}

// bin returns the second of the window in which a moment inside it lies. The
// window's last instant belongs to its last second.
func (w *window) bin(at time.Duration) int {
	return int(min(at-w.start, w.end-w.start-1) / time.Second)
}

// bins returns how many seconds the window has, a begun one included.
func (w *window) bins() int {
	return int((w.end - w.start + time.Second - 1) / time.Second)
}
