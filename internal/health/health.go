// Package health says what the state of a database costs, and what to do about
// it.
//
// A rule is a row of a table (rules.go): what it looks for, how bad that is, and
// where it is known from. Rules look at what was learnt by an inspection and
// return findings; where a part was not learnt its rules find nothing.
package health

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
)

// Findings returns what is wrong with a database in order of gain: what loses
// data first, then what every transaction pays for, then what some pay for, as
// the table of rules has them, and of one kind the one about the most pages.
func Findings(d inspect.Database) []check.Finding {
	all := headerFindings(d)
	for _, r := range rules {
		found := r.find(&d)
		slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(b.pages, a.pages) })
		for _, f := range found {
			f.Rule, f.Source, f.File = r.id, r.source, d.Path
			f.Severity = cmp.Or(f.Severity, r.severity)
			all = append(all, f.Finding)
		}
	}
	slices.SortStableFunc(all, func(a, b check.Finding) int {
		return slices.Index(check.Severities(), a.Severity) - slices.Index(check.Severities(), b.Severity)
	})
	return all
}

// headerFindings are those of the rules of check about the header. The rule
// about the oldest transaction has a better one here, when the server tells who
// holds it.
func headerFindings(d inspect.Database) []check.Finding {
	header := d.Statistics.Header
	version := d.Server
	if version == (confgen.Version{}) {
		version, _ = header.ODS.Firebird() // the zero Version opens nothing
	}
	found := check.Headers(version, []check.DatabaseFile{{Path: d.Path, Header: Header(header, version)}})
	return slices.DeleteFunc(found, func(f check.Finding) bool { return d.Activity != nil && f.Rule == oldTransaction })
}

// Header returns what check asks of the header of a database, for a server of a
// version.
func Header(h dbheader.Header, v confgen.Version) *check.Header {
	of, _ := h.ODS.Firebird() // the zero Version says that it is not known
	return &check.Header{
		ODS: h.ODS.String(), Firebird: of, Opens: h.ODS.OpenedBy(v),
		PageSize: h.PageSize, FileSize: h.FileSize, PageBuffers: h.PageBuffers, SweepInterval: h.SweepInterval,
		ForcedWrites: h.ForcedWrites, ReadOnly: h.ReadOnly, Shutdown: string(h.Shutdown), Backup: string(h.Backup),
		Oldest: h.Transactions.Oldest, OldestActive: h.Transactions.OldestActive,
		OldestSnapshot: h.Transactions.OldestSnapshot, Next: h.Transactions.Next,
	}
}

// finding is a finding with how many pages it is about.
type finding struct {
	check.Finding
	pages int64
}

// about starts a finding about a table, an index or the database as a whole; seen
// is the evidence.
func about(name, seen string, args ...any) finding {
	return finding{Finding: check.Finding{Name: name, Written: fmt.Sprintf(seen, args...)}}
}

// does fills in what it costs, as a clause after "the engine".
func (f finding) does(clause string, args ...any) finding {
	f.EngineDoes = fmt.Sprintf(clause, args...)
	return f
}

// instead fills in what to do.
func (f finding) instead(what string, args ...any) finding {
	f.Instead = fmt.Sprintf(what, args...)
	return f
}

// of says how many pages the finding is about.
func (f finding) of(pages int64) finding {
	f.pages = pages
	return f
}
