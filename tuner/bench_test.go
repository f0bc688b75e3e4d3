package tuner_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/memcap"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// tiny is a load that is over in seconds.
var tiny = tuner.Load{
	Scale:       workload.Scale{Warehouses: 2, Cardinality: 0.02, Seed: 1},
	Connections: 4, Warmup: time.Second, Duration: 2 * time.Second, PageSize: 8192,
}

func newBench(t *testing.T, inst firebird.Installation, home string, load tuner.Load) *tuner.Bench {
	t.Helper()
	host, err := probe.Read(t.Context(), probe.Live(), home)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tuner.NewBench(t.Context(), tuner.Setup{
		Version: "test", Firebird: inst, Host: host, Home: home, Cap: firebirdtest.Cap, Load: load,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return b
}

func cell(mode confgen.Mode, settings ...string) tuner.Cell {
	c := tuner.Cell{Name: string(mode), Mode: mode, Settings: map[string]string{confgen.ServerMode: string(mode)}}
	for i := 0; i < len(settings); i += 2 {
		c.Settings[settings[i]] = settings[i+1]
		c.Name += " " + settings[i+1]
	}
	return c
}

func TestBenchOnARealServer(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		home := firebirdtest.Dir(t)
		b := newBench(t, inst, home, tiny)
		var phases []string
		sink := func(e tuner.Event) {
			if e.Kind == tuner.EventPhase {
				phases = append(phases, e.Phase)
			}
		}
		for _, mode := range confgen.Modes() {
			phases = nil
			trial, err := b.Measure(t.Context(), cell(mode, confgen.DefaultDbCachePages, "512"), b.Environment().Load, 1, sink)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Status != study.OK || trial.OpsPerSecond <= 0 {
				t.Fatalf("%s: %s %s, %g ops/s", mode, trial.Status, trial.Reason, trial.OpsPerSecond)
			}
			if got, want := strings.Join(phases, " "), "reset start verify connect warmup measure check stop"; got != want {
				t.Errorf("%s: phases %q, want %q", mode, got, want)
			}
			if r := trial.Result; r.CPU.Server <= 0 || len(r.Seconds) != 2 || r.After.OldestActive <= r.Before.OldestActive {
				t.Errorf("%s: CPU of the server %g s, %d seconds, oldest active %d then %d", mode, r.CPU.Server, len(r.Seconds), r.Before.OldestActive, r.After.OldestActive)
			}
			o := trial.Overhead
			for name, part := range map[string]float64{"reset": o.Reset, "start": o.Start, "verify": o.Verify, "connect": o.Connect, "stop": o.Stop, "check": o.Check} {
				if part <= 0 {
					t.Errorf("%s: no time for %s", mode, name)
				}
			}
		}
		if pids := firebird.AllMarked(); len(pids) != 0 {
			for dir := range pids {
				if strings.HasPrefix(dir, home) {
					t.Errorf("processes of %s are left between trials", dir)
				}
			}
		}
	})
}

func TestBenchFailures(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		b := newBench(t, inst, firebirdtest.Dir(t), tiny)
		for _, test := range []struct {
			cell tuner.Cell
			want string
		}{
			{cell(confgen.Super, confgen.DefaultDbCachePages, "3000000000"), "refused before it ran"},
			{cell(confgen.Super, confgen.TempCacheLimit, `"64M" x`), "illegal line"},
		} {
			trial, err := b.Measure(t.Context(), test.cell, b.Environment().Load, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Status != study.Failed || !strings.Contains(trial.Reason, test.want) {
				t.Errorf("%s: %s %q, want failed with %q", test.cell.Name, trial.Status, trial.Reason, test.want)
			}
			if refused := test.want == "refused before it ran"; trial.Refused != refused {
				t.Errorf("%s: refused %t, want %t", test.cell.Name, trial.Refused, refused)
			}
		}
		trial, err := b.Measure(t.Context(), cell(confgen.Super), b.Environment().Load, 1, nil)
		if err != nil || trial.Status != study.OK {
			t.Errorf("a sound cell after failed ones: %s %s (%v)", trial.Status, trial.Reason, err)
		}
	})
}

