package tuner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

func testPlan() Plan {
	return Plan{
		Param: confgen.DefaultDbCachePages, Values: []string{"256", "1024"}, Modes: []confgen.Mode{confgen.Classic, confgen.SuperClassic},
		Blocks: 3, Seed: 7,
		Load: Load{Scale: workload.Quick(), Connections: 20, Warmup: 3 * time.Second, Duration: 5 * time.Second, PageSize: 8192},
	}
}

// fake is a measurer whose scores are known.
type fake struct {
	score func(c Cell, run int) (float64, string) // a reason makes it fail
	runs  []string
	stop  func(run int) error // what ends the run, if anything
}

func (f *fake) Measure(_ context.Context, c Cell, _ Load, _ int64, sink Sink) (Trial, error) {
	run := len(f.runs)
	if f.stop != nil {
		if err := f.stop(run); err != nil {
			return Trial{}, err
		}
	}
	f.runs = append(f.runs, c.Name)
	sink.emit(Event{Kind: EventPhase, Phase: PhaseStart})
	t := Trial{Cell: c.Name, Mode: c.Mode, Settings: c.Settings}
	t.OpsPerSecond, t.Reason = f.score(c, run)
	t.Status = study.OK
	if t.Reason != "" {
		t.Status, t.OpsPerSecond = study.Failed, 0
	}
	return t, nil
}

