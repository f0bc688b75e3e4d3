package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// recorded returns the events of a sweep on a real server (fbtune sweep --quick
// --param DefaultDbCachePages --values 256,1024 --modes Classic,SuperClassic
// --blocks 3 --warmup 3s --duration 5s --events FILE).
func recorded(t testing.TB) []tuner.Event {
	t.Helper()
	events, err := recording()
	if err != nil {
		t.Fatal(err)
	}
	return events
}

var recording = sync.OnceValues(func() (events []tuner.Event, err error) {
	data, err := os.ReadFile("testdata/sweep.events.jsonl")
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		var e tuner.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
})

// until returns the events up to the first tick after a number of results.
func until(events []tuner.Event, results int) []tuner.Event {
	for i, e := range events {
		if e.Kind == tuner.EventResult {
			results--
		}
		if results <= 0 && e.Kind == tuner.EventTick && e.Tick.Phase == "measure" {
			return events[:i+1]
		}
	}
	return events
}

// tuned folds the tuning that docs/ shows, which ran on a real server.
func tuned(t testing.TB) *tuner.Progress {
	t.Helper()
	data, err := os.ReadFile("../../docs/tune-demo.json")
	if err != nil {
		t.Fatal(err)
	}
	var demo struct {
		Plan        tuner.Tuning      `json:"plan"`
		Environment tuner.Environment `json:"environment"`
		Trials      []tuner.Trial     `json:"trials"`
	}
	if err := json.Unmarshal(data, &demo); err != nil {
		t.Fatal(err)
	}
	var p tuner.Progress
	p.Apply(tuner.Event{Kind: tuner.EventPlan, Tuning: &demo.Plan, Environment: &demo.Environment})
	for i := range demo.Trials {
		p.Apply(tuner.Event{Kind: tuner.EventResult, Trial: &demo.Trials[i], Replayed: true})
	}
	p.Apply(tuner.Event{Kind: tuner.EventEnd})
	return &p
}

// driver is the program with recorded functions, driven by keys.
type driver struct {
	t     testing.TB
	model tea.Model
	ran   [][]string // commands
	ended bool
	crew  *crew
}

func known[T any](v T) probe.Fact[T] { return probe.Fact[T]{Value: v, Source: "test"} }

// testHost is the machine of the tests.
func testHost() probe.Host {
	var h probe.Host
	h.OSName, h.CPU.Model, h.CPU.Usable = known("Debian GNU/Linux 12 (bookworm)"), known("AMD EPYC"), known(4)
	h.Memory.Usable, h.Memory.Available = known(16*confgen.GiB), known(12*confgen.GiB)
	h.Disk.Path, h.Disk.Free = "/", known(60*confgen.GiB)
	return h
}

