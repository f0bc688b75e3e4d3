package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/fbtune/fbtune/tuner/stats"
)

// A machine measures a configuration with a true value.
type machine interface {
	Run(truth float64) float64
}

// A scenario is what is measured: a lineup and the true values of its
// candidates.
type scenario struct {
	stats.Lineup
	truth []float64
}

// best is the cell with the highest true value, the first one of equals.
func (s scenario) best() int { return slices.Index(s.truth, slices.Max(s.truth)) }

// regret is how much worse than the best a cell truly is.
func (s scenario) regret(cell int) float64 { return 1 - s.truth[cell]/s.truth[s.best()] }

// study is where a protocol was followed to.
type study struct {
	step stats.Step
	runs int // trials so far, those of the calibration included
}

// runRace has a machine measure what a protocol asks for up to the pick of the
// winner.
func runRace(p stats.Protocol, s scenario, m machine) (study, error) {
	return runUntil(p, s, m, func(step stats.Step) bool { return step.Race != nil && step.Race.Ended != "" })
}

// runStudy has a machine measure all that a protocol asks for.
func runStudy(p stats.Protocol, s scenario, m machine) (study, error) {
	return runUntil(p, s, m, func(step stats.Step) bool { return step.Stage == stats.StageDone })
}

// runUntil follows a protocol until a step is enough.
func runUntil(p stats.Protocol, s scenario, m machine, enough func(stats.Step) bool) (study, error) {
	var trials []stats.Trial
	for {
		step, err := p.Next(s.Lineup, trials)
		if err != nil {
			return study{}, fmt.Errorf("study with seed %d after %d runs: %w", p.Seed, len(trials), err)
		}
		if enough(step) {
			return study{step, len(trials)}, nil
		}
		for _, slot := range step.Next {
			trials = append(trials, stats.Trial{Slot: slot, Score: m.Run(s.truth[slot.Cell])})
		}
	}
}

// each calls f with the seeds from 0 to below n, on all processors, and returns
// the results in the order of the seeds.
func each[T any](n int, f func(seed uint64) (T, error)) ([]T, error) {
	results := make([]T, n)
	errs := make([]error, n)
	var workers sync.WaitGroup
	count := runtime.GOMAXPROCS(0)
	for w := range count {
		workers.Go(func() {
			for i := w; i < n; i += count {
				results[i], errs[i] = f(uint64(i))
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// ladder is the ten true values of method.md as a ladder: from step to step the
// value rises to the best and falls behind it, as for a cache that is too small
// and then takes memory from the rest.
var ladder = []float64{.80, .88, .93, .96, .99, 1.00, .98, .95, .90, .85}

// onLadder makes a scenario of steps of a ladder that cost the same. Control is
// the step that plays the stock configuration, and is measured beside two
// others, which play the current configuration and the adviser's.
func onLadder(truth []float64, control int) scenario {
	n := len(truth)
	s := scenario{truth: truth}
	s.Candidates = make([]stats.Candidate, n)
	s.Control = control
	s.References = []int{(control + n/3) % n, (control + 2*n/3) % n}
	for i := range s.Candidates {
		for _, neighbour := range []int{i - 1, i + 1} {
			if neighbour >= 0 && neighbour < n {
				s.Candidates[i].Neighbours = append(s.Candidates[i].Neighbours, neighbour)
			}
		}
	}
	return s
}

// costly returns the scenario with a cost that rises along the ladder.
func (s scenario) costly() scenario {
	s.Candidates = slices.Clone(s.Candidates)
	for i := range s.Candidates {
		s.Candidates[i].Cost = float64(i)
	}
	return s
}

// protocolOf is the default protocol with a seed.
func protocolOf(seed uint64) stats.Protocol {
	p := stats.DefaultProtocol()
	p.Seed = seed
	return p
}
