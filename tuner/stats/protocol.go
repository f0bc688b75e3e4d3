package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Protocol is how a study is run, fixed before its first trial: the control
// alone (calibration), all candidates in blocks that lose the hopeless (race),
// and fresh blocks of the winner against its references (confirmation).
//
// It is data: [Protocol.Next] says from the trials so far what to run next, so
// that a study can be cut short and resumed anywhere.
type Protocol struct {
	// Calibration is the number of runs of the control before the first block.
	Calibration int `json:"calibration"`
	// Rounds is the race. Before each round but the first the hopeless are
	// dropped, and the race ends early when too little is left to gain.
	Rounds []Round `json:"rounds"`
	// Budget is the largest number of trials before the confirmation, those of
	// the calibration included: the race ends where its next block would not
	// fit. 0 sets none.
	Budget int `json:"budget,omitempty"`
	// Confirm is the number of confirmation blocks before the first look.
	Confirm int `json:"confirm"`
	// Extension is the number of further blocks when the first look leaves the
	// control undecided; 0 allows none. With an extension there are two looks,
	// and each spends half of the error.
	Extension int `json:"extension"`
	// Margin is the relative difference that does not matter; 0 means
	// DefaultMargin.
	Margin float64 `json:"margin"`
	// Seed decides the order within blocks.
	Seed uint64 `json:"seed"`
}

// A Round is a part of the race: blocks over the same cells.
type Round struct {
	Blocks int `json:"blocks"`
	// Keep is how many of the best cells so far take part, beside the control;
	// 0 means all that are left.
	Keep int `json:"keep"`
	// Neighbours keeps the neighbours of the best cell on the ladder too.
	Neighbours bool `json:"neighbours,omitempty"`
}

// minConfirm is the smallest number of confirmation blocks: Student-t needs a
// spread worth the name, and no test without a distribution reaches 5 % below.
const minConfirm = 6

// DefaultProtocol returns the protocol whose error rates and regret
// docs/simulations.md shows: 2 blocks over all, 2 more over the best, 4 more
// over the finalists. After the first two, every block is a round of its own,
// so that the race can end after any of them.
func DefaultProtocol() Protocol {
	return Protocol{
		Calibration: 6,
		Rounds: []Round{
			{Blocks: 2},
			{Blocks: 1, Keep: 3, Neighbours: true}, {Blocks: 1, Keep: 3, Neighbours: true},
			{Blocks: 1, Keep: 3}, {Blocks: 1, Keep: 3}, {Blocks: 1, Keep: 3}, {Blocks: 1, Keep: 3},
		},
		Confirm:   minConfirm,
		Extension: minConfirm,
		Margin:    DefaultMargin,
	}
}

// Validate reports what keeps the protocol from being followed.
func (p Protocol) Validate() error {
	switch {
	case p.Calibration < 0 || p.Calibration == 1:
		return fmt.Errorf("calibration of %d runs: give 0 for none, or at least 2, better 6", p.Calibration)
	case p.Confirm < minConfirm:
		return fmt.Errorf("confirmation in %d blocks: give at least %d, fewer cannot bound a difference", p.Confirm, minConfirm)
	case p.Budget < 0:
		return fmt.Errorf("budget of %d trials: give 0 for none", p.Budget)
	case p.Extension < 0:
		return fmt.Errorf("extension of %d blocks: give 0 for none", p.Extension)
	case !(p.Margin >= 0) || math.IsInf(p.Margin, 1):
		return fmt.Errorf("margin %v: give a fraction, such as 0.05", p.Margin)
	case len(p.Rounds) == 0:
		return fmt.Errorf("race without rounds: give at least one")
	}
	for i, r := range p.Rounds {
		if r.Blocks < 1 || r.Keep < 0 {
			return fmt.Errorf("round %d: %d blocks that keep %d: give at least 1 block, and 0 to keep all", i, r.Blocks, r.Keep)
		}
	}
	if p.Rounds[0].Blocks < 2 {
		return fmt.Errorf("round 0: one block shows no spread; give at least 2")
	}
	return nil
}

