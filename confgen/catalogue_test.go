package confgen

import (
	"os"
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
		if s.Effect == "" || !strings.HasSuffix(s.Effect, ".") || s.Source == "" || s.Restart == "" || s.Topic == "" || s.Memory != NoMemory && s.Memory.Formula() == "" {
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

// TestCatalogueIsComplete holds the catalogue to the tables of entries in the
// sources of five versions (testdata/entries.tsv, written from
// src/common/config/config.cpp and config.h at the heads of August 2026): the
// same names, types, scopes and defaults, no more and no fewer. A default of
// several values depends on the system, the build or the architecture; -1 and an
// empty text stand for one that is decided at the start.
func TestCatalogueIsComplete(t *testing.T) {
	content, err := os.ReadFile("testdata/entries.tsv")
	if err != nil {
		t.Fatal(err)
	}
	types := map[Type]string{Integer: "integer", Boolean: "boolean", Word: "string", Text: "string"}
	names := map[string]map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\n")[1:] {
		row := strings.Split(line, "\t")
		version, name, typ, scope, defaults := row[0], row[1], row[2], row[3], strings.Split(row[4], "|")
		if names[version] == nil {
			names[version] = map[string]bool{}
		}
		names[version][name] = true
		s, ok := Lookup(name)
		era, known := s.In(parse(t, version))
		if !ok || !known || s.Name != name {
			t.Errorf("%s %s: the catalogue has %q, known %t", version, name, s.Name, known)
			continue
		}
		if types[s.Type] != typ {
			t.Errorf("%s %s is %s, the source says %s", version, name, s.Type, typ)
		}
		if scope != "-" && string(era.Scope) != scope {
			t.Errorf("%s %s is of the %s, the source says %s", version, name, era.Scope, scope)
		}
		for _, got := range []string{era.Default.Super, era.Default.Classic, era.Windows.Super} {
			decided := slices.Contains(defaults, "-1") || slices.Contains(defaults, "")
			if got != "" && !decided && !slices.Contains(defaults, got) {
				t.Errorf("%s %s: default %q, the source says %q", version, name, got, defaults)
			}
		}
	}
	if len(names) != 5 {
		t.Fatalf("entries of %d versions", len(names))
	}
	for version, list := range names {
		for _, s := range Known(parse(t, version)) {
			if !list[s.Name] {
				t.Errorf("%s does not know %s", version, s.Name)
			}
		}
	}
}

// TestEras holds changes within a version to the tags of FirebirdSQL/firebird.
func TestEras(t *testing.T) {
	for _, test := range []struct {
		name, version string
		want          string // the default, or - when it is not known
	}{
		{"AllowEncryptedSecurityDatabase", "3.0.1", "-"},
		{"AllowEncryptedSecurityDatabase", "3.0.2", "false"},
		{"ClearGTTAtRetaining", "3.0.4", "-"},
		{"ClearGTTAtRetaining", "3.0.5", "true"},
		{"ClearGTTAtRetaining", "4.0.0", "false"},
		{"ClearGTTAtRetaining", "5.0.0", "-"},
		{"LegacyDatabaseFileId", "3.0.6", "-"},
		{"LegacyDatabaseFileId", "3.0.7", "true"},
		{"TcpLoopbackFastPath", "3.0.10", "true"},
		{"TcpLoopbackFastPath", "3.0.11", "false"},
		{"TcpLoopbackFastPath", "4.0.2", "true"},
		{"TcpLoopbackFastPath", "4.0.3", "false"},
		{"OnDisconnectTriggerTimeout", "4.0.1", "-"},
		{"OnDisconnectTriggerTimeout", "4.0.2", "180"},
		{"UseLegacyKernelObjectsNames", "4.0.2", "-"},
		{"UseLegacyKernelObjectsNames", "4.0.3", "false"},
		{"SubQueryConversion", "5.0.0", "-"},
		{"SubQueryConversion", "5.0.1", "false"},
		{"AllowUpdateOverwrite", "5.0.3", "-"},
		{"AllowUpdateOverwrite", "5.0.4", "true"},
		{"OuterJoinConversion", "6.0", "-"},
	} {
		got, ok := Default(test.name, parse(t, test.version), Super)
		if !ok {
			got = "-"
		}
		if got != test.want {
			t.Errorf("%s in %s: %s, want %s", test.name, test.version, got, test.want)
		}
	}
}

// TestSuggest finds what was meant, and nothing for what is not a slip.
func TestSuggest(t *testing.T) {
	for _, test := range []struct{ name, version, want string }{
		{"TempCacheLimt", "4.0", "TempCacheLimit"},
		{"DefaultDBCashPages", "3.0", "DefaultDbCachePages"},
		{"LockHashSlot", "5.0", "LockHashSlots"},
		{"MaxParalelWorker", "5.0", "MaxParallelWorkers"},
		{"MaxParalelWorker", "3.0", ""},
		{"SevrerMode", "3.0", "ServerMode"},
		{"InnodbBufferPool", "5.0", ""},
		{"X1", "5.0", ""},
	} {
		got, ok := Suggest(test.name, parse(t, test.version))
		if got.Name != test.want || ok != (test.want != "") {
			t.Errorf("%s in %s: %q, want %q", test.name, test.version, got.Name, test.want)
		}
	}
}

// TestForeignNames keeps the names that Firebird does not know apart from those
// it does.
func TestForeignNames(t *testing.T) {
	var foreign []string
	for _, s := range VendorSettings() {
		foreign = append(foreign, s.Name)
		if got, ok := LookupVendor(strings.ToUpper(s.Name)); !ok || got != s {
			t.Errorf("%s: %+v", s.Name, got)
		}
	}
	for name := range forerunners {
		foreign = append(foreign, name)
	}
	for name := range imagined {
		foreign = append(foreign, name)
	}
	for _, name := range foreign {
		if s, ok := Lookup(name); ok {
			t.Errorf("%s is a setting of Firebird, %s", name, s.Name)
		}
	}
	if instead, ok := Forerunner("sortmemupperlimit"); !ok || instead != TempCacheLimit {
		t.Errorf("SortMemUpperLimit: %q, %t", instead, ok)
	}
	if instead, ok := Imagined("tcpnodelay"); !ok || !strings.Contains(instead, "TcpNoNagle") {
		t.Errorf("TcpNoDelay: %q, %t", instead, ok)
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
// 5.0.4 as in the golden probes, on 3.0.11 and 4.0.5 for 32-bit overflow and for
// LockMemSize. What concerns 2.5 and later patch levels is from their sources.
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
		{"DefaultDbCachePages", "4.0.5", "4294969296", "2000 pages"},
		{"DefaultDbCachePages", "4.0.5", "4G", "50 pages"},
		{"DefaultDbCachePages", "2.5", "-1", "2147483646 pages"},
		{"DefaultDbCachePages", "2.5", "0", "50 pages"},
		{"DefaultDbCachePages", "3.0.11", "3000000000", "2048 pages"},
		{"DefaultDbCachePages", "3.0.11", "4294969296", "2000 pages"},
		{"DefaultDbCachePages", "3.0.11", "4G", "50 pages"},
		{"DefaultDbCachePages", "3.0.11", "-5", "2048 pages"},
		{"DefaultDbCachePages", "2.5", "64M", "64 pages"},
		{"LockMemSize", "4.0.5", "100", "256 KiB"},
		{"LockMemSize", "4.0.5", "30MB", "256 KiB"},
		{"LockMemSize", "4.0.5", "30M", "30 MiB"},
		{"LockMemSize", "4.0.5", "4G", "cannot attach"},
		{"LockMemSize", "4.0.5", "3G", "3 GiB"},
		{"LockMemSize", "4.0.5", "5000000000", "672.4 MiB"},
		{"LockMemSize", "4.0.2", "0", "cannot attach"},
		{"LockMemSize", "3.0.11", "4G", "cannot attach"},
		{"LockMemSize", "3.0.11", "2G", "cannot attach"},
		{"LockMemSize", "3.0.11", "-1", "cannot attach"},
		{"LockMemSize", "3.0.11", "5000000000", "672.4 MiB"},
		{"LockMemSize", "3.0.12", "2G", "256 KiB"},
		{"LockMemSize", "5.0.4", "4G", "80 KiB"},
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
		{"FileSystemCacheThreshold", "2.5", "-1", "4294967295 pages"},
		{"FileSystemCacheSize", "5.0", "0", "0 percent of RAM"},
		{"FileSystemCacheSize", "5.0", "5", "30 percent of RAM"},
		{"FileSystemCacheSize", "5.0", "80", "80 percent of RAM"},
		{"SnapshotsMemSize", "4.0", "5G", "64 KiB"},
		{"TipCacheBlockSize", "5.0", "0", "4 MiB"},
		{"InlineSortThreshold", "5.0", "-1", "1000 B"},
		{"MaxParallelWorkers", "5.0", "0", "1 worker"},
		{"MaxParallelWorkers", "5.0", "100", "64 workers"},
		{"ExtConnPoolSize", "4.0", "5000", "1000 connections"},
		{"ExtConnPoolSize", "4.0", "-1", "1000 connections"},
		{"ExtConnPoolLifeTime", "4.0", "0", "1 second"},
		{"MaxUserTraceLogSize", "5.0", "10485760", "10 TiB"},
		{"RemoteServicePort", "3.0", "65537", "1"},
		{"RemoteServicePort", "3.0", "!PORT!", "0"},
		{"MaxIdentifierCharLength", "4.0", "64", "63 characters"},
		{"CpuAffinityMask", "3.0", "0", "all CPUs"},
		{"CpuAffinityMask", "3.0", "11", "CPU 0, 1, 3"},
		{"WireCrypt", "4.0.5", "Enable", "Required"},
		{"WireCrypt", "3.0.11", "enabled", "Enabled"},
		{"DataTypeCompatibility", "5.0", "4.0", ""},
		{"DataTypeCompatibility", "5.0", "2.5", "2.5"},
		{"GCPolicy", "2.5", "Background", "background"},
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
