package diskbench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Measurement is what a test showed.
type Measurement struct {
	Opened         string        `json:"opened"` // how the file was opened, or what followed each operation
	Operations     int64         `json:"operations"`
	Elapsed        time.Duration `json:"elapsed_ns"`
	IOPS           float64       `json:"iops"` // operations per second
	BytesPerSecond float64       `json:"bytes_per_second"`
	Latency        Latency       `json:"latency_ms"` // of one operation, with the flush that belongs to it

	histogram *hdrhistogram.Histogram
}

// Latency is how long operations took, in milliseconds; percentiles to 3
// significant digits.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Bounds of the histograms of latencies. A longer operation counts as longest.
const (
	shortest = 100 * time.Nanosecond
	longest  = 10 * time.Minute
)

// newHistogram returns a histogram of nanoseconds with 3 significant digits.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(int64(shortest), int64(longest), 3)
}

// summarise returns a measurement of operations of a size.
func summarise(opened string, h *hdrhistogram.Histogram, elapsed time.Duration, block int64) Measurement {
	const ms = float64(time.Millisecond)
	m := Measurement{
		Opened: opened, Operations: h.TotalCount(), Elapsed: elapsed, histogram: h,
		Latency: Latency{
			Mean: h.Mean() / ms, P50: float64(h.ValueAtQuantile(50)) / ms,
			P99: float64(h.ValueAtQuantile(99)) / ms, Max: float64(h.Max()) / ms,
		},
	}
	if elapsed > 0 {
		m.IOPS = float64(m.Operations) / elapsed.Seconds()
		m.BytesPerSecond = m.IOPS * float64(block)
	}
	return m
}

// merge returns what several measurements of a test show together.
func merge(t Test, all []Measurement) Measurement {
	h, elapsed := newHistogram(), time.Duration(0)
	for _, m := range all {
		h.Merge(m.histogram) // the same bounds: nothing is dropped
		elapsed += m.Elapsed
	}
	return summarise(all[0].Opened, h, elapsed, int64(t.Block))
}

// Measure runs a test for the bench's duration.
//
// The operation that is under way at its end counts, and so does the time
// until the last worker has ended. When ctx ends, the measurement is void and
// ctx's error is returned.
func (b *Bench) Measure(ctx context.Context, t Test) (Measurement, error) {
	m, err := b.measure(ctx, t)
	if err != nil {
		return Measurement{}, fmt.Errorf("measure %s: %w", t, err)
	}
	return m, nil
}

func (b *Bench) measure(ctx context.Context, t Test) (m Measurement, err error) {
	a := b.access(t)
	workers, err := b.workers(t, a)
	defer func() {
		for _, w := range workers {
			err = errors.Join(err, w.file.Close())
		}
	}()
	if err != nil {
		return m, err
	}
	// One for each worker, which keeps it while it waits (see calls), and one
	// for what ends the measurement.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(t.Workers + 1))

	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	var running sync.WaitGroup
	failures := make([]error, len(workers))
	begin := time.Now()
	deadline := begin.Add(b.duration)
	for i, w := range workers {
		running.Go(func() {
			if failures[i] = w.run(deadline, &stop); failures[i] != nil {
				stop.Store(true)
			}
		})
	}
	running.Wait()
	elapsed := time.Since(begin)
	if err := errors.Join(append(failures, b.settle(t))...); err != nil {
		return m, err
	}
	if err := ctx.Err(); err != nil {
		return m, err
	}
	all := newHistogram()
	for _, w := range workers {
		all.Merge(w.latencies)
	}
	return summarise(a.name, all, elapsed, int64(t.Block)), nil
}
