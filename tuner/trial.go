package tuner

import (
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// Trial is one measurement of one configuration.
type Trial struct {
	Cell     string            `json:"cell"`
	Mode     confgen.Mode      `json:"mode"`
	Settings map[string]string `json:"settings"`
	Slot
	Number       int                 `json:"number"`           // in its study, from 0, in the order they were begun
	Worker       string              `json:"worker,omitempty"` // that measured it, where several do
	Started      time.Time           `json:"started"`
	Status       study.Status        `json:"status"`
	Reason       string              `json:"reason,omitempty"`  // why it failed
	Refused      bool                `json:"refused,omitempty"` // the memory model refused it before it ran
	Skipped      bool                `json:"skipped,omitempty"` // a person ended it
	OpsPerSecond float64             `json:"ops_per_second"`    // 0 unless ok
	P95          float64             `json:"p95_ms,omitempty"`  // of all operations, where that is the objective
	Effective    []running.Effective `json:"effective"`
	Overhead     Overhead            `json:"overhead_s"`
	Result       *workload.Result    `json:"result,omitempty"` // absent when the load did not run to its end
	Warnings     []string            `json:"warnings,omitempty"`
}

// disturbed returns which other load disturbed the trial, by fixed limits that
// do not look at its score, or "".
func (t Trial) disturbed() string {
	if t.Status != study.OK || t.Result == nil {
		return ""
	}
	return t.Result.Disturbed
}

// score is what trials are compared by, the higher the better: operations per
// second, or the inverse of the p95 latency, per second, where that is the
// objective; 0 unless ok.
func (t Trial) score() float64 {
	if t.P95 > 0 && t.Status == study.OK {
		return 1000 / t.P95
	}
	return t.OpsPerSecond
}

// elapsed is how long the trial took, in seconds.
func (t Trial) elapsed() float64 { return t.Overhead.Total() + measured(t.Result) }

// Overhead is what a trial took outside warm-up and window, in seconds, by
// cause.
type Overhead struct {
	Reset      float64 `json:"reset"`      // fresh copy of the database, on the disk
	Start      float64 `json:"start"`      // until the server answered a query
	Verify     float64 `json:"verify"`     // reading back what is in force
	Connect    float64 `json:"connect"`    // of all connections, statements prepared
	Disconnect float64 `json:"disconnect"` // of all connections
	Check      float64 `json:"check"`      // consistency conditions
	Stop       float64 `json:"stop"`       // until no process was left
	Other      float64 `json:"other"`      // what is left of the trial's time
}

// Total is the sum of all causes, in seconds.
func (o Overhead) Total() float64 {
	return o.Reset + o.Start + o.Verify + o.Connect + o.Disconnect + o.Check + o.Stop + o.Other
}

// each calls f with every cause of two overheads.
func (o *Overhead) each(p *Overhead, f func(a, b *float64)) {
	f(&o.Reset, &p.Reset)
	f(&o.Start, &p.Start)
	f(&o.Verify, &p.Verify)
	f(&o.Connect, &p.Connect)
	f(&o.Disconnect, &p.Disconnect)
	f(&o.Check, &p.Check)
	f(&o.Stop, &p.Stop)
	f(&o.Other, &p.Other)
}

// meanOverhead returns the mean overhead of the successful trials, by cause.
func meanOverhead(trials []Trial) Overhead {
	var mean Overhead
	n := 0.0
	for i := range trials {
		if trials[i].Status == study.OK {
			mean.each(&trials[i].Overhead, func(sum, one *float64) { *sum += *one })
			n++
		}
	}
	if n > 0 {
		mean.each(&mean, func(sum, _ *float64) { *sum /= n })
	}
	return mean
}
