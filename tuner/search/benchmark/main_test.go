package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/search/replay"
)

func TestRunPrintsATableOfEveryGrid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grid.csv")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	plans := replay.Plans()
	header := replay.Header(plans[0].Cells())
	lines := [][]string{header}
	for _, plan := range plans {
		for i, r := range plan.Missing(nil) {
			r.OpsPerSecond = 500 + float64(i%96) + float64(i%7)
			lines = append(lines, r.Row(header))
		}
	}
	if err := w.WriteAll(lines); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(&out, "3.0", 2, []string{file}); err != nil {
		t.Fatal(err)
	}
	for _, want := range append(search.Names(), plans[0].Size+": 96 cells", plans[1].Size+": 96 cells", "default: ") {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for want, arguments := range map[string][]string{
		"make record-grids": nil, "no such file": {filepath.Join(t.TempDir(), "none.csv")},
	} {
		if err := run(&strings.Builder{}, "3.0", 2, arguments); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", arguments, err, want)
		}
	}
	if err := run(&strings.Builder{}, "3.0", 1, []string{"x"}); err == nil {
		t.Error("one seed is enough")
	}
}
