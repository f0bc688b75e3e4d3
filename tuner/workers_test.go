package tuner

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// together runs a study by two workers, of which the second is half as fast.
func together(t *testing.T, make func(*study.Store) (*study.Study, error), run func(context.Context, Measurer, *study.Study) (*Progress, error)) (progress [2]*Progress) {
	t.Helper()
	store, err := study.Open(t.Context(), filepath.Join(t.TempDir(), "studies.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	made, err := make(store)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i, worker := range []string{"fast", "slow"} {
		st, err := store.Load(t.Context(), made.Name)
		if err != nil {
			t.Fatal(err)
		}
		st.Worker = worker
		group.Go(func() {
			f := &fake{score: func(c Cell, run int) (float64, string) {
				score, reason := surface(c, run)
				return score / float64(1+i), reason
			}}
			p, err := run(t.Context(), f, st)
			if err != nil {
				t.Errorf("%s: %v", worker, err)
			}
			progress[i] = p
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return progress
}

// apart fails the test unless each block is one worker's, begun and ended by the
// control, and no slot was run twice.
func apart(t *testing.T, trials []Trial) {
	t.Helper()
	of := map[place][]Trial{}
	for _, trial := range trials {
		if p, ok := placeOf(trial.Slot); ok {
			of[p] = append(of[p], trial)
		}
	}
	for p, block := range of {
		slices.SortFunc(block, func(a, b Trial) int { return a.Order - b.Order })
		for i, trial := range block {
			if trial.Order != i || trial.Worker != block[0].Worker {
				t.Errorf("%v: trial %d is at %d, of %q and not %q", p, i, trial.Order, trial.Worker, block[0].Worker)
			}
		}
		if first, last := block[0].Cell, block[len(block)-1].Cell; first != ControlName || last != ControlName {
			t.Errorf("%v begins with %s and ends with %s, want the control", p, first, last)
		}
	}
}

func TestTwoWorkersSweep(t *testing.T) {
	plan := testPlan()
	plan.Blocks = 8
	both := together(t,
		func(store *study.Store) (*study.Study, error) {
			return NewStudy(t.Context(), store, "test", plan, Environment{})
		},
		func(ctx context.Context, m Measurer, st *study.Study) (*Progress, error) {
			return Sweep(ctx, m, st, plan, Environment{}, nil, nil)
		})
	for _, p := range both {
		apart(t, p.Trials)
		r := p.Result()
		if len(r.Trials) != plan.Runs() || !r.Complete {
			t.Errorf("%d trials of %d, complete %t", len(r.Trials), plan.Runs(), r.Complete)
		}
		if r.Best != ControlName || r.Sigma > 0.05 { // Super, in surface
			t.Errorf("best %q with a spread of %.3f: the speeds of the workers are in it", r.Best, r.Sigma)
		}
	}
}

func TestTwoWorkersTune(t *testing.T) {
	plan := testTuning()
	both := together(t,
		func(store *study.Store) (*study.Study, error) {
			return NewTuning(t.Context(), store, "test", plan, testEnvironment())
		},
		func(ctx context.Context, m Measurer, st *study.Study) (*Progress, error) {
			return Tune(ctx, m, st, plan, testEnvironment(), nil, nil)
		})
	var winners []string
	for _, p := range both {
		apart(t, slices.DeleteFunc(slices.Clone(p.Trials), func(trial Trial) bool { return trial.Stage == StageSearch }))
		o, err := p.Outcome()
		if err != nil {
			t.Fatal(err)
		}
		winners = append(winners, o.Winner)
		winner, _ := o.Find(o.Winner)
		if n, _ := pages(winner.Cell); winner.Mode != confgen.Super || n < 8192 || !o.Complete {
			t.Errorf("the winner is %+v, complete %t, want Super with 8192 pages or more", winner.Cell, o.Complete)
		}
		if len(o.Verdicts) == 0 || o.Verdicts[0].Outcome != stats.Better || o.Verdicts[0].Low < 1.05 || o.Verdicts[0].High > 1.35 {
			t.Errorf("verdicts %+v, want better than stock by 20 %%", o.Verdicts)
		}
		searched := map[string][]string{}
		for _, trial := range o.Trials {
			if (trial.Stage == StageSearch || trial.Stage == StageCalibration) && trial.Cell != CurrentName {
				searched[trial.Worker] = append(searched[trial.Worker], trial.Cell)
			}
		}
		for worker, cells := range searched {
			if cells[0] != StockName || cells[len(cells)-1] != StockName {
				t.Errorf("%s searched %v, want its own control first and last", worker, cells)
			}
		}
	}
	if winners[0] != winners[1] {
		t.Errorf("the workers see the winners %q", winners)
	}
}

// What a worker that is gone measured in a block that it did not finish is run
// again by another one; its search counts.
func TestBlockChangesHands(t *testing.T) {
	at := func(number int, stage Stage, block, order int, worker string, status study.Status) entry {
		return entry{
			Trial{Number: number, Slot: Slot{stage, block, order}, Worker: worker, Status: status, OpsPerSecond: 1},
			study.Trial{Number: number, Status: status},
		}
	}
	entries := []entry{
		at(0, StageSearch, 0, 0, "gone", study.OK),
		at(1, "", 0, 0, "gone", study.OK),
		at(2, "", 0, 1, "gone", study.OK),
		at(3, "", 1, 0, "gone", study.OK),
		at(4, "", 1, 1, "gone", study.Interrupted),
		at(5, "", 1, 0, "other", study.OK),
		at(6, "", 1, 1, "other", study.Running),
	}
	var numbers []int
	for _, trial := range counting(entries, holders(entries)) {
		numbers = append(numbers, trial.Number)
	}
	if want := []int{0, 1, 2, 5}; !slices.Equal(numbers, want) {
		t.Errorf("trials %v count, want %v", numbers, want)
	}

	// A view that was told of the first worker's trial drops it.
	var p Progress
	for _, e := range entries[:4] {
		p.Apply(Event{Kind: EventResult, Trial: &e.Trial, Replayed: true})
	}
	p.Apply(Event{Kind: EventSuperseded, Block: 1, Worker: "other"})
	if len(p.Trials) != 3 {
		t.Errorf("%d trials are left of 4, want 3", len(p.Trials))
	}

	plan := testPlan()
	l := ledger{worker: "this", alive: map[string]bool{"other": true}, holder: map[place]string{{"", 0}: "gone", {"", 1}: "other"}}
	next, over, err := newSweep(plan, l).next()
	if err != nil || over || next == nil || next.at != (Slot{Block: 0}) {
		t.Errorf("next is %+v, over %t, %v, want the block of the worker that is gone", next, over, err)
	}
	l.holder[place{"", 0}], l.holder[place{"", 2}] = "other", "other"
	if next, over, err := newSweep(plan, l).next(); err != nil || over || next != nil {
		t.Errorf("next is %+v, over %t, %v, want to wait for the other worker", next, over, err)
	}
}

func TestOneWorkerOfAName(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "studies.db")
	store, err := study.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	st, err := NewStudy(ctx, store, "test", testPlan(), Environment{})
	if err != nil {
		t.Fatal(err)
	}
	st.Worker = "a"
	trial := study.Trial{
		Status: study.Running, Owner: study.Owner{Host: "elsewhere", PID: 1}, Heartbeat: time.Now(),
		Attrs: attrs(t, Trial{Worker: "a"}),
	}
	if _, err := readLedger(st, []study.Trial{trial}); err == nil || !strings.Contains(err.Error(), "--worker") {
		t.Errorf("a second worker of one name: %v, want what to do", err)
	}
	trial.Attrs = attrs(t, Trial{Worker: "b"})
	l, err := readLedger(st, []study.Trial{trial})
	if err != nil || !l.alive["b"] || len(l.running) != 1 {
		t.Errorf("another worker: %+v, %v", l, err)
	}
}

func TestLikeMachines(t *testing.T) {
	machine := func(change func(*Environment)) Environment {
		e := testEnvironment()
		e.Firebird.Build = "LI-V3.0.11.33637"
		e.Database = golden.Copy{SHA256: "of one file", Load: workload.LoadResult{Checksum: "rows"}}
		e.Host.Memory.Usable.Value, e.Host.Memory.Usable.Source = 16*confgen.GiB, "test"
		e.Host.Disk.FileSystem.Value, e.Host.Disk.FileSystem.Source = "ext4", "test"
		change(&e)
		return e
	}
	begun := machine(func(*Environment) {})
	for _, test := range []struct {
		name, want string
		change     func(*Environment)
		mixed      bool // whether --mixed lets it pass
	}{
		{"a like machine with a file of its own", "", func(e *Environment) {
			e.Database.SHA256 = "of another file"
			e.Host.Memory.Usable.Value -= 64 * confgen.MiB
		}, true},
		{"another build", "Firebird is", func(e *Environment) { e.Firebird.Build = "LI-V3.0.12.33787" }, true},
		{"more processors", "number of processors", func(e *Environment) { e.Host.CPU.Usable.Value, e.Host.CPU.Usable.Source = 8, "test" }, true},
		{"less memory", "the memory is 16 GiB", func(e *Environment) { e.Host.Memory.Usable.Value = 8 * confgen.GiB }, true},
		{"another file system", "file system is ext4", func(e *Environment) { e.Host.Disk.FileSystem.Value = "xfs" }, true},
		{"other rows", "another database", func(e *Environment) { e.Database.Load.Checksum = "other rows" }, false},
	} {
		other := machine(test.change)
		err := begun.Like(other, false)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		if err := begun.Like(other, true); (err == nil) != test.mixed {
			t.Errorf("%s, mixed: %v", test.name, err)
		}
	}
}

// attrs are the documents of a trial that was begun.
func attrs(t *testing.T, trial Trial) map[string]json.RawMessage {
	t.Helper()
	text, err := json.Marshal(trial)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]json.RawMessage{attribute: text}
}
