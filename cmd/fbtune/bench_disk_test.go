package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// benchDiskOf runs bench disk for a moment on each path and returns its JSON.
// What the disk of this machine is found to be is no fault of the command.
func benchDiskOf(ctx context.Context, t *testing.T, paths ...string) (string, error) {
	t.Helper()
	args := []string{"bench", "disk", "--json", "--size", "16M", "--duration", "10ms", "--page-size", "16384"}
	for _, path := range paths {
		args = append(args, "--path", path)
	}
	out, err := captured(ctx, t, args...)
	var found *findings
	if errors.As(err, &found) {
		err = nil
	}
	for _, path := range paths {
		if left, err := os.ReadDir(path); err != nil || len(left) > 0 {
			t.Errorf("%s holds %v (%v) in the end, want nothing", path, left, err)
		}
	}
	return out, err
}

func TestBenchDiskJSON(t *testing.T) {
	out, err := benchDiskOf(t.Context(), t, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	valid(t, "bench-disk", out)
	var one benchDiskJSON
	if err := json.Unmarshal([]byte(out), &one); err != nil {
		t.Fatal(err)
	}
	if !one.Complete || len(one.Disks) != 1 || len(one.Disks[0].Tests) != 11 || len(one.Ratios) != 0 {
		t.Errorf("complete %t, %d disks, ratios %v; want one disk with 11 tests", one.Complete, len(one.Disks), one.Ratios)
	}
	for _, test := range one.Disks[0].Tests {
		if page := int64(test.Block); test.Name == diskbench.PageWrite && page != 16384 {
			t.Errorf("pages of %d bytes are written, want 16384", page)
		}
	}
}

func TestBenchDiskCompares(t *testing.T) {
	out, err := benchDiskOf(t.Context(), t, t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	valid(t, "bench-disk", out)
	var both benchDiskJSON
	if err := json.Unmarshal([]byte(out), &both); err != nil {
		t.Fatal(err)
	}
	if len(both.Disks) != 2 || len(both.Ratios) != 11 {
		t.Fatalf("%d disks, %d ratios, want 2 and 11", len(both.Disks), len(both.Ratios))
	}
	for i, r := range both.Ratios {
		if test := both.Disks[1].Tests[i]; r.Name != test.Name || r.Operation != test.Operation || r.Blocks != compareBlocks || !r.Bounded || r.Low > r.Ratio || r.Ratio > r.High {
			t.Errorf("ratio %+v of %s", r, test.Test)
		}
	}
}

// A ratio is that of the second disk to the first.
func TestCompareDisks(t *testing.T) {
	disk := func(iops ...float64) diskbench.Result {
		return diskbench.Result{Tests: []diskbench.TestResult{{Test: diskbench.Tests(8192)[0], Blocks: iops}}}
	}
	got, err := compareDisks(disk(100, 200), disk(300, 600))
	want := report.DiskRatio{Name: "SEQ1M Q8T1", Operation: diskbench.Read, Comparison: sidebyside.Comparison{Blocks: 2, Ratio: 3, Bounded: true, Low: 3, High: 3}}
	if err != nil || len(got) != 1 || got[0].String() != want.String() || got[0].Blocks != 2 {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
}

// An interrupted measurement prints the tests that had ended, and leaves
// nothing behind.
func TestInterruptedBenchDisk(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	e := newEnv()
	var out strings.Builder
	e.stdout, e.stderr, e.terminal = &out, writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), "MB/s") {
			cancel(errInterrupted)
		}
		return len(p), nil
	}), false
	dir := t.TempDir()
	err := e.run(ctx, []string{"bench", "disk", "--json", "--size", "16M", "--duration", "10ms", "--path", dir})
	if code := exitCode(err, io.Discard); code != exitInterrupted {
		t.Errorf("exit code %d (%v), want %d", code, err, exitInterrupted)
	}
	valid(t, "bench-disk", out.String())
	var result benchDiskJSON
	if err := json.Unmarshal([]byte(out.String()), &result); err != nil {
		t.Fatal(err)
	}
	if result.Complete || len(result.Disks[0].Tests) != 1 {
		t.Errorf("complete %t with %d tests, want the one that had ended", result.Complete, len(result.Disks[0].Tests))
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v), want nothing", left, err)
	}
}

// writerFunc is a writer made of a function.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
