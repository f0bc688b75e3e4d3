package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// runs adds every run as a dot, the course of the best and of the control, and
// the latencies of both.
func (d *Document) runs(trials []tuner.Trial, best string, objective tuner.Objective) {
	var failures []string
	for _, t := range trials {
		if t.Status != study.OK {
			failures = append(failures, fmt.Sprintf("run %d, %s: %s", t.Number, t.Cell, t.Reason))
		}
	}
	d.add(Section{Title: "Every run", Chart: dots(trials, objective), Lines: failures})
	var last []tuner.Trial
	grid := report.Grid{Header: []string{"", "ops/s", "p50 ms", "p95 ms", "p99 ms", "max ms", "retries"}}
	for _, name := range slices.Compact([]string{tuner.StockName, best}) {
		for _, t := range slices.Backward(trials) {
			if t.Cell != name || t.Result == nil || t.Status != study.OK {
				continue
			}
			l := t.Result.Latency
			last = append(last, t)
			grid.Rows = append(grid.Rows, []string{
				name, report.Number(t.OpsPerSecond), report.Number(l.P50), report.Number(l.P95), report.Number(l.P99), report.Number(l.Max), fmt.Sprint(t.Result.Retries),
			})
			break
		}
	}
	if len(last) > 0 {
		d.add(Section{
			Title: "Throughput over time, latency", Chart: course(last), Grid: grid,
			Lines: []string{"Of the last run of each that counts, its window alone."},
		})
	}
}

// trials adds the table of all trials.
func (d *Document) trials() {
	if len(d.Trials) == 0 {
		return
	}
	grid := report.Grid{Header: []string{"run", "stage", "block", "configuration", "architecture", "status", "ops/s", "p95 ms"}}
	for _, t := range d.Trials {
		p95 := ""
		if t.Result != nil {
			p95 = report.Number(t.Result.Latency.P95)
		}
		grid.Rows = append(grid.Rows, []string{
			fmt.Sprint(t.Number), string(t.Stage), fmt.Sprint(t.Block), t.Cell, string(t.Mode), string(t.Status), report.Number(t.OpsPerSecond), p95,
		})
	}
	d.add(Section{Title: "All trials", Grid: grid})
}

// environment adds what figures depend on.
func (d *Document) environment() {
	e := d.Environment
	grid := report.Grid{Header: []string{"", ""}, Rows: [][]string{
		{"fbtune", e.Fbtune},
		{"Firebird", fmt.Sprintf("%s, %d bits, %s", e.Firebird.Build, e.Firebird.Bits, e.Firebird.Root)},
		{"isolation", e.Isolation},
		{"system", e.Host.OSName.String() + ", kernel " + e.Host.Kernel.String()},
		{"virtualisation", e.Host.Virtualisation.String() + ", container " + e.Host.Container.String()},
		{"processor", fmt.Sprintf("%s, %s usable", e.Host.CPU.Model, e.Host.CPU.Usable)},
		{"memory", e.Host.Memory.Usable.String()},
		{"file system", fmt.Sprintf("%s on %s", e.Host.Disk.FileSystem, e.Host.Disk.Source)},
		{"cache", e.CacheMode},
		{"database", fmt.Sprintf("%d bytes, SHA-256 %s", e.Database.Bytes, e.Database.SHA256)},
	}}
	d.add(Section{Title: "Environment", Grid: grid})
	effective := report.Grid{Header: []string{"configuration", "setting", "in force", "state", "how it is known"}}
	seen := map[string]bool{}
	for _, t := range d.Trials {
		if seen[t.Cell] || len(t.Effective) == 0 {
			continue
		}
		seen[t.Cell] = true
		for _, s := range t.Effective {
			effective.Rows = append(effective.Rows, []string{t.Cell, s.Name, s.Value, string(s.State), strings.TrimSpace(s.Note)})
		}
	}
	d.add(Section{Title: "Effective settings", Grid: effective})
}
