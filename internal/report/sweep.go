package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
)

// mark is put on the best cell and on every one that cannot be told from it.
const mark = "*"

// SweepTable lays the cells of a sweep out for a terminal.
func SweepTable(r tuner.Result) string {
	return SweepGrid(r).text(0) + fmt.Sprintf("\n%s\n", SweepControl(r))
}

// SweepControl says what the stock configuration did.
func SweepControl(r tuner.Result) string {
	control := r.Cells[0]
	return fmt.Sprintf("control (stock, %s): %s", control.Mode, strings.TrimRight(sweepCell(control), " "))
}

// SweepGrid returns the sweep in the shape of the published one: a row for each
// value, a column for each architecture, each cell the operations per second with
// their 95 % interval.
func SweepGrid(r tuner.Result) Grid {
	header := []string{r.Plan.Param}
	others := []string{""}
	if r.Plan.Second != "" {
		header = append(header, r.Plan.Second)
		others = r.Plan.Others
	}
	for _, mode := range r.Plan.Modes {
		header = append(header, string(mode))
		if r.Plan.LikePublished {
			header = append(header, "published")
		}
	}
	t := Grid{Header: header}
	for _, value := range r.Plan.Values {
		for _, other := range others {
			row := []string{value}
			if r.Plan.Second != "" {
				row = append(row, other)
			}
			for _, mode := range r.Plan.Modes {
				cell := find(r.Cells, mode, value, other)
				row = append(row, sweepCell(cell))
				if r.Plan.LikePublished {
					row = append(row, Number(cell.Published))
				}
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// find returns the cell of a mode and the values of the plan's settings.
func find(cells []tuner.CellResult, mode confgen.Mode, value, other string) tuner.CellResult {
	i := slices.IndexFunc(cells, func(c tuner.CellResult) bool { return c.Mode == mode && c.Value == value && c.Other == other })
	if i < 0 {
		return tuner.CellResult{Status: tuner.CellNotRun}
	}
	return cells[i]
}

// sweepCell is one number with its interval and mark, or why there is none.
func sweepCell(c tuner.CellResult) string {
	switch {
	case c.Status == tuner.CellFailed:
		return "FAILED  "
	case c.Status == tuner.CellNotRun || !c.Known():
		return "-  "
	}
	text := figure(c.Figure)
	if c.High == 0 { // nothing is known yet that would tell cells apart
		return text + "  "
	}
	if c.SameAsBest {
		return text + " " + mark
	}
	return text + "  "
}

// figure writes operations per second or a latency, with its interval.
func figure(f tuner.Figure) string {
	text := Number(f.OpsPerSecond + f.P95) // one of them is 0
	if f.High > 0 {
		text += " [" + Number(f.Low) + ", " + Number(f.High) + "]"
	}
	return text
}

// measure names what figures are of.
func measure(o tuner.Objective) string {
	if o == tuner.LatencyP95 {
		return "p95 latency in ms at a fixed rate"
	}
	return "operations per second"
}

// Number writes a figure with as many digits as mean something: three at least.
func Number(x float64) string {
	switch {
	case x == 0:
		return "-"
	case x < 10:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 100:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Sweep writes the result of a sweep for a person: the table, what it means
// and how it was measured.
func Sweep(w io.Writer, r tuner.Result) error {
	var b strings.Builder
	what := measure(r.Plan.Load.Objective())
	fmt.Fprintf(&b, "%s%s, %d of %d trials, [95 %% interval]\n\n%s", strings.ToUpper(what[:1]), what[1:], len(r.Trials), r.Plan.Runs(), SweepTable(r))
	for _, line := range SweepMeaning(r) {
		fmt.Fprintln(&b, line)
	}
	for _, line := range SweepMethod(r) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// SweepSentences says in three sentences what to set, what it brings and how sure
// that is.
func SweepSentences(r tuner.Result) []string {
	if r.Best == "" {
		return []string{"Nothing is known yet: no trial of a cell has ended well."}
	}
	if !r.Bounded {
		return []string{fmt.Sprintf("So far %s is the best, and too few trials have ended to say which differences are real.", r.Best)}
	}
	cell := func(name string) tuner.CellResult {
		return r.Cells[slices.IndexFunc(r.Cells, func(c tuner.CellResult) bool { return c.Name == name })]
	}
	choice := r.Choice
	if choice == "" {
		choice = r.Best
	}
	change := fmt.Sprintf("Run %s: of what could not be told from the best, %s, it takes the least memory.", choice, r.Best)
	if r.Cells[0].SameAsBest {
		change = fmt.Sprintf("Leave the stock configuration as it is: it cannot be told from the best, %s.", r.Best)
	}
	return []string{
		change,
		fmt.Sprintf("%s has %s %s; stock has %s.", choice, figure(cell(choice).Figure), measure(r.Plan.Load.Objective()), figure(r.Cells[0].Figure)),
		fmt.Sprintf("This is from %d trials in randomised blocks, with intervals of 95 %%; a true difference of %s between two cells would be found with 80 %% power.", len(r.Trials), percent(r.DetectionLimit)),
	}
}

// SweepMeaning says what follows from the table.
func SweepMeaning(r tuner.Result) []string {
	var lines []string
	if r.Best != "" && r.Bounded {
		lines = append(lines, fmt.Sprintf("%s best, or not to be told from the best", mark))
	}
	if r.Choice != "" && r.Bounded {
		lines = append(lines, fmt.Sprintf("choice: %s, which takes the least memory of those marked (%s when its caches are full)", r.Choice, r.ChoiceMemory))
	}
	if r.Best != "" && !r.Bounded {
		lines = append(lines, "too few trials to say which differences are real; run more --blocks")
	}
	if slices.ContainsFunc(r.Cells, func(c tuner.CellResult) bool { return c.Status == tuner.CellNotRun }) {
		lines = append(lines, "- not measured")
	}
	if r.Plan.LikePublished {
		lines = append(lines, "published: IBSurgeon, Firebird 2.5 on another machine, 16 KiB pages, 20 terminals; compare how columns rise and fall, not figures")
	}
	for _, c := range r.Cells {
		if c.Failed > 0 {
			lines = append(lines, fmt.Sprintf("%s FAILED in %d trial(s):", c.Name, c.Failed), strings.TrimSuffix(indented(c.Reason), "\n"))
		}
	}
	if !r.Complete {
		lines = append(lines, "this is not the whole sweep: go on with fbtune sweep --resume")
	}
	for _, warning := range r.Warnings {
		lines = append(lines, "warning: "+warning)
	}
	return lines
}

// SweepMethod says how the numbers came about.
func SweepMethod(r tuner.Result) []string {
	e, lines := r.Environment, []string{""}
	if r.Bounded {
		lines = append(lines, fmt.Sprintf("run-to-run variation %s; a true difference of %s between two cells would be found with 80 %% power",
			percent(r.Sigma), percent(r.DetectionLimit)))
	}
	lines = append(lines,
		fmt.Sprintf("overhead %.2f s a trial outside warm-up and window: reset %.2f, start %.2f, verify %.2f, connect %.2f, disconnect %.2f, check %.2f, stop %.2f, other %.2f",
			r.OverheadTotal, r.Overhead.Reset, r.Overhead.Start, r.Overhead.Verify, r.Overhead.Connect, r.Overhead.Disconnect, r.Overhead.Check, r.Overhead.Stop, r.Overhead.Other),
		loadLine(e, r.Load),
	)
	if r.Plan.Calibration > 0 {
		lines = append(lines, fmt.Sprintf("warm-up and window were chosen from %d runs of the stock configuration, which do not count", r.Plan.Calibration))
	}
	if held := settingsText(r.Plan.Base); held != "" {
		lines = append(lines, "held in every cell but the control: "+held)
	}
	return append(lines, environmentLines(e)...)
}

// loadLine says how the trials were driven.
func loadLine(e tuner.Environment, l tuner.Load) string {
	return fmt.Sprintf("load: TPC-C-like, %d warehouses at cardinality %g (%s, pages of %s), %d connections, warm-up %s, window %s",
		l.Scale.Warehouses, l.Scale.Cardinality, confgen.Bytes(e.Database.Bytes), confgen.Bytes(l.PageSize), l.Connections, warmupText(l.Warmup), l.Duration)
}

// settingsText lists settings as they would stand in firebird.conf.
func settingsText(settings map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		list = append(list, name+" = "+settings[name])
	}
	return strings.Join(list, ", ")
}

// environmentLines name what figures depend on.
func environmentLines(e tuner.Environment) []string {
	return []string{
		fmt.Sprintf("server: Firebird %s, %d bits, %s", e.Firebird.Build, e.Firebird.Bits, e.Isolation),
		fmt.Sprintf("machine: %s, %s CPUs usable, %s of memory, %s on %s", e.Host.CPU.Model, e.Host.CPU.Usable, e.Host.Memory.Usable, e.Host.Disk.FileSystem, e.Host.Disk.Source),
		"cache: " + e.CacheMode,
	}
}

func warmupText(d time.Duration) string {
	if d == 0 {
		return "automatic"
	}
	return d.String()
}

// percent writes a fraction.
func percent(f float64) string { return strconv.FormatFloat(100*f, 'f', 1, 64) + " %" }
