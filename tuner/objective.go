package tuner

import (
	"fmt"

	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// Objective is what configurations are compared by.
type Objective string

// Objectives.
const (
	Throughput Objective = "throughput" // operations per second
	LatencyP95 Objective = "p95"        // p95 latency at a fixed rate
)

// Objective returns what a load is about: latency where operations start at
// scheduled times, else throughput.
func (l Load) Objective() Objective {
	if l.Rate > 0 {
		return LatencyP95
	}
	return Throughput
}

// judge gives a trial the figure of the load's objective. A configuration that
// cannot keep up with the rate has none: its latencies grow as long as the
// window lasts.
func (l Load) judge(t *Trial) {
	if l.Objective() != LatencyP95 || t.Status != study.OK || t.Result == nil {
		return
	}
	if open := t.Result.OpenLoop; open == nil || !open.KeptUp {
		t.Reason = fmt.Sprintf("it cannot keep up with %g operations a second: %.0f were done, and more were waiting at the end; give a lower --rate if stock cannot either", l.Rate, t.OpsPerSecond)
		t.fail()
		return
	}
	t.P95 = t.Result.Latency.P95
}

// fail takes a trial's score away.
func (t *Trial) fail() { t.Status, t.OpsPerSecond, t.P95 = study.Failed, 0, 0 }

// Figure is what is known of a configuration: operations per second, or where
// that is the objective the p95 latency, with the 95 % interval. Zero is not
// known.
type Figure struct {
	OpsPerSecond float64 `json:"ops_per_second"`   // geometric mean; 0 where p95 is the objective
	P95          float64 `json:"p95_ms,omitempty"` // geometric mean, where it is the objective
	Low          float64 `json:"low"`              // of the interval, of whichever of the two there is
	High         float64 `json:"high"`
}

// figure turns the estimate of a cell's scores into a figure.
func (l Load) figure(c stats.Cell) Figure {
	if l.Objective() == Throughput {
		return Figure{OpsPerSecond: c.Mean, Low: c.Low, High: c.High}
	}
	f := Figure{P95: 1000 / c.Mean}
	if c.High > 0 { // a high score is a low latency
		f.Low, f.High = 1000/c.High, 1000/c.Low
	}
	return f
}

// Known reports whether there is a figure.
func (f Figure) Known() bool { return f.OpsPerSecond > 0 || f.P95 > 0 }

// score is the higher the better.
func (f Figure) score() float64 {
	if f.P95 > 0 {
		return 1000 / f.P95
	}
	return f.OpsPerSecond
}

// Better reports whether f is better than o, as far as the means say.
func (f Figure) Better(o Figure) bool { return f.score() > o.score() }
