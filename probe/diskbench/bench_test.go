package diskbench

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/probe"
)

// small is a measurement of a moment in a directory of the test's own.
func small(t *testing.T) Config {
	t.Helper()
	return Config{Dir: t.TempDir(), Size: MinSize, Duration: 10 * time.Millisecond}
}

// open opens a bench, closed with the test, which must leave nothing behind.
func open(t *testing.T, c Config) *Bench {
	t.Helper()
	b, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		empty(t, c.Dir)
	})
	return b
}

// empty fails the test unless a directory is empty.
func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v), want nothing", left, err)
	}
}

func TestRunMeasuresAllInTurn(t *testing.T) {
	first, second := open(t, small(t)), open(t, small(t))
	benches, tests := []*Bench{first, second}, Tests(8*probe.KiB)
	var order []*Bench
	results, err := Run(t.Context(), benches, tests, 2, func(b *Bench, _ Test, _ Measurement) { order = append(order, b) })
	if err != nil {
		t.Fatal(err)
	}
	half := 2 * len(tests)
	if len(order) != 2*half {
		t.Fatalf("%d measurements, want %d", len(order), 2*half)
	}
	for at := 0; at < half; at += 2 {
		if order[at] != first || order[at+1] != second || order[half+at] != second || order[half+at+1] != first {
			t.Errorf("test %d was not run on the first disk, the second, and in the second block the other way round", at/2)
		}
	}
	for i, r := range results {
		if len(r.Tests) != len(tests) {
			t.Fatalf("%d tests, want %d", len(r.Tests), len(tests))
		}
		for at, m := range r.Tests {
			l := m.Latency
			switch {
			case m.Test != tests[at]:
				t.Errorf("test %d is %s, want %s", at, m.Test, tests[at])
			case m.Operations < int64(2*m.Workers) || len(m.Blocks) != 2:
				t.Errorf("%s: %d operations by %d workers, blocks %v, want at least one of each worker in 2 blocks", m.Test, m.Operations, m.Workers, m.Blocks)
			case l.P50 <= 0 || l.P50 > l.P99 || l.P99 > l.Max || l.Mean > l.Max:
				t.Errorf("%s: latency %+v", m.Test, l)
			case m.BytesPerSecond != m.IOPS*float64(m.Block):
				t.Errorf("%s: %v bytes a second, %v operations of %s", m.Test, m.BytesPerSecond, m.IOPS, m.Block)
			}
		}
		info, err := os.Stat(benches[i].File())
		if err != nil || info.Size() != int64(MinSize) {
			t.Errorf("the file has %d bytes in the end (%v), want %d as before it grew", info.Size(), err, MinSize)
		}
	}
}

// What is written to the disk can be neither compressed nor found twice.
func TestFileIsFullOfData(t *testing.T) {
	c := small(t)
	t.Chdir(c.Dir)
	c.Dir = "."
	b := open(t, c)
	if !filepath.IsAbs(b.File()) {
		t.Errorf("the file is %s, which another program cannot find", b.File())
	}
	f, err := os.Open(b.File())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(w, f)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if n != int64(MinSize) || int64(packed.Len()) < n {
		t.Errorf("%d bytes that compress to %d, want %d that do not", n, packed.Len(), MinSize)
	}

	block := aligned(2 * alignment)
	stamp(block, 7)
	before := slices.Clone(block)
	stamp(block, 8)
	for at := 0; at < len(block); at += 512 {
		if bytes.Equal(block[at:at+512], before[at:at+512]) {
			t.Errorf("the sector at %d is the same under two numbers", at)
		}
	}
}

