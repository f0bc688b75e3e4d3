package workload_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

func TestRunAtARate(t *testing.T) { firebirdtest.Each(t, runsAtARate) }

func runsAtARate(t *testing.T, inst firebird.Installation) {
	target, _ := loadOn(t, inst, tiny, 2)
	plan := quickPlan
	plan.Warmup = time.Second
	for _, c := range []struct {
		name     string
		rate     float64
		hopeless bool // far more than any server on any machine of ours does
	}{
		{"modest", 100, false},
		{"hopeless", 50000, true},
	} {
		plan.Rate = c.rate
		res := runOf(t, target, plan, 1)
		o := res.OpenLoop
		if o == nil {
			t.Fatalf("%s: the result does not tell of the schedule", c.name)
		}
		seconds := res.Window.Seconds()
		if o.Rate != c.rate || math.Abs(o.Offered-c.rate)*seconds > 5*math.Sqrt(c.rate*seconds) {
			t.Errorf("%s: %+v, want %g offered but for chance", c.name, *o, c.rate)
		}
		// Nothing begins that the schedule does not name; what was due just
		// before the window may begin in it, one operation a connection.
		begun := o.Achieved*seconds + float64(plan.Connections)
		if done := res.CommittedTotal + res.RolledBack; float64(done) > begun {
			t.Errorf("%s: %d operations ended, at most %g began", c.name, done, begun)
		}
		if !c.hopeless {
			continue
		}
		if o.KeptUp || o.Backlog <= o.BacklogBefore || o.Achieved >= o.Offered || !strings.Contains(strings.Join(res.Warnings, "\n"), "did not keep up") {
			t.Errorf("%s: %+v, warnings %q", c.name, *o, res.Warnings)
		}
		// Whatever the server does in the second of the warm-up, most of what
		// was due in it waits, and counts with its wait.
		if res.Latency.P50 < 500 {
			t.Errorf("%s: a median latency of %g ms, want most of the second before the window", c.name, res.Latency.P50)
		}
	}
}
