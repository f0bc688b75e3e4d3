package lockprint

import (
	"strings"
	"testing"
)

// lines joins the lines of an output; ~ is a tab.
func lines(all ...string) string {
	return strings.ReplaceAll(strings.Join(all, "\n")+"\n", "~", "\t")
}

// Outputs in the forms of the versions (src/lock/print.cpp).
var (
	of25 = lines("LOCK_HEADER BLOCK",
		"~Version: 17, Active owner:      0, Length: 1048576, Used:  81920",
		"~Flags: 0x0001",
		"~Enqs:   4711, Converts:     33, Rejects:      2, Blocks:      5",
		"~Deadlock scans:      1, Deadlocks:      0, Scan interval:  10",
		"~Acquires:   8000, Acquire blocks:   1200, Spin count:   0",
		"~Mutex wait: 15.0%",
		"~Hash slots: 1009, Hash lengths (min/avg/max):    3/  12/  31",
		"~Remove node:      0, Insert queue:      0, Insert prior:      0",
		"~Owners (2):~forward:  20000, backward:  21000",
		"~Free owners: *empty*",
		"~Free locks: *empty*",
		"~Free requests: *empty*",
		"~Lock Ordering: Enabled",
		"")
	of30 = lines("LOCK_HEADER BLOCK",
		"~Version: 146, Creation timestamp: 2026-12-01 09:00:00",
		"~Active owner:      0, Length: 7340032, Used:  95000",
		"~Enqs:     90, Converts:      2, Rejects:      0, Blocks:      0",
		"~Deadlock scans:      0, Deadlocks:      0, Scan interval:  10",
		"~Acquires:    100, Acquire blocks:      0, Spin count:   0",
		"~Mutex wait: 0.0%",
		"~Hash slots: 8191, Hash lengths (min/avg/max):    0/   0/   4",
		"~Remove node:      0, Insert queue:      0, Insert prior:      0",
		"~Owners: *empty*",
		"")
	of40 = lines("LOCK_HEADER BLOCK",
		"~Version: 149, Creation timestamp: 2026-12-01 09:00:00",
		"~Active owner:  78456, Length: 1048576, Used: 567000",
		"~Enqs:   1000, Converts:      2, Rejects:      0, Blocks:      0",
		"~Deadlock scans:      0, Deadlocks:      0, Scan interval:  10",
		"~Acquires:   3000, Acquire blocks:     30, Spin count:   0",
		"~Mutex wait: 1.0%",
		"~Hash slots:  101, Hash lengths (min/avg/max):    0/   1/   3",
		"~Hash lengths distribution:",
		"~~0  :       40~(39%)",
		"~~1  :       30~(29%)",
		"~~2  :       20~(19%)",
		"~~3  :       11~(10%)",
		"~Remove node:      0, Insert queue:      0, Insert prior:      0",
		"~Owners (5):~forward:  78400, backward:  79976",
		"")
	longChains = strings.Replace(of40, "\t\t3  :       11\t(10%)", "\t\t19 :        1\t(0%)\n\t\t>  :       10\t(9%)", 1)
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, output string
		want         Table
		wait         float64
	}{
		{"2.5", of25, Table{Length: 1048576, Used: 81920, Owners: 2, Acquires: 8000, AcquireBlocks: 1200, Enqueues: 4711, Rejects: 2, Blocks: 5,
			DeadlockScans: 1, HashSlots: 1009, ShortestChain: 3, AverageChain: 12, LongestChain: 31}, 0.15},
		{"3.0", of30, Table{Length: 7340032, Used: 95000, Acquires: 100, Enqueues: 90, HashSlots: 8191, LongestChain: 4}, 0},
		{"4.0, whose distribution gives the average", of40, Table{Length: 1048576, Used: 567000, Owners: 5, Acquires: 3000, AcquireBlocks: 30, Enqueues: 1000,
			HashSlots: 101, AverageChain: (30 + 2*20 + 3*11) / 101., LongestChain: 3}, 0.01},
		{"4.0, whose longest chains are not counted", longChains, Table{Length: 1048576, Used: 567000, Owners: 5, Acquires: 3000, AcquireBlocks: 30, Enqueues: 1000,
			HashSlots: 101, AverageChain: 1, LongestChain: 3}, 0.01},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Parse(test.output)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want || got.MutexWait() != test.wait {
				t.Errorf("%+v, wait %g\nwant %+v, %g", got, got.MutexWait(), test.want, test.wait)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for output, want := range map[string]string{
		"Unable to access lock table.\n": "while somebody is attached",
		"":                               "no lock table",
		strings.Replace(of30, "Hash slots", "Slots", 1):                           "of the server's own version",
		strings.Replace(of30, "8191", "99999999999999999999", 1):                  "out of range",
		strings.Replace(of40, "Owners (5)", "Owners (9999999999999999999999)", 1): "out of range",
	} {
		if got, err := Parse(output); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v (%v), want an error with %q", output, got, err, want)
		}
	}
}

// The acquires of a watch are those since its begin, unless the table is a new
// one.
func TestSince(t *testing.T) {
	last := Table{Acquires: 1000, AcquireBlocks: 300, HashSlots: 101}
	for _, test := range []struct {
		earlier Table
		want    float64
	}{
		{Table{Acquires: 800, AcquireBlocks: 200}, 0.5},
		{Table{Acquires: 2000, AcquireBlocks: 200}, 0.3},
		{Table{Acquires: 800, AcquireBlocks: 400}, 0.3},
		{last, 0},
	} {
		if got := last.Since(test.earlier); got.MutexWait() != test.want || got.HashSlots != 101 {
			t.Errorf("since %+v: %+v, want a wait of %g", test.earlier, got, test.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, output := range []string{of25, of30, of40, longChains} {
		f.Add(output)
	}
	f.Fuzz(func(t *testing.T, output string) {
		table, err := Parse(output)
		if err != nil {
			return
		}
		if wait := table.MutexWait(); !(wait >= 0 && wait <= 1) || !(table.AverageChain >= 0) || table.HashSlots < 0 || table.Used < 0 {
			t.Errorf("read %+v, wait %g", table, wait)
		}
	})
}
