package tuner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/fbtune/fbtune/tuner/study"
)

// Measurer measures one trial of a cell, as [Bench.Measure] does.
type Measurer interface {
	Measure(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error)
}

// How a study is kept alive and taken over.
const (
	heartbeat = 5 * time.Second
	staleAge  = time.Minute
)

// attribute is the name of a trial's document in its study.
const attribute = "trial"

// maxRepeats is how often a trial that other load disturbed is repeated before
// it counts all the same, with its warning.
const maxRepeats = 2

// ErrHarness is the error of a study whose control does not work: what is at
// fault then is not a configuration.
var ErrHarness = errors.New("the stock configuration failed, so the fault is not a candidate's: mend that first")

// Stage is a part of a study.
type Stage string

// Stages of a tuning, in their order. The trials of a sweep have none.
const (
	StageSearch       Stage = "search"
	StageCalibration  Stage = "calibration"
	StageRace         Stage = "race"
	StageConfirmation Stage = "confirmation"
)

// Slot is the place of a trial in a study.
type Slot struct {
	Stage Stage `json:"stage,omitempty"`
	Block int   `json:"block"` // from 0
	Order int   `json:"order"` // place in the block, from 0
}

// Limits are what a score must keep to count.
type Limits struct {
	P99    time.Duration `json:"p99_ns,omitempty"` // of all operations; 0 is none
	Errors float64       `json:"errors,omitempty"` // failed operations as a part of all; 0 is none
}

// apply fails a trial whose score does not count. What is in use is only warned
// of: stock is what others are measured with, and that the present configuration
// breaks a limit is why a better one is looked for.
func (l Limits) apply(t *Trial) {
	if t.Status != study.OK || t.Result == nil {
		return
	}
	failed := int64(0)
	for _, n := range t.Result.Errors {
		failed += n
	}
	share := float64(failed) / float64(max(failed+t.Result.CommittedTotal, 1))
	p99 := time.Duration(t.Result.Latency.P99 * float64(time.Millisecond))
	var broken string
	switch {
	case l.P99 > 0 && p99 > l.P99:
		broken = fmt.Sprintf("a p99 of %s is above --max-p99 %s", p99.Round(time.Millisecond), l.P99)
	case l.Errors > 0 && share > l.Errors:
		broken = fmt.Sprintf("%.2f %% of the operations failed, above --max-errors %.2f %%", 100*share, 100*l.Errors)
	default:
		return
	}
	if t.Cell == StockName || t.Cell == CurrentName {
		t.Warnings = append(t.Warnings, broken)
		return
	}
	t.Reason = fmt.Sprintf("its %.0f ops/s do not count: %s", t.OpsPerSecond, broken)
	t.fail()
}

// A job is a trial to be run.
type job struct {
	cell Cell
	at   Slot
	seed int64
}

// A schedule says from the trials so far alone what comes next, so that a study
// can be cut short, shared and resumed anywhere.
type schedule interface {
	// next returns what this worker runs next, nil when there is nothing for it
	// now; over is true when there is nothing left for anybody.
	next() (next *job, over bool, err error)
	// chosen returns how the next trial is driven and, of a tuning after its
	// calibration, how its trials are shared out.
	chosen() (Load, Budget)
	// fault returns why the study must not go on after a trial, or nil.
	fault(Trial) error
}

// planner makes the schedule of a ledger.
type planner func(ledger) (schedule, error)

// A runner measures trials one after the other and records each in a study
// when it ends.
type runner struct {
	measurer Measurer
	study    *study.Study
	limits   Limits
	load     Load   // of the trials to come
	budget   Budget // that was told of
	progress Progress
	control  *Control
	sink     Sink
	told     map[int]bool // numbers of the trials whose results were told of
}

// newRunner returns a runner whose events go to its own progress and to sink.
func newRunner(m Measurer, st *study.Study, limits Limits, l Load, control *Control, sink Sink) *runner {
	r := &runner{measurer: m, study: st, limits: limits, load: l, control: control, told: map[int]bool{}}
	r.sink = func(e Event) {
		r.progress.Apply(e)
		if sink != nil {
			sink(e)
		}
	}
	return r
}

// end tells how the study ended, and returns what is known.
func (r *runner) end(err error) (*Progress, error) {
	end := Event{Kind: EventEnd}
	if err != nil {
		end.Message = err.Error()
	}
	r.sink.emit(end)
	return &r.progress, err
}

// patience is how long a worker that has to wait for another one looks away.
const patience = time.Second

// follow runs what the schedule asks for until nothing is left.
func (r *runner) follow(ctx context.Context, plan planner) error {
	for {
		if err := r.control.wait(ctx); err != nil {
			return err
		}
		claimed, sched, err := r.claim(ctx, plan)
		if err != nil {
			return err
		}
		if sched == nil {
			return r.study.MarkFinished(ctx)
		}
		if claimed == nil {
			if err := rest(ctx, patience); err != nil {
				return err
			}
			continue
		}
		t, err := r.run(ctx, *claimed)
		if errors.Is(err, study.ErrTrialOver) {
			r.sink.emit(Event{Kind: EventNote, Message: claimed.cell.Name + " was taken over by another worker: this one was not heard of for too long"})
			continue
		}
		if err != nil {
			return err
		}
		if err := sched.fault(t); err != nil {
			return err
		}
	}
}

// rest waits, or until ctx ends: then its cause is the error.
func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// claimed is a job whose trial was begun.
type claimed struct {
	job
	id     study.TrialID
	number int
}

