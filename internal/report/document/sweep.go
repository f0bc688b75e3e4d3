package document

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// sweep fills in the report of a sweep.
func (d *Document) sweep(r tuner.Result) {
	d.Title = fmt.Sprintf("Sweep of %s, Firebird %s", r.Plan.Param, d.Environment.Firebird.Version)
	d.State = state(r.Complete, len(r.Trials), r.Plan.Runs())
	d.Sentences = report.SweepSentences(r)
	d.add(Section{
		Title: "The sweep", Grid: report.SweepGrid(r), Chart: sweepChart(r),
		Lines: append([]string{strings.TrimSpace(report.SweepControl(r))}, report.SweepMeaning(r)...),
	})
	d.runs(r.Trials, r.Best, r.Plan.Load.Objective())
	choice := slices.IndexFunc(r.Cells, func(c tuner.CellResult) bool { return c.Name == r.Choice })
	if choice > 0 {
		if err := d.configuration(r.Cells[0].Cell, r.Cells[choice].Cell); err != nil {
			d.add(Section{Title: "Memory budget", Lines: []string{err.Error()}})
		}
	}
	d.add(Section{Title: "How it was measured", Lines: lines(report.SweepMethod(r))})
}
