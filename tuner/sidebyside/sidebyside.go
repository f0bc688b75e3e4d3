// Package sidebyside runs the same test in two places in interleaved blocks and
// compares what it showed there.
package sidebyside

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/fbtune/fbtune/tuner/stats"
)

// Run measures once in each of the places 0 to places-1 in every block, in an
// order of that block's own, so that drift of the machine is the same for all.
// It ends with the first error.
func Run(ctx context.Context, places, blocks int, seed uint64, measure func(ctx context.Context, block, place int) error) error {
	for block := range blocks {
		for _, place := range rand.New(rand.NewPCG(seed, uint64(block))).Perm(places) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := measure(ctx, block, place); err != nil {
				return err
			}
		}
	}
	return nil
}

// Comparison is what a figure in the second place is to that in the first, block
// by block.
type Comparison struct {
	Blocks  int     `json:"blocks"`  // in which both have the figure
	Ratio   float64 `json:"ratio"`   // geometric mean
	Bounded bool    `json:"bounded"` // whether there is an interval, which takes 2 blocks
	Low     float64 `json:"low"`     // of the 95 % interval, Student-t on the logarithms; 0 unless bounded
	High    float64 `json:"high"`
}

// Metric is the comparison of a figure that has a name.
type Metric struct {
	Name string `json:"metric"`
	Comparison
}

// Compare compares a figure in two places, each with one value above 0 a block.
func Compare(name string, first, second []float64) (Metric, error) {
	r, err := stats.PairedRatio(second, first, stats.DefaultConfidence)
	if err != nil {
		return Metric{}, fmt.Errorf("compare %s: %w", name, err)
	}
	return Metric{Name: name, Comparison: Comparison{Blocks: r.N, Ratio: r.Mean, Bounded: r.Bounded, Low: r.Low, High: r.High}}, nil
}

// Figure is a figure of what a place showed in one block, by its name. ok is false
// where it is missing.
type Figure[T any] struct {
	Name string
	Of   func(T) (value float64, ok bool)
}

// CompareAll compares all figures of two places over the blocks in which both
// have them; of a figure without such a block there is no comparison.
func CompareAll[T any](figures []Figure[T], first, second []T) ([]Metric, error) {
	all := []Metric{}
	for _, figure := range figures {
		var a, b []float64
		for block := range min(len(first), len(second)) {
			x, inFirst := figure.Of(first[block])
			y, inSecond := figure.Of(second[block])
			if inFirst && inSecond {
				a, b = append(a, x), append(b, y)
			}
		}
		if len(a) == 0 {
			continue
		}
		m, err := Compare(figure.Name, a, b)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}