func (d *driver) functions() Functions {
	v := confgen.Version{Major: 3, Minor: 0, Patch: 11}
	begun := recorded(d.t)[0].Time
	return Functions{
		Home: func(context.Context) (Home, error) {
			return Home{
				Host:          testHost(),
				Installations: []firebird.Installation{{Kind: "Debian package", Version: v, Root: "/usr/lib/x86_64-linux-gnu/firebird/3.0", Running: []int{812}}},
				Databases:     []string{"/data/erp.fdb"},
				Studies: []report.Study{
					{Name: "sweep-20261201-101015", Kind: study.Sweep, Created: begun, Finished: true, OK: 18, Best: 506},
					{Name: "tune-20261130-220000", Kind: study.Tune, Created: begun, OK: 31, Best: 612},
				},
			}, nil
		},
		Recommend: func(_ context.Context, args []string) (confgen.Advice, error) {
			in := confgen.Input{Host: testHost(), Version: v, Bits: 64, Connections: 20}
			if i := slices.Index(args, "--connections"); i >= 0 {
				in.Connections = 200 * len(args[i+1])
			}
			return confgen.Recommend(in)
		},
		Check: func(context.Context, []string) ([]report.CheckedFile, error) {
			return []report.CheckedFile{{Conf: "/etc/firebird/3.0/firebird.conf", Firebird: v, Notes: []string{"the log could not be read"}, Findings: []check.Finding{
				{Rule: "bool-word", Severity: check.Note, File: "/etc/firebird/3.0/firebird.conf", Line: 31, Name: "RemoteAuxPort", Written: "0", EngineDoes: "takes any free port for events", Instead: "give a port that the firewall lets through", Source: "firebird.conf"},
				{Rule: "unit", Severity: check.Error, File: "/etc/firebird/3.0/firebird.conf", Line: 12, Name: "TempCacheLimit", Written: "64MB", EngineDoes: "reads 64MB as 0", Instead: "write 64M", Source: "src/common/config/config.cpp"},
			}}}, nil
		},
		Parameters: func(context.Context) ([]Parameter, error) {
			return []Parameter{{confgen.DefaultDbCachePages, []string{"64", "128", "256", "512", "1024", "2048"}}, {confgen.LockHashSlots, []string{"1009", "8191", "30011"}}, {confgen.GCPolicy, []string{"combined", "background", "cooperative"}}}, nil
		},
		Estimate: func(_ context.Context, args []string) (Estimate, error) {
			if args[0] == "tune" {
				return Estimate{Time: 20 * time.Minute, Disk: 300 * confgen.MiB}, nil
			}
			if !slices.Contains(args, "--param") {
				return Estimate{}, errors.New("name the setting to vary")
			}
			cells := 1 + len(strings.Split(args[slices.Index(args, "--values")+1], ","))
			return Estimate{Trials: 3 * (cells + 1), Time: time.Duration(33*(cells+1)) * time.Second, Disk: 300 * confgen.MiB}, nil
		},
		Study: func(_ context.Context, args []string, _ *tuner.Control, sink tuner.Sink) (string, error) {
			d.ran = append(d.ran, args)
			for _, e := range recorded(d.t) {
				sink(e)
			}
			return "sweep-20261201-101015", nil
		},
		Recorded: func(_ context.Context, name string) (*tuner.Progress, error) {
			if strings.HasPrefix(name, "tune") {
				return tuned(d.t), nil
			}
			var p tuner.Progress
			for _, e := range recorded(d.t) {
				p.Apply(e)
			}
			return &p, nil
		},
		Inspect: func(_ context.Context, path string) ([]Fact, error) {
			if path != "/data/erp.fdb" {
				return nil, errors.New("read the header of " + path + ": no such file; give a database file")
			}
			return []Fact{{"file", "ODS", "12.0", ""}, {"file", "page size", "8 KiB", ""}, {"behaviour", "forced writes", "off", "a crash of the machine may damage the database"}}, nil
		},
		Command: func(_ context.Context, args []string, sink tuner.Sink) (string, error) {
			d.ran = append(d.ran, args)
			sink(tuner.Event{Kind: tuner.EventNote, Message: "working on it"})
			return "what " + commandLine(args, 200) + " prints\n", nil
		},
		Measurements: []Measurement{
			{"disk", []string{"bench", "disk"}, 2, func(int) string { return "about 40s and 1 GiB" }},
			{"second", []string{"bench", "second"}, 1, func(int) string { return "about 5s" }},
		},
		Stopped: errors.New("stopped"),
		GiveUp:  func() { d.t.Error("gave up") },
	}
}

// program opens the program in a terminal of a size.
func program(t testing.TB, width, height int) *driver {
	d := &driver{t: t, crew: newCrew(context.Background())}
	s := &services{Functions: d.functions(), crew: d.crew}
	d.model = newApp(newHome(s), func(int) tea.Cmd {
		return func() tea.Msg { d.crew.stop(s.Stopped); return quitMsg{} }
	})
	d.do(d.model.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// do runs a command and all that follows from it, but for the frames, which are
// sent when a test wants one.
func (d *driver) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, one := range msg {
			d.do(one)
		}
	case frameMsg, nil:
	case tea.QuitMsg:
		d.ended = true
	default:
		d.send(msg)
	}
}

func (d *driver) send(msg tea.Msg) {
	var cmd tea.Cmd
	d.model, cmd = d.model.Update(msg)
	d.do(cmd)
}

// keys presses keys by their names; what is none is typed.
func (d *driver) keys(names ...string) {
	types := map[string]tea.KeyType{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter, "esc": tea.KeyEsc, "ctrl+c": tea.KeyCtrlC, "tab": tea.KeyTab, "space": tea.KeySpace,
	}
	for _, name := range names {
		if kind, ok := types[name]; ok {
			msg := tea.KeyMsg{Type: kind}
			if kind == tea.KeySpace {
				msg.Runes = []rune(" ")
			}
			d.send(msg)
			continue
		}
		for _, r := range name {
			d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
}

// shows fails the test unless the screen has all texts.
func (d *driver) shows(texts ...string) {
	d.t.Helper()
	view := d.model.View()
	for _, text := range texts {
		if !strings.Contains(view, text) {
			d.t.Errorf("no %q in\n%s", text, view)
		}
	}
}

// command returns the last command that ran.
func (d *driver) command() string {
	if len(d.ran) == 0 {
		return ""
	}
	return strings.Join(d.ran[len(d.ran)-1], " ")
}

// driven runs a test in a bubble, where no clock has to be waited for.
func driven(t *testing.T, width, height int, test func(*driver)) {
	synctest.Test(t, func(t *testing.T) { test(program(t, width, height)) })
}

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
		t.Fatalf("%v; write it by go test ./internal/tui -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at what go test ./internal/tui -update changes in it\n%s", path, got)
	}
}
