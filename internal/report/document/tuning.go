package document

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// tuning fills in the report of a tuning.
func (d *Document) tuning(o tuner.Outcome) error {
	d.Title = fmt.Sprintf("Tuning of Firebird %s", o.Tuning.Version)
	d.State = state(o.Complete, len(o.Trials), o.Budget.Total)
	d.Sentences = o.Sentences()
	d.add(Section{Title: "Configurations", Grid: report.ContenderGrid(o), Lines: report.TuneMeaning(o, d.Study)})
	d.add(Section{Title: "The best so far", Chart: bestSoFar(o.Trials, o.Tuning.Load.Objective())})
	d.add(Section{
		Title: "Influence of settings", Lines: []string{"All else held. It is influence, not proof."},
		Grid: report.EffectGrid(o), Chart: influences(report.Effects(o)),
	})
	d.runs(o.Trials, o.Winner, o.Tuning.Load.Objective())
	d.add(Section{Title: "Not exercised", Lines: report.Omissions(o)})
	d.add(Section{Title: "Warnings", Lines: slices.Concat(o.Flags, o.Warnings)})
	if winner, ok := o.Find(o.Winner); ok {
		before, _ := o.Find(tuner.StockName)
		if current, ok := o.Find(tuner.CurrentName); ok {
			before = current
		}
		if err := d.configuration(before.Cell, winner.Cell); err != nil {
			return err
		}
	}
	d.add(Section{Title: "How it was measured", Lines: lines(report.TuneMethod(o))})
	return nil
}

// configuration adds what to change and what memory that takes.
func (d *Document) configuration(before, after tuner.Cell) error {
	d.add(Section{
		Title: "What changes", Lines: []string{fmt.Sprintf("firebird.conf, from %s to %s. A setting without a line is at its default.", before.Name, after.Name)},
		Code: change(before.Settings, after.Settings),
	})
	budget, err := confgen.Plan(d.Environment.Candidate(after))
	if err != nil {
		return fmt.Errorf("memory of %s: %w", after.Name, err)
	}
	grid := report.Grid{Header: []string{"memory of " + after.Name, "expected", "worst case", "worst case is"}}
	for _, l := range append(budget.Lines, budget.Total) {
		grid.Rows = append(grid.Rows, []string{string(l.Name), l.Expected.String(), l.Worst.String(), l.Formula})
	}
	d.add(Section{Title: "Memory budget", Grid: grid})
	return nil
}

// change returns the lines that differ, as a diff.
func change(before, after map[string]string) []string {
	names := slices.Collect(maps.Keys(before))
	for name := range after {
		if _, known := before[name]; !known {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, cmp.Compare[string])
	var diff []string
	for _, name := range names {
		a, was := before[name]
		b, is := after[name]
		if was && is && a == b {
			diff = append(diff, "  "+name+" = "+a)
			continue
		}
		if was {
			diff = append(diff, "- "+name+" = "+a)
		}
		if is {
			diff = append(diff, "+ "+name+" = "+b)
		}
	}
	return diff
}

// lines drops empty ones.
func lines(list []string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}
