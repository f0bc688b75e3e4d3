package tui

import (
	"sync"

	"github.com/fbtune/fbtune/tuner"
)

// feed takes the events of a study and keeps what they add up to. The view
// looks at it when it draws, so that neither waits for the other: no event is
// lost and none is drawn for itself.
type feed struct {
	mu      sync.Mutex
	state   watched
	version int
}

// watched is what a live view shows.
type watched struct {
	tuner.Progress
	speed []float64 // operations of the last seconds, over all trials
	best  []float64 // the best operations per second after each trial
}

// historySeconds is how many seconds of throughput the chart shows at most.
const historySeconds = 300

// Event takes an event; it does not block.
func (f *feed) Event(e tuner.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state.apply(e)
	f.version++
}

// apply takes one event into account.
func (w *watched) apply(e tuner.Event) {
	w.Progress.Apply(e)
	switch e.Kind {
	case tuner.EventTick:
		w.speed = append(w.speed, float64(e.Tick.Ops))
		w.speed = w.speed[max(0, len(w.speed)-historySeconds):]
	case tuner.EventResult:
		best := e.Trial.OpsPerSecond
		if n := len(w.best); n > 0 {
			best = max(best, w.best[n-1])
		}
		w.best = append(w.best, best)
	}
}

// since returns the state when it is newer than a version, with its version.
// What the state holds is only ever appended to.
func (f *feed) since(version int) (watched, int, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state, f.version, f.version > version
}
