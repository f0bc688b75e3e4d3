package workload

import (
	"context"
	"time"
)

// phases waits through the warm-up and the window.
func (r *run) phases(ctx context.Context, res *Result) error {
	start := r.clock()
	if err := r.warmUp(ctx, res); err != nil {
		return err
	}
	res.Warmup = r.clock() - start
	return r.measureWindow(ctx, res)
}

// warmUp waits for the plan's warm-up, or until the load is steady.
func (r *run) warmUp(ctx context.Context, res *Result) error {
	if r.plan.Warmup > 0 {
		return r.phase(ctx, PhaseWarmup, r.clock(), r.plan.Warmup, func(ops int64) bool {
			res.WarmupSeconds = append(res.WarmupSeconds, ops)
			return false
		})
	}
	limit := r.plan.WarmupMax
	if limit == 0 {
		limit = defaultWarmupMax
	}
	load := settling{schedule: r.schedule, connections: r.plan.Connections}
	settled := false
	err := r.phase(ctx, PhaseWarmup, r.clock(), limit, func(ops int64) bool {
		res.WarmupSeconds = append(res.WarmupSeconds, ops)
		settled = load.done(res.WarmupSeconds, r.clock())
		return settled
	})
	if err == nil && !settled {
		res.Warnings = append(res.Warnings, load.unsettled(limit))
	}
	return err
}

// measureWindow waits through the window and tells of the machine and the
// schedule in it; what the operations did is collected later.
func (r *run) measureWindow(ctx context.Context, res *Result) error {
	from, err := r.plan.read(r.clock)
	if err != nil {
		return err
	}
	begin := r.clock()
	w := &window{start: begin, end: begin + r.plan.Duration}
	res.Window = r.plan.Duration
	late := r.schedule.backlog(w.start)
	r.window.Store(w)
	for _, worker := range r.workers {
		worker.recorder.measure(w)
	}
	if err := r.phase(ctx, PhaseMeasure, w.start, r.plan.Duration, func(int64) bool { return false }); err != nil {
		return err
	}
	if r.schedule != nil {
		res.OpenLoop = openLoop(r.plan, r.schedule.due(w), late, r.schedule.backlog(w.end))
	}
	to, err := r.plan.read(r.clock)
	if err != nil {
		return err
	}
	used := between(from, to)
	res.CPU, res.ClientCPUShare = used.cpu, used.cpu.ClientShare
	var warnings []string
	res.Disturbed, warnings = disturbed(used)
	res.Warnings = append(res.Warnings, warnings...)
	return nil
}

// phase ticks once a second until limit, or until done, asked after each full
// second with the operations of that second, says so.
func (r *run) phase(ctx context.Context, name string, start, limit time.Duration, done func(ops int64) bool) error {
	for at := time.Second; ; at += time.Second {
		full := at <= limit
		at = min(at, limit)
		if err := r.until(ctx, start+at); err != nil {
			return err
		}
		ops := r.merger.tick(name, at)
		if (full && done(ops)) || at == limit {
			return nil
		}
	}
}

// until waits for a moment of the run's clock.
func (r *run) until(ctx context.Context, at time.Duration) error {
	timer := time.NewTimer(at - r.clock())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case err := <-r.failed:
		return err
	}
}
