package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// smallSizes are arguments of a growth that is over in seconds.
var smallSizes = []string{"bench", "growth", "--json", "--sizes", "12M,20M", "--connections", "4", "--warmup", "500ms", "--duration", "1s", "--blocks", "1", "--cap", "2G", "--with-published"}

// A growth that was killed in its last trial goes on with that trial alone, and
// is a study like any other.
func TestKilledGrowthIsResumed(t *testing.T) {
	useHome(t)
	home := os.Getenv("FBTUNE_HOME")
	s := start(t, 1, smallSizes...)
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait() // killed
	noServers(t, home)
	if kinds := eventKinds(t, s.events); kinds["loaded"] != 2 {
		t.Errorf("%d sizes were loaded, want 2", kinds["loaded"])
	}
	if out := capture(t, "studies", "--json"); !strings.Contains(out, `"kind": "growth"`) || !strings.Contains(out, `"finished": false`) {
		t.Errorf("studies prints\n%s", out)
	}

	events := filepath.Join(t.TempDir(), "resumed.jsonl")
	out := capture(t, "bench", "growth", "--resume", "--json", "--events", events)
	valid(t, "growth", out)
	data, err := os.ReadFile(events)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		valid(t, "event", line)
	}
	// Two loads and a trial were recorded before.
	if kinds := eventKinds(t, events); kinds["replayed"] != 3 || kinds["loaded"] != 0 || kinds["result"] != 1 {
		t.Errorf("events of the resumed run: %v", kinds)
	}
	var result struct {
		Complete  bool
		Sizes     []struct{ Status, Size string }
		Charts    []struct{ Series, Marks []any }
		Published []any
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if !result.Complete || len(result.Sizes) != 2 || len(result.Charts) != 2 || len(result.Charts[0].Marks) != 3 || len(result.Published) != 3 {
		t.Errorf("result %+v", result)
	}
	for _, size := range result.Sizes {
		if size.Status != "ok" {
			t.Errorf("%s is %s", size.Size, size.Status)
		}
	}
	study := growthName(t)
	valid(t, "growth", capture(t, "studies", "show", study, "--json"))
	if text := capture(t, "studies", "show", study); !strings.Contains(text, "Load speed, MB/s") || !strings.Contains(text, "○ published") {
		t.Errorf("studies show prints\n%s", text)
	}
	if rows := strings.Count(capture(t, "studies", "export", study, "--format", "csv"), "\n"); rows != 3 {
		t.Errorf("%d lines of CSV, want a heading and two trials", rows)
	}
	if _, err := captured(t.Context(), t, "sweep", "--resume", study); exitCode(err, io.Discard) != exitUsage || !strings.Contains(err.Error(), "fbtune bench growth --resume") {
		t.Errorf("a growth resumed as a sweep: %v", err)
	}
	valid(t, "study-deleted", capture(t, "studies", "delete", study, "--json"))
	if copies, err := filepath.Glob(filepath.Join(home, "data", "golden", "*.fdb")); err != nil || len(copies) != 2 {
		t.Errorf("golden copies %v (%v), want both", copies, err)
	}
	if left, err := os.ReadDir(filepath.Join(home, "data", "scratch")); err != nil || len(left) != 0 {
		t.Errorf("scratch holds %v (%v), want nothing", left, err)
	}
}

// growthName returns the name of the only study.
func growthName(t *testing.T) string {
	t.Helper()
	var list struct{ Studies []struct{ Study string } }
	if err := json.Unmarshal([]byte(capture(t, "studies", "--json")), &list); err != nil || len(list.Studies) != 1 {
		t.Fatalf("studies %v (%v), want one", list.Studies, err)
	}
	return list.Studies[0].Study
}
