package diskbench

import (
	"fmt"
	"slices"
	"time"

	"github.com/fbtune/fbtune/probe"
)

// Severity says how bad a finding is, in the words of fbtune check.
type Severity string

// Severities.
const (
	Warning Severity = "warning" // costs speed or safety
	Note    Severity = "note"    // worth knowing
)

// Finding is what figures of a disk mean for a database on it.
type Finding struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Says     string   `json:"says"`
	Evidence string   `json:"evidence"` // the figures it rests on
	Instead  string   `json:"instead"`  // what to do
}

// slowFlush is from when the time of a forced page write is called slow: half
// a turn of a disk with 15,000 turns a minute, the fastest that were built. A
// cache that power cuts do not empty answers in less.
const slowFlush = 2 * time.Millisecond

// fastFlush is below what a flush is called fast: 20,000 a second from one
// thread.
const fastFlush = 50 * time.Microsecond

// memoryFileSystems keep their files in memory.
var memoryFileSystems = []string{"tmpfs", "ramfs", "hugetlbfs"}

// inMemory reports whether what was measured is no disk.
func inMemory(d probe.Disk) bool { return slices.Contains(memoryFileSystems, d.FileSystem.Value) }

// rules are the findings, in the order in which they are shown.
var rules = []struct {
	id       string
	severity Severity
	find     func(Result) (Finding, bool)
}{
	{"memory-file-system", Warning, func(r Result) (Finding, bool) {
		return Finding{
			Says:     "this is memory: the figures say nothing about a disk, and a database here is lost at a restart",
			Evidence: fmt.Sprintf("%s is on %s, mounted at %s", r.Disk.Path, r.Disk.FileSystem.Value, r.Disk.MountPoint.Value),
			Instead:  "give the directory of your databases with --path",
		}, inMemory(r.Disk)
	}},
	{"slow-flush", Warning, func(r Result) (Finding, bool) {
		// https://github.com/FirebirdSQL/firebird/issues/8551: inserts of 12,000
		// a second against 5,500 that were write barriers, no setting.
		t, measured := r.find(PageWrite)
		return Finding{
			Says: "this is your disk's flush cost; page buffers will not fix it",
			Evidence: fmt.Sprintf("a page of %s with forced writes takes %.3g ms (p50), %.3g ms (p99): one connection gets %.0f page writes a second, and a commit takes several",
				t.Block, t.Latency.P50, t.Latency.P99, t.IOPS),
			Instead: "use a disk or controller whose write cache is protected against power cuts; forced writes off, nobarrier or barrier=0 hide the cost, and a power cut then means corruption",
		}, measured && t.Latency.P50 >= ms(slowFlush)
	}},
	{"fast-flush", Note, func(r Result) (Finding, bool) {
		t, measured := r.find(Overwrite)
		return Finding{
			Says:     fmt.Sprintf("flushes return in %.3g µs: either the device keeps what is in its write cache through a power cut, or it, or the host of a virtual disk, ignores flushes; fbtune cannot tell which", t.Latency.P50*1000),
			Evidence: fmt.Sprintf("4 KiB written and flushed in %.3g µs (p50), %.3g µs (p99), %.0f times a second", t.Latency.P50*1000, t.Latency.P99*1000, t.IOPS),
			Instead:  "ask whoever runs the storage; if flushes are ignored, a power cut loses what was committed",
		}, measured && t.Latency.P50 < ms(fastFlush) && !inMemory(r.Disk)
	}},
	{"no-direct-io", Note, func(r Result) (Finding, bool) {
		return Finding{
			Says:     "the file cache cannot be passed by here: reads went through it, writes waited for the device one by one",
			Evidence: r.NoDirect,
			Instead:  "compare with figures of the same kind only, see how each test was opened",
		}, !r.Direct
	}},
}

// ms is a duration as latencies are given.
func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// find returns a test by its name, when it was run.
func (r Result) find(name string) (TestResult, bool) {
	i := slices.IndexFunc(r.Tests, func(t TestResult) bool { return t.Name == name })
	if i < 0 {
		return TestResult{}, false
	}
	return r.Tests[i], true
}

// findings returns what a result means for a database.
func findings(r Result) []Finding {
	all := []Finding{}
	for _, rule := range rules {
		if f, found := rule.find(r); found {
			f.Rule, f.Severity = rule.id, rule.severity
			all = append(all, f)
		}
	}
	return all
}
