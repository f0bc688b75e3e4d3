package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Standing is what the rounds of a race that are over have shown.
type Standing struct {
	Rounds int `json:"rounds"` // that are over
	// Leader is the cell with the highest estimate of those that are live.
	Leader int `json:"leader"`
	// Winner is the cell that goes to the confirmation when the race ends
	// here: of the cells as good as the leader the one with the least cost.
	Winner int `json:"winner"`
	// Tied are the cells as good as the leader, the leader included: no
	// further below it than one standard error of the difference. Ascending.
	Tied []int `json:"tied"`
	// Sigma is the standard deviation of the log score from run to run, on DF
	// degrees of freedom.
	Sigma float64 `json:"sigma"`
	DF    int     `json:"df"`
	// GainLeft is the largest gain over the leader that another live cell may
	// still turn out to have: the largest upper 95 % bound. It is 0 when no
	// other is live, or DF is.
	GainLeft float64 `json:"gain_left"`
	// Limit is the smallest gain that the confirmation, all of its blocks
	// taken, finds with 80 % power. When GainLeft is below it, whatever the
	// race could still find would not be told from the leader.
	Limit float64 `json:"limit"`
	// Ended says why the race is over; it is empty while it goes on.
	Ended Ending `json:"ended,omitempty"`
}

// An Ending is why a race ended.
type Ending string

// The ways in which a race ends.
const (
	// EndedEarly says that GainLeft was below Limit before the last round.
	EndedEarly Ending = "nothing above the detection limit is left to gain"
	// EndedRounds says that all rounds were run.
	EndedRounds Ending = "all rounds were run"
	// EndedBudget says that the next block would not have fitted the budget.
	EndedBudget Ending = "the next block would exceed the budget"
)

// raceRounds asks for the blocks of the race and reports whether it is over.
func (r *replay) raceRounds() (bool, error) {
	live := make([]int, len(r.lineup.Candidates))
	for i := range live {
		live[i] = i
	}
	r.step.Stage = StageRace
	var e effects
	for i, round := range r.Rounds {
		if i > 0 {
			live = r.keep(e, live, round)
		}
		blocks := r.affordable(round, live)
		if blocks == 0 && i > 0 {
			r.step.Race.Ended = EndedBudget
			return true, nil
		}
		if i == 0 && blocks < round.Blocks {
			return false, fmt.Errorf("race: %d trials do not pay for %d blocks over %d cells; raise the budget or take fewer candidates", r.Budget, round.Blocks, len(live))
		}
		r.step.Round = i
		observations, err := r.blocks(r.firstBlock(i), blocks, live)
		r.race = append(r.race, observations...)
		if err != nil || len(r.step.Next) > 0 {
			return false, err
		}
		r.spent += blocks * r.blockSize(live)
		if len(r.race) == 0 {
			return false, errors.New("race: no trial has succeeded; look at the reasons of the failures")
		}
		e = fitEffects(r.race, DefaultConfidence)
		if live = r.left(e, live); len(live) == 0 {
			return false, errors.New("race: every candidate failed; look at the reasons of the failures")
		}
		standing := r.standing(e, live)
		standing.Rounds = i + 1
		r.step.Race = &standing
		switch {
		case i+1 == len(r.Rounds):
			standing.Ended = EndedRounds
		case e.bounded() && standing.GainLeft < standing.Limit:
			standing.Ended = EndedEarly
		default:
			continue
		}
		break
	}
	return true, nil
}

// affordable returns how many blocks of a round over the live cells the budget
// allows.
func (r *replay) affordable(round Round, live []int) int {
	if r.Budget == 0 {
		return round.Blocks
	}
	return min(round.Blocks, max(0, r.Budget-r.spent)/r.blockSize(live))
}

// blockSize is the number of trials in a block over some cells.
func (r *replay) blockSize(cells []int) int {
	return len(r.blockOrder(0, r.lineup.Control, cells))
}

// left returns the live cells that have a score and were not given up.
func (r *replay) left(e effects, live []int) []int {
	return slices.DeleteFunc(slices.Clone(live), func(c int) bool {
		return r.out[c] || !slices.Contains(e.cells, c)
	})
}

// keep returns the cells of the next round.
func (r *replay) keep(e effects, live []int, round Round) []int {
	if round.Keep == 0 {
		return live
	}
	ranked := slices.Clone(live)
	slices.SortStableFunc(ranked, func(a, b int) int {
		return cmp.Compare(e.estimate(b), e.estimate(a))
	})
	kept := map[int]bool{r.lineup.Control: true}
	for _, c := range ranked[:min(round.Keep, len(ranked))] {
		kept[c] = true
	}
	if round.Neighbours {
		for _, c := range r.lineup.Candidates[ranked[0]].Neighbours {
			kept[c] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(live), func(c int) bool { return !kept[c] })
}

// standing compares the live cells.
func (r *replay) standing(e effects, live []int) Standing {
	s := Standing{Leader: live[0], Sigma: e.spread, DF: e.df(), Limit: math.Expm1(r.reach * e.spread)}
	for _, c := range live {
		if e.estimate(c) > e.estimate(s.Leader) {
			s.Leader = c
		}
	}
	s.Winner = s.Leader
	leader := e.at(s.Leader)
	for _, c := range live {
		if e.estimate(s.Leader)-e.estimate(c) <= e.se(e.pairVariance(leader, e.at(c))) {
			s.Tied = append(s.Tied, c)
			cheaper := cmp.Compare(r.cost(c), r.cost(s.Winner))
			if cheaper < 0 || cheaper == 0 && e.estimate(c) > e.estimate(s.Winner) {
				s.Winner = c
			}
		}
	}
	s.GainLeft = e.gainLeft(s.Leader, live)
	return s
}

// gainLeft returns the largest upper bound of the gain of a live cell over the
// leader, or 0 when there is no other or no bound.
func (e effects) gainLeft(leader int, live []int) float64 {
	if !e.bounded() {
		return 0
	}
	critical := studentT(e.level, float64(e.df()))
	most := 0.0
	for _, c := range live {
		if c != leader {
			ahead := e.estimate(c) - e.estimate(leader)
			most = max(most, ahead+critical*e.se(e.pairVariance(e.at(c), e.at(leader))))
		}
	}
	return math.Expm1(most)
}

// cost is what a cell takes.
func (r *replay) cost(cell int) float64 { return r.lineup.Candidates[cell].Cost }

// at is the position of an observed cell.
func (e effects) at(cell int) int { return slices.Index(e.cells, cell) }

// estimate is the log score of an observed cell.
func (e effects) estimate(cell int) float64 { return e.beta.AtVec(e.at(cell)) }
