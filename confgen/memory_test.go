package confgen

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// line returns the line of a budget.
func (b Budget) line(t *testing.T, name Memory) Line {
	t.Helper()
	for _, l := range b.Lines {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("no line %q in %+v", name, b)
	return Line{}
}

// TestPlanLines holds lines worked out by hand.
func TestPlanLines(t *testing.T) {
	v30 := Version{3, 0, AnyPatch}
	two := []Database{{Name: "a", PageSize: 8192}, {Name: "b", PageSize: 16384, Pages: 1000}}
	for _, test := range []struct {
		name      string
		candidate Candidate
		line      Memory
		now       Bytes
		worst     Bytes
	}{
		{"Super shares one cache", Candidate{Version: v30, Mode: Super, Connections: 100}, MemoryPageCache, 2048 * 614, 2048 * (8192 + 614)},
		{"Super has a cache per database", Candidate{Version: v30, Mode: Super, Connections: 1, Databases: two}, MemoryPageCache, 3048 * 614, 2048*(8192+614) + 1000*(16384+614)},
		{"Classic multiplies", Candidate{Version: v30, Mode: Classic, Connections: 20, Settings: map[string]string{"DefaultDbCachePages": "1500"}}, MemoryPageCache, 20 * 1500 * 614, 20 * 1500 * (8192 + 614)},
		{"64MB is 50 pages", Candidate{Version: v30, Mode: SuperClassic, Connections: 2, Settings: map[string]string{"defaultdbcachepages": "64MB"}}, MemoryPageCache, 2 * 50 * 614, 2 * 50 * (8192 + 614)},
		{"security database, a process", Candidate{Version: v30, Mode: SuperClassic, Connections: 30}, memorySecurity, 50 * (8192 + 614), 50 * (8192 + 614)},
		{"security database, 30 processes", Candidate{Version: v30, Mode: Classic, Connections: 30}, memorySecurity, 30 * 50 * (8192 + 614), 30 * 50 * (8192 + 614)},
		{"sorts of a server", Candidate{Version: v30, Mode: SuperClassic, Connections: 10}, MemorySort, 0, 8*MiB + 10*128*KiB + 8*128*KiB},
		{"sorts of processes", Candidate{Version: v30, Mode: Classic, Connections: 10}, MemorySort, 0, 10*8*MiB + 10*128*KiB + 8*128*KiB},
		{"only two sort", Candidate{Version: v30, Mode: Classic, Connections: 10, Sorters: 2}, MemorySort, 0, 2*8*MiB + 2*128*KiB + 8*128*KiB},
		{"issue 7928: 4.0.3 per attachment", Candidate{Version: Version{4, 0, 3}, Mode: SuperClassic, Connections: 10}, MemorySort, 0, 10*8*MiB + 10*128*KiB + 8*128*KiB},
		{"issue 7928: 4.0.5 per database", Candidate{Version: Version{4, 0, 5}, Mode: SuperClassic, Connections: 10}, MemorySort, 0, 8*MiB + 10*128*KiB + 8*128*KiB},
		{"transaction states of 4.0", Candidate{Version: Version{4, 0, 5}, Mode: Super, Connections: 1, Databases: two}, MemoryShared, 12 * MiB, 20 * MiB},
		{"statements of 5.0", Candidate{Version: Version{5, 0, 1}, Mode: Super, Connections: 30}, MemoryStatements, 0, 60 * MiB},
		{"no workers", Candidate{Version: Version{5, 0, 1}, Mode: Super, Connections: 30}, memoryWorkers, 0, 0},
		{"workers of Super", Candidate{Version: Version{5, 0, 1}, Mode: Super, Connections: 30, Databases: two, Settings: map[string]string{"MaxParallelWorkers": "4"}}, memoryWorkers, 0, 2 * 4 * 6400 * KiB},
		{"case 11: workers of Classic", Candidate{Version: Version{5, 0, 1}, Mode: Classic, Connections: 100, Settings: map[string]string{"MaxParallelWorkers": "64"}}, memoryWorkers, 0, 100 * 64 * (8900*KiB + 256*(8192+614))},
		{"2.5's security database", Candidate{Version: Version{2, 5, 9}, Mode: Super, Connections: 1, Settings: map[string]string{"DefaultDbCachePages": "10000"}}, memorySecurity, 10000 * (4096 + 614), 10000 * (4096 + 614)},
		{"Super locks no pages", Candidate{Version: v30, Mode: Super, Connections: 20, Settings: map[string]string{"DefaultDbCachePages": "1000000"}}, MemoryLockTable, MiB, 2 * MiB},
		{"Classic locks pages", Candidate{Version: v30, Mode: Classic, Connections: 20, Settings: map[string]string{"DefaultDbCachePages": "2048"}}, MemoryLockTable, MiB, 8 * MiB},
	} {
		t.Run(test.name, func(t *testing.T) {
			budget, err := Plan(test.candidate)
			if err != nil {
				t.Fatal(err)
			}
			got := budget.line(t, test.line)
			if got.Now != test.now || got.Worst != test.worst {
				t.Errorf("now %d, worst %d, want %d, %d (%s)", got.Now, got.Worst, test.now, test.worst, got.Formula)
			}
			if got.Now > got.Expected && test.line != MemorySort || got.Expected > got.Worst {
				t.Errorf("now %d, expected %d, worst %d are not in order", got.Now, got.Expected, got.Worst)
			}
		})
	}
}

// TestPlanBoundsExpectedByDatabase checks that a cache is not expected to hold
// more than its database does.
func TestPlanBoundsExpectedByDatabase(t *testing.T) {
	budget, err := Plan(Candidate{
		Version: Version{3, 0, 11}, Mode: Super, Connections: 1,
		Databases: []Database{{Name: "small", PageSize: 8192, Size: 8192 * 1000, Pages: 100000}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := budget.line(t, MemoryPageCache)
	if want := Bytes(100000*614 + 1000*8192); got.Expected != want {
		t.Errorf("expected %d, want %d", got.Expected, want)
	}
}

// TestFits refuses what dies when its cache fills, with the arithmetic and the
// largest cache that would do.
func TestFits(t *testing.T) {
	for _, test := range []struct {
		name      string
		candidate Candidate
		limit     Bytes
		want      []string // parts of the error; none when it fits
	}{
		{"the default", Candidate{Version: Version{3, 0, 11}, Mode: Super, Connections: 20}, GiB, nil},
		{
			"three billion pages on 3.0",
			Candidate{Version: Version{3, 0, 11}, Mode: Super, Connections: 20, Settings: map[string]string{"DefaultDbCachePages": "3000000000"}}, 8 * GiB,
			[]string{"3000000000 pages x (8192 + 614 B) = 24 TiB", "8 GiB allowed", "Firebird 3.0.11 would take 3000000000 for 2048 pages", "lower DefaultDbCachePages to 947903 or less"},
		},
		{
			"three billion pages on 4.0",
			Candidate{Version: Version{4, 0, 5}, Mode: Super, Connections: 20, Settings: map[string]string{"DefaultDbCachePages": "3000000000"}}, 8 * GiB,
			[]string{"2147483646 pages x (8192 + 614 B) = 17.2 TiB"},
		},
		{
			"case 5: 500000M",
			Candidate{Version: Version{4, 0, 5}, Mode: Super, Connections: 20, Settings: map[string]string{"DefaultDbCachePages": "500000M"}}, 8 * GiB,
			[]string{"524288000000 pages", "Firebird 4.0.5 would take 500000M for 301989888 pages"},
		},
		{
			"pitfall 6: Super's cache in Classic",
			Candidate{Version: Version{3, 0, 11}, Mode: Classic, Connections: 200, Settings: map[string]string{"DefaultDbCachePages": "50K"}}, 64 * GiB,
			[]string{"200 connections x 51200 pages x (8192 + 614 B) = 84 GiB"},
		},
		{
			"nothing fits",
			Candidate{Version: Version{3, 0, 11}, Mode: Classic, Connections: 2000}, GiB,
			[]string{"no page cache is small enough"},
		},
		{
			"the lock table of case 34",
			Candidate{Version: Version{3, 0, 11}, Mode: Super, Connections: 1, Settings: map[string]string{"LockMemSize": "4G"}}, 64 * GiB,
			[]string{"LockMemSize = 4G: Firebird 3.0.11 cannot attach"},
		},
		{
			"a key of another version",
			Candidate{Version: Version{2, 4, 0}, Mode: Super, Connections: 1}, 64 * GiB,
			[]string{"Firebird 2.4.0 does not know it"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Fits(test.candidate, test.limit)
			if (err == nil) != (len(test.want) == 0) {
				t.Fatalf("Fits: %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
		})
	}
}

// TestFitsLargest checks that the cache named in the error fits and the next
// one does not.
func TestFitsLargest(t *testing.T) {
	for _, mode := range Modes() {
		c := Candidate{Version: Version{3, 0, 11}, Mode: mode, Connections: 50, Settings: map[string]string{"DefaultDbCachePages": "100000000"}}
		var no *DoesNotFit
		if err := Fits(c, 4*GiB); !errors.As(err, &no) {
			t.Fatalf("%s: %v", mode, err)
		}
		for _, test := range []struct {
			pages Pages
			fits  bool
		}{{no.Largest, true}, {no.Largest + 1, false}} {
			c.Settings = map[string]string{"DefaultDbCachePages": FormatSize(Bytes(test.pages), Version{2, 5, 0})}
			if err := Fits(c, 4*GiB); (err == nil) != test.fits {
				t.Errorf("%s: %d pages: %v", mode, test.pages, err)
			}
		}
	}
}

// TestSaturation checks that absurd products compare as too large instead of
// wrapping round to something small.
func TestSaturation(t *testing.T) {
	if got := times(math.MaxInt64, 3); got != math.MaxInt64 {
		t.Errorf("times: %d", got)
	}
	if got := plus(math.MaxInt64, 3); got != math.MaxInt64 {
		t.Errorf("plus: %d", got)
	}
	err := Fits(Candidate{
		Version: Version{4, 0, 5}, Mode: Classic, Connections: math.MaxInt32,
		Settings: map[string]string{"DefaultDbCachePages": "2147483646", "TempCacheLimit": "9223372036854775807"},
	}, PiB)
	if err == nil {
		t.Error("an endless configuration fits")
	}
}
