package tuner

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

func testTuning() Tuning {
	return Tuning{
		Version: confgen.Version{Major: 3, Minor: 0, Patch: 11}, Modes: confgen.Modes(), Only: []string{confgen.ServerMode, confgen.DefaultDbCachePages, confgen.LockHashSlots},
		Current: map[string]string{confgen.ServerMode: "Classic", confgen.DefaultDbCachePages: "128"}, Source: "firebird.conf",
		Advised: map[string]string{confgen.ServerMode: "Super", confgen.DefaultDbCachePages: "16384"},
		Sampler: search.Gaussian, Seed: 7, Trials: 75, Margin: stats.DefaultMargin,
		Load: Load{Scale: workload.Quick(), Connections: 20, Warmup: 3 * time.Second, Duration: 5 * time.Second, PageSize: 8192},
		Cap:  8 * confgen.GiB,
	}
}

func testEnvironment() Environment {
	return Environment{
		Firebird: firebird.Installation{Version: confgen.Version{Major: 3, Minor: 0, Patch: 11}},
		Database: golden.Copy{Bytes: 100 << 20}, Load: testTuning().Load,
	}
}

func newTuningStudy(t *testing.T, plan Tuning) *study.Study {
	t.Helper()
	store, err := study.Open(t.Context(), filepath.Join(t.TempDir(), "studies.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	st, err := NewTuning(t.Context(), store, "test", plan, testEnvironment())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// pages returns the page buffers of a cell.
func pages(c Cell) (float64, error) {
	row, _ := confgen.Lookup(confgen.DefaultDbCachePages)
	text, ok := c.Settings[confgen.DefaultDbCachePages]
	if !ok {
		text, _ = row.Default(testTuning().Version, c.Mode)
	}
	n, err := row.Number(testTuning().Version, c.Mode, text)
	return float64(n), err
}

// surface scores a configuration: Super is by far the best, more pages are
// better up to 32768; with slow drift, and noise of 1 %.
func surface(c Cell, run int) (float64, string) {
	n, err := pages(c)
	if err != nil {
		return 0, err.Error()
	}
	score := map[confgen.Mode]float64{confgen.Super: 500, confgen.SuperClassic: 420, confgen.Classic: 300}[c.Mode]
	score *= 1 + 0.05*math.Min(math.Log2(n/2048), 4)
	return score * (1 - 0.001*float64(run)) * (1 + 0.01*math.Sin(float64(run*run))), ""
}

func TestTuneFindsAndConfirmsTheBest(t *testing.T) {
	plan, f := testTuning(), &fake{score: surface}
	var stages []Stage
	p, err := Tune(t.Context(), f, newTuningStudy(t, plan), plan, testEnvironment(), nil, func(e Event) {
		if e.Kind == EventTrial && (len(stages) == 0 || stages[len(stages)-1] != e.Stage) {
			stages = append(stages, e.Stage)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []Stage{StageSearch, StageCalibration, StageSearch, StageRace, StageConfirmation}; !slices.Equal(stages, want) {
		t.Errorf("stages %v, want %v", stages, want)
	}
	if f.runs[0] != CurrentName || f.runs[1] != StockName {
		t.Errorf("the first runs are %v, want the current configuration and then stock", f.runs[:2])
	}
	o, err := p.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	if !o.Complete || o.Stage != "" || o.Winner == "" || o.Calibration == nil {
		t.Fatalf("complete %t, stage %q, winner %q, calibration %v", o.Complete, o.Stage, o.Winner, o.Calibration)
	}
	winner, _ := o.Find(o.Winner)
	if n, _ := pages(winner.Cell); winner.Mode != confgen.Super || n < 8192 {
		t.Errorf("the winner is %+v, want Super with 8192 pages or more", winner.Cell)
	}
	if len(o.Verdicts) < 2 || o.Verdicts[0].Against != StockName || o.Verdicts[0].Outcome != stats.Better || !o.Verdicts[0].Announced || o.Verdicts[1].Against != CurrentName {
		t.Errorf("verdicts %+v, want better than stock, then than current", o.Verdicts)
	}
	if len(o.Trials) > o.Budget.Total+o.Budget.Extension*5 {
		t.Errorf("%d trials of %d", len(o.Trials), o.Budget.Total)
	}
	mode := slices.IndexFunc(o.Influences, func(i Influence) bool { return i.Name == confgen.ServerMode && i.Value == "Classic" })
	if mode < 0 || !o.Influences[mode].Estimable || o.Influences[mode].High >= 1 {
		t.Errorf("influences %+v, want Classic to cost something", o.Influences)
	}
	files, err := o.Files("test", confgen.Base{})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(files[0].Content); !strings.Contains(text, "\nServerMode = Super\n") || !strings.Contains(text, "against the stock configuration: better") {
		t.Errorf("firebird.conf is\n%s", text)
	}
}

// A killed tuning goes on where it was and comes to the same end.
func TestTuneResumes(t *testing.T) {
	plan := testTuning()
	whole, err := Tune(t.Context(), &fake{score: surface}, newTuningStudy(t, plan), plan, testEnvironment(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := newTuningStudy(t, plan)
	cut := errors.New("power cut")
	done := 0
	for _, at := range []int{3, 20, 20, 10} {
		before := done
		f := &fake{
			score: func(c Cell, run int) (float64, string) { return surface(c, before+run) },
			stop: func(run int) error {
				if run == at {
					return cut
				}
				return nil
			},
		}
		p, err := Tune(t.Context(), f, st, plan, testEnvironment(), nil, nil)
		if !errors.Is(err, cut) {
			t.Fatalf("cut at %d: %v", at, err)
		}
		done = len(p.Trials)
		if _, err := p.Outcome(); err != nil {
			t.Errorf("outcome after %d trials: %v", done, err)
		}
	}
	rest, err := Tune(t.Context(), &fake{score: func(c Cell, run int) (float64, string) { return surface(c, done+run) }}, st, plan, testEnvironment(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := whole.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	b, err := rest.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	for i := range min(len(a.Trials), len(b.Trials)) {
		if a.Trials[i].Cell != b.Trials[i].Cell || a.Trials[i].Slot != b.Trials[i].Slot {
			t.Fatalf("trial %d: %s at %+v, in one go %s at %+v", i, b.Trials[i].Cell, b.Trials[i].Slot, a.Trials[i].Cell, a.Trials[i].Slot)
		}
	}
	if a.Winner != b.Winner || len(a.Trials) != len(b.Trials) {
		t.Errorf("cut short: winner %s after %d trials; in one go %s after %d", b.Winner, len(b.Trials), a.Winner, len(a.Trials))
	}
	folded, err := Fold(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := folded.Outcome(); err != nil || c.Winner != b.Winner || len(c.Trials) != len(b.Trials) {
		t.Errorf("folded: winner %s after %d trials, %v", c.Winner, len(c.Trials), err)
	}
}

func TestTuneStops(t *testing.T) {
	for _, test := range []struct {
		name    string
		failing func(Cell) bool
		want    string
		is      error
	}{
		{"the current configuration", func(c Cell) bool { return c.Name == CurrentName }, "the configuration in use failed", nil},
		{"stock", func(c Cell) bool { return c.Name == StockName }, "does not start", ErrHarness},
		{"three candidates in a row", func(c Cell) bool { return strings.HasPrefix(c.Name, "#") }, "does not start", ErrStuck},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := testTuning()
			f := &fake{score: func(c Cell, run int) (float64, string) {
				if test.failing(c) {
					return 0, "does not start"
				}
				return surface(c, run)
			}}
			p, err := Tune(t.Context(), f, newTuningStudy(t, plan), plan, testEnvironment(), nil, nil)
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%v, want %q", err, test.want)
			}
			if _, err := p.Outcome(); err != nil {
				t.Errorf("outcome: %v", err)
			}
		})
	}
}

// A candidate that fails now and then is no reason to stop.
func TestTuneBearsFailures(t *testing.T) {
	plan := testTuning()
	f := &fake{score: func(c Cell, run int) (float64, string) {
		if c.Mode == confgen.Classic && strings.HasPrefix(c.Name, "#") {
			return 0, "dies under load"
		}
		return surface(c, run)
	}}
	p, err := Tune(t.Context(), f, newTuningStudy(t, plan), plan, testEnvironment(), nil, nil)
	if err != nil && !errors.Is(err, ErrStuck) {
		t.Fatal(err)
	}
	o, err := p.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(o.Contenders, func(c Contender) bool { return c.Failed > 0 }); i < 0 || o.Contenders[i].Reason != "dies under load" {
		t.Errorf("no failed contender with its reason in %+v", o.Contenders)
	}
}

// A disturbed trial is repeated whatever its score, and no more often than the
// rule says.
func TestDisturbedTrialsAreRepeated(t *testing.T) {
	plan := testPlan()
	f := &fake{score: known}
	runs := 0
	m := measurerFunc(func(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
		trial, err := f.Measure(ctx, c, l, seed, sink)
		trial.Result = &workload.Result{}
		if runs++; runs == 1 || runs >= 5 && runs <= 10 { // the first once, then two slots as often as it goes
			trial.Result.Disturbed = "other programs took 1.5 processors"
		}
		return trial, err
	})
	p, err := Sweep(t.Context(), m, newStudy(t, plan), plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Trials) != plan.Runs() || runs != plan.Runs()+1+2*maxRepeats {
		t.Errorf("%d trials count, %d were run; want %d and %d", len(p.Trials), runs, plan.Runs(), plan.Runs()+1+2*maxRepeats)
	}
}

type measurerFunc func(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error)

func (f measurerFunc) Measure(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
	return f(ctx, c, l, seed, sink)
}

func TestLimits(t *testing.T) {
	result := func(p99 float64, failed int64) Trial {
		return Trial{Status: study.OK, OpsPerSecond: 500, Result: &workload.Result{
			CommittedTotal: 990, Latency: workload.Latency{P99: p99}, Errors: map[int]int64{335544345: failed},
		}}
	}
	stock := result(812, 0)
	stock.Cell = StockName
	Limits{P99: 200 * time.Millisecond}.apply(&stock)
	if stock.Status != study.OK || stock.OpsPerSecond != 500 || !strings.Contains(strings.Join(stock.Warnings, ""), "a p99 of 812ms") {
		t.Errorf("the measure of all others is %s with %q, want ok with a warning", stock.Status, stock.Warnings)
	}
	for _, test := range []struct {
		limits Limits
		trial  Trial
		want   string
	}{
		{Limits{}, result(5000, 500), ""},
		{Limits{P99: 200 * time.Millisecond}, result(199, 0), ""},
		{Limits{P99: 200 * time.Millisecond}, result(812, 0), "a p99 of 812ms is above --max-p99 200ms"},
		{Limits{Errors: 0.01}, result(10, 10), ""},
		{Limits{Errors: 0.005}, result(10, 10), "1.00 % of the operations failed, above --max-errors 0.50 %"},
	} {
		test.limits.apply(&test.trial)
		failed := test.trial.Status == study.Failed
		if failed != (test.want != "") || !strings.Contains(test.trial.Reason, test.want) || failed && test.trial.OpsPerSecond != 0 {
			t.Errorf("%+v: %s, %q, want %q", test.limits, test.trial.Status, test.trial.Reason, test.want)
		}
	}
}

func TestBudgets(t *testing.T) {
	for _, total := range []int{leastTrials, 60, 70, 100, 200, 1000} {
		plan := testTuning()
		plan.Trials = total
		b := plan.budget(total, 3)
		if b.Search < leastSearch || b.Race < 2*(3+finalists+1) || b.Calibration < leastCalibration {
			t.Errorf("%d trials: %+v", total, b)
		}
		if all := b.Calibration + b.Search + b.Race + (b.Confirm+b.Extension)*5; all > total || all < total*9/10 {
			t.Errorf("%d trials: %+v takes %d", total, b, all)
		}
		if err := plan.protocol(b).Validate(); err != nil {
			t.Errorf("%d trials: %v", total, err)
		}
	}
}

// Where all configurations are alike, nobody is told to change anything.
func TestTuneLeavesWhatIsAsGood(t *testing.T) {
	plan := testTuning()
	f := &fake{score: func(_ Cell, run int) (float64, string) { return 500 * (1 + 0.02*math.Sin(float64(run*run))), "" }}
	p, err := Tune(t.Context(), f, newTuningStudy(t, plan), plan, testEnvironment(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := p.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	if o.Recommended || !strings.HasPrefix(o.Sentences()[0], "Leave your configuration as it is") {
		t.Errorf("recommended %t: %q", o.Recommended, o.Sentences())
	}
}

// The window that a calibration would choose is cut to what the time pays for,
// and the outcome says with which one the trials ran.
func TestTuneKeepsToItsTime(t *testing.T) {
	plan := testTuning()
	plan.Trials, plan.Time, plan.Load.Auto, plan.Load.Duration = 0, 20*time.Minute, true, 10*time.Second
	quiet := calibration(0.001, 0.2, 10) // for which long windows are best
	f, driven := &fake{score: surface}, map[Stage]Load{}
	calibrations := 0
	m := measurerFunc(func(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
		trial, err := f.Measure(ctx, c, l, seed, sink)
		stage := StageSearch
		if calibrations < plan.calibration() && c.Name == StockName {
			stage = StageCalibration
			trial.Result, trial.Overhead = quiet[calibrations].Result, quiet[calibrations].Overhead
			calibrations++
		}
		driven[stage] = l
		return trial, err
	})
	p, err := Tune(t.Context(), m, newTuningStudy(t, plan), plan, testEnvironment(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := p.Outcome()
	if err != nil {
		t.Fatal(err)
	}
	if best := plan.Load.calibrated(p.Trials); best.Duration <= 10*time.Second {
		t.Fatalf("the calibration would choose %s; the test is about a longer one", best.Duration)
	}
	if o.Load != driven[StageSearch] || o.Load.Duration != 10*time.Second || driven[StageCalibration].Duration != 10*time.Second {
		t.Errorf("the outcome says %s, trials ran %s; want 10s, for 75 trials in 20 minutes", o.Load.Duration, driven[StageSearch].Duration)
	}
}
