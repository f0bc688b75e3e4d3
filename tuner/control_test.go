package tuner

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/fbtune/fbtune/tuner/study"
)

func TestPauseHoldsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var control Control
		control.Pause()
		wentOn := false
		go func() {
			if err := control.wait(t.Context()); err != nil {
				t.Error(err)
			}
			wentOn = true
		}()
		synctest.Wait()
		if wentOn {
			t.Error("a paused study goes on")
		}
		control.Resume()
		synctest.Wait()
		if !wentOn {
			t.Error("a resumed study does not go on")
		}
	})
}

func TestPausedStudyCanBeStopped(t *testing.T) {
	plan, f, control := testPlan(), &fake{score: known}, &Control{}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	p, err := Sweep(ctx, f, newStudy(t, plan), plan, Environment{}, control, func(e Event) {
		if e.Kind == EventResult {
			control.Pause()
			cancel(stopped)
		}
	})
	if !errors.Is(err, stopped) || len(p.Trials) != 1 {
		t.Errorf("%v after %d trials, want a stop after the first", err, len(p.Trials))
	}
}

// waits measures only what is not skipped.
func waits(f *fake, control *Control, skipped string, refused *int) Measurer {
	return measurerFunc(func(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
		if c.Name == ControlName && !control.Skip() {
			*refused++
		}
		if c.Name == skipped {
			control.Skip()
			<-ctx.Done()
			return Trial{}, ctx.Err()
		}
		return f.Measure(ctx, c, l, seed, sink)
	})
}

func TestSkipEndsTheTrialAndTheCandidateFails(t *testing.T) {
	plan, f, control, refused := testPlan(), &fake{score: known}, &Control{}, 0
	p, err := Sweep(t.Context(), waits(f, control, "Classic 256", &refused), newStudy(t, plan), plan, Environment{}, control, nil)
	if err != nil {
		t.Fatal(err)
	}
	if refused != 2*plan.Blocks {
		t.Errorf("the control could be skipped in %d of %d trials", 2*plan.Blocks-refused, 2*plan.Blocks)
	}
	r := p.Result()
	i := slices.IndexFunc(r.Cells, func(c CellResult) bool { return c.Name == "Classic 256" })
	if c := r.Cells[i]; c.Status != CellFailed || c.Failed != maxFailures || !strings.Contains(c.Reason, "skipped") {
		t.Errorf("the skipped cell is %+v", c)
	}
	if r.Best != "Classic 1024" {
		t.Errorf("best is %s", r.Best)
	}
}

// Confirm ends the search in good order, and a study that was cut so is resumed
// where it was.
func TestConfirmEndsTheSearch(t *testing.T) {
	plan, control := testTuning(), &Control{}
	st := newTuningStudy(t, plan)
	searched := 0
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := Tune(ctx, &fake{score: surface}, st, plan, testEnvironment(), control, func(e Event) {
		switch {
		case e.Kind == EventResult && e.Trial.Stage == StageSearch:
			if searched++; searched == 6 {
				control.Confirm()
			}
		case e.Kind == EventResult && e.Trial.Stage == StageRace:
			cancel(errors.New("cut short in the race"))
		}
	})
	if err == nil || searched > 7 {
		t.Fatalf("%v after %d trials of the search, want it cut at 6 and the control once more", err, searched)
	}
	p, err := Tune(t.Context(), &fake{score: surface}, st, plan, testEnvironment(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var stages []Stage
	last := Trial{}
	for _, trial := range p.Trials {
		if trial.Stage == StageSearch {
			last = trial
		}
		if len(stages) == 0 || stages[len(stages)-1] != trial.Stage {
			stages = append(stages, trial.Stage)
		}
	}
	if want := []Stage{StageSearch, StageCalibration, StageSearch, StageRace, StageConfirmation}; !slices.Equal(stages, want) {
		t.Errorf("stages %v, want %v", stages, want)
	}
	if last.Cell != StockName {
		t.Errorf("the search ended with %s, want the control after it", last.Cell)
	}
	o, err := p.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	if o.Budget.Search != searched || o.Winner == "" || !o.Complete {
		t.Errorf("budget %+v, winner %q, complete %t", o.Budget, o.Winner, o.Complete)
	}
}

// Candidates that a person skips are no sign that something is broken.
func TestSkippedCandidatesDoNotStopATuning(t *testing.T) {
	plan, control := testTuning(), &Control{}
	f := &fake{score: surface}
	skips := 0
	m := measurerFunc(func(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
		if strings.HasPrefix(c.Name, "#") && skips < 2*mostFailures && control.Skip() {
			skips++
			<-ctx.Done()
			return Trial{}, ctx.Err()
		}
		return f.Measure(ctx, c, l, seed, sink)
	})
	p, err := Tune(t.Context(), m, newTuningStudy(t, plan), plan, testEnvironment(), control, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, trial := range p.Trials {
		if trial.Skipped && trial.Status == study.Failed {
			n++
		}
	}
	if n != 2*mostFailures {
		t.Errorf("%d trials are skipped, want %d", n, 2*mostFailures)
	}
}
