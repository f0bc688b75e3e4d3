package confgen

import (
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
)

func TestReadCurrent(t *testing.T) {
	d := Version{3, 0, 11}.dialect()
	const text = "# DefaultDbCachePages = 9\nTempCacheLimit = 64M\ntempcachelimit = 1G\nDefaultDbCachePages = 64MB\nServerMode = Classic # yes\n"
	got, err := ReadCurrent(fbconf.Parse([]byte(text), fbconf.Options{Name: "/etc/firebird.conf", Dialect: d}))
	if err != nil {
		t.Fatal(err)
	}
	// The first of two lines wins, and what the engine cannot read stays as written.
	for name, want := range map[string]Current{
		TempCacheLimit:      {"64M", "/etc/firebird.conf:2"},
		DefaultDbCachePages: {"64MB", "/etc/firebird.conf:4"},
		ServerMode:          {"Classic", "/etc/firebird.conf:5"},
	} {
		if got[name] != want {
			t.Errorf("%s: %+v, want %+v", name, got[name], want)
		}
	}
	if len(got) != 3 {
		t.Errorf("%d settings, want 3: %v", len(got), got)
	}
	_, err = ReadCurrent(fbconf.Parse([]byte("TempCacheLimit = \"64M\n"), fbconf.Options{Name: "x.conf", Dialect: d}))
	if err == nil || !strings.Contains(err.Error(), "illegal line") {
		t.Errorf("a file the engine refuses: %v", err)
	}
}

func TestParseDatabase(t *testing.T) {
	got, err := ParseDatabase("erp=/data/erp.fdb,size=20G,page-size=16384")
	if want := (Database{Name: "erp", Path: "/data/erp.fdb", Size: 20 * GiB, PageSize: 16384}); err != nil || got != want {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
	for text, hint := range map[string]string{
		"/data/erp.fdb":                 "write NAME=PATH",
		"erp=":                          "write NAME=PATH",
		"erp=/data/erp.fdb,size=many":   "write a number and a unit",
		"erp=/data/erp.fdb,page-size=x": "not a number of bytes",
		"erp=/data/erp.fdb,pages=5":     "neither size= nor page-size=",
	} {
		if _, err := ParseDatabase(text); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, want an error with %q", text, err, hint)
		}
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "50%": 0.5, "0.25": 0.25, " 100 % ": 1} {
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("share %q: %g (%v), want %g", text, got, err, want)
		}
	}
	for _, text := range []string{"50", "0", "-5%", "110%", "half", "NaN"} {
		if got, err := ParseShare(text); err == nil {
			t.Errorf("share %q is taken as %g", text, got)
		}
	}
}
