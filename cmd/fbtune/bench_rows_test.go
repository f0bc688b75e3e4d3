package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/workload"
	"github.com/fbtune/fbtune/workload/rows"
)

// benchRowsOf returns the JSON of bench rows.
func benchRowsOf(t *testing.T, args ...string) benchRowsJSON {
	t.Helper()
	out := capture(t, append([]string{"bench", "rows", "--json"}, args...)...)
	valid(t, "bench-rows", out)
	var object benchRowsJSON
	if err := json.Unmarshal([]byte(out), &object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestBenchRowsCompares(t *testing.T) {
	useHome(t)
	first, second := firebirdtest.Dir(t), firebirdtest.Dir(t)
	got := benchRowsOf(t, "--rows", "300", "--blocks", "2", "--path", first, "--path", second, "--set", "DefaultDbCachePages=777", "--cap", "1G")
	if !got.Complete || got.From != rowsPrivate || len(got.Places) != 2 || len(got.Ratios) != 6 || len(got.Published) != 6 {
		t.Fatalf("%+v, want two places, six ratios and six published results", got)
	}
	for i, dir := range []string{first, second} {
		p := got.Places[i]
		if p.Path != dir || len(p.Runs) != 2 || len(p.Phases) != 3 || p.Database.PageSize != rows.PageSize || p.Database.PageBuffers != 777 {
			t.Errorf("%+v, want two runs in %s", p, dir)
		}
		if left, err := filepath.Glob(filepath.Join(dir, "fbtune", "*", "*")); err != nil || len(left) > 0 {
			t.Errorf("%v is left in %s (%v)", left, dir, err)
		}
	}
	for _, r := range got.Ratios {
		if r.Blocks != 2 || !r.Bounded || r.Low > r.Ratio || r.Ratio > r.High {
			t.Errorf("ratio %+v", r)
		}
	}
}

func TestBenchOLTPCompares(t *testing.T) {
	useHome(t)
	dir := firebirdtest.Dir(t)
	out := capture(t, append([]string{"bench", "oltp", "--json", "--blocks", "2", "--path", dir, "--path", firebirdtest.Dir(t)}, tiny...)...)
	valid(t, "bench-oltp-paths", out)
	var got benchOLTPPathsJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if !got.Complete || len(got.Places) != 2 || len(got.Ratios) != 4 || got.Ratios[0].Blocks != 2 || !got.Ratios[0].Bounded {
		t.Fatalf("complete %t, ratios %+v; want two places and four ratios of two blocks", got.Complete, got.Ratios)
	}
	if p := got.Places[0]; p.Path != dir || len(p.Trials) != 2 || p.Trials[1].Block != 1 || p.Environment.Host.Disk.Path != dir {
		t.Errorf("%s has %d trials, want 2 in %s", p.Path, len(p.Trials), dir)
	}
	if loaded, err := filepath.Glob(filepath.Join(dir, "fbtune", "golden", "*.fdb")); err != nil || len(loaded) != 1 {
		t.Errorf("databases %v in %s (%v), want the one that was loaded there", loaded, dir, err)
	}
}

func TestBenchRowsConnect(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, foreign := firebirdtest.Started(t, inst, nil)
		target := s.Target(foreign)
		t.Setenv("ISC_USER", target.User)
		t.Setenv("ISC_PASSWORD", target.Password)
		host, port, _ := strings.Cut(target.Addr, ":")
		connect := func(path string) []string {
			return []string{"--rows", "200", "--firebird-root", inst.Root, "--connect", host + "/" + port + ":" + path}
		}
		dir := filepath.Dir(foreign)

		fresh := filepath.Join(dir, "fresh.fdb")
		got := benchRowsOf(t, connect(fresh)...)
		if !got.Complete || got.From != rowsConnected || len(got.Places[0].Phases) != 3 || got.Places[0].Database.PageSize != rows.PageSize || got.Server != nil {
			t.Errorf("%+v, want three phases with pages of 16 KiB", got)
		}
		if _, err := os.Stat(fresh); !os.IsNotExist(err) {
			t.Errorf("%s is left (%v)", fresh, err)
		}
		refusedRows(t, s, connect, foreign)
		marked := filepath.Join(dir, "marked.fdb")
		if err := s.CreateDatabase(t.Context(), marked, 8192); err != nil {
			t.Fatal(err)
		}
		if _, err := workload.MarkRows(t.Context(), s.Target(marked)); err != nil {
			t.Fatal(err)
		}
		got = benchRowsOf(t, connect(marked)...)
		if !got.Complete || got.Places[0].Database.PageSize != 8192 || len(got.Places[0].Runs[0].Warnings) != 1 {
			t.Errorf("%+v, want the marked database used, and a warning that it was there", got)
		}
		if _, err := os.Stat(marked); err != nil {
			t.Errorf("the database that was there is gone: %v", err)
		}
	})
}

// refusedRows has bench rows refuse what it did not create, and checks that it
// is left as it was.
func refusedRows(t *testing.T, s *private.Server, connect func(string) []string, foreign string) {
	t.Helper()
	precious := filepath.Join(filepath.Dir(foreign), "precious.fdb")
	if err := os.WriteFile(precious, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	readable := filepath.Join(filepath.Dir(foreign), "readable.fdb")
	if err := os.WriteFile(readable, bytes.Repeat([]byte("precious"), 4096), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt(readable); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{foreign: "not fbtune's", precious: "", readable: "", "no_such_alias": "full path"} {
		before, missing := os.ReadFile(path)
		out, err := captured(t.Context(), t, append([]string{"bench", "rows"}, connect(path)...)...)
		if code := exitCode(err, io.Discard); code != exitFailed || !strings.Contains(err.Error(), want) || out != "" {
			t.Errorf("%s: exit code %d (%v), want %d and %q", path, code, err, exitFailed, want)
		}
		after, gone := os.ReadFile(path)
		if path != foreign && !bytes.Equal(before, after) || (missing == nil) != (gone == nil) { // an attachment changes a header
			t.Errorf("%s is not what it was", path)
		}
	}
	tables := func(tx string) int { return strings.Count(tx, "FBTUNE") }
	if data, err := os.ReadFile(foreign); err != nil || tables(string(data)) != 0 {
		t.Errorf("%s has tables of fbtune's (%v)", foreign, err)
	}
}

// What is interrupted is dropped all the same.
func TestInterruptedBenchRowsConnect(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s, first := firebirdtest.Started(t, inst, nil)
	target := s.Target(filepath.Join(filepath.Dir(first), "fresh.fdb"))
	t.Setenv("ISC_USER", target.User)
	t.Setenv("ISC_PASSWORD", target.Password)
	ctx, cancel := context.WithCancelCause(t.Context())
	e := newEnv()
	var out strings.Builder
	e.stdout, e.stderr, e.terminal = &out, writerFunc(func(p []byte) (int, error) {
		if strings.HasPrefix(string(p), "insert") {
			cancel(errInterrupted)
		}
		return len(p), nil
	}), false
	err := e.run(ctx, []string{"bench", "rows", "--json", "--rows", "3000", "--connect", strings.Replace(target.Addr, ":", "/", 1) + ":" + target.Path, "--firebird-root", inst.Root})
	if code := exitCode(err, io.Discard); code != exitInterrupted {
		t.Errorf("exit code %d (%v), want %d", code, err, exitInterrupted)
	}
	valid(t, "bench-rows", out.String())
	if _, err := os.Stat(target.Path); !os.IsNotExist(err) {
		t.Errorf("%s is left (%v)", target.Path, err)
	}
}
