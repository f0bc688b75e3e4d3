package workload

import (
	"testing"
	"time"
)

func TestRecorderCountsTheWindowOnly(t *testing.T) {
	r := newRecorder()
	ms := time.Millisecond
	commit := func(k kind, start, end time.Duration) {
		t.Helper()
		if err := r.committed(k, span{start, start, end}); err != nil {
			t.Fatal(err)
		}
	}
	commit(payment, 0, 5*ms) // warm-up
	r.measure(&window{start: 1000 * ms, end: 3000 * ms})
	commit(payment, 999*ms, 1001*ms)                   // began before
	commit(payment, 1000*ms, 1010*ms)                  // counts
	commit(delivery, 2500*ms, 2800*ms)                 // counts
	commit(delivery, 2500*ms, 3001*ms)                 // ended after
	commit(newOrder, 1000*ms, 1000*ms+3*maxLatency/10) // ended after
	r.rolledBack(newOrder, span{1100 * ms, 1100 * ms, 1110 * ms})
	r.rolledBack(newOrder, span{900 * ms, 900 * ms, 1110 * ms})
	r.retried(payment, 900*ms)
	r.retried(payment, 1500*ms)
	r.failed(payment, 335544665, 1500*ms)
	r.failed(payment, 335544665, 3500*ms)

	p, d, n := &r.kinds[payment], &r.kinds[delivery], &r.kinds[newOrder]
	if p.committed != 1 || d.committed != 1 || n.committed != 0 || n.rolledBack != 1 || p.retries != 1 || p.errors[335544665] != 1 {
		t.Errorf("payment %+v, delivery %+v, new order %+v", p, d, n)
	}
	if r.seconds[0] != 1 || r.seconds[1] != 1 {
		t.Errorf("seconds %v, want 1 1", r.seconds)
	}
	if got := d.latency(); got.Max != 300 || got.P50 < 299.7 || got.P50 > 300.3 {
		t.Errorf("latency of delivery %+v, want 300 ms to 3 digits", got)
	}
	pulse := r.takePulse(newHistogram(tickDigits))
	if pulse.ops != 6 || pulse.retries != 2 || pulse.errors != 2 || pulse.latencies.TotalCount() != 6 {
		t.Errorf("pulse %+v", pulse)
	}
	if pulse = r.takePulse(newHistogram(tickDigits)); pulse.ops != 0 || pulse.latencies.TotalCount() != 0 {
		t.Errorf("second pulse %+v, want nothing", pulse)
	}
}

func TestLatencyBeyondTheHistogram(t *testing.T) {
	r := newRecorder()
	r.measure(&window{end: time.Hour})
	if err := r.committed(payment, span{ended: 10 * time.Minute}); err != nil {
		t.Fatal(err)
	}
	if got := r.kinds[payment].latency(); got.Max != 600000 || got.P50 < 119000 {
		t.Errorf("%+v, want the exact maximum and a percentile at the bound", got)
	}
}

func TestTickMerges(t *testing.T) {
	var ticks []Tick
	workers := []*worker{{recorder: newRecorder()}, {recorder: newRecorder()}}
	m := newMerger(workers, func(t Tick) { ticks = append(ticks, t) })
	for i, w := range workers {
		for j := range 50 {
			if err := w.recorder.committed(payment, span{ended: time.Duration(50*i+j+1) * time.Millisecond}); err != nil {
				t.Fatal(err)
			}
		}
	}
	workers[1].recorder.retried(payment, 0)
	if ops := m.tick(PhaseWarmup, time.Second); ops != 100 {
		t.Errorf("%d operations, want 100", ops)
	}
	m.tick(PhaseWarmup, 2*time.Second)
	if got := ticks[0]; got.Ops != 100 || got.Retries != 1 || got.P95 < 94*time.Millisecond || got.P95 > 96*time.Millisecond {
		t.Errorf("first tick %+v", got)
	}
	if got, want := ticks[1], (Tick{Phase: PhaseWarmup, Elapsed: 2 * time.Second}); got != want {
		t.Errorf("second tick %+v, want %+v", got, want)
	}
}
