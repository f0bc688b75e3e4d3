package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// loop says when operations began.
func loop(o *workload.OpenLoop) string {
	if o == nil {
		return "closed loop"
	}
	text := fmt.Sprintf("%s/s scheduled, latency from the scheduled start", Number(o.Offered))
	if !o.KeptUp {
		text += fmt.Sprintf("; it could not keep up: %d waiting at the end, the first for %s", o.Backlog, o.Behind.Round(time.Millisecond))
	}
	return text
}

// OLTP writes one trial of the OLTP load for a person.
func OLTP(w io.Writer, t tuner.Trial, e tuner.Environment) error {
	var b strings.Builder
	if t.Status != study.OK {
		fmt.Fprintf(&b, "%s FAILED: %s\n", t.Cell, t.Reason)
		_, err := io.WriteString(w, b.String())
		return err
	}
	r := t.Result
	fmt.Fprintf(&b, "%s: %s operations/s, %d committed in %s (%s, %d connections)\n\n%s\n",
		t.Cell, Number(r.OpsPerSecond), r.CommittedTotal, r.Window.Round(1e6), loop(r.OpenLoop), e.Load.Connections, operationsTable(*r))
	fmt.Fprintf(&b, "new orders rolled back as planned %d, attempts repeated after a conflict %d, operations given up %s\n", r.RolledBack, r.Retries, errorCounts(r.Errors))
	if e.Load.Reports > 0 {
		fmt.Fprintf(&b, "sorts beside it: %d, %s/s\n", r.Reports, Number(r.ReportsPerSecond))
	}
	fmt.Fprintf(&b, "CPU seconds: server %.1f, fbtune %.1f (%s of the busy time), others %.1f, idle %.1f\n",
		r.CPU.Server, r.CPU.Client, percent(r.CPU.ClientShare), r.CPU.Others, r.CPU.Idle)
	fmt.Fprintf(&b, "warm-up %s, overhead %.2f s outside warm-up and window\n\nin force:\n", r.Warmup.Round(1e6), t.Overhead.Total())
	for _, setting := range t.Effective {
		fmt.Fprintf(&b, "  %s\n", effectiveLine(setting))
	}
	for _, warning := range t.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	fmt.Fprintln(&b)
	for _, line := range append([]string{loadLine(e, e.Load)}, environmentLines(e)...) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func effectiveLine(s running.Effective) string {
	line := fmt.Sprintf("%s = %s, %s", s.Name, s.Value, s.State)
	if s.Note != "" {
		line += " (" + s.Note + ")"
	}
	return line
}

// operationsTable has a row for each kind of operation and one for all.
func operationsTable(r workload.Result) string {
	t := newTable(left, right, right, right, right, right, right, right).Headers("operation", "ops/s", "committed", "retries", "p50 ms", "p95 ms", "p99 ms", "max ms")
	row := func(name string, ops float64, committed, retries int64, l workload.Latency) {
		t.Row(name, Number(ops), fmt.Sprint(committed), fmt.Sprint(retries), Number(l.P50), Number(l.P95), Number(l.P99), Number(l.Max))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Operations)) {
		o := r.Operations[name]
		row(name, o.OpsPerSecond, o.CommittedTotal, o.Retries, o.Latency)
	}
	row("all", r.OpsPerSecond, r.CommittedTotal, r.Retries, r.Latency)
	return render(t)
}

// errorCounts lists errors by code.
func errorCounts(errors map[int]int64) string {
	if len(errors) == 0 {
		return "none"
	}
	var list []string
	for _, code := range slices.Sorted(maps.Keys(errors)) {
		list = append(list, fmt.Sprintf("%d with gds code %d", errors[code], code))
	}
	return strings.Join(list, ", ")
}
