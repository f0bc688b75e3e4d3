package diskbench

import (
	"context"
	"fmt"
	"time"

	"github.com/fbtune/fbtune/probe"
)

// Result is what was measured on one disk.
type Result struct {
	Disk     probe.Disk    `json:"disk"`
	Size     probe.Bytes   `json:"size_bytes"` // of the file
	Fill     time.Duration `json:"fill_ns"`    // that writing it took
	Engine   string        `json:"engine"`
	Direct   bool          `json:"direct"`                   // whether the file cache was passed by
	NoDirect string        `json:"direct_missing,omitempty"` // why not
	Tests    []TestResult  `json:"tests"`
	Findings []Finding     `json:"findings"`
	Warnings []string      `json:"warnings"`
}

// TestResult is a test with what it showed, all blocks together.
type TestResult struct {
	Test
	Measurement
	Blocks []float64 `json:"iops_by_block"` // operations per second of each block
}

// fewOperations is below how many operations a 99th percentile is but the
// longest one.
const fewOperations = 100

// Run measures every test on every bench, in blocks, so that drift of the
// machine is the same for all: in each block and for each test the benches
// follow each other, in the opposite order in every second block. observe is
// told each measurement when it ends.
//
// When it fails or ctx ends, what every bench has measured as often as the
// others is returned beside the error.
func Run(ctx context.Context, benches []*Bench, tests []Test, blocks int, observe func(*Bench, Test, Measurement)) ([]Result, error) {
	results := make([]Result, len(benches))
	measured := make([][][]Measurement, len(benches)) // by bench, test, block
	for i, b := range benches {
		results[i] = b.result()
		measured[i] = make([][]Measurement, len(tests))
	}
	before, unknown := readProcessors(ctx)
	err := measureBlocks(ctx, benches, tests, blocks, func(bench, test int, m Measurement) {
		measured[bench][test] = append(measured[bench][test], m)
		observe(benches[bench], tests[test], m)
	})
	for at, t := range tests {
		whole := blocks
		for i := range benches {
			whole = min(whole, len(measured[i][at]))
		}
		for i := range results {
			results[i].add(t, measured[i][at][:whole])
		}
	}
	var busy []string
	if after, err := readProcessors(context.WithoutCancel(ctx)); err == nil && unknown == nil { // else nothing is doubted
		busy = busyWarning(others(before, after))
	}
	for i := range results {
		results[i].Warnings = append(results[i].Warnings, busy...)
		results[i].Findings = findings(results[i])
	}
	return results, err
}

// measureBlocks measures in the order that Run describes.
func measureBlocks(ctx context.Context, benches []*Bench, tests []Test, blocks int, ended func(bench, test int, m Measurement)) error {
	for block := range blocks {
		for test := range tests {
			for bench := range benches {
				if block%2 == 1 {
					bench = len(benches) - 1 - bench
				}
				m, err := benches[bench].Measure(ctx, tests[test])
				if err != nil {
					return err
				}
				ended(bench, test, m)
			}
		}
	}
	return nil
}

// result returns a result without tests.
func (b *Bench) result() Result {
	return Result{
		Disk: b.Disk, Size: b.Size, Fill: b.Fill, Engine: engine, Direct: b.Direct, NoDirect: b.NoDirect,
		Tests: []TestResult{}, Warnings: append([]string{}, b.Warnings...),
	}
}

// add adds what the blocks of a test showed.
func (r *Result) add(t Test, blocks []Measurement) {
	if len(blocks) == 0 {
		return
	}
	one := TestResult{Test: t, Measurement: merge(t, blocks)}
	for _, m := range blocks {
		one.Blocks = append(one.Blocks, m.IOPS)
	}
	r.Tests = append(r.Tests, one)
	if one.Operations < fewOperations {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s: only %d operations, too few for a 99th percentile; give a longer --duration", t, one.Operations))
	}
}