// Where the file cache cannot be passed by, reads have it dropped and writes
// wait, and the result says so.
func TestWithoutDirect(t *testing.T) {
	b := open(t, small(t))
	b.Direct, b.NoDirect = false, "O_DIRECT: invalid argument"
	results, err := Run(t.Context(), []*Bench{b}, Tests(8*probe.KiB), 1, func(*Bench, Test, Measurement) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range results[0].Tests {
		want := "file cache"
		if m.Operation == Write {
			want = dsyncName
		}
		if m.Mode == Direct && !strings.HasPrefix(m.Opened, want) {
			t.Errorf("%s: opened %q, want %q", m.Test, m.Opened, want)
		}
	}
	if !slices.ContainsFunc(results[0].Findings, func(f Finding) bool {
		return f.Rule == "no-direct-io" && f.Evidence == b.NoDirect
	}) {
		t.Errorf("findings %+v do not say that there was no direct transfer", results[0].Findings)
	}
}

func TestInterruptedRunKeepsWhatItHas(t *testing.T) {
	b := open(t, small(t))
	ctx, cancel := context.WithCancel(t.Context())
	results, err := Run(ctx, []*Bench{b}, Tests(8*probe.KiB), 1, func(*Bench, Test, Measurement) { cancel() })
	if !errors.Is(err, context.Canceled) || len(results[0].Tests) != 1 {
		t.Errorf("%d tests and error %v, want the one that had ended and that it was cancelled", len(results[0].Tests), err)
	}
	c := small(t)
	if _, err := Open(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("opened under a cancelled context: %v", err)
	}
	empty(t, c.Dir)
}

func TestRefusals(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"small":    {func(c *Config) { c.Size = probe.MiB }, "give at least 16 MiB"},
		"large":    {func(c *Config) { c.Size = probe.PiB }, "give a smaller --size or another --path"},
		"too long": {func(c *Config) { c.Duration = 0 }, "give a duration above 0"},
		"nowhere":  {func(c *Config) { c.Dir += "/none" }, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			c := small(t)
			dir := c.Dir
			row.change(&c)
			if _, err := Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %v, want %q", err, row.want)
			}
			empty(t, dir)
		})
	}
}

func TestRoom(t *testing.T) {
	disk := probe.Disk{Path: "/data", Free: probe.Given(2*probe.GiB, "test")}
	if err := checkRoom(disk, probe.GiB); err != nil {
		t.Errorf("half of what is free: %v", err)
	}
	if err := checkRoom(disk, probe.GiB+1); err == nil {
		t.Error("more than half of what is free is not refused")
	}
	if err := checkRoom(probe.Disk{}, probe.GiB); err == nil {
		t.Error("an unknown amount of free space is not refused")
	}
}

func TestOffsets(t *testing.T) {
	b := &Bench{Size: MinSize}
	sequential := b.offsets(Test{Pattern: Sequential, Block: probe.MiB})
	one, other := sequential(), sequential()
	for want := range int64(20) {
		next := one
		if want%3 == 0 {
			next = other
		}
		if got, more := next(); got != want%16*int64(probe.MiB) || !more {
			t.Errorf("offset %d of the stream is %d (more %t)", want, got, more)
		}
	}
	random := b.offsets(Test{Pattern: Random, Block: 32 * probe.KiB})()
	seen := map[int64]bool{}
	for range 10_000 { // any of 512 blocks is missed in one of 600,000 runs
		at, more := random()
		if at < 0 || at+int64(32*probe.KiB) > int64(MinSize) || at%int64(32*probe.KiB) != 0 || !more {
			t.Fatalf("offset %d (more %t)", at, more)
		}
		seen[at] = true
	}
	if len(seen) != 512 {
		t.Errorf("%d of 512 blocks were met", len(seen))
	}
	grow := b.offsets(Test{Pattern: Append, Block: Growth / 2})()
	for _, want := range []int64{int64(MinSize), int64(MinSize + Growth/2)} {
		if at, more := grow(); at != want || !more {
			t.Errorf("appends at %d (more %t), want %d", at, more, want)
		}
	}
	if _, more := grow(); more {
		t.Errorf("grows by more than %s", Growth)
	}
}
