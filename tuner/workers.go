package tuner

import (
	"encoding/json"
	"fmt"

	"github.com/fbtune/fbtune/tuner/study"
)

// Several workers, each on a machine of its own, can work on one study. What they
// measure is comparable within a worker only, so each works through whole blocks,
// which begin and end with the control, and runs the control among its own trials
// of a search. A block belongs to the worker that last began a trial of it: when a
// worker is gone, another one runs all of its block again.

// place is what one worker has to itself: a block, or the calibration.
type place struct {
	Stage Stage
	Block int
}

// placeOf returns the place of a slot, and false for the search, whose trials
// belong to no block.
func placeOf(s Slot) (place, bool) {
	return place{s.Stage, s.Block}, s.Stage != StageSearch
}

// A ledger is what a study holds, as one of its workers sees it.
type ledger struct {
	worker   string
	counting []Trial          // that ended and count, in the order they were begun
	running  []Trial          // of other workers, without a result
	alive    map[string]bool  // other workers that may still be at work
	holder   map[place]string // the worker of each place that was begun
}

// held reports whether another worker is at work on a place.
func (l ledger) held(p place) bool { return l.alive[l.holder[p]] }

// entry is a trial with what its study knows of it.
type entry struct {
	Trial
	kept study.Trial
}

// readEntries decodes the trials of a study. One that was interrupted by an
// fbtune that did not note its slot yet says nothing and is left out.
func readEntries(name string, trials []study.Trial) ([]entry, error) {
	entries := make([]entry, 0, len(trials))
	for _, kept := range trials {
		text, noted := kept.Attrs[attribute]
		if !noted && (kept.Status == study.Interrupted || kept.Status == study.Running) {
			continue
		}
		e := entry{kept: kept}
		if err := json.Unmarshal(text, &e.Trial); err != nil {
			return nil, fmt.Errorf("read trial %d of study %s: %w", kept.Number, name, err)
		}
		e.Number = kept.Number
		entries = append(entries, e)
	}
	return entries, nil
}

// holders returns the worker that each place belongs to.
func holders(entries []entry) map[place]string {
	holder := map[place]string{}
	for _, e := range entries {
		if p, ok := placeOf(e.Slot); ok {
			holder[p] = e.Worker
		}
	}
	return holder
}

// counting returns the trials that have a result and count: of a place that
// changed hands only those of its last worker.
func counting(entries []entry, holder map[place]string) []Trial {
	var list []Trial
	for _, e := range entries {
		p, held := placeOf(e.Slot)
		ended := e.kept.Status == study.OK || e.kept.Status == study.Failed
		if ended && (!held || holder[p] == e.Worker) {
			list = append(list, e.Trial)
		}
	}
	return list
}

// readLedger reads what a study holds for one of its workers. The error is also
// for another process that works under its name.
func readLedger(st *study.Study, trials []study.Trial) (ledger, error) {
	entries, err := readEntries(st.Name, trials)
	if err != nil {
		return ledger{}, err
	}
	l := ledger{worker: st.Worker, holder: holders(entries), alive: map[string]bool{}}
	l.counting = counting(entries, l.holder)
	last := map[string]study.Trial{}
	for _, e := range entries {
		last[e.Worker] = e.kept
		if e.kept.Status == study.Running && e.Worker != st.Worker {
			l.running = append(l.running, e.Trial)
		}
	}
	for name, trial := range last {
		alive, err := st.AtWork(trial, staleAge)
		switch {
		case err != nil:
			return ledger{}, err
		case name == st.Worker && st.Own(trial):
		case alive && name == st.Worker:
			return ledger{}, fmt.Errorf("%v works on study %s as worker %q: end it, or name this one by --worker", trial.Owner, st.Name, name)
		case alive:
			l.alive[name] = true
		}
	}
	return l, nil
}
