package workload

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// merger makes ticks of the workers' pulses.
type merger struct {
	workers []*worker
	onTick  func(Tick)
	spare   *hdrhistogram.Histogram // empty; changes places with a pulse's
	merged  *hdrhistogram.Histogram
	lastSec int64 // of the connect phase, told already
}

func newMerger(workers []*worker, onTick func(Tick)) merger {
	return merger{
		workers: workers,
		onTick:  onTick,
		spare:   newHistogram(tickDigits),
		merged:  newHistogram(tickDigits),
	}
}

// connecting tells of the connect phase once a second.
func (m *merger) connecting(elapsed time.Duration) {
	if sec := int64(elapsed / time.Second); m.onTick != nil && sec > m.lastSec {
		m.lastSec = sec
		m.onTick(Tick{Phase: PhaseConnect, Elapsed: elapsed})
	}
}

// tick takes every worker's pulse, tells of them, and returns the operations.
func (m *merger) tick(phase string, elapsed time.Duration) int64 {
	t := Tick{Phase: phase, Elapsed: elapsed}
	m.merged.Reset()
	for _, w := range m.workers {
		p := w.recorder.takePulse(m.spare)
		t.Ops += p.ops
		t.Retries += p.retries
		t.Errors += p.errors
		m.merged.Merge(p.latencies)
		p.latencies.Reset()
		m.spare = p.latencies
	}
	t.P95 = time.Duration(m.merged.ValueAtQuantile(95)) * time.Microsecond
	if m.onTick != nil {
		m.onTick(t)
	}
	return t.Ops
}

// collect adds up what all workers and reporters did in the window. Their goroutines have ended.
func (r *run) collect(res *Result) {
	w := r.window.Load()
	seconds := w.end - w.start
	res.Seconds = make([]int64, w.bins())
	res.Operations = make(map[string]OperationResult, kinds)
	res.Errors = make(map[int]int64)

	all := newTally()
	for k, op := range operations {
		sum := newTally()
		for _, worker := range r.workers {
			sum.add(&worker.recorder.kinds[k])
		}
		res.Operations[op.name] = OperationResult{
			OpsPerSecond:   float64(sum.committed) / seconds.Seconds(),
			CommittedTotal: sum.committed,
			RolledBack:     sum.rolledBack,
			Retries:        sum.retries,
			Errors:         sum.errors,
			Latency:        sum.latency(),
		}
		all.add(&sum)
	}
	for _, worker := range r.workers {
		res.Reconnects += worker.reconnects
		res.Unseen += worker.unseen
		for i, n := range worker.recorder.seconds {
			res.Seconds[i] += n
		}
	}
	for _, rep := range r.reports {
		res.Reports += rep.ended
	}
	res.ReportsPerSecond = float64(res.Reports) / seconds.Seconds()
	res.CommittedTotal = all.committed
	res.OpsPerSecond = float64(all.committed) / seconds.Seconds()
	res.RolledBack = all.rolledBack
	res.Retries = all.retries
	res.Errors = all.errors
	res.Latency = all.latency()
}
