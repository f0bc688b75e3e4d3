package confgen

import (
	"strings"
	"testing"
)

func TestGuessVersion(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want, why  string
		sure       bool
	}{
		{"a stock headline", "########\n#\n# Firebird version 4.0 configuration file\n#\n", "4.0", "headline", true},
		{"the security database", "security.db = $(dir_secDb)/security5.fdb\n", "5.0", "security5.fdb", true},
		{"settings of one version", "ServerMode = Super\nMaxParallelWorkers = 8\nOuterJoinConversion = true\n", "5.0", "MaxParallelWorkers", true},
		{"commented settings count", "#RootDirectory =\n#LockGrantOrder = 1\nLockMemSize = 1048576\n", "2.5", "RootDirectory", true},
		{"settings of several versions", "ServerMode = Super\nWireCrypt = Enabled\n", "3.0", "ServerMode", true},
		{"a suffix", "TempCacheLimit = 64M\n", "3.0", "TempCacheLimit", true},
		{"settings of every version", "DefaultDbCachePages = 4096\nLockHashSlots = 10007\n", "3.0", "nothing", false},
		{"nothing", "", "3.0", "nothing", false},
		{"a headline of no version", "# Firebird version 9.9 configuration file\n", "3.0", "nothing", false},
	} {
		v, why, sure := GuessVersion([]byte(test.text))
		if v.String() != test.want || !strings.Contains(why, test.why) || sure != test.sure {
			t.Errorf("%s: %s, %s, %t; want %s, %s, %t", test.name, v, why, sure, test.want, test.why, test.sure)
		}
	}
}

// TestFacts shows a row as it changes from version to version.
func TestFacts(t *testing.T) {
	slots, _ := Lookup(LockHashSlots)
	facts := slots.Facts(parse(t, "5.0.4"))
	if len(facts.Versions) != 3 || facts.In == nil || facts.In.Default.Super != "8191" || facts.MemoryFormula == "" {
		t.Fatalf("%+v", facts)
	}
	if bounds := strings.Join(facts.In.Bounds, "; "); !strings.Contains(bounds, "modulo 65536") || !strings.Contains(bounds, "less than 101 becomes 101") {
		t.Errorf("bounds %q", bounds)
	}
	threshold, _ := Lookup(FileSystemCacheThreshold)
	gone := threshold.Facts(parse(t, "6.0"))
	if last := gone.Versions[len(gone.Versions)-1]; gone.In != nil || last.Known || last.From != v60 {
		t.Errorf("removed in 6.0: %+v", gone)
	}
	mode, _ := Lookup(ServerMode)
	if bounds := strings.Join(mode.Facts(parse(t, "3.0")).In.Bounds, "; "); !strings.Contains(bounds, "every other word silently becomes the default") {
		t.Errorf("bounds %q", bounds)
	}
	vendor, _ := LookupVendor("MaxTempBlobs")
	if facts := vendor.Facts(); facts.Vendor != HQbird || !strings.Contains(facts.Effect, "Ignored by stock Firebird") {
		t.Errorf("%+v", facts)
	}
}

func TestGuessWindows(t *testing.T) {
	for text, want := range map[string]bool{
		"TempDirectories = d:\\temp;c:\\temp\r\n":      true,
		"erp= C:\\Data\\ERP.FDB\n":                     true,
		"IpcName = Global\\FIREBIRD\r\n":               true,
		"#RootDirectory = C:\\Firebird\r\n":            false,
		"TempDirectories = /tmp # not d:\\temp\n":      false,
		"erp = host:/data/erp.fdb\n":                   false,
		"DefaultDbCachePages = 2048\r\n":               false,
		"RootDirectory = E:\\Programa\xe7\xe3o\\x\r\n": true,
	} {
		if got := GuessWindows([]byte(text)); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
