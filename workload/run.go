package workload

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// stopGrace is how long operations in hand may take to end after the window.
const stopGrace = 30 * time.Second

// Run drives a loaded database by the plan and returns what it measured.
//
// It fails, beside what a connection can fail with, when the marker's scale or
// schema is another than asked for, when nothing committed, when the mix of
// operations is off (see checkMix), when an order or a look-up by name meets
// data that do not fit the scale, and when a transaction from before the
// measurement is still open at its end. When ctx ends, it returns ctx's error
// as soon as the operations in hand are cancelled; from a server that no
// longer answers it takes up to 3 s, or 12 s when a connection was rolling
// back, which the driver lets take 10 s. In every case its goroutines and
// connections have ended when it returns.
func Run(ctx context.Context, t Target, scale Scale, plan Plan) (Result, error) {
	if err := plan.Validate(); err != nil {
		return Result{}, err
	}
	if err := scale.Validate(); err != nil {
		return Result{}, err
	}
	if err := checkMarker(ctx, t, scale); err != nil {
		return Result{}, err
	}
	r := newRun(t, scale, plan)
	res, err := r.measure(ctx)
	start := time.Now()
	closeErr := r.close()
	res.Disconnect = time.Since(start)
	if cerr := ctx.Err(); cerr != nil {
		return res, fmt.Errorf("run on %s: %w", t.Path, cerr)
	}
	if err == nil {
		// After a failure, connections that do not close are its consequence.
		err = closeErr
	}
	if err == nil {
		err = judge(&res, plan)
	}
	if err != nil {
		return res, fmt.Errorf("run on %s: %w", t.Path, err)
	}
	return res, nil
}

// checkMarker refuses a database that was not loaded with this scale and schema.
func checkMarker(ctx context.Context, t Target, want Scale) error {
	scale, version, err := ReadMarker(ctx, t)
	if err != nil {
		return err
	}
	if version != SchemaVersion {
		return fmt.Errorf("%s was loaded with schema version %d, this fbtune has %d; load it again", t.Path, version, SchemaVersion)
	}
	if scale != want {
		return fmt.Errorf("%s was loaded as %+v, not %+v; run with its scale or load another database", t.Path, scale, want)
	}
	return nil
}

// run is one Run.
type run struct {
	target  Target
	plan    Plan
	workers []*worker
	reports []*reporter
	merger  merger

	epoch    time.Time
	stop     chan struct{} // closed when no further operation is to begin
	schedule *schedule     // of an open loop, from the start of the warm-up on
	window   atomic.Pointer[window]
	dial     sync.Mutex

	group  sync.WaitGroup
	failed chan error // the first error of a worker or a reporter
}

func newRun(t Target, scale Scale, plan Plan) *run {
	r := &run{target: t, plan: plan, epoch: time.Now(), stop: make(chan struct{}), failed: make(chan error, 1)}
	for i := range plan.Connections {
		r.workers = append(r.workers, &worker{
			target:   t,
			deck:     newDeck(newLCG(scale.Seed, plan.Seed, seedDeck, int64(i))),
			inputs:   newInputs(scale, plan.Seed, i),
			recorder: newRecorder(),
			backoff:  newLCG(plan.Seed, seedBackoff, int64(i)),
			clock:    r.clock,
			stop:     r.stop,
			dial:     &r.dial,

			reconnectAfter: cmp.Or(plan.reconnectAfter, defaultReconnectAfter),
		})
	}
	for i := range plan.Reports {
		r.reports = append(r.reports, &reporter{
			scale:  scale,
			g:      newLCG(scale.Seed, plan.Seed, seedReport, int64(i)),
			clock:  r.clock,
			window: &r.window,
		})
	}
	r.merger = newMerger(r.workers, plan.OnTick)
	return r
}

// clock returns the time since the run's epoch.
func (r *run) clock() time.Duration { return time.Since(r.epoch) }

// measure connects, warms up, measures, and waits for all goroutines. The
// connections stay open: the transaction counters at the end tell of them.
func (r *run) measure(ctx context.Context) (res Result, err error) {
	res.WarmupSeconds, res.Warnings = []int64{}, []string{} // JSON: [], never null
	if err := r.connect(ctx); err != nil {
		return res, err
	}
	res.ConnectTime = r.clock()
	before, err := readState(ctx, r.target)
	if err != nil {
		return res, err
	}
	res.Before = before.transactions

	work, cancel := context.WithCancel(ctx)
	defer cancel()
	report, endReports := context.WithCancel(work)
	defer endReports()
	r.start(work, report)

	err = r.phases(ctx, &res)
	close(r.stop)
	endReports()
	if err != nil {
		cancel()
	}
	if serr := r.settle(cancel); err == nil {
		err = serr
	}
	if err != nil {
		return res, err
	}
	after, err := readState(ctx, r.target)
	if err != nil {
		return res, err
	}
	res.After = after.transactions
	r.collect(&res)
	return res, nil
}

// connect opens all connections, one after the other (see connectAll).
func (r *run) connect(ctx context.Context) error {
	for _, w := range r.workers {
		if err := w.connect(ctx); err != nil {
			return err
		}
		r.merger.connecting(r.clock())
	}
	for _, rep := range r.reports {
		if err := rep.connect(ctx, r.target); err != nil {
			return err
		}
		r.merger.connecting(r.clock())
	}
	return nil
}

// start starts the goroutines of workers and reporters.
func (r *run) start(work, report context.Context) {
	launch := func(f func() error) {
		r.group.Go(func() {
			if err := guarded(f); err != nil {
				select {
				case r.failed <- err:
				default: // a later failure, mostly of the same cause
				}
			}
		})
	}
	if r.plan.Rate > 0 {
		r.schedule = newSchedule(r.plan.Rate, r.plan.Seed, r.clock())
	}
	for _, w := range r.workers {
		w.schedule = r.schedule
		launch(func() error { return w.run(work) })
	}
	for _, rep := range r.reports {
		launch(func() error { return rep.run(report) })
	}
}

// settle waits until every goroutine has ended. After stopGrace it cancels
// what still runs. It returns the first failure that nobody has seen yet.
func (r *run) settle(cancel context.CancelFunc) error {
	ended := make(chan struct{})
	go func() { r.group.Wait(); close(ended) }()
	timer := time.NewTimer(stopGrace)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
		cancel()
		<-ended
		return fmt.Errorf("operations still ran %s after the window; the server hangs or swaps: lower its memory or the connections", stopGrace)
	}
	select {
	case err := <-r.failed:
		return err
	default:
		return nil
	}
}

// close closes all connections that are open.
func (r *run) close() error {
	var sessions []*session
	for _, w := range r.workers {
		if w.session != nil {
			sessions = append(sessions, w.session)
		}
	}
	for _, rep := range r.reports {
		if rep.session != nil {
			sessions = append(sessions, rep.session)
		}
	}
	return closeAll(sessions)
}
