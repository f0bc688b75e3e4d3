package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/stats/noise"
	"gonum.org/v1/gonum/stat"
)

// A pick is what a plan chose in one study.
type pick struct {
	cell int
	runs int // trials it took
}

// A plan is a way to find the best of a scenario's candidates.
type plan struct {
	name string
	pick func(s scenario, seed uint64, m machine) (pick, error)
}

// budget is the number of runs of 4 repeats of each of ten configurations. The
// race that keeps to it in every study calibrates in 4 runs instead of 6.
const budget = 40

// plans are compared by their regret.
var plans = []plan{
	{"1 run each", backToBack(1)},
	{"4 runs each, back to back", backToBack(4)},
	{"8 runs each, back to back", backToBack(8)},
	{"4 randomised blocks", inBlocks(4)},
	{"race, at most 40 runs", race(func(p *stats.Protocol) { p.Budget, p.Calibration = budget, 4 })},
	{"race", race(func(*stats.Protocol) {})},
	{"race, least memory on a tie", leastMemory},
	{"whole protocol", whole},
}

// backToBack runs every configuration a number of times in a row, in random
// order, and picks the one with the highest mean.
func backToBack(repeats int) func(scenario, uint64, machine) (pick, error) {
	return func(s scenario, seed uint64, m machine) (pick, error) {
		sums := make([]float64, len(s.truth))
		for _, c := range rand.New(rand.NewPCG(seed, 4)).Perm(len(s.truth)) {
			for range repeats {
				sums[c] += m.Run(s.truth[c])
			}
		}
		return pick{slices.Index(sums, slices.Max(sums)), repeats * len(sums)}, nil
	}
}

// inBlocks runs every configuration once in each block, and the control twice,
// and picks the one with the highest estimate.
func inBlocks(blocks int) func(scenario, uint64, machine) (pick, error) {
	return race(func(p *stats.Protocol) {
		p.Calibration, p.Rounds = 0, []stats.Round{{Blocks: blocks}}
	})
}

// race follows a protocol up to its winner.
func race(change func(*stats.Protocol)) func(scenario, uint64, machine) (pick, error) {
	return func(s scenario, seed uint64, m machine) (pick, error) {
		p := protocolOf(seed)
		change(&p)
		done, err := runRace(p, s, m)
		if err != nil {
			return pick{}, err
		}
		return pick{done.step.Race.Winner, done.runs}, nil
	}
}

// leastMemory is the race on a ladder whose steps take more and more memory.
func leastMemory(s scenario, seed uint64, m machine) (pick, error) {
	return race(func(*stats.Protocol) {})(s.costly(), seed, m)
}

// whole follows a protocol to its verdicts, whose trials count too.
func whole(s scenario, seed uint64, m machine) (pick, error) {
	done, err := runStudy(protocolOf(seed), s, m)
	if err != nil {
		return pick{}, err
	}
	return pick{done.step.Race.Winner, done.runs}, nil
}

// A conditions is the noise from run to run and the drift of a machine.
type conditions struct{ noise, drift float64 }

// conditionsOfMethod are those of method.md, section 2.
var conditionsOfMethod = []conditions{{.02, .02}, {.03, .05}, {.05, .05}, {.05, .10}}

// usual are the conditions that the promises are made for.
var usual = conditions{.03, .05}

// picks is what a plan did in many studies.
type picks struct {
	regret   float64 // mean
	stdErr   float64 // of the mean
	best     float64 // share of studies that picked the best
	runs     float64 // mean
	mostRuns int
}

// simulatePlan has a plan choose from the ladder in many studies, each with
// another step as the control.
func simulatePlan(p plan, c conditions, studies int) (picks, error) {
	type chosen struct {
		pick
		regret float64
		best   bool
	}
	all, err := each(studies, func(seed uint64) (chosen, error) {
		s := onLadder(ladder, int(seed)%len(ladder))
		got, err := p.pick(s, seed, noise.NewDrifting(seed, c.noise, c.drift))
		return chosen{got, s.regret(got.cell), got.cell == s.best()}, err
	})
	if err != nil {
		return picks{}, fmt.Errorf("plan %q: %w", p.name, err)
	}
	var got picks
	regrets := make([]float64, studies)
	for i, one := range all {
		regrets[i] = one.regret
		got.runs += float64(one.runs) / float64(studies)
		got.mostRuns = max(got.mostRuns, one.runs)
		if one.best {
			got.best += 1 / float64(studies)
		}
	}
	var spread float64
	got.regret, spread = stat.MeanStdDev(regrets, nil)
	got.stdErr = stat.StdErr(spread, float64(studies))
	return got, nil
}

// regretTable prints the regret of all plans under all conditions.
func regretTable(w io.Writer, studies int) error {
	fmt.Fprintf(w, "Regret of the configuration that is picked of ten, mean of %d studies, and how often it is the best\n\n", studies)
	t := newTable(w)
	header := []any{"plan", "runs: mean", "most"}
	for _, c := range conditionsOfMethod {
		header = append(header, fmt.Sprintf("noise %.0f %%, drift %.0f %%", 100*c.noise, 100*c.drift))
	}
	t.header(header...)
	for _, p := range plans {
		row := []any{p.name, "", ""}
		for _, c := range conditionsOfMethod {
			got, err := simulatePlan(p, c, studies)
			if err != nil {
				return err
			}
			if c == usual {
				row[1], row[2] = fmt.Sprintf("%.1f", got.runs), got.mostRuns
			}
			row = append(row, fmt.Sprintf("%.2f %% (%.0f %%)", 100*got.regret, 100*got.best))
		}
		t.row(row...)
	}
	return t.end()
}

// A table is written as Markdown whose columns also line up as text.
type table struct {
	w       io.Writer
	aligned *tabwriter.Writer
}

func newTable(w io.Writer) table {
	return table{w, tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)}
}

func (t table) row(cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(t.aligned, "| %v\t", c)
	}
	fmt.Fprintln(t.aligned, "|")
}

func (t table) header(cells ...any) {
	t.row(cells...)
	t.row(slices.Repeat([]any{"---"}, len(cells))...)
}

// end writes what is left, and an empty line.
func (t table) end() error {
	if err := t.aligned.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(t.w)
	return err
}
