package workload_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/workload"
)

// quickPlan measures for a moment.
var quickPlan = workload.Plan{Connections: 4, Warmup: 300 * time.Millisecond, Duration: 1500 * time.Millisecond, Seed: 1}

// runOf runs the plan on a database of the tiny scale, in windows that double
// until one holds so many operations: a starved machine takes longer, and does
// not fail.
func runOf(t *testing.T, target workload.Target, plan workload.Plan, least int64) workload.Result {
	t.Helper()
	for ; ; plan.Duration *= 2 {
		res, err := workload.Run(t.Context(), target, tiny, plan)
		last := plan.Duration > 20*time.Second
		switch {
		case err == nil && (res.CommittedTotal >= least || last):
			return res
		case err != nil && (res.CommittedTotal > 0 || last):
			t.Fatal(err)
		}
	}
}

func TestRun(t *testing.T) { firebirdtest.Each(t, runs) }

func runs(t *testing.T, inst firebird.Installation) {
	target, _ := loadOn(t, inst, tiny, 2)
	plan := quickPlan.WithReconnectAfter(10)
	plan.Reports = 1
	plan.ServerCPU = func() (time.Duration, error) { return 0, nil }
	readings := 0
	plan.MemoryStall = func() (workload.Stall, error) {
		readings++
		return workload.Stall{Some: time.Duration(readings) * time.Minute}, nil
	}
	var measured int64
	plan.OnTick = func(tick workload.Tick) {
		switch tick.Phase {
		case workload.PhaseWarmup:
			measured, readings = 0, 0
		case workload.PhaseMeasure:
			measured += tick.Ops
		}
	}
	res := runOf(t, target, plan, 200)
	var byKind, bySecond int64
	for name, op := range res.Operations {
		byKind += op.CommittedTotal
		if op.CommittedTotal == 0 {
			t.Errorf("no %s committed", name)
		}
		if l := op.Latency; l.P50 <= 0 || l.P50 > l.P95 || l.P95 > l.P99 || l.P99 > l.Max*1.01 {
			t.Errorf("latencies of %s: %+v", name, l)
		}
	}
	for _, n := range res.Seconds {
		bySecond += n
	}
	if byKind != res.CommittedTotal || bySecond != res.CommittedTotal || len(res.Seconds) != int((res.Window+time.Second-1)/time.Second) || len(res.Operations) != 5 {
		t.Errorf("%d committed, %d by kind, %d in the seconds %v", res.CommittedTotal, byKind, bySecond, res.Seconds)
	}
	// Ticks also count what began before the window.
	if measured < res.CommittedTotal {
		t.Errorf("ticks told of %d operations, %d counted", measured, res.CommittedTotal)
	}
	if len(res.Errors) != 0 {
		t.Errorf("errors %v", res.Errors)
	}
	// The machine is read before and after the window, and not in it.
	if cause := "want of memory"; readings != 2 || !strings.Contains(res.Disturbed, cause) || !strings.Contains(strings.Join(res.Warnings, "\n"), cause) {
		t.Errorf("%d readings, disturbed by %q, warnings %q", readings, res.Disturbed, res.Warnings)
	}
	if res.OpenLoop != nil {
		t.Errorf("a closed loop with a schedule: %+v", *res.OpenLoop)
	}
	if res.Reconnects == 0 {
		t.Error("no worker reconnected")
	}
	if res.Reports == 0 {
		t.Error("no report ended")
	}
	if res.CPU.Client <= 0 || res.ClientCPUShare != res.CPU.ClientShare {
		t.Errorf("processor time %+v, client share %g", res.CPU, res.ClientCPUShare)
	}
	if violations, err := workload.Check(t.Context(), target); err != nil || len(violations) != 0 {
		t.Errorf("after the run: %v, %v", violations, err)
	}
}

