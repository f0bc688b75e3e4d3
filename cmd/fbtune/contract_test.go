package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

const schemas = "../../docs/schema"

// valid fails the test unless data is exactly one JSON object of a schema.
func valid(t *testing.T, schema, data string) {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile(filepath.Join(schemas, schema+".json"))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(data))
	decoder.UseNumber()
	var object any
	if err := decoder.Decode(&object); err != nil {
		t.Fatalf("%s: no JSON: %v\n%s", schema, err, data)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Errorf("%s: more than one object on standard output", schema)
	}
	if err := compiled.Validate(object); err != nil {
		t.Errorf("%s: %v", schema, err)
	}
}

func TestProbeJSON(t *testing.T) { valid(t, "probe", capture(t, "probe", "--json")) }

func TestRecommendJSON(t *testing.T) {
	valid(t, "recommend", capture(t, "recommend", "--json"))
	valid(t, "recommend", capture(t, "recommend", "--json", "--mode", "Classic", "--connections", "50", "--memory", "64G",
		"--database", "erp=/data/erp.fdb,size=20G,page-size=16384", "--database", "doc=/data/doc.fdb"))
	valid(t, "recommend", capture(t, "recommend", "--json", "--firebird", "5.0", "--memory", "64G", "--compare", "ibsurgeon"))
	valid(t, "recommend-all", capture(t, "recommend", "--json", "--all", "--memory", "1G", "--connections", "100"))
	valid(t, "explain", capture(t, "recommend", "--json", "--explain", "LockMemSize"))
	valid(t, "explain", capture(t, "recommend", "--json", "--explain", "DeadlockTimeout"))
}

func TestBenchJSON(t *testing.T) {
	useHome(t)
	valid(t, "bench-oltp", capture(t, append([]string{"bench", "oltp", "--json", "--mode", "Classic"}, tiny...)...))
	refused, err := captured(t.Context(), t, append([]string{"bench", "oltp", "--json", "--set", "DefaultDbCachePages=3000000000"}, tiny...)...)
	if code := exitCode(err, io.Discard); code != exitFindings {
		t.Errorf("a refused candidate exits %d, want %d", code, exitFindings)
	}
	valid(t, "bench-oltp", refused)
}

