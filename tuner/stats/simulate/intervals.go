package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/fbtune/fbtune/tuner/stats"
	"gonum.org/v1/gonum/stat"
)

// resamples is the number of resamples of a percentile bootstrap.
const resamples = 1000

// intervals counts what two kinds of 95 % interval do with the same blocks of
// two equal configurations.
type intervals struct {
	studies                  int
	studentT, bootstrap      int // hold the truth
	falseStudent, falseStrap int // lie above it: a false winner
}

// blockScores are the scores of two equal configurations in blocks: independent
// noise, because that is what an interval is promised for.
func blockScores(rng *rand.Rand, blocks int) (candidate, control []float64) {
	for range blocks {
		candidate = append(candidate, math.Exp(usual.noise*rng.NormFloat64()))
		control = append(control, math.Exp(usual.noise*rng.NormFloat64()))
	}
	return candidate, control
}

// simulateIntervals compares Student-t with the percentile bootstrap.
func simulateIntervals(blocks, studies int) (intervals, error) {
	type bounds struct{ student, strap stats.Ratio }
	all, err := each(studies, func(seed uint64) (bounds, error) {
		rng := rand.New(rand.NewPCG(seed, uint64(blocks)))
		candidate, control := blockScores(rng, blocks)
		student, err := stats.PairedRatio(candidate, control, stats.DefaultConfidence)
		return bounds{student, bootstrap(rng, candidate, control)}, err
	})
	if err != nil {
		return intervals{}, fmt.Errorf("intervals of %d blocks: %w", blocks, err)
	}
	got := intervals{studies: studies}
	for _, b := range all {
		for _, kind := range []struct {
			ratio       stats.Ratio
			hold, above *int
		}{{b.student, &got.studentT, &got.falseStudent}, {b.strap, &got.bootstrap, &got.falseStrap}} {
			if holds(kind.ratio, 1) {
				*kind.hold++
			}
			if kind.ratio.Low > 1 {
				*kind.above++
			}
		}
	}
	return got, nil
}

// bootstrap is the percentile bootstrap of the geometric mean ratio.
func bootstrap(rng *rand.Rand, candidate, control []float64) stats.Ratio {
	means := make([]float64, resamples)
	for i := range means {
		for range candidate {
			at := rng.IntN(len(candidate))
			means[i] += math.Log(candidate[at]/control[at]) / float64(len(candidate))
		}
	}
	slices.Sort(means)
	tail := (1 - stats.DefaultConfidence) / 2
	return stats.Ratio{
		Low:  math.Exp(stat.Quantile(tail, stat.LinInterp, means, nil)),
		High: math.Exp(stat.Quantile(1-tail, stat.LinInterp, means, nil)),
	}
}

// intervalTable prints the two kinds of interval by number of blocks.
func intervalTable(w io.Writer, studies int) error {
	fmt.Fprintf(w, "95 %% intervals of the ratio of two equal configurations, %d studies each, independent noise of %.0f %%\n\n", studies, 100*usual.noise)
	t := newTable(w)
	t.header("blocks", "Student-t covers", "false winners", "percentile bootstrap covers", "false winners")
	for _, blocks := range []int{6, 12, 20} {
		got, err := simulateIntervals(blocks, studies)
		if err != nil {
			return err
		}
		percent := func(count int) string { return fmt.Sprintf("%.1f %%", 100*float64(count)/float64(studies)) }
		t.row(blocks, percent(got.studentT), percent(got.falseStudent), percent(got.bootstrap), percent(got.falseStrap))
	}
	return t.end()
}

// looking is a way of judging while blocks come in.
type looking struct {
	name string
	at   []int // blocks at which is looked
	rule stats.Rule
}

// lookings are ways of judging the same blocks.
var lookings = []looking{
	{"once, at 6 blocks", []int{6}, stats.Rule{Looks: 1}},
	{"at 6 and 12 blocks, each at half of the error", []int{6, 12}, stats.Rule{Looks: 2}},
	{"at 6, 8, ..., 20 blocks, as if each were the only look", []int{6, 8, 10, 12, 14, 16, 18, 20}, stats.Rule{Looks: 1}},
}

// simulateLooks returns the share of studies of two equal configurations in
// which one of the looks finds a winner. Nothing else ends a study.
func simulateLooks(l looking, studies int) (float64, error) {
	all, err := each(studies, func(seed uint64) (bool, error) {
		rng := rand.New(rand.NewPCG(seed, 7))
		candidate, control := blockScores(rng, l.at[len(l.at)-1])
		for _, n := range l.at {
			v, err := stats.Judge(candidate[:n], control[:n], l.rule)
			if err != nil || v.Outcome == stats.Better {
				return err == nil, err
			}
		}
		return false, nil
	})
	if err != nil {
		return 0, fmt.Errorf("looking %s: %w", l.name, err)
	}
	winners := 0
	for _, won := range all {
		if won {
			winners++
		}
	}
	return float64(winners) / float64(studies), nil
}

// lookTable prints what looking more often does.
func lookTable(w io.Writer, studies int) error {
	fmt.Fprintf(w, "False winners of two equal configurations by how often is looked, %d studies each\n\n", studies)
	t := newTable(w)
	t.header("looks", "false winners")
	for _, l := range lookings {
		share, err := simulateLooks(l, studies)
		if err != nil {
			return err
		}
		t.row(l.name, fmt.Sprintf("%.1f %%", 100*share))
	}
	return t.end()
}