// What the contract promises for bench oltp --json, as it is spelled there.
func TestResultJSON(t *testing.T) {
	res := workload.Result{Operations: map[string]workload.OperationResult{"payment": {Errors: map[int]int64{335544665: 2}}}}
	b, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"ops_per_second":0`, `"committed_total":0`, `"retries":0`, `"errors":{"335544665":2}`, `"client_cpu_share":0`,
		`"operations":{"payment":{`, `"latency_ms":{"p50":0,"p95":0,"p99":0,"max":0}`, `"seconds":`, `"disturbed":""`} {
		if !strings.Contains(string(b), key) {
			t.Errorf("%s is not in %s", key, b)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	target, _ := load(t, tiny, 2)
	other := tiny
	other.Warehouses = 3
	if _, err := workload.Run(t.Context(), target, other, quickPlan); err == nil || !strings.Contains(err.Error(), "was loaded as") {
		t.Errorf("another scale: %v", err)
	}
	for _, plan := range []workload.Plan{{}, {Connections: 1}, {Connections: 1, Duration: time.Second, Reports: -1}, {Connections: 1, Duration: time.Second, Warmup: -1}} {
		if _, err := workload.Run(t.Context(), target, tiny, plan); err == nil {
			t.Errorf("plan %+v was run", plan)
		}
	}
	statements(t, target, "UPDATE fbtune_marker SET schema_version = schema_version + 1")
	if _, err := workload.Run(t.Context(), target, tiny, quickPlan); err == nil || !strings.Contains(err.Error(), "schema version") {
		t.Errorf("another schema: %v", err)
	}
}

// A transaction that stays open, as the driver's orphans do, fails the run.
func TestRunFailsWhenOldestActiveStands(t *testing.T) {
	target, _ := load(t, tiny, 2)
	onDB(t, target, func(db *sql.DB) {
		// The driver itself leaves the transaction of this statement open.
		if _, err := db.ExecContext(t.Context(), "UPDATE fbtune_marker SET complete = 1"); err != nil {
			t.Fatal(err)
		}
		if _, err := workload.Run(t.Context(), target, tiny, quickPlan); err == nil || !strings.Contains(err.Error(), "MON$OLDEST_ACTIVE") {
			t.Errorf("run beside an open transaction: %v", err)
		}
	})
}

// A look-up that finds no row fails the run instead of being counted.
func TestRunFailsWhenANameIsMissing(t *testing.T) {
	target, _ := load(t, tiny, 2)
	statements(t, target, "UPDATE customer SET c_last = 'NOBODY'")
	_, err := workload.Run(t.Context(), target, tiny, quickPlan)
	if err == nil || !strings.Contains(err.Error(), "customer") {
		t.Errorf("run without last names: %v", err)
	}
}

// Errors with a code of their own are counted, and the other operations go on.
func TestRunCountsErrors(t *testing.T) {
	target, _ := load(t, tiny, 2)
	statements(t, target, "ALTER TABLE history ADD CONSTRAINT small CHECK (h_amount < 2500)")
	res, err := workload.Run(t.Context(), target, tiny, quickPlan)
	if err != nil && !strings.Contains(err.Error(), "mix of operations") {
		t.Fatal(err)
	}
	const checkConstraint = 335544558
	if res.Errors[checkConstraint] == 0 || res.Operations["payment"].Errors[checkConstraint] != res.Errors[checkConstraint] {
		t.Errorf("errors %v, of payment %v, want some %d", res.Errors, res.Operations["payment"].Errors, checkConstraint)
	}
	if res.Operations["new_order"].CommittedTotal == 0 {
		t.Error("no new order committed")
	}
}

func TestRunEndsWithContext(t *testing.T) {
	target, _ := load(t, tiny, 2)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	plan := quickPlan
	plan.Duration = time.Hour
	plan.Reports = 1
	var cancelled time.Time
	plan.OnTick = func(tick workload.Tick) {
		if tick.Phase == workload.PhaseMeasure && cancelled.IsZero() {
			cancelled = time.Now()
			cancel()
		}
	}
	_, err := workload.Run(ctx, target, tiny, plan)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled run: %v, want %v", err, context.Canceled)
	}
	if d := time.Since(cancelled); d > 5*time.Second {
		t.Errorf("it took %s to end", d)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
	if n := number(t, target, "SELECT COUNT(*) FROM MON$ATTACHMENTS WHERE MON$REMOTE_PROTOCOL IS NOT NULL"); n != 1 {
		t.Errorf("%d connections, want only the one that asks", n)
	}
}
