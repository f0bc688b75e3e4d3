package tuner

import (
	"math"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

func TestFigures(t *testing.T) {
	estimate := stats.Cell{Mean: 20, Low: 16, High: 25} // 1/p95, per second
	if got, want := (Load{}).figure(estimate), (Figure{OpsPerSecond: 20, Low: 16, High: 25}); got != want {
		t.Errorf("throughput %+v, want %+v", got, want)
	}
	got := Load{Rate: 100}.figure(estimate)
	if got.OpsPerSecond != 0 || math.Abs(got.P95-50) > 1e-9 || math.Abs(got.Low-40) > 1e-9 || math.Abs(got.High-62.5) > 1e-9 {
		t.Errorf("latency %+v, want 50 ms in [40, 62.5]", got)
	}
	slower := Figure{P95: 80}
	if !got.Better(slower) || slower.Better(got) {
		t.Error("a lower latency is not better")
	}
}

func TestTrialsAtARate(t *testing.T) {
	load := Load{Rate: 100}
	trial := func(keptUp bool) Trial {
		return Trial{Status: study.OK, OpsPerSecond: 99, Result: &workload.Result{
			Latency: workload.Latency{P95: 40}, OpenLoop: &workload.OpenLoop{Rate: 100, KeptUp: keptUp},
		}}
	}
	good, late := trial(true), trial(false)
	load.judge(&good)
	load.judge(&late)
	if good.Status != study.OK || good.score() != 25 {
		t.Errorf("score %g (%s), want 25 a second for a p95 of 40 ms", good.score(), good.Status)
	}
	if late.Status != study.Failed || late.score() != 0 || !strings.Contains(late.Reason, "cannot keep up with 100 operations a second") {
		t.Errorf("a server that falls behind: %s, %g, %q", late.Status, late.score(), late.Reason)
	}
	closed := trial(true)
	Load{}.judge(&closed)
	if closed.score() != 99 {
		t.Errorf("without a rate the score is %g, want operations per second", closed.score())
	}
}
