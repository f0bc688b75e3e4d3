package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
)

// GrowthPlan says what a growth will do, and how long that takes at most.
func GrowthPlan(g tuner.Growth) string {
	all, loading := g.Bound()
	return fmt.Sprintf("%d databases to load, %d trials: at most %s, %s of it to load at the rate published of two SATA disks", len(g.Cells()), g.Runs(), all, loading)
}

// LoadingLine is the load of a database in a line.
func LoadingLine(cell string, l tuner.Loading) string {
	return fmt.Sprintf("%s: %s loaded in %s s, %s MB/s, %.0f rows/s", cell, confgen.Bytes(l.Load.Bytes), Number(l.Duration().Seconds()), Number(l.BytesPerSecond()/1e6), l.RowsPerSecond())
}

// GrowthTable has a row for each size, and of two paths one for each.
func GrowthTable(r tuner.GrowthResult) string {
	two := len(r.Plan.Paths) == 2
	columns := []string{"size", "file", "/cap", "/RAM", "load s", "MB/s", "rows/s", "ops/s"}
	if two {
		columns = slices.Insert(columns, 1, "path")
	}
	t := newTable(slices.Repeat([]lipgloss.Position{right}, len(columns))...).Headers(columns...)
	for _, s := range r.Sizes {
		row := []string{s.Name, "-", "-", "-", "-", "-", "-", sizeScore(s)}
		if l := s.Loading; l != nil {
			row = []string{s.Name, confgen.Bytes(l.Load.Bytes).String(), Number(s.ToCap), Number(s.ToRAM),
				Number(s.LoadSeconds), Number(s.LoadBytesPerSecond / 1e6), fmt.Sprintf("%.0f", s.LoadRowsPerSecond), sizeScore(s)}
		}
		if two {
			row = slices.Insert(row, 1, s.Path)
		}
		t.Row(row...)
	}
	return render(t)
}

// sizeScore is the throughput of a size with its interval, or why there is none.
func sizeScore(s tuner.SizeResult) string {
	switch {
	case s.Status == tuner.CellFailed:
		return "FAILED"
	case !s.Known():
		return "-"
	}
	return figure(s.Figure)
}

// Growth writes the result of a growth for a person: table, charts, what they
// mean and how they were measured.
func Growth(w io.Writer, r tuner.GrowthResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Load speed and operations per second by size of the database, %d of %d trials, [95 %% interval]\n\n%s", len(r.Trials), r.Plan.Runs(), GrowthTable(r))
	if len(r.Ratios) > 0 {
		fmt.Fprintf(&b, "\n%s divided by %s; ~ cannot be told apart\n\n%s", r.Plan.Paths[1], r.Plan.Paths[0], pathRatioTable(r.Ratios))
	}
	for _, c := range r.Charts {
		b.WriteString(drawn(c))
	}
	b.WriteByte('\n')
	for _, line := range slices.Concat(growthMeaning(r), growthMethod(r)) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pathRatioTable has a row for each size.
func pathRatioTable(ratios []tuner.PathRatio) string {
	t := newTable(right, right, right, left).Headers("size", "load speed", "blocks", "ops/s")
	for _, r := range ratios {
		ops := "-"
		if r.Blocks > 0 {
			ops = ratioText(r.Ratio, r.Low, r.High, r.Bounded)
		}
		t.Row(r.Size, Number(r.Load), fmt.Sprint(r.Blocks), ops)
	}
	return render(t)
}

// growthMeaning says what belongs beside the table.
func growthMeaning(r tuner.GrowthResult) []string {
	lines := []string{"MB is 1,000,000 bytes; a load is rows, keys, indexes and the flush to the disk, measured once"}
	if len(r.Published) > 0 {
		lines = append(lines, publishedSizes(r.Published), "  (IBSurgeon 2014: Firebird 2.5.2 SuperServer, 16 GB of memory, two SATA disks, 20 connections; compare how the line falls, not figures)")
	}
	for _, s := range r.Sizes {
		if s.Failed > 0 {
			lines = append(lines, fmt.Sprintf("%s FAILED in %d trial(s):", s.Cell, s.Failed), strings.TrimSuffix(indented(s.Reason), "\n"))
		}
	}
	if !r.Complete {
		lines = append(lines, "this is not the whole growth: go on with fbtune bench growth --resume")
	}
	for _, warning := range r.Warnings {
		lines = append(lines, "warning: "+warning)
	}
	return lines
}

// publishedSizes lists a published series.
func publishedSizes(published []tuner.PublishedSize) string {
	var list []string
	for _, p := range published {
		text := fmt.Sprintf("%.4g GiB %.2f ops/s", float64(p.Bytes)/float64(confgen.GiB), p.OpsPerSecond)
		if p.LoadMBPerSecond > 0 {
			text += fmt.Sprintf(" (%.2f MB/s)", p.LoadMBPerSecond)
		}
		list = append(list, text)
	}
	return "published: " + strings.Join(list, ", ")
}

// growthMethod says how the numbers came about.
func growthMethod(r tuner.GrowthResult) []string {
	lines := []string{""}
	if r.Bounded {
		lines = append(lines, fmt.Sprintf("run-to-run variation %s; a true difference of %s between two sizes would be found with 80 %% power", percent(r.Sigma), percent(r.DetectionLimit)))
	}
	l := r.Plan.Load
	lines = append(lines,
		fmt.Sprintf("overhead %.2f s a trial outside warm-up and window, %.2f of it for the fresh copy", r.OverheadTotal, r.Overhead.Reset),
		fmt.Sprintf("load: TPC-C-like, pages of %s, %d connections, warm-up %s, window %s, %d blocks of all sizes in random order", confgen.Bytes(l.PageSize), l.Connections, warmupText(l.Warmup), l.Duration, r.Plan.Blocks),
		"in every trial: "+settingsText(r.Plan.Settings),
	)
	return append(lines, environmentLines(r.Environment)...)
}