// Rule is how the confirmation is judged.
func (p Protocol) Rule() Rule {
	rule := Rule{Margin: cmp.Or(p.Margin, DefaultMargin), Looks: 1}
	if p.Extension > 0 {
		rule.Looks = 2
	}
	return rule
}

// A Candidate is what the protocol knows of a configuration.
type Candidate struct {
	// Cost decides between candidates that are as good as each other: the
	// memory they take, in bytes. The lower one is taken.
	Cost float64 `json:"cost"`
	// Neighbours are the cells one step away on a ladder.
	Neighbours []int `json:"neighbours,omitempty"`
}

// A Lineup is what takes part in a study. Cells are indices of Candidates.
type Lineup struct {
	Candidates []Candidate `json:"candidates"`
	// Control runs first and last in every block, and is a candidate itself.
	Control int `json:"control"`
	// References are measured beside the winner in the confirmation: the
	// current configuration and the adviser's. The control always is.
	References []int `json:"references,omitempty"`
}

// Validate reports cells that are not there.
func (l Lineup) Validate() error {
	named := append([]int{l.Control}, l.References...)
	for _, c := range l.Candidates {
		named = append(named, c.Neighbours...)
	}
	for _, c := range named {
		if c < 0 || c >= len(l.Candidates) {
			return fmt.Errorf("cell %d named, but there are %d candidates", c, len(l.Candidates))
		}
	}
	return nil
}

// compared lists what a winner is compared with: the control first, no cell
// twice, and not the winner itself.
func (l Lineup) compared(winner int) []int {
	var cells []int
	for _, c := range append([]int{l.Control}, l.References...) {
		if c != winner && !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	return cells
}

// A Slot is the place of one trial in a study.
type Slot struct {
	// Block counts through the whole study: the calibration is block 0, then
	// come all blocks of the race, also those that an early stop leaves out,
	// then the confirmation.
	Block int `json:"block"`
	Order int `json:"order"` // place in the block, from 0
	Cell  int `json:"cell"`
}

// calibrationBlock is the block of the calibration.
const calibrationBlock = 0

// firstBlock is the first block of a round; the one after the last round is
// the first of the confirmation.
func (p Protocol) firstBlock(round int) int {
	block := calibrationBlock + 1
	for _, r := range p.Rounds[:round] {
		block += r.Blocks
	}
	return block
}

// blockOrder returns the cells in the order of one block: the control first and
// last, the others between in an order of that block's own.
func (p Protocol) blockOrder(block, control int, cells []int) []int {
	inner := slices.DeleteFunc(slices.Clone(cells), func(c int) bool { return c == control })
	random := rand.New(rand.NewPCG(p.Seed, uint64(block)))
	random.Shuffle(len(inner), func(i, j int) { inner[i], inner[j] = inner[j], inner[i] })
	return slices.Concat([]int{control}, inner, []int{control})
}

// MostRuns is the largest number of trials that a study can take.
func (p Protocol) MostRuns(l Lineup) int {
	all := len(l.Candidates)
	runs := p.Calibration
	live := all
	for _, r := range p.Rounds {
		if r.Keep > 0 {
			most := r.Keep + 1
			if r.Neighbours {
				most += mostNeighbours(l)
			}
			live = min(live, most)
		}
		runs += r.Blocks * (live + 1)
	}
	if p.Budget > 0 {
		runs = min(runs, p.Budget)
	}
	return runs + (p.Confirm+p.Extension)*p.confirmRuns(l, noCell)
}

// noCell is the index of no candidate.
const noCell = -1

// confirmRuns is the number of trials in a confirmation block: the winner, its
// references, and the control once more.
func (p Protocol) confirmRuns(l Lineup, winner int) int {
	return 1 + len(l.compared(winner)) + 1
}

// mostNeighbours is the largest number of neighbours of a candidate.
func mostNeighbours(l Lineup) int {
	most := 0
	for _, c := range l.Candidates {
		most = max(most, len(c.Neighbours))
	}
	return most
}
