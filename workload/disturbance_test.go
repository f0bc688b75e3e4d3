package workload

import (
	"strings"
	"testing"
	"time"
)

func TestDisturbed(t *testing.T) {
	// Ten seconds of two processors: 1.5 of them busy with the load.
	quiet := reading{at: 10 * time.Second, cpu: cpuSample{busy: 15, idle: 5, client: 3, server: 12, serverKnown: true}}
	for _, c := range []struct {
		name   string
		change func(*reading)
		want   []string
	}{
		{"quiet", func(*reading) {}, nil},
		{"others at the limit", func(r *reading) { r.cpu.busy = 18 }, nil},
		{"others", func(r *reading) { r.cpu.busy = 18.1 }, []string{"other programs took 0.31 processors (limit 0.30)"}},
		{"others may be the server", func(r *reading) { r.cpu = cpuSample{busy: 15, idle: 5, client: 3} }, nil},
		{"stolen is not others'", func(r *reading) { r.cpu.busy, r.cpu.idle, r.cpu.stolen = 15.4, 4.6, 0.4 }, nil},
		{"stolen", func(r *reading) { r.cpu.busy, r.cpu.idle, r.cpu.stolen = 15.5, 4.5, 0.5 }, []string{"the hypervisor gave 2.5 % of the processors' time to other machines (limit 2 %)"}},
		{"stolen from an unknown server", func(r *reading) { r.cpu = cpuSample{busy: 15, idle: 5, client: 3, stolen: 0.5} }, []string{"hypervisor"}},
		{"memory at the limits", func(r *reading) { r.stall = Stall{Some: 100 * time.Millisecond, Full: 50 * time.Millisecond} }, nil},
		{"some waited for memory", func(r *reading) { r.stall.Some = 101 * time.Millisecond }, []string{"work stood still for want of memory for 1.01 % of the time (limit 1 %)"}},
		{"all waited for memory", func(r *reading) { r.stall = Stall{Some: 60 * time.Millisecond, Full: 60 * time.Millisecond} },
			[]string{"all work stood still for want of memory for 0.60 % of the time (limit 0.5 %)"}},
		{"swap at the limit", func(r *reading) { r.swapIn = 100 }, nil},
		{"swap", func(r *reading) { r.swapIn = 300 }, []string{"30 pages a second were read from swap space (limit 10)"}},
		{"everything", func(r *reading) {
			r.cpu.busy, r.cpu.stolen, r.swapIn = 20, 1, 300
			r.stall = Stall{Some: time.Second, Full: time.Second}
		}, []string{"other programs", "hypervisor", "work stood", "all work stood", "pages a second"}},
	} {
		to := quiet
		c.change(&to)
		text, warnings := disturbed(between(reading{}, to))
		expect(t, c.name, warnings, c.want)
		if (text == "") != (len(c.want) == 0) {
			t.Errorf("%s: disturbed by %q, want %q", c.name, text, c.want)
		}
		for _, cause := range c.want {
			if !strings.Contains(text, cause) {
				t.Errorf("%s: disturbed by %q, want %q in it", c.name, text, cause)
			}
		}
		for _, w := range warnings {
			if !strings.HasSuffix(w, " and measure again") {
				t.Errorf("%s: the warning %q does not say what to do", c.name, w)
			}
		}
	}
}

// Counters count from some moment on: only their differences mean anything.
func TestDisturbedComparesReadings(t *testing.T) {
	r := reading{at: time.Hour, cpu: cpuSample{busy: 9000, idle: 100, stolen: 500, client: 1, server: 1, serverKnown: true},
		stall: Stall{Some: time.Hour, Full: time.Hour}, swapIn: 1 << 30}
	later := r
	later.at += 10 * time.Second
	if text, _ := disturbed(between(r, later)); text != "" {
		t.Errorf("nothing happened, and the window is disturbed: %s", text)
	}
}