// A server that is killed in the middle of the load fails its trial with the
// reason, and the next trial has a new one.
func TestBenchServerDiesUnderLoad(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		home := firebirdtest.Dir(t)
		b := newBench(t, inst, home, tiny)
		kill := func(e tuner.Event) {
			if e.Kind != tuner.EventTick || e.Tick.Phase != workload.PhaseMeasure {
				return
			}
			for dir, pids := range firebird.AllMarked() {
				if strings.HasPrefix(dir, home) {
					memcap.Kill(pids)
				}
			}
		}
		for _, mode := range []confgen.Mode{confgen.Super, confgen.Classic} {
			trial, err := b.Measure(t.Context(), cell(mode), b.Environment().Load, 1, kill)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Status != study.Failed || !strings.Contains(trial.Reason, "the server ended") {
				t.Errorf("%s: %s %q, want failed because the server ended", mode, trial.Status, trial.Reason)
			}
		}
		trial, err := b.Measure(t.Context(), cell(confgen.Super), b.Environment().Load, 1, nil)
		if err != nil || trial.Status != study.OK {
			t.Errorf("the trial after: %s %s (%v)", trial.Status, trial.Reason, err)
		}
	})
}

// A server that dies while it loads is named as the reason.
func TestLoadUnderTooSmallACap(t *testing.T) {
	home := firebirdtest.Dir(t)
	_, err := tuner.NewBench(t.Context(), tuner.Setup{
		Version: "test", Firebird: firebirdtest.Installation(t), Home: home, Cap: 24 * confgen.MiB, Load: tiny,
	}, nil)
	if err == nil || !strings.Contains(err.Error(), "memory cap of 24 MiB") {
		t.Errorf("load under 24 MiB: %v, want the cap named", err)
	}
	if left, err := os.ReadDir(filepath.Join(home, "servers")); err != nil || len(left) != 0 {
		t.Errorf("servers holds %v (%v), want nothing", left, err)
	}
}

// A directory that is closed to the server's user is refused before anything
// is made in it.
func TestPathClosedToTheServer(t *testing.T) {
	if os.Geteuid() != 0 {
		return // servers run as the same user then, who may enter
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := tuner.NewBench(t.Context(), tuner.Setup{
		Firebird: firebirdtest.Installation(t), Home: firebirdtest.Dir(t), Path: closed, Cap: firebirdtest.Cap, Load: tiny,
	}, nil)
	if err == nil || !strings.Contains(err.Error(), "may not enter") {
		t.Errorf("a closed directory: %v", err)
	}
	if left, err := os.ReadDir(closed); err != nil || len(left) != 0 {
		t.Errorf("the directory holds %v (%v), want nothing", left, err)
	}
}

// The golden copy is loaded once, and the next bench starts from the same.
func TestBenchReusesTheGoldenCopy(t *testing.T) {
	home := firebirdtest.Dir(t)
	first := newBench(t, firebirdtest.Installation(t), home, tiny).Environment().Database
	second := newBench(t, firebirdtest.Installation(t), home, tiny).Environment().Database
	if first.SHA256 != second.SHA256 || !first.Loaded.Equal(second.Loaded) {
		t.Errorf("the second bench has %s loaded %s, the first %s loaded %s", second.SHA256, second.Loaded, first.SHA256, first.Loaded)
	}
	if left, err := filepath.Glob(filepath.Join(home, "data", "golden", "*.fdb")); err != nil || len(left) != 1 {
		t.Errorf("golden copies %v (%v), want one", left, err)
	}
}

func TestEnvironmentIsJSON(t *testing.T) {
	b := newBench(t, firebirdtest.Installation(t), firebirdtest.Dir(t), tiny)
	data, err := json.Marshal(b.Environment())
	if err != nil {
		t.Fatal(err)
	}
	var back tuner.Environment
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if err := b.Environment().Same(back); err != nil {
		t.Errorf("the environment read back is another: %v", err)
	}
	if !strings.Contains(string(data), `"build":"LI-V`) {
		t.Errorf("no build in %s", data)
	}
}

// What a bench makes is gone when it is closed; what it must keep stays.
func TestCloseLeavesTheGoldenCopyOnly(t *testing.T) {
	home := firebirdtest.Dir(t)
	b := newBench(t, firebirdtest.Installation(t), home, tiny)
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"servers", "data/scratch"} {
		if left, err := os.ReadDir(filepath.Join(home, dir)); err != nil || len(left) != 0 {
			t.Errorf("%s holds %v (%v), want nothing", dir, left, err)
		}
	}
}
