package confgen

import (
	"slices"
	"strings"
	"testing"
)

// parse returns a version that is known to be well written.
func parse(t testing.TB, text string) Version {
	t.Helper()
	v, err := ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestCatalogue checks that the rows are complete and consistent.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Name] {
			t.Errorf("%s has two rows", s.Name)
		}
		seen[s.Name] = true
		if s.Effect == "" || !strings.HasSuffix(s.Effect, ".") || s.Source == "" || s.Restart == "" || len(s.FeltBy) == 0 {
			t.Errorf("%s: the row has gaps", s.Name)
		}
		if !slices.IsSortedFunc(s.Eras, func(a, b Era) int { return a.From.Compare(b.From) }) {
			t.Errorf("%s: eras are not in order", s.Name)
		}
		for _, era := range s.Eras {
			if era.Removed {
				continue
			}
			for _, mode := range Modes() {
				def := era.Default.In(mode)
				n, err := s.Number(era.From, mode, def)
				if s.Type == Integer && (err != nil || n != era.From.dialect().Int(def)) {
					t.Errorf("%s %s %s: the default %q becomes %d, %v", s.Name, era.From, mode, def, n, err)
				}
				if s.Type == Word && !slices.Contains(era.Words, def) {
					t.Errorf("%s %s %s: the default %q is no word of it", s.Name, era.From, mode, def)
				}
			}
		}
	}
}

func TestDefault(t *testing.T) {
	for _, test := range []struct {
		name, version string
		mode          Mode
		want          string // empty when the version does not know it
	}{
		{"DefaultDbCachePages", "3.0", Super, "2048"},
		{"defaultdbcachepages", "3.0.11", Classic, "256"},
		{"DefaultDbCachePages", "2.5", SuperClassic, "75"},
		{"TempCacheLimit", "3.0", SuperClassic, "8388608"},
		{"TempCacheLimit", "2.5", Classic, "0"},
		{"LockHashSlots", "2.5", Super, "1009"},
		{"LockHashSlots", "5.0", Super, "8191"},
		{"GCPolicy", "3.0", Classic, "cooperative"},
		{"FileSystemCacheThreshold", "5.0", Super, "65536"},
		{"FileSystemCacheThreshold", "6.0", Super, ""},
		{"UseFileSystemCache", "3.0", Super, ""},
		{"ServerMode", "2.5", Super, ""},
		{"DefaultCacheMem", "3.0", Super, ""},
	} {
		got, ok := Default(test.name, parse(t, test.version), test.mode)
		if ok != (test.want != "") || ok && got != test.want {
			t.Errorf("Default(%s, %s, %s) = %q, %t, want %q", test.name, test.version, test.mode, got, ok, test.want)
		}
	}
}

// TestMeans holds what real servers did with values: measured on 4.0.5 and
// 5.0.4 as in the golden probes, on 3.0.11 for 32-bit overflow.
func TestMeans(t *testing.T) {
	for _, test := range []struct {
		name, version, text string
		want                string // or part of the error
	}{
		{"DefaultDbCachePages", "4.0.5", "4k", "4096 pages"},
		{"DefaultDbCachePages", "4.0.5", "64MB", "50 pages"},
		{"DefaultDbCachePages", "4.0.5", "10", "50 pages"},
		{"DefaultDbCachePages", "4.0.5", "50", "50 pages"},
		{"DefaultDbCachePages", "4.0.5", "-5", "2048 pages"},
		{"DefaultDbCachePages", "4.0.5", "3000000", "3000000 pages"},
		{"DefaultDbCachePages", "4.0.5", "3000000000", "2147483646 pages"},
		{"DefaultDbCachePages", "3.0.11", "3000000000", "2048 pages"},
		{"DefaultDbCachePages", "3.0.11", "4294969296", "2000 pages"},
		{"DefaultDbCachePages", "3.0.11", "4G", "50 pages"},
		{"DefaultDbCachePages", "3.0.11", "-5", "2048 pages"},
		{"DefaultDbCachePages", "2.5", "64M", "64 pages"},
		{"LockMemSize", "4.0.5", "100", "256 KiB"},
		{"LockMemSize", "4.0.5", "30MB", "256 KiB"},
		{"LockMemSize", "4.0.5", "30M", "30 MiB"},
		{"LockMemSize", "4.0.5", "4G", "cannot attach"},
		{"LockMemSize", "3.0.11", "4G", "cannot attach"},
		{"LockHashSlots", "4.0.5", "-1", "101 slots"},
		{"LockHashSlots", "4.0.5", "65521", "65521 slots"},
		{"LockHashSlots", "4.0.5", "100003", "65521 slots"},
		{"LockHashSlots", "5.0.4", "65536", "101 slots"},
		{"LockHashSlots", "5.0.4", "66000", "464 slots"},
		{"LockHashSlots", "5.0.4", "100003", "34467 slots"},
		{"LockHashSlots", "5.0.3", "100003", "65521 slots"},
		{"TempCacheLimit", "4.0.5", "2GB", "0 B"},
		{"TempCacheLimit", "4.0.5", "3000M", "2.9 GiB"},
		{"TempCacheLimit", "3.0.11", "-1", "64 MiB"},
		{"TempBlockSize", "3.0.11", "100000", "128 KiB"},
		{"TempBlockSize", "3.0.11", "0", "64 KiB"},
		{"TcpRemoteBufferSize", "4.0.5", "100", "1.4 KiB"},
		{"TcpRemoteBufferSize", "4.0.5", "65536", "32 KiB"},
		{"FileSystemCacheThreshold", "4.0.5", "-1", "65536 pages"},
		{"FileSystemCacheThreshold", "3.0.11", "-1", "0 pages"},
		{"UseFileSystemCache", "4.0.5", "yes", "true"},
		{"UseFileSystemCache", "4.0.5", "enabled", "false"},
		{"UseFileSystemCache", "4.0.5", "on", "false"},
		{"UseFileSystemCache", "4.0.5", "-1", "true"},
		{"ServerMode", "4.0.5", "super", "Super"},
		{"ServerMode", "4.0.5", "Classic;", "Super"},
		{"GCPolicy", "4.0.5", "Background", "background"},
		{"GCPolicy", "3.0.11", "Background", "combined"},
		{"ServerMode", "2.5", "Super", "does not know it"},
	} {
		setting, ok := Lookup(test.name)
		if !ok {
			t.Fatalf("no row for %s", test.name)
		}
		got, err := setting.Means(parse(t, test.version), Super, test.text)
		if err != nil {
			got = err.Error()
		}
		if got != test.want && !(err != nil && strings.Contains(got, test.want)) {
			t.Errorf("%s = %s on %s means %q, want %q", test.name, test.text, test.version, got, test.want)
		}
	}
}
