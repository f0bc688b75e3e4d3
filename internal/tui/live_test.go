package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// played returns the model after a sequence of events.
func played(t *testing.T, events ...tuner.Event) model {
	t.Helper()
	var m tea.Model = model{stop: func() {}, keep: true, now: time.Unix(1000, 0)}
	for _, e := range events {
		m, _ = m.Update(eventMsg(e))
	}
	return m.(model)
}

func plan() *tuner.Plan {
	return &tuner.Plan{
		Param: confgen.DefaultDbCachePages, Values: []string{"256", "512"}, Modes: []confgen.Mode{confgen.Classic}, Blocks: 2,
		Load: tuner.Load{Scale: workload.Quick(), Connections: 20, Warmup: time.Second, Duration: time.Second},
	}
}

func result(cell string, mode confgen.Mode, block, order int, ops float64) tuner.Event {
	return tuner.Event{Kind: tuner.EventResult, Trial: &tuner.Trial{
		Cell: cell, Mode: mode, Slot: tuner.Slot{Block: block, Order: order}, Status: study.OK, OpsPerSecond: ops,
	}}
}

func TestViewShowsCellPhaseSpeedAndTable(t *testing.T) {
	m := played(t,
		tuner.Event{Kind: tuner.EventPlan, Plan: plan(), Environment: &tuner.Environment{}},
		result("control", confgen.Super, 0, 0, 700),
		tuner.Event{Kind: tuner.EventTrial, Cell: "Classic 256", Block: 0, Order: 1},
		tuner.Event{Kind: tuner.EventPhase, Phase: "measure"},
		tuner.Event{Kind: tuner.EventTick, Tick: &workload.Tick{Ops: 431, P95: 52 * time.Millisecond, Retries: 9}},
	)
	view := m.View()
	for _, want := range []string{"1 of 8 trials", "left", "Classic 256, measure", "431 ops/s now", "p95 52ms", "DefaultDbCachePages", "control (stock, Super): 700", "q stop"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
}

func TestViewWhileLoading(t *testing.T) {
	view := played(t, tuner.Event{Kind: tuner.EventLoad, Phase: "data", Done: 10, Total: 99}).View()
	if !strings.Contains(view, "data 10 of 99") {
		t.Errorf("no progress of the load in\n%s", view)
	}
}

func TestViewOfTheEndHasNoKeys(t *testing.T) {
	view := played(t,
		tuner.Event{Kind: tuner.EventPlan, Plan: plan(), Environment: &tuner.Environment{}},
		tuner.Event{Kind: tuner.EventEnd, Message: "interrupted"},
	).View()
	if !strings.Contains(view, "stopped: interrupted") || strings.Contains(view, "q stop") {
		t.Errorf("end:\n%s", view)
	}
	m := played(t, tuner.Event{Kind: tuner.EventEnd})
	m.keep = false
	if view := m.View(); view != "" {
		t.Errorf("where the result follows on the same terminal the picture stays:\n%s", view)
	}
}

func TestEveryLineFitsANarrowTerminal(t *testing.T) {
	m := played(t,
		tuner.Event{Kind: tuner.EventPlan, Plan: plan(), Environment: &tuner.Environment{}},
		tuner.Event{Kind: tuner.EventNote, Message: strings.Repeat("a long note ", 20)},
		tuner.Event{Kind: tuner.EventTrial, Cell: "Classic 256"},
	)
	next, _ := m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	for line := range strings.Lines(next.View()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("line of %d columns: %q", n, line)
		}
	}
}

func TestKeysStopTheSweep(t *testing.T) {
	for _, key := range []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("q")}, {Type: tea.KeyCtrlC}} {
		stops := 0
		m, _ := model{stop: func() { stops++ }}.Update(key)
		if stops != 1 || !strings.Contains(m.View(), "stopping") {
			t.Errorf("%s: stop called %d times", key, stops)
		}
	}
}

// A terminal that takes no output must never hold up a sweep.
func TestEventNeverBlocks(t *testing.T) {
	l := &Live{events: make(chan tuner.Event, 1)}
	for range 3 {
		l.Event(tuner.Event{Kind: tuner.EventNote})
	}
	if len(l.events) != 1 {
		t.Errorf("%d events kept, want 1", len(l.events))
	}
}

func TestSparkline(t *testing.T) {
	if got, want := sparkline([]int64{9, 0, 4, 8}, 3), "▁▅█"; got != want {
		t.Errorf("sparkline %q, want %q", got, want)
	}
}
