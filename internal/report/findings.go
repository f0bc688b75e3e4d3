package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// CheckedFile is the configuration of one server, checked.
type CheckedFile struct {
	Conf      string          `json:"conf"`      // its firebird.conf; empty when there was none to check
	Databases string          `json:"databases"` // its databases.conf or aliases.conf; empty likewise
	Firebird  confgen.Version `json:"firebird"`  // the version by whose rules it was read
	Windows   bool            `json:"windows"`   // whether it was read as a file of Windows
	Notes     []string        `json:"notes"`     // what was assumed, or could not be read
	Findings  []check.Finding `json:"-"`         // worst first

	Log           string            `json:"log"`            // its firebird.log; empty when it was not read
	DatabaseFiles []CheckedDatabase `json:"database_files"` // those whose headers were read
}

// CheckedDatabase is a database whose header was read.
type CheckedDatabase struct {
	Name string `json:"name"` // alias; empty when it has none
	Path string `json:"path"`
	dbheader.Header
}

// Name is the file, or both, for a person.
func (c CheckedFile) Name() string {
	if c.Conf != "" && c.Databases != "" {
		return c.Conf + ", " + c.Databases
	}
	return c.Conf + c.Databases
}

// Count returns how many findings are as bad as a severity or worse.
func (c CheckedFile) Count(severity check.Severity) int {
	n := 0
	for _, f := range c.Findings {
		if f.Severity.AtLeast(severity) {
			n++
		}
	}
	return n
}

// SortChecked puts the configuration with the worst findings first, and of
// equally bad ones that with the most.
func SortChecked(list []CheckedFile) {
	slices.SortStableFunc(list, func(a, b CheckedFile) int {
		for _, severity := range check.Severities() {
			if c := cmp.Compare(b.Count(severity), a.Count(severity)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.Name(), b.Name())
	})
}

// Checked writes findings: in full, or when there are many configurations a
// line for each.
func Checked(w io.Writer, list []CheckedFile, many bool) error {
	var b strings.Builder
	if many {
		b.WriteString(overview(list))
	} else {
		for i, c := range list {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(full(c))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// overview has a line for each configuration, with its worst finding.
func overview(list []CheckedFile) string {
	t := newTable(left, left, right, right, left, left).Headers("file", "worst", "serious", "notes", "read as", "first finding")
	for _, c := range list {
		worst, first := "clean", ""
		if len(c.Findings) > 0 {
			f := c.Findings[0]
			worst, first = string(f.Severity), place(f)+subject(f)+f.EngineDoes
		}
		serious := c.Count(check.Warning)
		t.Row(c.Name(), worst, fmt.Sprint(serious), fmt.Sprint(len(c.Findings)-serious), c.Firebird.String(), short80(first))
	}
	return render(t)
}

// short80 cuts a text to what fits on a line.
func short80(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-3]) + "..."
	}
	return text
}

// place is where in its file a finding is.
func place(f check.Finding) string {
	if f.Line == 0 {
		return ""
	}
	return fmt.Sprintf("line %d: ", f.Line)
}

// subject is what a finding is about.
func subject(f check.Finding) string {
	switch {
	case f.Name != "" && f.Written != "":
		return fmt.Sprintf("%s = %s: ", f.Name, f.Written)
	case f.Name != "":
		return f.Name + ": "
	case f.Written != "":
		return f.Written + ": "
	}
	return ""
}

// full has all findings of a configuration.
func full(c CheckedFile) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, read as Firebird %s\n", c.Name(), c.Firebird)
	for _, note := range c.Notes {
		b.WriteString(indented(note))
	}
	for _, d := range c.DatabaseFiles {
		b.WriteString(indented(header(d)))
	}
	if len(c.Findings) == 0 {
		b.WriteString("  clean\n")
	}
	for _, f := range c.Findings {
		at := f.File
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		fmt.Fprintf(&b, "\n%s: %s  [%s]\n", strings.ToUpper(string(f.Severity)), at, f.Rule)
		if what := strings.TrimSuffix(subject(f), ": "); what != "" {
			fmt.Fprintf(&b, "  %s\n", what)
		}
		b.WriteString(indented("the engine " + f.EngineDoes))
		b.WriteString(indented("instead: " + f.Instead))
	}
	return b.String()
}

// header is what a database's header says, for a person.
func header(d CheckedDatabase) string {
	buffers := "no page buffers"
	if d.PageBuffers != 0 {
		buffers = fmt.Sprintf("page buffers %d", d.PageBuffers)
	}
	t := d.Transactions
	return fmt.Sprintf("%s: ODS %s, pages of %s, %s in the header, forced writes %s, sweep interval %d; transactions: oldest %d, oldest active %d, oldest snapshot %d, next %d",
		strings.TrimSpace(d.Name+" "+d.Path), d.ODS, d.PageSize, buffers, onOff(d.ForcedWrites), d.SweepInterval, t.Oldest, t.OldestActive, t.OldestSnapshot, t.Next)
}

// Rules writes the table of rules.
func Rules(w io.Writer, rules []check.Rule) error {
	t := newTable(left, left, left, left).Headers("rule", "severity", "versions", "looks for")
	for _, r := range rules {
		versions := "all"
		switch none := (confgen.Version{}); {
		case r.From != none && r.Before != none:
			versions = fmt.Sprintf("%s to before %s", r.From.Line(), r.Before.Line())
		case r.From != none:
			versions = fmt.Sprintf("from %s", r.From.Line())
		case r.Before != none:
			versions = fmt.Sprintf("before %s", r.Before.Line())
		}
		t.Row(r.ID, string(r.Severity), versions, r.About)
	}
	var b strings.Builder
	b.WriteString(render(t))
	b.WriteString("\nSources\n")
	for _, r := range rules {
		b.WriteString(indented(r.ID + ": " + r.Source))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
