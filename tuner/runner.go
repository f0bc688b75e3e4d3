package tuner

import (
	"context"
	"encoding/json"
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

// A runner measures trials one after the other and records each in a study
// when it ends.
type runner struct {
	measurer Measurer
	study    *study.Study
	limits   Limits
	load     Load // of the trials to come
	progress Progress
	control  *Control
	sink     Sink
}

// newRunner returns a runner whose events go to its own progress and to sink.
func newRunner(m Measurer, st *study.Study, limits Limits, l Load, control *Control, sink Sink) *runner {
	r := &runner{measurer: m, study: st, limits: limits, load: l, control: control}
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

// replay takes over what the study holds, and returns the trials that count in
// the order they ran.
func (r *runner) replay(ctx context.Context) ([]Trial, error) {
	torn, err := r.study.TakeOverStale(ctx, staleAge)
	if err != nil {
		return nil, err
	}
	if torn > 0 {
		r.sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("%d trial(s) were cut short by the end of an earlier run and are repeated", torn)})
	}
	recorded, err := Recorded(ctx, r.study)
	if err != nil {
		return nil, err
	}
	for i := range recorded {
		r.sink.emit(Event{Kind: EventResult, Trial: &recorded[i], Replayed: true})
	}
	return recorded, nil
}

// Recorded returns the trials of a study that count, in the order they ran.
func Recorded(ctx context.Context, st *study.Study) ([]Trial, error) {
	trials, err := st.Trials(ctx)
	if err != nil {
		return nil, err
	}
	var counting []Trial
	for _, recorded := range trials {
		if recorded.Status != study.OK && recorded.Status != study.Failed {
			continue
		}
		var t Trial
		if err := json.Unmarshal(recorded.Attrs[attribute], &t); err != nil {
			return nil, fmt.Errorf("read trial %d of study %s: %w", recorded.Number, st.Name, err)
		}
		counting = append(counting, t)
	}
	return counting, nil
}

// calibrate takes over the load that a calibration chose.
func (r *runner) calibrate(l Load) {
	if l == r.load {
		return
	}
	r.load = l
	r.sink.emit(Event{Kind: EventLoadChosen, Load: &l})
}

// run measures one slot and records it. A trial that other load disturbed is
// repeated, whatever its score.
func (r *runner) run(ctx context.Context, c Cell, at Slot, seed int64) (Trial, error) {
	for repeat := 0; ; repeat++ {
		if err := r.control.wait(ctx); err != nil {
			return Trial{}, err
		}
		id, err := r.study.Begin(ctx, c.Settings, nil)
		if err != nil {
			return Trial{}, err
		}
		r.sink.emit(Event{Kind: EventTrial, Cell: c.Name, Stage: at.Stage, Block: at.Block, Order: at.Order})
		t, err := r.control.measured(ctx, c, at, func(ctx context.Context) (Trial, error) { return r.measure(ctx, id, c, seed) })
		t.Slot = at
		kept := context.WithoutCancel(ctx)
		if err != nil {
			torn := r.study.Finish(kept, id, study.Record{Status: study.Interrupted, Reason: err.Error()})
			return t, errors.Join(err, torn)
		}
		if disturbed := t.disturbed(); disturbed != "" && repeat < maxRepeats {
			if err := r.study.Finish(kept, id, study.Record{Status: study.Interrupted, Reason: disturbed, Attrs: map[string]any{attribute: t}}); err != nil {
				return t, err
			}
			r.sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("%s was disturbed and is repeated: %s", c.Name, disturbed)})
			continue
		}
		r.load.judge(&t)
		r.limits.apply(&t)
		err = r.study.Finish(kept, id, study.Record{
			Status: t.Status, Reason: t.Reason, Score: t.score(), Attrs: map[string]any{attribute: t},
		})
		if err != nil {
			return t, err
		}
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