func TestSweepJSON(t *testing.T) {
	useHome(t)
	events := filepath.Join(t.TempDir(), "events.jsonl")
	out := capture(t, append([]string{"sweep", "--json", "--events", events, "--param", "defaultdbcachepages", "--values", "512,3000000000",
		"--modes", "Classic,SuperClassic", "--blocks", "2", "--set", "LockMemSize=7M"}, tiny...)...)
	valid(t, "sweep", out)
	var result struct {
		Complete bool
		Cells    []struct {
			Cell, Status, Reason string
			Settings             map[string]string
			Same                 bool `json:"same_as_best"`
		}
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if !result.Complete || len(result.Cells) != 5 {
		t.Fatalf("complete %t, %d cells, want a complete sweep of 5", result.Complete, len(result.Cells))
	}
	for _, c := range result.Cells {
		impossible := strings.HasSuffix(c.Cell, "3000000000")
		if impossible != (c.Status == "failed") || impossible != strings.Contains(c.Reason, "refused before it ran") {
			t.Errorf("%s is %s: %s", c.Cell, c.Status, c.Reason)
		}
		if held := c.Settings["LockMemSize"]; (held == "7M") != (c.Cell != "control") {
			t.Errorf("%s has LockMemSize %q; --set holds in every cell but the control", c.Cell, held)
		}
	}
	data, err := os.ReadFile(events)
	if err != nil {
		t.Fatal(err)
	}
	kinds, repeats := map[string]int{}, 0
	for line := range strings.Lines(string(data)) {
		valid(t, "event", line)
		var event struct{ Event string }
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(line, "was disturbed and is repeated") {
			repeats++
		}
		kinds[event.Event]++
	}
	// 2 blocks of 6 trials; each disturbed one is begun again.
	if kinds["trial"] != 12+repeats || kinds["result"] != 12 || kinds["plan"] != 1 || kinds["end"] != 1 || kinds["tick"] == 0 {
		t.Errorf("events %v", kinds)
	}
}

// known is a measurer whose scores are known: Super is best, pages help.
type known struct{ runs int }

func (k *known) Measure(_ context.Context, c tuner.Cell, _ tuner.Load, _ int64, sink tuner.Sink) (tuner.Trial, error) {
	k.runs++
	score := map[confgen.Mode]float64{confgen.Super: 500, confgen.SuperClassic: 450, confgen.Classic: 300}[c.Mode]
	score *= 1 + 0.01*float64(len(c.Settings[confgen.DefaultDbCachePages])) + 0.005*math.Sin(float64(k.runs*k.runs))
	return tuner.Trial{Cell: c.Name, Mode: c.Mode, Settings: c.Settings, Status: study.OK, OpsPerSecond: score, Effective: []running.Effective{}, Result: &workload.Result{
		OpsPerSecond: score, CommittedTotal: int64(score), Errors: map[int]int64{}, Operations: map[string]workload.OperationResult{},
		Seconds: []int64{}, WarmupSeconds: []int64{}, Warnings: []string{},
	}}, nil
}

// A whole tuning, on a measurer whose scores are known: what it prints, the
// files it leaves, and what studies makes of it.
func TestTuneJSON(t *testing.T) {
	useHome(t)
	e := newEnv()
	home, err := home(e)
	if err != nil {
		t.Fatal(err)
	}
	load := tuner.Load{Scale: workload.Quick(), Connections: 20, Duration: time.Second, PageSize: 8192}
	version := confgen.Version{Major: 3, Minor: 0, Patch: 11}
	plan := tuner.Tuning{
		Version: version, Modes: confgen.Modes(), Sampler: search.Gaussian, Seed: 1, Trials: 56, Margin: 0.05, Load: load, Cap: 8 * confgen.GiB,
		Advised: map[string]string{confgen.ServerMode: "Super", confgen.DefaultDbCachePages: "16384"},
	}
	environment := tuner.Environment{
		Firebird: firebird.Installation{Version: version, Bits: 64, Running: []int{}}, Load: load,
		Database: golden.Copy{Bytes: 100 << 20, Key: golden.Key{Scale: load.Scale}, Load: workload.LoadResult{RowsPerTable: map[string]int64{}}},
	}
	err = e.withStore(t.Context(), "", func(store *study.Store) error {
		st, err := tuner.NewTuning(t.Context(), store, "whole", plan, environment)
		if err != nil {
			return err
		}
		progress, err := tuner.Tune(t.Context(), &known{}, st, plan, environment, nil, nil)
		if err != nil {
			return err
		}
		outcome, err := progress.Outcome()
		if err != nil {
			return err
		}
		e.json, e.out = true, filepath.Join(home, "tune.json")
		return e.printOutcome(outcome, "whole", confgen.Base{})
	})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := os.ReadFile(e.out)
	if err != nil {
		t.Fatal(err)
	}
	valid(t, "tune", string(printed))
	var outcome struct {
		Winner, Directory string
		Complete          bool
		Sentences         []string
	}
	if err := json.Unmarshal(printed, &outcome); err != nil {
		t.Fatal(err)
	}
	if !outcome.Complete || outcome.Winner == "" || len(outcome.Sentences) != 3 || outcome.Directory != filepath.Join(home, "studies", "whole") {
		t.Errorf("outcome %+v", outcome)
	}
	conf, err := os.ReadFile(filepath.Join(outcome.Directory, "firebird.conf"))
	if err != nil || !strings.Contains(string(conf), "ServerMode = Super") {
		t.Errorf("firebird.conf: %v\n%s", err, conf)
	}
	valid(t, "studies", capture(t, "studies", "--json"))
	valid(t, "tune", capture(t, "studies", "show", "whole", "--json"))
	if rows := strings.Count(capture(t, "studies", "export", "whole", "--format", "csv"), "\n"); rows < 40 {
		t.Errorf("%d rows of trials", rows)
	}
	for format, want := range map[string]string{"html": "<svg role=\"img\"", "md": "| --- ", "txt": "Influence of settings", "json": `"study": "whole"`} {
		if text := capture(t, "report", "whole", "--format", format); !strings.Contains(text, want) {
			t.Errorf("report --format %s has no %q in\n%.400s", format, want, text)
		}
	}
	if text := capture(t, "studies", "show", "whole"); !strings.Contains(text, "Influence of settings") || !strings.Contains(text, "! chosen") {
		t.Errorf("studies show prints\n%s", text)
	}
	valid(t, "study-deleted", capture(t, "studies", "delete", "whole", "--json"))
	if _, err := os.Stat(outcome.Directory); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the files of a deleted study: %v", err)
	}
	if _, err := captured(t.Context(), t, "studies", "show", "whole"); exitCode(err, io.Discard) != exitUsage {
		t.Errorf("showing a deleted study: %v", err)
	}
}

