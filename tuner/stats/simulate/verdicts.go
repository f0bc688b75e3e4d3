package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// A world is a kind of scenario that studies are run in.
type world struct {
	name string
	make func(control int) scenario
}

// worlds are those of the table of verdicts.
var worlds = []world{
	{"all equal (A/A)", gain(0)},
	{"all 2 % above the control", gain(.02)},
	{"all 5 % above the control", gain(.05)},
	{"all 10 % above the control", gain(.10)},
	{"the ten of method.md", func(control int) scenario { return onLadder(ladder, control) }},
}

// gain makes worlds in which every candidate beats the control by the same.
func gain(by float64) func(control int) scenario {
	return func(control int) scenario {
		truth := slices.Repeat([]float64{1 + by}, len(ladder))
		truth[control] = 1
		return onLadder(truth, control)
	}
}

// verdicts counts what many studies said of the winner against the control.
type verdicts struct {
	studies  int // in which the winner is not the control
	outcomes map[stats.Outcome]int
	// covered counts the intervals shown as 95 % that hold the true ratio,
	// plain those of 95 % whatever the looks, and decided those of the level
	// that decides.
	covered, plain, decided int
	extended                int // took the extension
	announced               int // against the control
	announcedAny            int // against the control, the current or the adviser's
	limit                   float64
	runs                    float64
}

// coverage is the share of 95 % intervals that hold the truth.
func (v verdicts) coverage() float64 { return float64(v.covered) / float64(v.studies) }

// share is a count as a part of all studies.
func (v verdicts) share(count int) float64 { return float64(count) / float64(v.studies) }

// simulateVerdicts runs whole studies, each with another step as the control
// and on a machine of its own.
func simulateVerdicts(w world, studies int, machineOf func(seed uint64) machine) (verdicts, error) {
	scenarioOf := func(seed uint64) scenario { return w.make(int(seed) % len(ladder)) }
	all, err := each(studies, func(seed uint64) (study, error) {
		return runStudy(protocolOf(seed), scenarioOf(seed), machineOf(seed))
	})
	if err != nil {
		return verdicts{}, fmt.Errorf("world %q: %w", w.name, err)
	}
	v := verdicts{outcomes: map[stats.Outcome]int{}}
	for seed, done := range all {
		v.add(scenarioOf(uint64(seed)), done)
	}
	return v, nil
}

// add counts one study.
func (v *verdicts) add(s scenario, done study) {
	winner := done.step.Race.Winner
	announced := slices.ContainsFunc(done.step.Comparisons, func(c stats.Comparison) bool { return c.Announced })
	if announced {
		v.announcedAny++
	}
	first := done.step.Comparisons[0]
	if winner == s.Control {
		return
	}
	v.studies++
	v.runs += float64(done.runs)
	v.limit += done.step.Race.Limit
	v.outcomes[first.Verdict.Outcome]++
	truth := s.truth[winner] / s.truth[s.Control]
	if holds(first.Verdict.Interval, truth) {
		v.covered++
	}
	if holds(first.Verdict.Equivalence, truth) { // 95 % when there are two looks
		v.plain++
	}
	if holds(first.Verdict.Ratio, truth) {
		v.decided++
	}
	if first.Look > 0 {
		v.extended++
	}
	if first.Announced {
		v.announced++
	}
}

// holds reports whether an interval covers the truth.
func holds(r stats.Ratio, truth float64) bool { return r.Low <= truth && truth <= r.High }

// drifting makes machines of the usual noise and drift.
func drifting(seed uint64) machine { return noise.NewDrifting(seed, usual.noise, usual.drift) }

// verdictTable prints the verdicts of whole studies in all worlds.
func verdictTable(w io.Writer, studies int) error {
	fmt.Fprintf(w, "Verdict on the winner against the control, %d studies each, noise %.0f %%, drift %.0f %%, margin %.0f %%\n\n",
		studies, 100*usual.noise, 100*usual.drift, 100*stats.DefaultMargin)
	return writeVerdicts(w, studies, worlds, drifting)
}

// writeVerdicts is the table of verdicts on machines of any kind.
func writeVerdicts(w io.Writer, studies int, in []world, machineOf func(uint64) machine) error {
	t := newTable(w)
	t.header("truth", "95 % interval covers", "plain one", "deciding one", "better", "worse", "equivalent", "undecided",
		"announced", "against any of 3", "extended", "runs", "detection limit")
	for _, one := range in {
		v, err := simulateVerdicts(one, studies, machineOf)
		if err != nil {
			return err
		}
		percent := func(count int) string { return fmt.Sprintf("%.1f %%", 100*v.share(count)) }
		t.row(one.name, percent(v.covered), percent(v.plain), percent(v.decided),
			percent(v.outcomes[stats.Better]), percent(v.outcomes[stats.Worse]),
			percent(v.outcomes[stats.Equivalent]), percent(v.outcomes[stats.Undecided]),
			percent(v.announced), fmt.Sprintf("%.1f %%", 100*float64(v.announcedAny)/float64(studies)), percent(v.extended),
			fmt.Sprintf("%.0f", v.runs/float64(v.studies)), fmt.Sprintf("%.1f %%", 100*v.limit/float64(v.studies)))
	}
	return t.end()
}
