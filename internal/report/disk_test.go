package report

import (
	"bytes"
	"testing"
	"time"

	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// measuredDisk is a disk on which every operation took a time.
func measuredDisk(path string, each time.Duration) diskbench.Result {
	r := diskbench.Result{
		Disk: probe.Disk{Path: path, FileSystem: probe.Given("ext4", "test"), Source: probe.Given("/dev/sda1", "test")},
		Size: probe.GiB, Fill: 2300 * time.Millisecond, Engine: "psync: pread and pwrite", Direct: true,
	}
	ms := each.Seconds() * 1000
	opened := map[diskbench.Mode]string{diskbench.Direct: "O_DIRECT", diskbench.Dsync: "O_DSYNC", diskbench.Fsync: "fsync after each write"}
	for _, t := range diskbench.Tests(16 * probe.KiB) {
		iops := float64(t.Workers) / each.Seconds()
		r.Tests = append(r.Tests, diskbench.TestResult{Test: t, Measurement: diskbench.Measurement{
			Opened: opened[t.Mode], Operations: int64(iops * 5), Elapsed: 5 * time.Second, IOPS: iops, BytesPerSecond: iops * float64(t.Block),
			Latency: diskbench.Latency{Mean: 1.1 * ms, P50: ms, P99: 3 * ms, Max: 9 * ms},
		}})
	}
	return r
}

func TestDisksText(t *testing.T) {
	slow, fast := measuredDisk("/mnt/old", 8300*time.Microsecond), measuredDisk("/mnt/new", 81*time.Microsecond)
	slow.Findings = []diskbench.Finding{{
		Rule: "slow-flush", Severity: diskbench.Warning, Says: "this is your disk's flush cost",
		Evidence: "a page takes 8.3 ms", Instead: "use another disk",
	}}
	slow.Warnings = []string{"SEQ1M Q1T1 read: only 60 operations; give a longer --duration"}
	var b bytes.Buffer
	if err := Disks(&b, []diskbench.Result{slow}, nil, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "disk.txt", b.String())

	b.Reset()
	ratios := []DiskRatio{
		{Name: "SEQ1M Q8T1", Operation: diskbench.Read, Comparison: sidebyside.Comparison{Blocks: 5, Ratio: 102.5, Bounded: true, Low: 99, High: 106}},
		{Name: "RND4K Q1T1", Operation: diskbench.Write, Comparison: sidebyside.Comparison{Blocks: 5, Ratio: 1.02, Bounded: true, Low: 0.97, High: 1.07}},
		{Name: diskbench.PageWrite, Operation: diskbench.Write, Comparison: sidebyside.Comparison{Blocks: 1, Ratio: 0.5}},
	}
	if err := Disks(&b, []diskbench.Result{slow, fast}, ratios, false); err != nil {
		t.Fatal(err)
	}
	golden(t, "disks.txt", b.String())
}
