package tuner

import "github.com/fbtune/fbtune/tuner/study"

// maxFailures is after how many failures in a row a cell is not tried again.
const maxFailures = 2

// ledger keeps count of the trials that ended.
type ledger struct {
	done     map[Slot]bool
	failures map[string]int // in a row, by cell
}

func newLedger() ledger { return ledger{done: map[Slot]bool{}, failures: map[string]int{}} }

// note takes a trial that ended into account.
func (l ledger) note(t Trial) {
	l.done[t.Slot] = true
	if t.Status == study.Failed {
		l.failures[t.Cell]++
	} else {
		delete(l.failures, t.Cell)
	}
}

// wanted reports whether a trial of a cell is to be run: it has not ended yet,
// and the cell did not fail again and again.
func (l ledger) wanted(cell string, at Slot) bool {
	return !l.done[at] && l.failures[cell] < maxFailures
}
