// Package document is a study as what a consultant hands to a client: one model,
// whose figures are written once, and its views as HTML, Markdown and CSV.
package document

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// Document is the report of a study, finished or not.
type Document struct {
	Study     string
	Title     string
	State     string   // whether the study ran to its end
	Sentences []string // the answer
	Sections  []Section
	Trials    []tuner.Trial

	Environment tuner.Environment
}

// Section is a part of a report. Every field but the title may be empty.
type Section struct {
	Title string
	Lines []string // sentences
	Grid  report.Grid
	Code  []string // lines of text that keep their form
	Chart *Chart
}

// ErrKind is for a study that is neither a sweep nor a tuning.
var ErrKind = errors.New("reports are of sweeps and tunings; fbtune studies show prints any study")

// New returns the report of what the events of a study so far add up to.
func New(name string, p *tuner.Progress) (Document, error) {
	d := Document{Study: name, Environment: p.Environment, Trials: p.Trials}
	var err error
	switch {
	case p.Plan.Blocks > 0:
		d.sweep(p.Result())
	case len(p.Tuning.Modes) > 0:
		var o tuner.Outcome
		if o, err = p.Outcome(); err == nil {
			err = d.tuning(o)
		}
	default:
		err = ErrKind
	}
	if err != nil {
		return d, fmt.Errorf("report of study %s: %w", name, err)
	}
	d.trials()
	d.environment()
	return d, nil
}

// state says how much of a study there is.
func state(complete bool, trials, planned int) string {
	switch {
	case complete:
		return fmt.Sprintf("finished, %d trials", trials)
	case planned == 0:
		return fmt.Sprintf("not finished: %d trials so far", trials)
	}
	return fmt.Sprintf("not finished: %d of %d trials so far", trials, planned)
}

// add appends a section, unless it holds nothing.
func (d *Document) add(s Section) {
	if len(s.Lines)+len(s.Grid.Rows)+len(s.Code) == 0 && s.Chart == nil {
		return
	}
	for _, row := range s.Grid.Rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
	}
	d.Sections = append(d.Sections, s)
}

// Charts returns the charts of the report.
func (d Document) Charts() []*Chart {
	var charts []*Chart
	for _, s := range d.Sections {
		if s.Chart != nil {
			charts = append(charts, s.Chart)
		}
	}
	return charts
}
