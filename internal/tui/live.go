package tui

import (
	"context"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/tuner"
)

// live shows a study that runs.
type live struct {
	s       *services // nil where the study was started outside the program
	args    []string
	feed    *feed
	control *tuner.Control
	ctx     context.Context // of the study
	cancel  context.CancelCauseFunc

	state     watched
	version   int
	now       time.Time
	standings standings
	judged    int // trials that the standings are of
	judging   bool
	paused    bool
	said      string // what the last key did
	best      bool   // the chart is of the best so far, where there is room for one
	sort      int    // index of sortings
	table     grid
	ended     bool
	name      string // of the study, known when it ended
	err       error
}

// frameMsg is the time to look at a feed again.
type frameMsg struct {
	of  *feed
	now time.Time
}

// frame is how often a running study is drawn: often enough for a clock, and
// rarely enough to leave the processors to what is measured.
const frame = 500 * time.Millisecond

// frames lets the view of a feed look at it after a while.
func frames(f *feed) tea.Cmd {
	return tea.Tick(frame, func(t time.Time) tea.Msg { return frameMsg{f, t} })
}

// studyEndedMsg tells that the study of a feed ended.
type studyEndedMsg struct {
	of   *feed
	name string
	err  error
}

// newLive returns a screen that runs a study.
func newLive(s *services, args []string) live {
	l := viewOf(&feed{}, &tuner.Control{})
	l.s, l.args = s, args
	l.ctx, l.cancel = context.WithCancelCause(s.crew.ctx)
	return l
}

// viewOf returns a screen of a study that runs.
func viewOf(f *feed, control *tuner.Control) live {
	return live{feed: f, control: control, table: grid{columns: trialColumns}}
}

func (l live) Title() string { return "Live" }
func (l live) Typing() bool  { return false }
func (l live) holds() bool   { return !l.ended }

func (l live) Keys() []key.Binding {
	if l.ended {
		return []key.Binding{bind("enter", "results"), bind("s", "sort")}
	}
	keys := []key.Binding{bind("p", "pause, go on"), bind("k", "skip this trial")}
	if l.state.Tuning.Sampler != "" {
		keys = append(keys, bind("c", "confirm the best now"))
	}
	return append(keys, bind("x", "stop and keep"), bind("q", "stop and end"), bind("s", "sort"), bind("b", "best so far"))
}

func (l live) Init() tea.Cmd {
	if l.s == nil {
		return frames(l.feed)
	}
	return tea.Batch(frames(l.feed), l.s.crew.cmd(func(context.Context) tea.Msg {
		name, err := l.s.Study(l.ctx, l.args, l.control, l.feed.Event)
		l.cancel(nil)
		return studyEndedMsg{l.feed, name, err}
	}))
}

func (l live) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case frameMsg:
		if msg.of != l.feed {
			return l, nil
		}
		l.now = msg.now
		l, cmd := l.look()
		if l.ended {
			return l, cmd
		}
		return l, tea.Batch(cmd, frames(l.feed))
	case standingsMsg:
		if msg.of == l.feed {
			l.judging, l.standings, l.judged = false, msg.standings, msg.trials
			l.table.rows = l.rows()
		}
	case studyEndedMsg:
		if msg.of != l.feed {
			return l, nil
		}
		l.ended, l.name, l.err, l.said = true, msg.name, msg.err, ""
		var cmd tea.Cmd
		l, cmd = l.look()
		return l, tea.Batch(cmd, say(finishMsg(msg.name)))
	case tea.KeyMsg:
		return l.key(msg)
	}
	return l, nil
}

// look takes over what the feed has, and has it judged when a trial ended.
func (l live) look() (live, tea.Cmd) {
	state, version, newer := l.feed.since(l.version)
	if newer {
		before := len(l.state.Trials)
		l.state, l.version = state, version
		if len(state.Trials) != before {
			l.table.rows = l.rows()
		}
	}
	if l.judging || l.judged == len(l.state.Trials) {
		return l, nil
	}
	l.judging = true
	progress, f := l.state.Progress, l.feed
	work := func(context.Context) tea.Msg { return standingsMsg{f, judge(progress), len(progress.Trials)} }
	if l.s == nil {
		return l, func() tea.Msg { return work(context.Background()) }
	}
	return l, l.s.crew.cmd(work)
}

// key handles the keys of the screen.
func (l live) key(msg tea.KeyMsg) (Screen, tea.Cmd) {
	l.said = ""
	switch name := msg.String(); {
	case name == "s":
		l.sort = (l.sort + 1) % len(sortings)
		l.table.rows = l.rows()
	case name == "b":
		l.best = !l.best
	case l.ended && name == "enter" && l.name != "":
		return l, say(replaceMsg{newResults(l.s, l.name)})
	case l.ended:
		l.table = l.table.update(msg, 10)
	case name == "q":
		return l, say(endMsg{})
	case name == "p":
		if l.paused = !l.paused; l.paused {
			l.control.Pause()
		} else {
			l.control.Resume()
		}
	case name == "k":
		l.said = "skipped: it counts as failed"
		if !l.control.Skip() {
			l.said = "this trial cannot be skipped: others are compared with it"
		}
	case name == "c" && l.state.Tuning.Sampler != "":
		l.control.Confirm()
		l.said = "the search ends; race and confirmation of the best follow"
	case name == "esc":
		l.said = "it runs; x stops and keeps it"
	case name == "x":
		if l.s == nil {
			return l, say(endMsg{})
		}
		l.cancel(l.s.Stopped)
		l.said = "stopping; what was measured is kept"
	default:
		l.table = l.table.update(msg, 10)
	}
	return l, nil
}
