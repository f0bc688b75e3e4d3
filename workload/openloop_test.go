package workload

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestOpenLoopKeptUp(t *testing.T) {
	for _, c := range []struct {
		name               string
		due, before, after int64
		keptUp             bool
		achieved           float64
		warnings           []string
	}{
		{"on time", 5000, 0, 0, true, 500, nil},
		{"a crowd at the end", 5000, 0, 20, true, 498, nil},
		{"1 % of those due", 5000, 0, 50, true, 495, nil},
		{"a queue that grows", 5000, 0, 51, false, 494.9, []string{"did not keep up with 500"}},
		{"few due", 500, 0, 21, false, 47.9, []string{"did not keep up with 50"}},
		{"a queue of the warm-up that shrinks", 5000, 400, 100, true, 530, []string{"400 operations waited when the window began"}},
		{"both", 5000, 400, 600, false, 480, []string{"did not keep up", "400 operations waited"}},
	} {
		plan := Plan{Connections: 20, Rate: 500, Duration: 10 * time.Second}
		o := openLoop(plan, c.due, backlog{operations: c.before}, backlog{operations: c.after, behind: time.Second})
		if o.KeptUp != c.keptUp || math.Abs(o.Achieved-c.achieved) > 1e-9 || o.BacklogBefore != c.before || o.Backlog != c.after || o.Behind != time.Second {
			t.Errorf("%s: %+v, want kept up %t, achieved %g", c.name, *o, c.keptUp, c.achieved)
		}
		expect(t, c.name, o.warnings(20), c.warnings)
	}
}

// expect fails the test unless each text holds its part of want.
func expect(t *testing.T, name string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %q, want %q", name, got, want)
		return
	}
	for i := range got {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%s: %q, want %q", name, got[i], want[i])
		}
	}
}

// The warm-up of an open loop ends when three seconds in a row left no queue,
// whatever the throughput; that of a closed loop when the throughput is flat.
func TestSettling(t *testing.T) {
	closed := settling{connections: 4}
	if closed.done([]int64{100, 150, 200}, 3*time.Second) || !closed.done([]int64{200, 200, 200}, 3*time.Second) {
		t.Error("a closed loop goes by its throughput")
	}
	s := newSchedule(100, 1, 0)
	open := settling{schedule: s, connections: 4}
	var got []bool
	for second := range 6 {
		now := time.Duration(second+1) * time.Second
		if second != 1 { // in the second one nothing is taken
			for s.backlog(now).operations > 4 {
				s.take()
			}
		}
		got = append(got, open.done([]int64{1}, now))
	}
	for i, want := range []bool{false, false, false, false, true, true} {
		if got[i] != want {
			t.Errorf("after %d s settled: %t, want %t", i+1, got[i], want)
		}
	}
	if a, b := closed.unsettled(time.Second), open.unsettled(time.Second); a == b || !strings.Contains(b, "waited") {
		t.Errorf("warnings %q and %q", a, b)
	}
}

func TestPlanRate(t *testing.T) {
	for rate, want := range map[float64]string{
		0: "", 50: "", 1e6: "",
		-1: "up to", 2e6: "up to", math.Inf(1): "up to",
		9: "fewer than 100",
	} {
		err := Plan{Connections: 1, Duration: 10 * time.Second, Rate: rate}.Validate()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("rate %g: %v, want %q", rate, err, want)
		}
	}
	if err := (Plan{Connections: 1, Duration: 10 * time.Second, Rate: math.NaN()}).Validate(); err == nil {
		t.Error("a rate that is no number was accepted")
	}
}