func newStudy(t *testing.T, plan Plan) *study.Study {
	t.Helper()
	store, err := study.Open(t.Context(), filepath.Join(t.TempDir(), "studies.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	st, err := NewStudy(t.Context(), store, "test", plan, Environment{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// known scores: drifting by 10 % a block, Classic 1024 best by far.
func known(c Cell, run int) (float64, string) {
	base := map[string]float64{"control": 500, "Classic 256": 300, "Classic 1024": 900, "SuperClassic 256": 450, "SuperClassic 1024": 600}[c.Name]
	noise := 1 + 0.01*math.Sin(float64(run*7))
	return base * (1 - 0.1*float64(run/6)) * noise, ""
}

func TestSweepMeasuresEveryCellInEveryBlock(t *testing.T) {
	plan, f := testPlan(), &fake{score: known}
	p, err := Sweep(t.Context(), f, newStudy(t, plan), plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.runs) != plan.Runs() || plan.Runs() != 18 {
		t.Fatalf("%d trials of %d, want 18", len(f.runs), plan.Runs())
	}
	for block := range 3 {
		runs := f.runs[block*6 : block*6+6]
		if runs[0] != ControlName || runs[5] != ControlName {
			t.Errorf("block %d is %v, want the control first and last", block, runs)
		}
		rest := slices.Sorted(slices.Values(runs[1:5]))
		if want := []string{"Classic 1024", "Classic 256", "SuperClassic 1024", "SuperClassic 256"}; !slices.Equal(rest, want) {
			t.Errorf("block %d holds %v, want each cell once", block, rest)
		}
	}
	if slices.Equal(f.runs[:6], f.runs[6:12]) && slices.Equal(f.runs[6:12], f.runs[12:]) {
		t.Error("all blocks have the same order")
	}
	r := p.Result()
	if r.Best != "Classic 1024" || !r.Complete || !r.Bounded {
		t.Errorf("best %q, complete %t, bounded %t; want Classic 1024 of a complete sweep", r.Best, r.Complete, r.Bounded)
	}
	for _, c := range r.Cells {
		if c.SameAsBest != (c.Name == "Classic 1024") {
			t.Errorf("%s: same as best %t", c.Name, c.SameAsBest)
		}
		if c.N != 3 && c.Name != ControlName || !(c.Low < c.OpsPerSecond && c.OpsPerSecond < c.High) {
			t.Errorf("%s: n %d, %g in [%g, %g]", c.Name, c.N, c.OpsPerSecond, c.Low, c.High)
		}
	}
}

func TestOrderIsTheSameAgain(t *testing.T) {
	plan := testPlan()
	if a, b := plan.Order(1), plan.Order(1); !slices.Equal(a, b) {
		t.Errorf("orders %v and %v of one block", a, b)
	}
}

// A killed sweep goes on where it was: no finished trial is run again.
func TestResumeRunsTheRestOnly(t *testing.T) {
	plan := testPlan()
	st := newStudy(t, plan)
	cut := errors.New("power cut")
	first := &fake{score: known, stop: func(run int) error {
		if run == 8 {
			return cut
		}
		return nil
	}}
	p, err := Sweep(t.Context(), first, st, plan, Environment{}, nil, nil)
	if !errors.Is(err, cut) || len(p.Trials) != 8 {
		t.Fatalf("first run: %v after %d trials, want the cut after 8", err, len(p.Trials))
	}
	if r := p.Result(); r.Complete || r.Cells[0].N == 0 {
		t.Errorf("after the cut: complete %t, control n %d; want what was measured", r.Complete, r.Cells[0].N)
	}
	second := &fake{score: known}
	replayed := 0
	p, err = Sweep(t.Context(), second, st, plan, Environment{}, nil, func(e Event) {
		if e.Kind == EventResult && e.Replayed {
			replayed++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if replayed != 8 || len(second.runs) != 10 || len(p.Trials) != 18 {
		t.Errorf("%d replayed, %d run, %d in all; want 8, 10, 18", replayed, len(second.runs), len(p.Trials))
	}
	if !p.Result().Complete {
		t.Error("the resumed sweep is not complete")
	}
}

func TestFailedCellsDoNotEndTheSweep(t *testing.T) {
	plan := testPlan()
	f := &fake{score: func(c Cell, run int) (float64, string) {
		if c.Name == "Classic 256" {
			return 0, "does not start: illegal line"
		}
		return known(c, run)
	}}
	p, err := Sweep(t.Context(), f, newStudy(t, plan), plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Result()
	for _, c := range r.Cells {
		failed := c.Name == "Classic 256"
		if failed && (c.Status != CellFailed || c.Reason == "" || c.Failed != maxFailures || c.OpsPerSecond != 0) {
			t.Errorf("failed cell: %+v, want failed twice with its reason", c)
		}
		if !failed && c.Status != CellOK {
			t.Errorf("%s is %s", c.Name, c.Status)
		}
	}
	if r.Best != "Classic 1024" || !r.Complete {
		t.Errorf("best %q, complete %t", r.Best, r.Complete)
	}
}

func TestFailedControlIsTheHarness(t *testing.T) {
	plan := testPlan()
	f := &fake{score: func(Cell, int) (float64, string) { return 0, "no space left" }}
	_, err := Sweep(t.Context(), f, newStudy(t, plan), plan, Environment{}, nil, nil)
	if !errors.Is(err, ErrHarness) || len(f.runs) != 1 || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v after %d trials, want ErrHarness with the reason after 1", err, len(f.runs))
	}
}

// Of cells that cannot be told apart the one with the least memory is chosen.
func TestTieGoesToTheLeastMemory(t *testing.T) {
	plan := testPlan()
	plan.Modes = []confgen.Mode{confgen.SuperClassic}
	plan.Values = []string{"256", "512", "2048"}
	f := &fake{score: func(c Cell, run int) (float64, string) {
		if c.Name == ControlName {
			return 300 + float64(run%3), ""
		}
		return 600 + 20*math.Sin(float64(run*run)), ""
	}}
	env := Environment{Load: plan.Load}
	env.Firebird.Version = confgen.Version{Major: 3, Minor: 0, Patch: 11}
	p, err := Sweep(t.Context(), f, newStudy(t, plan), plan, env, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Result(); r.Choice != "SuperClassic 256" || r.ChoiceMemory == 0 {
		t.Errorf("choice %q of %s, want SuperClassic 256", r.Choice, r.ChoiceMemory)
	}
}

func TestCancelledSweepReturnsWhatItHas(t *testing.T) {
	plan := testPlan()
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupted := errors.New("interrupted")
	f := &fake{score: func(c Cell, run int) (float64, string) {
		if run == 3 {
			cancel(interrupted)
		}
		return known(c, run)
	}}
	p, err := Sweep(ctx, f, newStudy(t, plan), plan, Environment{}, nil, nil)
	if !errors.Is(err, interrupted) || len(p.Trials) != 4 || p.Result().Complete {
		t.Errorf("%v with %d trials, want the interruption after 4", err, len(p.Trials))
	}
}

func TestPlanValidate(t *testing.T) {
	for name, change := range map[string]func(p *Plan){
		"no such setting":      func(p *Plan) { p.Param = "DefaultDBCashPages" },
		"--modes":              func(p *Plan) { p.Param = confgen.ServerMode },
		"give values":          func(p *Plan) { p.Values = nil },
		"given twice":          func(p *Plan) { p.Values = []string{"256", "256"} },
		"is empty":             func(p *Plan) { p.Values = []string{"256", " "} },
		"at least 1":           func(p *Plan) { p.Blocks = 0 },
		"varies":               func(p *Plan) { p.Base = map[string]string{"defaultdbcachepages": "1"} },
		"window":               func(p *Plan) { p.Load.Duration = 0 },
		"give architectures":   func(p *Plan) { p.Modes = nil },
		"give a number from 1": func(p *Plan) { p.Load.Scale.Warehouses = 0 },
	} {
		plan := testPlan()
		change(&plan)
		if err := plan.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want an error with %q", err, name)
		}
	}
	if err := testPlan().Validate(); err != nil {
		t.Errorf("a sound plan: %v", err)
	}
}

func TestAsPublished(t *testing.T) {
	p := testPlan().AsPublished()
	if p.Base["LockHashSlots"] != "30011" || p.Base["LockMemSize"] != "7M" || p.Load.PageSize != 16384 || p.Load.Connections != 20 {
		t.Errorf("plan %+v is not the published one", p)
	}
	for _, c := range p.Cells()[1:] {
		if ops, ok := Published(c.Value, c.Mode); !ok || ops < 284 || ops > 392 {
			t.Errorf("published figure of %s: %g, %t", c.Name, ops, ok)
		}
	}
}

// The promise for the demo: 42 trials in at most eight minutes.
func TestBoundOfTheDemo(t *testing.T) {
	p := testPlan()
	p.Values = []string{"256", "512", "768", "1024", "1500", "2048"}
	if got := p.Bound(); p.Runs() != 42 || got > 8*time.Minute {
		t.Errorf("%d trials in at most %s, want 42 in 8 minutes", p.Runs(), got)
	}
}

func TestProgressTimeLeft(t *testing.T) {
	var p Progress
	plan := testPlan()
	at := time.Now()
	step := func(kind Kind, after time.Duration, e Event) {
		at = at.Add(after)
		e.Kind, e.Time = kind, at
		p.Apply(e)
	}
	step(EventPlan, 0, Event{Plan: &plan, Environment: &Environment{}})
	if got, want := p.Left(at), 18*11*time.Second; got != want {
		t.Errorf("before the first trial %s are left, want the bound %s", got, want)
	}
	step(EventTrial, 0, Event{Cell: "control"})
	step(EventResult, 10*time.Second, Event{Trial: &Trial{Status: study.OK}})
	step(EventTrial, 0, Event{Cell: "Classic 256"})
	if got, want := p.Left(at.Add(4*time.Second)), 17*10*time.Second-4*time.Second; got != want {
		t.Errorf("in the second trial %s are left, want %s", got, want)
	}
	step(EventEnd, 0, Event{})
	if got := p.Left(at); got != 0 {
		t.Errorf("at the end %s are left", got)
	}
}

func ExamplePlan_Cells() {
	p := Plan{Param: "DefaultDbCachePages", Values: []string{"256"}, Modes: []confgen.Mode{confgen.Classic}, Base: map[string]string{"LockHashSlots": "30011"}}
	for _, c := range p.Cells() {
		fmt.Println(c.Name, c.Settings)
	}
	// Output:
	// control map[ServerMode:Super]
	// Classic 256 map[DefaultDbCachePages:256 LockHashSlots:30011 ServerMode:Classic]
}
