package confgen

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// confCases are the advices whose files are golden.
func confCases() map[string]Input {
	main := Database{Name: "main", Path: "/db/main file #1.fdb", Size: 100 * GiB, PageSize: 16 * KiB}
	archive := Database{Path: "/db/archive.fdb", Size: 2 * GiB}
	return map[string]Input{
		"super":        {Version: Version{3, 0, 11}, Memory: 16 * GiB, CPUs: 8, Connections: 100, Databases: []Database{main, archive}},
		"superclassic": {Version: Version{3, 0, 12}, Mode: SuperClassic, Memory: 8 * GiB, CPUs: 4, Connections: 300, Workload: Mixed},
		"classic": {
			Version: Version{3, 0, AnyPatch}, Isolation: true, Memory: 4 * GiB, Connections: 40, Databases: []Database{archive},
			Current: map[string]Current{
				"DefaultDbCachePages": {"64MB", "/etc/firebird/3.0/firebird.conf:12"},
				"LockHashSlots":       {"49999", "/etc/firebird/3.0/firebird.conf:30"},
			},
		},
	}
}

// TestConf compares the files with golden ones and reads them back as the
// engine would: every advised value must be in force.
func TestConf(t *testing.T) {
	for name, in := range confCases() {
		t.Run(name, func(t *testing.T) {
			a, err := Recommend(in)
			if err != nil {
				t.Fatal(err)
			}
			conf, err := a.Conf()
			if err != nil {
				t.Fatal(err)
			}
			databases, err := a.DatabasesConf()
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name+".firebird.conf", conf)
			golden(t, name+".databases.conf", databases)
			readBack(t, a, conf, databases)
		})
	}
}

// golden compares got with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test -update and look at the change. got:\n%s", name, got)
	}
}

// readBack reads the files as the engine does.
func readBack(t *testing.T, a Advice, conf, databases []byte) {
	t.Helper()
	dialect := a.Version.dialect()
	file := fbconf.Parse(conf, fbconf.Options{Dialect: dialect})
	if file.Fatal() != "" || len(file.Warnings()) > 0 {
		t.Errorf("firebird.conf: %q, %v", file.Fatal(), file.Warnings())
	}
	for _, rec := range a.Settings {
		written, ok := file.Lookup(rec.Name)
		text := written.Value
		if !ok {
			text = rec.Default
		}
		setting, _ := Lookup(rec.Name)
		if means, err := setting.Means(a.Version, a.Mode, text); err != nil || means != rec.Means {
			t.Errorf("%s is in force as %q, %v, advised %q", rec.Name, means, err, rec.Means)
		}
	}
	file = fbconf.Parse(databases, fbconf.Options{Kind: fbconf.DatabasesConf, Dialect: dialect, Dirs: fbconf.Dirs{SecDB: "/var/lib/firebird"}})
	if file.Fatal() != "" || len(file.Warnings()) > 0 {
		t.Errorf("databases.conf: %q, %v", file.Fatal(), file.Warnings())
	}
	for _, d := range append([]DatabaseAdvice{{Name: securityAlias, Path: "/var/lib/firebird/security3.fdb", Pages: 50}}, a.Databases...) {
		found, ok := file.Database(d.Name)
		if !ok || found.Path != d.Path {
			t.Errorf("alias %s is %+v, want %s", d.Name, found, d.Path)
		}
		pages := int64(0)
		for _, s := range found.Settings {
			if s.Key == DefaultDbCachePages {
				pages = s.Int(dialect)
			}
		}
		if pages != int64(d.Pages) {
			t.Errorf("%s has %d pages in force, want %d", d.Name, pages, d.Pages)
		}
	}
	for line := range strings.Lines(string(databases)) {
		if strings.ContainsAny(line, "{}") && strings.TrimSpace(line) != "{" && strings.TrimSpace(line) != "}" {
			t.Errorf("text on a brace line: %q", line)
		}
	}
}

// TestWrap checks that no text can leave its comment.
func TestWrap(t *testing.T) {
	got := wrapTo("a path with\nDefaultDbCachePages = 1\r\x00 in it", 20)
	for _, line := range got {
		if len(line) > 20 || strings.ContainsAny(line, "\n\r\x00") {
			t.Errorf("line %q", line)
		}
	}
	if want := "a path with DefaultDbCachePages = 1 in it"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
