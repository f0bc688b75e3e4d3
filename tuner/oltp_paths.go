package tuner

import (
	"github.com/fbtune/fbtune/tuner/sidebyside"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// latencyFigure is a latency of all operations of a trial.
func latencyFigure(name string, of func(workload.Latency) float64) sidebyside.Figure[Trial] {
	return sidebyside.Figure[Trial]{Name: name, Of: func(t Trial) (float64, bool) {
		if t.Status != study.OK {
			return 0, false
		}
		ms := of(t.Result.Latency)
		return ms, ms > 0
	}}
}

// CompareOLTP compares trials in a second place with those in a first one, block
// by block. Trials that failed have no figures.
func CompareOLTP(first, second []Trial) ([]sidebyside.Metric, error) {
	return sidebyside.CompareAll([]sidebyside.Figure[Trial]{
		{Name: "operations/s", Of: func(t Trial) (float64, bool) { return t.OpsPerSecond, t.Status == study.OK }},
		latencyFigure("p50 ms", func(l workload.Latency) float64 { return l.P50 }),
		latencyFigure("p95 ms", func(l workload.Latency) float64 { return l.P95 }),
		latencyFigure("p99 ms", func(l workload.Latency) float64 { return l.P99 }),
	}, first, second)
}
