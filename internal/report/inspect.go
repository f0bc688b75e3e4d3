package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
	"github.com/fbtune/fbtune/internal/health"
)

// Inspected is what was learnt about a database, and what that means.
type Inspected struct {
	Database string             `json:"database"` // as it was asked for
	Source   string             `json:"source"`   // where header, tables and indices come from
	Firebird string             `json:"firebird"` // version of the server; empty without one
	Header   CheckedDatabase    `json:"header"`
	Findings []check.Finding    `json:"findings"` // in order of gain
	Gaps     []health.Gap       `json:"gaps"`
	Activity *inspect.Activity  `json:"activity"`        // nil without a server
	Locks    *lockprint.Table   `json:"locks"`           // nil when not known
	Temp     *inspect.TempFiles `json:"temporary_files"` // nil when not known
	Tables   []gstat.Table      `json:"tables"`          // largest first, as are indices
	Indices  []gstat.Index      `json:"indices"`
	Observed confgen.Observed   `json:"observed"`
	Unknown  []string           `json:"unknown"` // what could not be learnt, why, and what to do
}

// Inspect adds to what was learnt about a database what that means.
func Inspect(d inspect.Database) Inspected {
	i := Inspected{
		Database: d.Name, Source: d.Source, Header: CheckedDatabase{Path: d.Path, Header: d.Statistics.Header},
		Findings: append([]check.Finding{}, health.Findings(d)...), Gaps: health.Gaps(d),
		Activity: d.Activity, Locks: d.Locks, Temp: d.Temp,
		Tables: append([]gstat.Table{}, d.Statistics.Tables...), Indices: append([]gstat.Index{}, d.Statistics.Indices...),
		Observed: d.Observed(), Unknown: append([]string{}, d.Unknown...),
	}
	if d.Server != (confgen.Version{}) {
		i.Firebird = d.Server.String()
	}
	return i
}

// MostInspected is how many findings, tables and indices are shown unless all
// are asked for.
const MostInspected = 20

// Inspection writes an inspection: findings first, then what they come from.
func Inspection(w io.Writer, i Inspected, all bool) error {
	most := MostInspected
	if all {
		most = max(len(i.Findings), len(i.Tables), len(i.Indices))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", i.Database)
	b.WriteString(indented("by " + i.Source))
	b.WriteString(indented(header(i.Header)))
	b.WriteString("\nFindings, in order of gain\n")
	if len(i.Findings) == 0 {
		b.WriteString("  none\n")
	}
	for _, f := range i.Findings[:min(most, len(i.Findings))] {
		b.WriteString(found(f))
	}
	more(&b, "findings", len(i.Findings), most)
	b.WriteString("\nTransactions\n")
	b.WriteString(gapLines(i.Gaps))
	b.WriteString(activity(i))
	if len(i.Tables) > 0 {
		b.WriteString("\nTables\n")
		b.WriteString(tableTable(i.Tables[:min(most, len(i.Tables))]))
		more(&b, "tables", len(i.Tables), most)
	}
	if len(i.Indices) > 0 {
		b.WriteString("\nIndices\n")
		b.WriteString(indexTable(i.Indices[:min(most, len(i.Indices))]))
		more(&b, "indices", len(i.Indices), most)
	}
	section(&b, "Not known", i.Unknown)
	_, err := io.WriteString(w, b.String())
	return err
}

// more says how many of something are left out.
func more(b *strings.Builder, what string, all, shown int) {
	if all > shown {
		fmt.Fprintf(b, "  %d more %s: --all\n", all-shown, what)
	}
}

// found is a finding about a database.
func found(f check.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: [%s]\n", strings.ToUpper(string(f.Severity)), f.Rule)
	if what := strings.Trim(f.Name+": "+f.Written, ": "); what != "" {
		b.WriteString(indented(what))
	}
	b.WriteString(indented("the engine " + f.EngineDoes))
	b.WriteString(indented("instead: " + f.Instead))
	return b.String()
}

// gapLines has the distances between transaction counters.
func gapLines(gaps []health.Gap) string {
	var b strings.Builder
	for _, g := range gaps {
		fmt.Fprintf(&b, "%s: %d\n", g.Name, g.Transactions)
		b.WriteString(indented(g.Means))
		b.WriteString(indented("held by: " + cmp.Or(g.HeldBy, "nobody")))
	}
	return b.String()
}

// activity is what a server and its machine showed.
func activity(i Inspected) string {
	var b strings.Builder
	if i.Activity != nil || i.Locks != nil || i.Temp != nil {
		b.WriteString("\nServer\n")
	}
	if a := i.Activity; a != nil {
		line := fmt.Sprintf("%d page buffers in force, %d attachments and %d open transactions beside fbtune's", a.PageBuffers, a.Attachments, len(a.Transactions))
		if a.Watched > 0 {
			line += fmt.Sprintf("; watched for %s in %d looks: at most %d attachments, %d page fetches, %d reads, %d writes", a.Watched.Round(time.Second), a.Looks, a.Peak, a.IO.Fetches, a.IO.Reads, a.IO.Writes)
			if ratio, known := a.IO.HitRatio(); known {
				line += ", cache hits " + percent(ratio)
			} else {
				line += ", too few for a hit ratio"
			}
		}
		b.WriteString(indented(line))
	}
	if l := i.Locks; l != nil {
		b.WriteString(indented(fmt.Sprintf("lock table: %d slots with chains of %d to %d, %.2f on average; %s of %s used, %d owners; %s of %d acquires waited, %d deadlocks",
			l.HashSlots, l.ShortestChain, l.LongestChain, l.AverageChain, l.Used, l.Length, l.Owners, percent(l.MutexWait()), l.Acquires, l.Deadlocks)))
	}
	if t := i.Temp; t != nil {
		b.WriteString(indented(fmt.Sprintf("temporary data in files: %s in %d", t.Bytes, t.Files)))
	}
	return b.String()
}

func tableTable(tables []gstat.Table) string {
	t := newTable(left, right, right, right, right, right, right, right).
		Headers("table", "size", "fill", "records", "bytes each", "versions", "most of one", "fragments")
	for _, r := range tables {
		t.Row(r.Name, r.Size.String(), percent(r.Fill), fmt.Sprint(r.Records), fmt.Sprintf("%.0f", r.RecordBytes), fmt.Sprint(r.Versions), fmt.Sprint(r.MostVersions), fmt.Sprint(r.Fragments))
	}
	return render(t)
}

func indexTable(indices []gstat.Index) string {
	t := newTable(left, left, right, right, right, right, right, right, right).
		Headers("index", "table", "size", "depth", "entries", "duplicates", "most of one", "selectivity", "cured by")
	for _, r := range indices {
		cure := ""
		if r.CurePageSize > 0 {
			cure = fmt.Sprint(int64(r.CurePageSize))
		}
		t.Row(r.Name, r.Table, r.Size.String(), fmt.Sprint(r.Depth), fmt.Sprint(r.Nodes), fmt.Sprint(r.Duplicates), fmt.Sprint(r.MostDuplicates), fmt.Sprintf("%.2g", r.Selectivity), cure)
	}
	return render(t)
}