// claim begins the trial that the schedule asks for. There is none while trials
// of other workers must end first, and no schedule when nothing is left to run.
func (r *runner) claim(ctx context.Context, plan planner) (*claimed, schedule, error) {
	torn, err := r.study.TakeOverStale(ctx, staleAge)
	if err != nil {
		return nil, nil, err
	}
	if torn > 0 {
		r.sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("%d trial(s) were cut short by the end of an earlier run and are repeated", torn)})
	}
	var (
		l     ledger
		sched schedule
		next  *job
		over  bool
	)
	began, err := r.begin(ctx, func(trials []study.Trial) (_ *job, err error) {
		if l, err = readLedger(r.study, trials); err != nil {
			return nil, err
		}
		if sched, err = plan(l); err != nil {
			return nil, err
		}
		next, over, err = sched.next()
		return next, err
	})
	if sched != nil {
		r.tell(l, sched)
	}
	if err != nil || over {
		return nil, nil, err
	}
	return began, sched, nil
}

// begin begins the trial of the job that pick chooses from all trials, if any.
func (r *runner) begin(ctx context.Context, pick func([]study.Trial) (*job, error)) (*claimed, error) {
	var c claimed
	var err error
	c.id, err = r.study.Claim(ctx, func(trials []study.Trial) (*study.Claim, error) {
		next, err := pick(trials)
		if err != nil || next == nil {
			return nil, err
		}
		c.job, c.number = *next, len(trials)
		begun := Trial{Cell: c.cell.Name, Mode: c.cell.Mode, Settings: c.cell.Settings, Slot: c.at, Worker: r.study.Worker}
		return &study.Claim{Params: c.cell.Settings, Attrs: map[string]any{attribute: begun}}, nil
	})
	if err != nil || c.id == 0 {
		return nil, err
	}
	return &c, nil
}

// tell passes on what the ledger holds and was not told of yet.
func (r *runner) tell(l ledger, sched schedule) {
	for p, worker := range l.holder {
		for _, t := range r.progress.Trials {
			if at, ok := placeOf(t.Slot); ok && at == p && t.Worker != worker {
				r.sink.emit(Event{Kind: EventSuperseded, Stage: p.Stage, Block: p.Block, Worker: worker})
				break
			}
		}
	}
	for i, t := range l.counting {
		if !r.told[t.Number] {
			r.told[t.Number] = true
			r.sink.emit(Event{Kind: EventResult, Trial: &l.counting[i], Replayed: true})
		}
	}
	load, budget := sched.chosen()
	if load != r.load {
		r.load = load
		r.sink.emit(Event{Kind: EventLoadChosen, Load: &load})
	}
	if budget != r.budget {
		r.budget = budget
		r.sink.emit(Event{Kind: EventBudget, Budget: &budget})
	}
}

// Recorded returns the trials of a study that count, in the order they were
// begun.
func Recorded(ctx context.Context, st *study.Study) ([]Trial, error) {
	trials, err := st.Trials(ctx)
	if err != nil {
		return nil, err
	}
	entries, err := readEntries(st.Name, trials)
	if err != nil {
		return nil, err
	}
	return counting(entries, holders(entries)), nil
}

// run measures a trial that was begun and records it. One that other load
// disturbed is repeated, whatever its score.
func (r *runner) run(ctx context.Context, c claimed) (Trial, error) {
	for repeat := 0; ; repeat++ {
		r.sink.emit(Event{Kind: EventTrial, Cell: c.cell.Name, Stage: c.at.Stage, Block: c.at.Block, Order: c.at.Order})
		t, err := r.control.measured(ctx, c.cell, c.at, func(ctx context.Context) (Trial, error) { return r.measure(ctx, c.id, c.cell, c.seed) })
		t.Slot, t.Number, t.Worker = c.at, c.number, r.study.Worker
		kept := context.WithoutCancel(ctx)
		if err != nil {
			torn := r.study.Finish(kept, c.id, study.Record{Status: study.Interrupted, Reason: err.Error()})
			return t, errors.Join(err, torn)
		}
		if disturbed := t.disturbed(); disturbed != "" && repeat < maxRepeats {
			if err := r.study.Finish(kept, c.id, study.Record{Status: study.Interrupted, Reason: disturbed, Attrs: map[string]any{attribute: t}}); err != nil {
				return t, err
			}
			r.sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("%s was disturbed and is repeated: %s", c.cell.Name, disturbed)})
			if err := r.control.wait(ctx); err != nil {
				return t, err
			}
			again, err := r.begin(ctx, func([]study.Trial) (*job, error) { return &c.job, nil })
			if err != nil {
				return t, err
			}
			c = *again
			continue
		}
		r.load.judge(&t)
		r.limits.apply(&t)
		err = r.study.Finish(kept, c.id, study.Record{
			Status: t.Status, Reason: t.Reason, Score: t.score(), Attrs: map[string]any{attribute: t},
		})
		if err != nil {
			return t, err
		}
		r.told[t.Number] = true
		r.sink.emit(Event{Kind: EventResult, Trial: &t})
		return t, nil
	}
}

// measure measures while the study hears that this process is alive.
func (r *runner) measure(ctx context.Context, id study.TrialID, c Cell, seed int64) (Trial, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var beat sync.WaitGroup
	defer beat.Wait()
	beating, stop := context.WithCancel(ctx)
	defer stop()
	beat.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-tick.C:
			}
			if err := r.study.Heartbeat(beating, id); err != nil && beating.Err() == nil {
				cancel(err)
				return
			}
		}
	})
	return r.measurer.Measure(ctx, c, r.load, seed, r.sink)
}
