package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// Study is a study in a list.
type Study struct {
	Name     string     `json:"study"`
	Kind     study.Kind `json:"kind"`
	Created  time.Time  `json:"created"`
	Finished bool       `json:"finished"`
	OK       int        `json:"ok"`       // trials with a score
	Failed   int        `json:"failed"`   // trials whose configuration did not work
	Repeated int        `json:"repeated"` // trials that were disturbed or cut short
	Running  int        `json:"running"`
	Best     float64    `json:"best_ops_per_second"` // of one trial; 0 without one
}

// Studies writes a list of studies, newest first.
func Studies(w io.Writer, list []Study, now time.Time) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no studies yet: fbtune sweep, fbtune tune and fbtune bench growth make them")
		return err
	}
	t := newTable(left, left, right, left, right, right, right).Headers("study", "kind", "begun", "state", "trials", "failed", "best ops/s")
	for _, s := range list {
		t.Row(s.Name, string(s.Kind), ago(now.Sub(s.Created)), s.State(), strconv.Itoa(s.OK), strconv.Itoa(s.Failed), Number(s.Best))
	}
	_, err := io.WriteString(w, render(t))
	return err
}

// State is how far the study came, for a person.
func (s Study) State() string {
	switch {
	case s.Finished:
		return "finished"
	case s.Running > 0:
		return "running, or killed"
	}
	return "to be resumed"
}

// ago writes how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// TrialRows returns trials as rows of a table for programs: a heading, then a
// row each, a column for every setting that any of them has.
func TrialRows(trials []tuner.Trial) [][]string {
	has := map[string]bool{}
	for _, t := range trials {
		for name := range t.Settings {
			has[name] = true
		}
	}
	delete(has, confgen.ServerMode) // is mode
	names := slices.Sorted(maps.Keys(has))
	rows := [][]string{slices.Concat([]string{"stage", "block", "order", "cell", "mode"}, names,
		[]string{"status", "ops_per_second", "latency_p95_ms", "latency_p99_ms", "retries", "started", "reason"})}
	for _, t := range trials {
		row := []string{string(t.Stage), strconv.Itoa(t.Block), strconv.Itoa(t.Order), t.Cell, string(t.Mode)}
		for _, name := range names {
			row = append(row, t.Settings[name])
		}
		p95, p99, retries := "", "", ""
		if t.Result != nil {
			p95, p99 = decimal(t.Result.Latency.P95), decimal(t.Result.Latency.P99)
			retries = strconv.FormatInt(t.Result.Retries, 10)
		}
		rows = append(rows, append(row, string(t.Status), decimal(t.OpsPerSecond), p95, p99, retries, t.Started.Format(time.RFC3339), t.Reason))
	}
	return rows
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
