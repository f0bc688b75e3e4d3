package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/sidebyside"
	"github.com/fbtune/fbtune/workload/rows"
)

// RowsPlace is what the insert, update and delete test showed in one place.
type RowsPlace struct {
	Path      string              `json:"path"`           // directory, database of --connect, or saved output
	Disk      *probe.Disk         `json:"disk,omitempty"` // below a private server's database
	Database  *rows.Server        `json:"database,omitempty"`
	Effective []running.Effective `json:"effective"`
	Runs      []rows.Run          `json:"runs"`   // by block
	Phases    []rows.Phase        `json:"phases"` // means of the runs
	Findings  []diskbench.Finding `json:"findings"`
}

// NewRowsPlace returns a place without a run.
func NewRowsPlace(path string) RowsPlace {
	return RowsPlace{Path: path, Effective: []running.Effective{}, Runs: []rows.Run{}, Phases: []rows.Phase{}, Findings: []diskbench.Finding{}}
}

// Add adds a run, if a phase of it came to its end.
func (p *RowsPlace) Add(t tuner.RowsTrial) {
	if len(t.Phases) == 0 {
		return
	}
	p.Runs = append(p.Runs, t.Run)
	if t.Server != nil {
		p.Database = t.Server
	}
	p.Effective = append(p.Effective[:0], t.Effective...)
	p.Phases = rows.Mean(p.Runs)
	p.Findings = tuner.RowsFindings(p.Phases)
}

// Rows writes what the insert, update and delete test showed, with what others
// published beside it. build is the private server, and "" without one; complete
// says whether every run came to its end.
func Rows(w io.Writer, build string, places []RowsPlace, published []rows.Published, ratios []sidebyside.Metric, complete bool) error {
	var b strings.Builder
	if !complete {
		b.WriteString("Not complete: what had ended.\n\n")
	}
	if build != "" {
		fmt.Fprintf(&b, "%s\n\n", build)
	}
	for _, p := range places {
		b.WriteString(rowsPlace(p))
		b.WriteByte('\n')
	}
	if len(ratios) > 0 {
		b.WriteString(metrics(places[0].Path, places[1].Path, ratios))
		b.WriteByte('\n')
	}
	b.WriteString("Published, rows per second of a million rows\n\n")
	b.WriteString(publishedRows(published))
	b.WriteString("\nRows per second have the commit in them. Reads, writes and fetches are pages of the loop and its commit.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// rowsPlace has the table of one place, what was in force and what it means.
func rowsPlace(p RowsPlace) string {
	var b strings.Builder
	b.WriteString(p.Path)
	if p.Disk != nil {
		fmt.Fprintf(&b, ", %s on %s", p.Disk.FileSystem, p.Disk.Source)
	}
	if len(p.Runs) > 1 {
		fmt.Fprintf(&b, ": means of %d runs", len(p.Runs))
	}
	b.WriteByte('\n')
	if d := p.Database; d != nil {
		fmt.Fprintf(&b, "in force: engine %s, ODS %s, pages of %s, %d page buffers, forced writes %s, sweep interval %d\n",
			d.Engine, d.ODS, confgen.Bytes(d.PageSize), d.PageBuffers, onOff(d.ForcedWrites), d.SweepInterval)
	}
	for _, setting := range p.Effective {
		fmt.Fprintf(&b, "  %s\n", effectiveLine(setting))
	}
	t := newTable(left, right, right, right, right, right, right, right, right).
		Headers("phase", "rows", "rows/s", "seconds", "commit s", "commit", "reads", "writes", "fetches")
	for _, phase := range p.Phases {
		t.Row(phase.Name, fmt.Sprint(phase.Rows), Number(phase.RowsPerSecond), fmt.Sprintf("%.3f", phase.Seconds), fmt.Sprintf("%.3f", phase.CommitSeconds),
			percent(phase.CommitShare), fmt.Sprint(phase.Reads), fmt.Sprint(phase.Writes), fmt.Sprint(phase.Fetches))
	}
	b.WriteByte('\n')
	b.WriteString(render(t))
	b.WriteString(diskFindings(p.Findings))
	for _, run := range p.Runs {
		for _, warning := range run.Warnings {
			fmt.Fprintf(&b, "\nwarning: %s\n", warning)
		}
	}
	return b.String()
}

// publishedRows is the table of what others measured, with the sources below.
func publishedRows(published []rows.Published) string {
	t := newTable(left, right, right, right, left).Headers("server", "insert", "update", "delete", "source")
	rate := func(x float64) string {
		if x == 0 {
			return "-"
		}
		return Number(x)
	}
	var sources []string
	for _, p := range published {
		source := p.Source + ": " + p.Note
		at := slices.Index(sources, source)
		if at < 0 {
			at, sources = len(sources), append(sources, source)
		}
		t.Row(cmp.Or(p.Server, "not said"), rate(p.Insert), rate(p.Update), rate(p.Delete), fmt.Sprintf("[%d]", at+1))
	}
	text := render(t) + "\n"
	for i, source := range sources {
		text += fmt.Sprintf("[%d] %s\n", i+1, source)
	}
	return text
}

// onOff is how Firebird's tools spell a switch.
func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
