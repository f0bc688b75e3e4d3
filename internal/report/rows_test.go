package report

import (
	"bytes"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/sidebyside"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
	"github.com/fbtune/fbtune/workload/rows"
)

// rowsTrial is a run in which everything took a multiple of a time.
func rowsTrial(times float64) tuner.RowsTrial {
	t := tuner.RowsTrial{
		Server:    &rows.Server{Engine: "3.0.11", ODS: "12.0", PageSize: rows.PageSize, PageBuffers: 2048, ForcedWrites: true, SweepInterval: 20000},
		Effective: []running.Effective{{Name: "DefaultDbCachePages", Value: "2048", State: running.Verified, Note: "MON$DATABASE"}},
	}
	for i, name := range rows.Names {
		io := rows.IO{Reads: int64(i), Writes: 128_000, Fetches: 24_712_000}
		t.Phases = append(t.Phases, rows.NewPhase(name, rows.Default, 58.894*times, (4.846+float64(6*i))*times, io))
	}
	return t
}

func TestRowsText(t *testing.T) {
	slow, fast := NewRowsPlace("/mnt/old"), NewRowsPlace("/mnt/new")
	slow.Disk = &probe.Disk{Path: "/mnt/old", FileSystem: probe.Given("ext4", "test"), Source: probe.Given("/dev/sda1", "test")}
	slow.Add(rowsTrial(2))
	var b bytes.Buffer
	if err := Rows(&b, "Firebird 3.0.11, 64 bits, Super", []RowsPlace{slow}, rows.PublishedFigures(), nil, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "rows.txt", b.String())

	for _, trial := range []tuner.RowsTrial{rowsTrial(1), rowsTrial(3)} {
		fast.Add(trial)
	}
	fast.Add(tuner.RowsTrial{}) // ended before its first phase
	ratios := []sidebyside.Metric{
		{Name: "insert rows/s", Comparison: sidebyside.Comparison{Blocks: 5, Ratio: 2, Bounded: true, Low: 1.9, High: 2.1}},
		{Name: "insert commit s", Comparison: sidebyside.Comparison{Blocks: 5, Ratio: 0.98, Bounded: true, Low: 0.9, High: 1.07}},
	}
	b.Reset()
	if err := Rows(&b, "", []RowsPlace{slow, fast}, rows.PublishedFigures(), ratios, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "rows_paths.txt", b.String())
}

func TestOLTPPathsText(t *testing.T) {
	trial := func(block int, ops float64) tuner.Trial {
		t := tuner.Trial{Status: study.OK, OpsPerSecond: ops, Result: &workload.Result{Latency: workload.Latency{P50: 20000 / ops, P95: 50000 / ops, P99: 90000 / ops}}}
		t.Block = block
		return t
	}
	places := []OLTPPlace{
		{Path: "/mnt/old", Environment: environment(), Trials: []tuner.Trial{trial(0, 400), trial(1, 410)}},
		{Path: "/mnt/new", Environment: environment(), Trials: []tuner.Trial{trial(0, 800), trial(1, 1)}},
	}
	places[1].Trials[1].Status = study.Failed
	places[0].Trials[1].Warnings = []string{"other programs took 0.59 processors"}
	ratios, err := tuner.CompareOLTP(places[0].Trials, places[1].Trials)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := OLTPPaths(&b, places, ratios, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "oltp_paths.txt", b.String())
}
