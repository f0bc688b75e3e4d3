package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// DiskRatio compares a test on two disks: operations per second of the second
// one divided by those of the first, block by block.
type DiskRatio struct {
	Name      string              `json:"name"`
	Operation diskbench.Operation `json:"operation"`
	sidebyside.Comparison
}

// String is the ratio with its interval; "~" says that the interval includes 1.
func (r DiskRatio) String() string { return ratioText(r.Ratio, r.Low, r.High, r.Bounded) }

// DiskLine is a measurement in a line.
func DiskLine(t diskbench.Test, m diskbench.Measurement) string {
	return fmt.Sprintf("%s %s: %s MB/s, %s/s, p50 %.3f ms", testName(t), t.Operation, Number(m.BytesPerSecond/1e6), Number(m.IOPS), m.Latency.P50)
}

// Disks writes what was measured on disks, and the ratios when two are
// compared; complete says whether every test came to its end.
func Disks(w io.Writer, disks []diskbench.Result, ratios []DiskRatio, complete bool) error {
	var b strings.Builder
	if !complete {
		b.WriteString("Not complete: the tests that had ended.\n\n")
	}
	for _, d := range disks {
		b.WriteString(disk(d))
		b.WriteByte('\n')
	}
	if len(ratios) > 0 {
		b.WriteString(ratioHead("Operations per second", disks[0].Disk.Path, disks[1].Disk.Path))
		t := newTable(left, left, right, left).Headers("test", "", "blocks", "ratio")
		for _, r := range ratios {
			t.Row(r.Name, string(r.Operation), fmt.Sprint(r.Blocks), r.String())
		}
		b.WriteString(render(t))
		b.WriteByte('\n')
	}
	b.WriteString("Q is the number of threads, each with one operation under way; MB is 1,000,000 bytes; IOPS is operations per second,\nand the time of a flushed write has its flush.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// disk has the tables of one disk and what they mean.
func disk(r diskbench.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s on %s: a file of %s, written in %.1f s\nengine %s\n\n",
		r.Disk.Path, r.Disk.FileSystem, r.Disk.Source, r.Size, r.Fill.Seconds(), r.Engine)
	var speed, flush []diskbench.TestResult
	for _, t := range r.Tests {
		if t.Mode == diskbench.Direct {
			speed = append(speed, t)
		} else {
			flush = append(flush, t)
		}
	}
	b.WriteString(disksTable(speed))
	if len(flush) > 0 {
		b.WriteString("\nWhat Firebird waits for\n\n")
		b.WriteString(disksTable(flush))
	}
	b.WriteString(diskFindings(r.Findings))
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "\nwarning: %s\n", warning)
	}
	return b.String()
}

// diskFindings says what figures of a disk mean.
func diskFindings(findings []diskbench.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "\n%s: [%s]\n", strings.ToUpper(string(f.Severity)), f.Rule)
		for _, text := range [...]string{f.Says, f.Evidence, "instead: " + f.Instead} {
			b.WriteString(indented(text))
		}
	}
	return b.String()
}

// disksTable has a row for each test.
func disksTable(tests []diskbench.TestResult) string {
	t := newTable(left, left, right, right, right, right, right, right, left).
		Headers("test", "", "threads", "MB/s", "IOPS", "mean ms", "p50 ms", "p99 ms", "opened")
	ms := func(x float64) string { return fmt.Sprintf("%.3f", x) }
	for _, r := range tests {
		t.Row(testName(r.Test), string(r.Operation), fmt.Sprint(r.Workers), Number(r.BytesPerSecond/1e6), Number(r.IOPS),
			ms(r.Latency.Mean), ms(r.Latency.P50), ms(r.Latency.P99), r.Opened)
	}
	return render(t)
}

// testName is the name of a test, with the size of the pages it writes.
func testName(t diskbench.Test) string {
	if t.Name == diskbench.PageWrite {
		return fmt.Sprintf("%s %s", t.Block, t.Name)
	}
	return t.Name
}
