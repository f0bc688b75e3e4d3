package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/sidebyside"
	"github.com/fbtune/fbtune/tuner/study"
)

// OLTPPlace is what the OLTP load showed in one place.
type OLTPPlace struct {
	Path        string            `json:"path"`
	Trials      []tuner.Trial     `json:"trials"` // by block
	Environment tuner.Environment `json:"environment"`
}

// OLTPPaths writes what the OLTP load showed in two places, in blocks; complete
// says whether every trial came to its end.
func OLTPPaths(w io.Writer, places []OLTPPlace, ratios []sidebyside.Metric, complete bool) error {
	var b strings.Builder
	if !complete {
		b.WriteString("Not complete: the trials that had ended.\n\n")
	}
	t := newTable(left, right, right, right, right, right).Headers("path", "block", "operations/s", "p50 ms", "p95 ms", "p99 ms")
	for _, p := range places {
		for _, trial := range p.Trials {
			if trial.Status != study.OK {
				t.Row(p.Path, fmt.Sprint(trial.Block+1), "FAILED", "-", "-", "-")
				continue
			}
			l := trial.Result.Latency
			t.Row(p.Path, fmt.Sprint(trial.Block+1), Number(trial.OpsPerSecond), Number(l.P50), Number(l.P95), Number(l.P99))
		}
	}
	b.WriteString(render(t))
	if len(ratios) > 0 {
		fmt.Fprintf(&b, "\n%s", metrics(places[0].Path, places[1].Path, ratios))
	}
	for _, p := range places {
		fmt.Fprintf(&b, "\n%s\n", p.Path)
		for _, line := range append([]string{loadLine(p.Environment, p.Environment.Load)}, environmentLines(p.Environment)...) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		for _, trial := range p.Trials {
			for _, warning := range trial.Warnings {
				fmt.Fprintf(&b, "  warning: block %d: %s\n", trial.Block+1, warning)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
