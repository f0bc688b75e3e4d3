package tuner

import "github.com/fbtune/fbtune/tuner/study"

// maxFailures is after how many failures in a row a cell is not tried again.
const maxFailures = 2

// tally keeps count of the trials that ended.
type tally struct {
	done     map[Slot]bool
	failures map[string]int // in a row, by cell
}

// newTally counts trials in the order they were begun.
func newTally(trials []Trial) tally {
	t := tally{done: map[Slot]bool{}, failures: map[string]int{}}
	for _, trial := range trials {
		t.note(trial)
	}
	return t
}

// note takes a trial that ended into account.
func (t tally) note(trial Trial) {
	t.done[trial.Slot] = true
	if trial.Status == study.Failed {
		t.failures[trial.Cell]++
	} else {
		delete(t.failures, trial.Cell)
	}
}

// wanted reports whether a trial of a cell is to be run: it has not ended yet,
// and the cell did not fail again and again.
func (t tally) wanted(cell string, at Slot) bool {
	return !t.done[at] && t.failures[cell] < maxFailures
}

// blocks go through the cells of a study again and again.
type blocks struct {
	ledger
	tally
	n     int                   // how many there are
	cells []Cell                // that are measured
	order func(block int) []int // in which order, indices into cells
}

// newBlocks goes through the trials of a study of blocks.
func newBlocks(l ledger, n int, cells []Cell, order func(int) []int) blocks {
	return blocks{ledger: l, tally: newTally(l.counting), n: n, cells: cells, order: order}
}

// next returns the first trial that is left in a block that no other worker is
// at work on.
func (b *blocks) next() (*job, bool, error) {
	over := true
	for block := range b.n {
		next := b.left(block)
		if next == nil {
			continue
		}
		over = false
		if !b.held(place{Block: block}) {
			return next, false, nil
		}
	}
	return nil, over, nil
}

// left returns the next trial of a block, nil when it is over.
func (b *blocks) left(block int) *job {
	for order, cell := range b.order(block) {
		if at := (Slot{Block: block, Order: order}); b.wanted(b.cells[cell].Name, at) {
			return &job{b.cells[cell], at, int64(block) + 1} // all cells of a block get the same inputs
		}
	}
	return nil
}
