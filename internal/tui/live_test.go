package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/search"
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

// tuned is what a tuning tells until its search has begun.
func tuned(t *testing.T) model {
	t.Helper()
	plan := &tuner.Tuning{
		Version: confgen.Version{Major: 3, Minor: 0, Patch: 11}, Modes: confgen.Modes(), Sampler: search.Gaussian, Seed: 1, Time: 20 * time.Minute, Margin: 0.05,
		Advised: map[string]string{confgen.ServerMode: "Super", confgen.DefaultDbCachePages: "16384"}, Load: plan().Load, Cap: 8 * confgen.GiB,
	}
	environment := &tuner.Environment{Firebird: firebird.Installation{Version: plan.Version}, Database: golden.Copy{Bytes: 100 << 20}, Load: plan.Load}
	events := []tuner.Event{{Kind: tuner.EventPlan, Tuning: plan, Environment: environment}}
	ran := func(stage tuner.Stage, order int, cell string, mode confgen.Mode, settings map[string]string, ops float64) {
		settings[confgen.ServerMode] = string(mode)
		events = append(events, tuner.Event{Kind: tuner.EventResult, Trial: &tuner.Trial{
			Cell: cell, Mode: mode, Settings: settings, Slot: tuner.Slot{Stage: stage, Order: order}, Status: study.OK, OpsPerSecond: ops,
		}})
	}
	for i, ops := range []float64{500, 510, 495} {
		ran(tuner.StageCalibration, i, tuner.StockName, confgen.Super, map[string]string{}, ops)
	}
	events = append(events, tuner.Event{Kind: tuner.EventBudget, Budget: &tuner.Budget{Total: 75, Calibration: 3, Search: 25, Race: 15, Confirm: 6}})
	ran(tuner.StageSearch, 0, tuner.AdvisedName, confgen.Super, map[string]string{confgen.DefaultDbCachePages: "16384"}, 600)
	events = append(events,
		tuner.Event{Kind: tuner.EventTrial, Cell: "#5", Stage: tuner.StageSearch, Order: 1},
		tuner.Event{Kind: tuner.EventPhase, Phase: "warmup"},
	)
	return played(t, events...)
}

func TestViewOfATuning(t *testing.T) {
	view := tuned(t).View()
	for _, want := range []string{"fbtune tune", "4 of 75 trials", "search: #5, warmup", "advised", "+21.2 %", "16384"} {
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
	for _, m := range []model{m, tuned(t)} {
		next, _ := m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		for line := range strings.Lines(next.View()) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
				t.Errorf("line of %d columns: %q", n, line)
			}
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
