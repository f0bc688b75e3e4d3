package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/workload"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// environment is one of a machine that does not exist.
func environment() tuner.Environment {
	var e tuner.Environment
	e.Firebird.Build, e.Firebird.Bits = "LI-V3.0.11.33637", 64
	e.Host.CPU.Model = probe.Given("Z80", "test")
	e.Host.CPU.Usable = probe.Given(2, "test")
	e.Host.Memory.Usable = probe.Given(24*probe.GiB, "test")
	e.Host.Disk.FileSystem = probe.Given("ext4", "test")
	e.Host.Disk.Source = probe.Given("/dev/vda", "test")
	e.Isolation, e.CacheMode = "cgroup v1 cap of 12 GiB", "warm"
	e.Database.Bytes = 106283008
	e.Load = tuner.Load{Scale: workload.Quick(), Connections: 20, Warmup: 3 * time.Second, Duration: 5 * time.Second, PageSize: 8192}
	return e
}

// sweep is a result with a cell of every kind.
func sweep() tuner.Result {
	e := environment()
	plan := tuner.Plan{
		Param: confgen.DefaultDbCachePages, Values: []string{"256", "1024", "3000000000"}, Modes: []confgen.Mode{confgen.Classic, confgen.SuperClassic},
		Base: map[string]string{confgen.LockMemSize: "7M", confgen.LockHashSlots: "30011"}, Blocks: 3, Load: e.Load,
	}
	r := tuner.Result{
		Plan: plan, Load: e.Load, Best: "SuperClassic 256", Choice: "SuperClassic 256", ChoiceMemory: 191 * confgen.MiB, Bounded: true,
		Sigma: 0.068, DetectionLimit: 0.181, OverheadTotal: 1.41, Environment: e,
		Overhead: tuner.Overhead{Reset: 0.1, Start: 0.06, Verify: 0.06, Connect: 0.51, Disconnect: 0.24, Check: 0.14, Stop: 0.17, Other: 0.13},
	}
	ok := func(low, mean, high float64, same bool) tuner.CellResult {
		return tuner.CellResult{N: 3, Figure: tuner.Figure{OpsPerSecond: mean, Low: low, High: high}, SameAsBest: same, Status: tuner.CellOK}
	}
	results := []tuner.CellResult{
		ok(528, 559.4, 592, true),
		ok(9.25, 9.81, 10.4, false), ok(71.3, 75.52, 80, false),
		{Failed: 2, Status: tuner.CellFailed, Reason: "refused before it ran: needs 480 TiB of memory when its caches are full, 11.8 GiB allowed; lower DefaultDbCachePages to 69703 or less, or allow more memory"},
		ok(499, 543, 590, true), ok(502, 545, 592, true), {Status: tuner.CellNotRun},
	}
	for i, c := range plan.Cells() {
		results[i].Cell = c
		r.Cells = append(r.Cells, results[i])
	}
	r.Trials = make([]tuner.Trial, 19)
	return r
}

func TestSweepText(t *testing.T) {
	var b bytes.Buffer
	if err := Sweep(&b, sweep()); err != nil {
		t.Fatal(err)
	}
	golden(t, "sweep.txt", b.String())
}

func TestSweepLikePublished(t *testing.T) {
	r := sweep()
	r.Plan.LikePublished = true
	for i := range r.Cells {
		r.Cells[i].Published, _ = tuner.Published(r.Cells[i].Value, r.Cells[i].Mode)
	}
	var b bytes.Buffer
	if err := Sweep(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "published.txt", b.String())
}

func TestSweepWithoutIntervals(t *testing.T) {
	r := sweep()
	r.Bounded, r.Complete, r.Choice = false, true, ""
	for i := range r.Cells {
		r.Cells[i].Low, r.Cells[i].High = 0, 0
	}
	var b bytes.Buffer
	if err := Sweep(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "unbounded.txt", b.String())
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "-", 0.5: "0.50", 9.81: "9.81", 12.34: "12.3", 559.4: "559", 12345: "12345"} {
		if got := Number(x); got != want {
			t.Errorf("Number(%g) = %q, want %q", x, got, want)
		}
	}
}