// A tuning of a real server that is cut short prints what it has, and goes on.
func TestTuneIsCutShort(t *testing.T) {
	useHome(t)
	events := filepath.Join(t.TempDir(), "events.jsonl")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer time.AfterFunc(12*time.Second, func() { cancel(errInterrupted) }).Stop()
	out, err := captured(ctx, t, append([]string{"tune", "--json", "--events", events, "--trials", "70", "--study", "cut", "--modes", "Super,Classic"}, tiny...)...)
	if code := exitCode(err, io.Discard); code != exitInterrupted {
		t.Fatalf("exit code %d (%v), want %d", code, err, exitInterrupted)
	}
	valid(t, "tune", out)
	data, err := os.ReadFile(events)
	if err != nil {
		t.Fatal(err)
	}
	results := 0
	for line := range strings.Lines(string(data)) {
		valid(t, "event", line)
		results += strings.Count(line, `"event":"result"`)
	}
	var outcome struct {
		Complete bool
		Trials   []struct{ Cell, Stage, Status string }
	}
	if err := json.Unmarshal([]byte(out), &outcome); err != nil {
		t.Fatal(err)
	}
	if outcome.Complete || len(outcome.Trials) != results || results == 0 {
		t.Errorf("complete %t, %d trials, %d results", outcome.Complete, len(outcome.Trials), results)
	}
	for _, trial := range outcome.Trials {
		if trial.Status != "ok" {
			t.Errorf("trial %+v", trial)
		}
	}
}

// A sweep in which nothing can run, the control included, has failed; what is
// known is printed all the same.
func TestSweepThatFailsAsAWhole(t *testing.T) {
	useHome(t)
	if _, err := captured(t.Context(), t, append([]string{"bench", "oltp", "--set", "DefaultDbCachePages=3000000000"}, tiny...)...); !errors.Is(err, errRefused) {
		t.Fatalf("an impossible candidate: %v, want it refused", err) // what it needed is loaded now
	}
	out, err := captured(t.Context(), t, append(append([]string{"sweep", "--json", "--param", "DefaultDbCachePages", "--values", "512", "--modes", "Classic"}, tiny...), "--cap", "64M")...)
	if code := exitCode(err, io.Discard); code != exitFailed {
		t.Errorf("exit code %d (%v), want %d", code, err, exitFailed)
	}
	valid(t, "sweep", out)
	var result struct {
		Complete bool
		Cells    []struct{ Cell, Status, Reason string }
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if c := result.Cells[0]; result.Complete || c.Cell != "control" || c.Status != "failed" || !strings.Contains(c.Reason, "64 MiB allowed") {
		t.Errorf("complete %t, first cell %+v; want a control that failed for want of memory", result.Complete, c)
	}
}

// The page describes every field of every object, and every field says what
// it is.
func TestEveryFieldIsDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(schemas, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("schemas %v (%v)", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var root object
		if err := json.Unmarshal(data, &root); err != nil {
			t.Fatal(err)
		}
		objects := root.Defs
		if len(root.Properties) > 0 {
			objects = map[string]object{root.Title: root}
		}
		for name, o := range objects {
			at := filepath.Base(file) + ": " + name
			if len(o.Properties) == 0 {
				t.Errorf("%s has no field", at)
			}
			section := sectionOf(string(page), o.Title)
			for field, f := range o.Properties {
				if !strings.Contains(section, "\n| `"+field+"`") {
					t.Errorf("%s: docs/json.md does not describe %s under %q", at, field, o.Title)
				}
				if f.Description == "" {
					t.Errorf("%s: %s has no description", at, field)
				}
			}
			for _, field := range o.Required {
				if _, ok := o.Properties[field]; !ok {
					t.Errorf("%s requires %s, which it does not describe", at, field)
				}
			}
		}
	}
}

// object is a schema of an object, or a file of them.
type object struct {
	Title      string
	Properties map[string]struct{ Description string }
	Required   []string
	Defs       map[string]object `json:"$defs"`
}

// sectionOf returns the part of a page between a heading and the next one.
func sectionOf(page, heading string) string {
	_, section, _ := strings.Cut(page, "# "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n#")
	return section
}
