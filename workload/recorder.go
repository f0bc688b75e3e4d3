package workload

import (
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Latencies are recorded in microseconds. A longer one than maxLatency counts
// as maxLatency in percentiles; the maximum is kept apart and exact.
const (
	maxLatency    = 2 * time.Minute
	windowDigits  = 3 // significant digits of results
	tickDigits    = 2 // of ticks: a fraction of the size, merged every second
	millisPerUnit = 1e-3
)

func newHistogram(digits int) *hdrhistogram.Histogram {
	return hdrhistogram.New(1, maxLatency.Microseconds(), digits)
}

// record puts a latency into h, which takes everything within its bounds.
func record(h *hdrhistogram.Histogram, d time.Duration) error {
	return h.RecordValue(min(max(d.Microseconds(), 1), maxLatency.Microseconds()))
}

// tally is what one connection did of one kind in the window.
type tally struct {
	committed  int64
	rolledBack int64
	retries    int64
	errors     map[int]int64
	latencies  *hdrhistogram.Histogram
	max        time.Duration
}

func newTally() tally {
	return tally{errors: make(map[int]int64), latencies: newHistogram(windowDigits)}
}

// add adds what another connection did.
func (t *tally) add(o *tally) {
	t.committed += o.committed
	t.rolledBack += o.rolledBack
	t.retries += o.retries
	t.max = max(t.max, o.max)
	for code, n := range o.errors {
		t.errors[code] += n
	}
	t.latencies.Merge(o.latencies)
}

func (t *tally) latency() Latency {
	ms := func(q float64) float64 { return float64(t.latencies.ValueAtQuantile(q)) * millisPerUnit }
	return Latency{P50: ms(50), P95: ms(95), P99: ms(99), Max: float64(t.max.Microseconds()) * millisPerUnit}
}

// pulse is what one connection did since the last tick, whatever the phase.
type pulse struct {
	ops, retries, errors int64
	latencies            *hdrhistogram.Histogram
}

// span is the life of one operation, in time since the run's epoch.
type span struct {
	due   time.Duration // when it was to begin; in a closed loop when it did
	begun time.Duration // its first attempt
	ended time.Duration
}

// recorder keeps what one connection does. Its lock is the connection's own
// but for the moment in which a tick swaps the pulse, so that recording never
// waits for another connection or for a view.
type recorder struct {
	mu      sync.Mutex
	window  *window // nil until measuring begins
	kinds   [kinds]tally
	seconds []int64
	pulse   pulse
}

func newRecorder() *recorder {
	r := &recorder{pulse: pulse{latencies: newHistogram(tickDigits)}}
	for k := range r.kinds {
		r.kinds[k] = newTally()
	}
	return r
}

// measure begins the window.
func (r *recorder) measure(w *window) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.window = w
	r.seconds = make([]int64, w.bins())
}

// committed records an operation that committed.
func (r *recorder) committed(k kind, s span) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	latency := s.ended - s.due
	r.pulse.ops++
	if err := record(r.pulse.latencies, latency); err != nil {
		return err
	}
	if !r.window.holds(s.begun, s.ended) {
		return nil
	}
	t := &r.kinds[k]
	t.committed++
	t.max = max(t.max, latency)
	r.seconds[r.window.bin(s.ended)]++
	return record(t.latencies, latency)
}

// rolledBack records an operation that was rolled back as planned.
func (r *recorder) rolledBack(k kind, s span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.window.holds(s.begun, s.ended) {
		r.kinds[k].rolledBack++
	}
}

// retried records an attempt that met a conflict.
func (r *recorder) retried(k kind, at time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pulse.retries++
	if r.window.holds(at, at) {
		r.kinds[k].retries++
	}
}

// failed records an operation given up because of an error.
func (r *recorder) failed(k kind, code int, at time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pulse.errors++
	if r.window.holds(at, at) {
		r.kinds[k].errors[code]++
	}
}

// takePulse returns the pulse and starts a new one on spare, an empty histogram.
func (r *recorder) takePulse(spare *hdrhistogram.Histogram) pulse {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pulse
	r.pulse = pulse{latencies: spare}
	return p
}
