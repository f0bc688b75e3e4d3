package workload

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// mixed returns a result with the given operations in the order of kinds.
func mixed(counts ...int64) *Result {
	res := &Result{Operations: make(map[string]OperationResult)}
	for k, n := range counts {
		res.Operations[operations[k].name] = OperationResult{CommittedTotal: n}
	}
	return res
}

func TestCheckMix(t *testing.T) {
	for _, c := range []struct {
		name        string
		res         *Result
		connections int
		deviation   float64
		wantErr     string
	}{
		{"exact", mixed(4500, 4300, 400, 400, 400), 20, 0, ""},
		{"within two points", mixed(4650, 4150, 400, 400, 400), 20, 1.5, ""},
		{"off", mixed(4100, 4300, 400, 400, 800), 20, 4, "op"},
		{"off, but too few to say", mixed(41, 43, 4, 4, 8), 20, 4, ""},
		{"off on one connection", mixed(410, 430, 40, 40, 80), 1, 4, "mix"},
	} {
		err := checkMix(c.res, c.connections)
		if (err == nil) != (c.wantErr == "") || err != nil && !strings.Contains(err.Error(), c.wantErr) {
			t.Errorf("%s: %v, want %q", c.name, err, c.wantErr)
		}
		if d := c.res.MixDeviation - c.deviation; d < -1e-9 || d > 1e-9 {
			t.Errorf("%s: deviation %g, want %g", c.name, c.res.MixDeviation, c.deviation)
		}
	}
	planned := mixed(4400, 4300, 400, 400, 400)
	o := planned.Operations["new_order"]
	o.RolledBack = 100
	planned.Operations["new_order"] = o
	if err := checkMix(planned, 20); err != nil || planned.MixDeviation != 0 {
		t.Errorf("planned rollbacks belong to the mix: %v, deviation %g", err, planned.MixDeviation)
	}
}

func TestCheckAdvance(t *testing.T) {
	for _, c := range []struct {
		before, after Transactions
		ok            bool
	}{
		{Transactions{612, 612}, Transactions{8986, 8990}, true},
		{Transactions{612, 640}, Transactions{640, 8990}, true},
		{Transactions{612, 640}, Transactions{612, 8990}, false}, // nothing moved
		{Transactions{612, 640}, Transactions{630, 8990}, false}, // moved, but one from before is open
	} {
		if err := checkAdvance(c.before, c.after); (err == nil) != c.ok {
			t.Errorf("%+v to %+v: %v", c.before, c.after, err)
		}
	}
}

func TestJudgeWantsCommits(t *testing.T) {
	res := Result{Window: time.Second, Errors: map[int]int64{335544665: 7}}
	if err := judge(&res, Plan{Connections: 1}); err == nil || !strings.Contains(err.Error(), "335544665:7") {
		t.Errorf("%v, want an error with the codes", err)
	}
}

func TestCPUWarnings(t *testing.T) {
	for _, c := range []struct {
		name string
		cpu  CPU
		want []string
	}{
		{"quiet", usedCPU(cpuSample{}, cpuSample{busy: 12, idle: 8, client: 2, server: 10}), nil},
		{"client heavy", usedCPU(cpuSample{}, cpuSample{busy: 10, idle: 10, client: 4, server: 6}), []string{"fbtune itself took 40 %"}},
		{"full", usedCPU(cpuSample{}, cpuSample{busy: 20, idle: 0, client: 6, server: 14}), []string{"busy all the time"}},
	} {
		got := cpuWarnings(c.cpu, 10)
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], c.want[i]) {
				t.Errorf("%s: %q, want %q", c.name, got[i], c.want[i])
			}
		}
	}
}

func TestUsedCPU(t *testing.T) {
	got := usedCPU(cpuSample{busy: 100, idle: 50, client: 10, server: 20}, cpuSample{busy: 110, idle: 60, client: 12, server: 27})
	if want := (CPU{Client: 2, Server: 7, Others: 1, Idle: 10, ClientShare: 0.2}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	got = usedCPU(cpuSample{busy: 100, stolen: 5}, cpuSample{busy: 110, stolen: 8, client: 2, server: 4})
	if got.Others != 4 || got.Stolen != 3 {
		t.Errorf("%+v, want 4 s of others, 3 of them stolen", got)
	}
	// Counters of 10 ms: processes may seem to have used more than the machine.
	if got = usedCPU(cpuSample{}, cpuSample{busy: 0.99, client: 0.5, server: 0.5}); got.Others != 0 {
		t.Errorf("others %g, want 0", got.Others)
	}
}

func TestSampleCPU(t *testing.T) {
	from, err := sampleCPU(nil)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for g, n := newLCG(1), 0; n < 50_000_000; n++ {
		g.next()
	}
	// However busy the machine is: some time, and no more than all processors had.
	most := time.Since(began).Seconds() * float64(runtime.NumCPU())
	to, err := sampleCPU(nil)
	if err != nil {
		t.Fatal(err)
	}
	if used := usedCPU(from, to); used.Client <= 0 || used.Client > most+0.1 {
		t.Errorf("counting took %+v, want more than 0 and at most %g s of client time", used, most)
	}
}
