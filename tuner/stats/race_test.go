package stats

import (
	"slices"
	"strings"
	"testing"
)

func TestFailuresInTheRace(t *testing.T) {
	l, truth := tenLineup()
	p := DefaultProtocol()
	// The best candidate never starts, and a good one fails now and then.
	r := follow(t, p, l, measured(truth, 3, 0.002, 0.002), func(s Slot) bool {
		return s.Cell == 5 || s.Cell == 4 && s.Block == 2
	})
	ran := 0
	for _, trial := range r.trials {
		if trial.Cell == 5 {
			ran++
		}
	}
	last := r.last()
	if ran != MaxFailures || !slices.Equal(last.Out, []int{5}) {
		t.Errorf("a cell that always fails ran %d times, out are %v", ran, last.Out)
	}
	if last.Race.Winner != 4 {
		t.Errorf("winner = %d, want 4: the best of those that run", last.Race.Winner)
	}
	fit, err := p.RaceFit(l, r.trials)
	if err != nil {
		t.Fatal(err)
	}
	if fit.Cells[5].N != 0 || fit.Cells[4].N == 0 {
		t.Errorf("fit = %+v", fit.Cells)
	}
}

// TestFailuresInTheConfirmation holds that what fails later does not change
// what was decided before, and that a winner that fails is not announced.
func TestFailuresInTheConfirmation(t *testing.T) {
	l, truth := tenLineup()
	p := DefaultProtocol()
	confirmation := p.firstBlock(len(p.Rounds))
	score := measured(truth, 3, 0.01, 0.01)
	good := follow(t, p, l, score, nil).last()
	if !good.Comparisons[0].Announced {
		t.Fatalf("the winner is not announced: %+v", good.Comparisons[0])
	}
	last := follow(t, p, l, measured(truth, 3, 0.01, 0.01), func(s Slot) bool {
		return s.Cell == good.Race.Winner && s.Block > confirmation+2
	}).last()
	if last.Race.Winner != good.Race.Winner || !slices.Contains(last.Out, last.Race.Winner) {
		t.Errorf("winner %d, out %v", last.Race.Winner, last.Out)
	}
	for _, c := range last.Comparisons {
		if c.Verdict.Ratio.N != 3 || c.Announced {
			t.Errorf("after three good blocks: %+v", c)
		}
	}
	last = follow(t, p, l, measured(truth, 3, 0.01, 0.01), func(s Slot) bool {
		return s.Cell == good.Race.Winner && s.Block >= confirmation
	}).last()
	for _, c := range last.Comparisons {
		if c.Verdict.Outcome != Undecided || c.Verdict.Ratio.N != 0 || c.Announced {
			t.Errorf("without a block of both: %+v", c)
		}
	}
	if _, err := p.Next(l, []Trial{
		{Slot: Slot{Order: 0, Cell: 1}, Failed: true}, {Slot: Slot{Order: 1, Cell: 1}, Failed: true},
	}); err == nil || !strings.Contains(err.Error(), "calibrate") {
		t.Errorf("a control that fails: %v", err)
	}
}

func TestTiesGoToTheLeastCost(t *testing.T) {
	l, truth := tenLineup()
	for i := range l.Candidates {
		l.Candidates[i].Cost = float64(i)
		truth[i] = 1
	}
	for _, c := range []int{0, 1, 2} {
		truth[c] = 0.5
	}
	p := DefaultProtocol()
	p.Rounds = []Round{{Blocks: 4}}
	for seed := range uint64(20) {
		race := follow(t, p, l, measured(truth, seed, 0.02, 0), nil).last().Race
		if !slices.Contains(race.Tied, race.Leader) || race.Winner != slices.Min(race.Tied) {
			t.Errorf("seed %d: %+v: the winner is not the cheapest of those tied", seed, race)
		}
		if race.Winner < 3 {
			t.Errorf("seed %d: winner %d is cheap and half as fast", seed, race.Winner)
		}
	}
}

func TestRaceEndings(t *testing.T) {
	l, truth := tenLineup()
	tests := []struct {
		name   string
		rounds []Round // nil: the default ones
		sigma  float64
		budget int
		want   Ending // of at least one of the studies
	}{
		{"hardly any noise", nil, 0.001, 0, EndedEarly},
		{"budget", nil, 0.03, 40, EndedBudget},
		{"budget of the first round", nil, 0.03, 6 + 22, EndedBudget},
		{"one round", []Round{{Blocks: 2}}, 0.03, 0, EndedRounds},
	}
	for _, tt := range tests {
		endings := map[Ending]int{}
		for seed := range uint64(10) {
			p := DefaultProtocol()
			p.Budget, p.Seed = tt.budget, seed
			if tt.rounds != nil {
				p.Rounds = tt.rounds
			}
			r := follow(t, p, l, measured(truth, seed, tt.sigma, 0.02), nil)
			race := r.last().Race
			endings[race.Ended]++
			spent := 0
			for _, trial := range r.trials {
				if trial.Block < p.firstBlock(len(p.Rounds)) {
					spent++
				}
			}
			if tt.budget > 0 && spent > tt.budget {
				t.Errorf("%s: %d trials before the confirmation", tt.name, spent)
			}
			little := race.GainLeft < race.Limit
			if race.Ended == EndedEarly && !little || race.Ended == EndedBudget && little {
				t.Errorf("%s: ended by %q, gain left %v, limit %v", tt.name, race.Ended, race.GainLeft, race.Limit)
			}
			if all := race.Rounds == len(p.Rounds); all != (race.Ended == EndedRounds) {
				t.Errorf("%s: ended by %q after %d of %d rounds", tt.name, race.Ended, race.Rounds, len(p.Rounds))
			}
		}
		if endings[tt.want] == 0 {
			t.Errorf("%s: no race ended as %q: %v", tt.name, tt.want, endings)
		}
	}
}

func TestRaceFitAndPlateau(t *testing.T) {
	l, truth := tenLineup()
	p := DefaultProtocol()
	p.Rounds = []Round{{Blocks: 6}}
	r := follow(t, p, l, measured(truth, 2, 0.01, 0.01), nil)
	fit, err := p.RaceFit(l, r.trials)
	if err != nil {
		t.Fatal(err)
	}
	plateau := l.Plateau(fit)
	for _, c := range plateau {
		if !fit.Cells[c].SameAsBest {
			t.Errorf("cell %d is told from the best", c)
		}
	}
	if !slices.Contains(plateau, 5) || slices.Contains(plateau, 0) || plateau[len(plateau)-1]-plateau[0] != len(plateau)-1 {
		t.Errorf("plateau = %v, want neighbours around cell 5", plateau)
	}
	// A cell that is as good but cut off by a worse one is not on it.
	marked := Fit{Cells: make([]Cell, 5), Best: 1}
	for i := range marked.Cells {
		marked.Cells[i] = Cell{N: 1, SameAsBest: i != 3}
	}
	l.Candidates = l.Candidates[:5]
	l.Candidates[4].Neighbours = []int{3}
	if got := l.Plateau(marked); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("plateau = %v, want 0 to 2", got)
	}
}
