package diskbench

import (
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/probe"
)

// figures is a result with the figures that findings look at.
func figures(fileSystem string, direct bool, pageMS, flushMS float64) Result {
	one := func(name string, ms float64) TestResult {
		return TestResult{
			Test:        Test{Name: name, Operation: Write, Block: 8 * probe.KiB, Workers: 1},
			Measurement: Measurement{Operations: 1000, IOPS: 1000 / ms, Latency: Latency{Mean: ms, P50: ms, P99: 3 * ms}},
		}
	}
	return Result{
		Disk:   probe.Disk{Path: "/data", MountPoint: probe.Given("/data", "test"), FileSystem: probe.Given(fileSystem, "test")},
		Direct: direct, NoDirect: "O_DIRECT: invalid argument", Tests: []TestResult{one(PageWrite, pageMS), one(Overwrite, flushMS)},
	}
}

func TestFindings(t *testing.T) {
	for name, row := range map[string]struct {
		result   Result
		rules    []string
		evidence string // of the first one
	}{
		"a disk with a protected cache, honest or not": {figures("ext4", true, 0.04, 0.0499), []string{"fast-flush"}, "49.9 µs (p50), 150 µs (p99), 20040 times a second"},
		"neither fast nor slow":                        {figures("ext4", true, 1.99, 0.05), nil, ""},
		"a disk that turns":                            {figures("ext4", true, 8.3, 8.3), []string{"slow-flush"}, "8.3 ms (p50), 24.9 ms (p99): one connection gets 120 page writes a second"},
		"the border":                                   {figures("xfs", true, 2, 2), []string{"slow-flush"}, "a page of 8 KiB with forced writes takes 2 ms"},
		"memory":                                       {figures("tmpfs", true, 0.003, 0.003), []string{"memory-file-system"}, "/data is on tmpfs, mounted at /data"},
		"no direct transfer":                           {figures("fuse", false, 1, 1), []string{"no-direct-io"}, "O_DIRECT: invalid argument"},
		"nothing measured":                             {Result{Direct: true}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := findings(row.result)
			var rules []string
			for _, f := range got {
				rules = append(rules, f.Rule)
				if f.Says == "" || f.Instead == "" || f.Severity != Warning && f.Severity != Note {
					t.Errorf("%+v is not whole", f)
				}
			}
			if !slices.Equal(rules, row.rules) {
				t.Fatalf("rules %v, want %v", rules, row.rules)
			}
			if len(got) > 0 && !strings.Contains(got[0].Evidence, row.evidence) {
				t.Errorf("evidence %q, want %q", got[0].Evidence, row.evidence)
			}
		})
	}
}

// No advice about flushes goes without the word for what a power cut does.
func TestSlowFlushNamesTheRisk(t *testing.T) {
	f := findings(figures("ext4", true, 8, 8))
	if len(f) != 1 || !strings.Contains(f[0].Instead, "corruption") {
		t.Errorf("%+v", f)
	}
}
