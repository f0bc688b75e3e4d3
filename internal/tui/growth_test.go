package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// The view of a growth names the load that runs, then its trials, and its result
// has a row for each size.
func TestViewOfAGrowth(t *testing.T) {
	g := &tuner.Growth{
		Sizes: []tuner.Size{{Name: "128M", Scale: workload.Quick()}, {Name: "1G", Scale: workload.Default()}},
		Paths: []string{""}, Mode: confgen.Super, Blocks: 2, Cap: confgen.GiB,
		Load: tuner.Load{Scale: workload.Quick(), Connections: 20, Warmup: time.Second, Duration: time.Second},
	}
	l := viewOf(&feed{}, &tuner.Control{})
	show := func(events ...tuner.Event) string {
		for _, e := range events {
			l.state.Apply(e)
		}
		return l.extent() + "\n" + l.running()
	}
	view := show(
		tuner.Event{Kind: tuner.EventPlan, Growth: g, Environment: &tuner.Environment{}},
		tuner.Event{Kind: tuner.EventLoad, Phase: "data", Done: 7, Total: 9},
	)
	if !strings.Contains(view, "loading the database: data, 7 of 9") || !strings.Contains(view, "growth: 0 of 4 trials") {
		t.Errorf("while it loads:\n%s", view)
	}
	view = show(
		tuner.Event{Kind: tuner.EventLoaded, Cell: "128M", Loading: &tuner.Loading{Load: workload.LoadResult{Rows: 100, Bytes: 100 << 20, Load: 10 * time.Second}}},
		tuner.Event{Kind: tuner.EventResult, Trial: &tuner.Trial{Cell: "128M", Mode: confgen.Super, Status: study.OK, OpsPerSecond: 700}},
		tuner.Event{Kind: tuner.EventTrial, Cell: "1G", Block: 1, Order: 1},
		tuner.Event{Kind: tuner.EventPhase, Phase: "measure"},
	)
	if !strings.Contains(view, "growth: 1 of 4 trials") || !strings.Contains(view, "block 2: 1G, measure") {
		t.Errorf("while it measures:\n%s", view)
	}
	text, err := resultText(&l.state.Progress)
	if err != nil || !strings.Contains(text, "128M") || !strings.Contains(text, "100 MiB") || !strings.Contains(text, "700") {
		t.Errorf("result (%v):\n%s", err, text)
	}
}
