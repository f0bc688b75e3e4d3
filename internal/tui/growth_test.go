package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/workload"
)

// The view of a growth names the load that runs, then its trials, and has a row
// for each size.
func TestViewOfAGrowth(t *testing.T) {
	g := &tuner.Growth{
		Sizes: []tuner.Size{{Name: "128M", Scale: workload.Quick()}, {Name: "1G", Scale: workload.Default()}},
		Paths: []string{""}, Mode: confgen.Super, Blocks: 2, Cap: confgen.GiB,
		Load: tuner.Load{Scale: workload.Quick(), Connections: 20, Warmup: time.Second, Duration: time.Second},
	}
	events := []tuner.Event{
		{Kind: tuner.EventPlan, Growth: g, Environment: &tuner.Environment{}},
		{Kind: tuner.EventLoad, Phase: "data", Done: 7, Total: 9},
	}
	if view := played(t, events...).View(); !strings.Contains(view, "loading the database: data 7 of 9") || !strings.Contains(view, "0 of 4 trials") {
		t.Errorf("while it loads:\n%s", view)
	}
	events = append(events,
		tuner.Event{Kind: tuner.EventLoaded, Cell: "128M", Loading: &tuner.Loading{Load: workload.LoadResult{Rows: 100, Bytes: 100 << 20, Load: 10 * time.Second}}},
		result("128M", confgen.Super, 0, 0, 700),
		tuner.Event{Kind: tuner.EventTrial, Cell: "1G", Block: 1, Order: 1},
		tuner.Event{Kind: tuner.EventPhase, Phase: "measure"},
	)
	view := played(t, events...).View()
	for _, want := range []string{"fbtune bench growth", "1 of 4 trials", "block 2 of 2: 1G, measure", "128M  100 MiB", "10.5", "700"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
}
