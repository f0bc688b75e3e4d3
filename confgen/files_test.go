package confgen

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
)

var update = flag.Bool("update", false, "rewrite the templates and the golden files")

// starting is what the templates are tuned for.
func starting(v Version, mode Mode) Input {
	return Input{
		Version: v, Mode: mode, Memory: 16 * GiB, CPUs: 8, Connections: 50,
		Databases: []Database{{Name: "main", Path: "/data/main.fdb", Size: 50 * GiB, PageSize: 16 * KiB}},
	}
}

// skeleton is a template without values: the settings of an advice by groups,
// each with its effect and its default in a comment.
func skeleton(a Advice) []byte {
	var b bytes.Buffer
	for _, line := range wrap(fmt.Sprintf("firebird.conf for Firebird %s, %s: a tuned starting point of fbtune's, for a machine with 16 GiB of memory and 8 CPUs, 50 connections and one database of 50 GiB. fbtune recommend fits it to another machine and load.", a.Version, a.Mode)) {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	group := ""
	for _, rec := range a.Settings {
		if rec.Group != group {
			group = rec.Group
			b.WriteString(heading(group))
		}
		setting, _ := Lookup(rec.Name)
		b.WriteString("\n")
		for _, line := range wrap(setting.Effect) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
		fmt.Fprintf(&b, "#%s = %s\n", rec.Name, rec.Default)
	}
	return b.Bytes()
}

// TestTemplates holds the committed templates to what the rules give for the
// machine they are tuned for.
func TestTemplates(t *testing.T) {
	for _, v := range Advised() {
		for _, mode := range Modes() {
			a, err := Recommend(starting(v, mode))
			if err != nil {
				t.Fatal(err)
			}
			file := fbconf.Parse(skeleton(a), fbconf.Options{Dialect: v.dialect()})
			for _, rec := range a.Settings {
				if err := write(file, rec); err != nil {
					t.Fatal(err)
				}
			}
			golden(t, filepath.Join("../templates/conf", v.String(), string(mode), "firebird.conf"), file.Bytes())
		}
		name := fbconf.DatabasesConf.String()
		text := fmt.Sprintf(`# databases.conf for Firebird %s: fbtune recommend adds a block for each database it is told about.
#
# Each brace stands alone on its line: text after an opening brace stops every attach, and a comment
# there makes the engine ignore the block.

# The security database, with a small cache of its own. Without this block it would have the server's
# DefaultDbCachePages too.
security.db = $(dir_secDb)/security%d.fdb
{
	RemoteAccess = false
	DefaultDbCachePages = %d
}
`, v, v.Major, SecurityCachePages(v))
		if !v.AtLeast(v30) {
			name = fbconf.AliasesConf.String()
			text = "# aliases.conf for Firebird 2.5: a name for each database, which clients use instead of its path.\n"
		}
		golden(t, filepath.Join("../templates/conf", v.String(), name), []byte(text))
	}
}

// fileCases are the advices whose files are golden.
func fileCases() map[string]Input {
	main := Database{Name: "main", Path: "/db/main file #1.fdb", Size: 100 * GiB, PageSize: 16 * KiB}
	archive := Database{Path: "/db/archive.fdb", Size: 2 * GiB}
	return map[string]Input{
		"super-5.0":        {Version: Version{5, 0, 2}, Memory: 16 * GiB, CPUs: 8, Connections: 100, Databases: []Database{main, archive}},
		"superclassic-4.0": {Version: Version{4, 0, 5}, Mode: SuperClassic, Memory: 8 * GiB, CPUs: 4, Connections: 300, Workload: Mixed},
		"classic-3.0": {
			Version: Version{3, 0, AnyPatch}, Isolation: true, Memory: 4 * GiB, Connections: 40, Databases: []Database{archive},
			Current: map[string]Current{
				"DefaultDbCachePages": {"64MB", "/etc/firebird/3.0/firebird.conf:12"},
				"LockHashSlots":       {"49999", "/etc/firebird/3.0/firebird.conf:30"},
			},
		},
		"superclassic-2.5": {Version: Version{2, 5, 9}, Memory: 16 * GiB, CPUs: 8, Connections: 20, Databases: []Database{main}},
	}
}

// TestFiles compares the files with golden ones and reads them back as the
// engine would: every advised value must be in force.
func TestFiles(t *testing.T) {
	for name, in := range fileCases() {
		t.Run(name, func(t *testing.T) {
			a, err := Recommend(in)
			if err != nil {
				t.Fatal(err)
			}
			files, err := a.Files(Base{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range files {
				golden(t, filepath.Join("testdata", name+"."+f.Name), f.Content)
			}
			readBack(t, name, a, files)
		})
	}
}

// golden compares got with a file.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
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
		t.Errorf("%s differs; run go test -update and look at the change. got:\n%s", file, got)
	}
}

// parsed returns the files of an advice as the engine reads them.
func parsed(a Advice, files []ConfFile) Files {
	return Files{
		Version: a.Version, Mode: a.Mode,
		Conf:      fbconf.Parse(files[0].Content, fbconf.Options{Dialect: a.Version.dialect()}),
		Databases: fbconf.Parse(files[1].Content, fbconf.Options{Kind: a.aliasesKind(), Dialect: a.Version.dialect()}),
	}
}

// readBack holds that every advised value is in force in the files, and nothing
// in them is in vain.
func readBack(t *testing.T, name string, a Advice, files []ConfFile) {
	t.Helper()
	read := parsed(a, files)
	shown := read.Show("")
	if shown.Fatal != "" || len(shown.Warnings) > 0 {
		t.Errorf("%s: fatal %q, warnings %q", name, shown.Fatal, shown.Warnings)
	}
	for _, rec := range a.Settings {
		found := false
		for _, s := range shown.Settings {
			if s.Name == rec.Name {
				found = true
				if s.Means != rec.Means {
					t.Errorf("%s: %s means %s, want %s", name, rec.Name, s.Means, rec.Means)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s is not in force", name, rec.Name)
		}
	}
	for _, d := range a.Databases {
		for _, s := range read.Show(d.Name).Settings {
			if s.Name == DefaultDbCachePages && s.Number != int64(d.Pages) {
				t.Errorf("%s: %s has %d page buffers, want %d", name, d.Name, s.Number, d.Pages)
			}
		}
		if db, ok := read.Databases.Database(d.Name); !ok || db.Path != d.Path {
			t.Errorf("%s: %s is %q, want %q", name, d.Name, db.Path, d.Path)
		}
	}
}

// TestFilesFromMine checks that a user's own files keep all that is not advised.
func TestFilesFromMine(t *testing.T) {
	v := Version{3, 0, 11}
	const mine = "# our server\r\nRemoteServicePort = 3051\t# firewall\r\nDefaultDbCachePages = 64MB # more!\r\nHQbirdKey = x\r\n"
	const aliases = "erp = /data/erp.fdb\n{\n\tRemoteAccess = true\n}\nold = /data/old.fdb\n"
	conf := fbconf.Parse([]byte(mine), fbconf.Options{Name: "mine.conf", Dialect: v.dialect()})
	current, err := ReadCurrent(conf)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Recommend(Input{
		Version: v, Memory: 4 * GiB, Connections: 20, Current: current,
		Databases: []Database{{Name: "crm", Path: "/data/crm.fdb"}, {Name: "shop", Path: "/data/erp.fdb"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := a.Files(Base{
		Conf:    conf,
		Aliases: fbconf.Parse([]byte(aliases), fbconf.Options{Kind: fbconf.DatabasesConf, Dialect: v.dialect()}),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := string(files[0].Content)
	for _, want := range []string{"# our server\r\nRemoteServicePort = 3051\t# firewall\r\n# fbtune: ", "DefaultDbCachePages = 2048 # more!\r\nHQbirdKey = x\r\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("firebird.conf does not hold %q:\n%s", want, text)
		}
	}
	databases := string(files[1].Content)
	for _, want := range []string{"erp = /data/erp.fdb\n{\n\tRemoteAccess = true\n\tDefaultDbCachePages = ", "old = /data/old.fdb\n", "crm = /data/crm.fdb\n{\n", "security.db = "} {
		if !strings.Contains(databases, want) {
			t.Errorf("databases.conf does not hold %q:\n%s", want, databases)
		}
	}
	if strings.Contains(databases, "shop =") {
		t.Errorf("a second alias was made for a file that has one:\n%s", databases)
	}
	if conf.Fatal() != "" || string(conf.Bytes()) != mine {
		t.Error("the user's file itself was edited")
	}

	// The template carries over what it says nothing about.
	kept, err := a.Files(Base{Kept: conf})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# fbtune: kept from mine.conf:2\nRemoteServicePort = 3051\n", "HQbirdKey = x\n"} {
		if !strings.Contains(string(kept[0].Content), want) {
			t.Errorf("the template does not carry over %q:\n%s", want, kept[0].Content)
		}
	}
	if strings.Contains(string(kept[0].Content), "64MB\n") {
		t.Errorf("an advised setting was carried over:\n%s", kept[0].Content)
	}
}

// TestFilesRefuse checks that an alias which stands for another file is left
// alone.
func TestFilesRefuse(t *testing.T) {
	v := Version{3, 0, 11}
	a, err := Recommend(Input{Version: v, Memory: 4 * GiB, Databases: []Database{{Name: "erp", Path: "/data/new.fdb"}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Files(Base{Aliases: fbconf.Parse([]byte("erp = /data/erp.fdb\n"), fbconf.Options{Kind: fbconf.DatabasesConf, Dialect: v.dialect()})})
	if err == nil || !strings.Contains(err.Error(), "give the database another NAME") {
		t.Errorf("%v", err)
	}
}
