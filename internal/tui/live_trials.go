package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// trialColumns are those of the table of trials.
var trialColumns = []column{
	{"#", 3, 0}, {"part", 12, 2}, {"configuration", 22, 0}, {"ops/s", 6, 0}, {"p95 ms", 6, 3}, {"so far, 95 %", 18, 1}, {"verdict so far", 14, 1},
}

// sortings are the orders of the table, each with a name.
var sortings = []struct {
	name    string
	compare func(a, b numbered) int
}{
	{"newest first", func(a, b numbered) int { return b.number - a.number }},
	{"best first", func(a, b numbered) int { return cmp.Compare(b.OpsPerSecond, a.OpsPerSecond) }},
	{"by configuration", func(a, b numbered) int { return cmp.Compare(a.Cell, b.Cell) }},
}

// numbered is a trial with its place among all.
type numbered struct {
	tuner.Trial
	number int
}

// standing is what is known of a configuration so far.
type standing struct{ interval, verdict string }

// standings are those of all configurations, by name.
type standings map[string]standing

// standingsMsg are the standings after some trials.
type standingsMsg struct {
	of        *feed
	standings standings
	trials    int
}

// judge says how the configurations stand.
func judge(p tuner.Progress) standings {
	all := standings{}
	add := func(name string, f tuner.Figure, same bool) {
		s := standing{}
		if f.High > 0 {
			s = standing{fmt.Sprintf("%.0f [%.0f, %.0f]", f.OpsPerSecond+f.P95, f.Low, f.High), "worse"}
			if same {
				s.verdict = "* may be best"
			}
		}
		all[name] = s
	}
	switch {
	case p.Plan.Blocks > 0:
		for _, c := range p.Result().Cells {
			add(c.Name, c.Figure, c.SameAsBest)
		}
	case p.Tuning.Sampler != "":
		o, err := p.Outcome()
		if err != nil {
			return all // the end of the study says so
		}
		for _, c := range o.Contenders {
			add(c.Name, c.Figure, c.Plateau)
			if c.High == 0 && c.Searched > 0 {
				all[c.Name] = standing{fmt.Sprintf("%.2f of stock", c.Searched), "searched"}
			}
		}
	}
	return all
}

// rows are those of the table in its order.
func (l live) rows() [][]string {
	list := make([]numbered, len(l.state.Trials))
	for i, t := range l.state.Trials {
		list[i] = numbered{t, i + 1}
	}
	slices.SortStableFunc(list, sortings[l.sort].compare)
	rows := make([][]string, len(list))
	for i, t := range list {
		part := string(t.Stage)
		if part == "" {
			part = fmt.Sprintf("block %d", t.Block+1)
		}
		s := l.standings[t.Cell]
		score, p95 := fmt.Sprintf("%.0f", t.OpsPerSecond), ""
		if t.Result != nil {
			p95 = fmt.Sprintf("%.3g", t.Result.Latency.P95)
		}
		if t.Status != study.OK {
			score, s.verdict = "-", "FAILED: "+strings.SplitN(t.Reason, "\n", 2)[0]
		}
		rows[i] = []string{strconv.Itoa(t.number), part, t.Cell, score, p95, s.interval, s.verdict}
	}
	return rows
}
