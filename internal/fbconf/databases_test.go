package fbconf

import (
	"fmt"
	"strings"
	"testing"
)

// fileIDs are the identities of the files the tests name: /d/link.fdb is /d/a.fdb.
func fileIDs(path string) string {
	return map[string]string{"/d/a.fdb": "1", "/d/link.fdb": "1", "/d/b.fdb": "2"}[path]
}

func TestDatabases(t *testing.T) {
	const (
		missed    = "!d.conf: illegal line << missed closing bracket '}' >>"
		missedNew = "!d.conf: illegal line <missed closing bracket '}'>"
		misconf   = "!Server misconfigured - contact administrator please"
	)
	tests := []struct {
		name, versions, text, attach string
		want                         string // path, settings in force; "?" unknown name; "!" fault
	}{
		{"block", "3.0 4.0 5.0 6.0", "m = /d/a.fdb # c\n{\n\tP = 5 # c\n}\n", "m", "/d/a.fdb P=5@3"},
		{"block by path", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\n}\n", "/d/a.fdb", "/d/a.fdb P=5@3"},
		{"block by another path", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\n}\n", "/d/link.fdb", "/d/link.fdb P=5@3"},
		{"block by another alias", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\n}\nn = /d/a.fdb\n", "n", "/d/a.fdb P=5@3"},
		{"brace on alias line", "3.0 5.0", "m = \"/d/a.fdb\" {\r\nP = 5 }\r\n", "m", "/d/a.fdb P=5@2"},
		{"blank lines before brace", "3.0 5.0", "m = /d/a.fdb\n\n# c\n{\nP = 5\n}\n", "m", "/d/a.fdb P=5@5"},
		{"first wins in a block", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\np = 6\n}\n", "m", "/d/a.fdb P=5@3"},
		{"nested block", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\n{\nP = 6\n}\nQ = 1\n}\n", "m", "/d/a.fdb P=5@3 Q=1@7"},
		{"text after brace", "3.0 5.0", "m = /d/a.fdb { P = 5\n}\n", "m", "!d.conf: illegal line <m = /d/a.fdb { P = 5>"},
		{"comment after brace", "3.0 5.0.4", "m = /d/a.fdb\n{ # c\nP = 5\n}\n", "m", "/d/a.fdb"},
		{"comment after brace of alias", "3.0 5.0.4", "m = /d/a.fdb { # c\nP = 5\n}\n", "m", "/d/a.fdb { P=5@2"},
		{"two comments after braces", "4.0.5", "m = /d/a.fdb\n{ # c\nP = 5\n}\nn = /d/b.fdb\n{ # c\n}\n", "m", misconf},
		{"two comments after braces", "5.0 6.0", "m = /d/a.fdb\n{ # c\nP = 5\n}\nn = /d/b.fdb\n{ # c\n}\n", "m", "/d/a.fdb"},
		{"comment after closing brace", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\n} # c\n", "m", "/d/a.fdb P=5@3"},
		{"text after closing brace", "3.0 5.0", "m = /d/a.fdb\n{\nP = 5\n} x\n", "m", "!d.conf: illegal line <} x>"},
		{"missing brace", "3.0.11 4.0.5 5.0.2", "m = /d/a.fdb\n{\nP = 5\n", "m", missed},
		{"missing brace", "3.0.13 4.0.6 5.0.3 6.0", "m = /d/a.fdb\n{\nP = 5\n", "m", missedNew},
		{"commented closing brace", "5.0", "m = /d/a.fdb\n{\nP = 5\n# }\n", "m", missedNew},
		{"extra brace", "3.0 5.0", "m = /d/a.fdb\n}\n", "m", "!d.conf: illegal line <}>"},
		{"orphan block", "3.0.12 4.0.5 5.0.2", "#m = /d/a.fdb\n{\nP = 5\n}\n", "m", "!segmentation fault: \"{\" without an alias before it (Firebird issue 8485)"},
		{"orphan block", "3.0.13 4.0.6 5.0.3 6.0", "#m = /d/a.fdb\n{\nP = 5\n}\n", "m", "!d.conf: illegal line <master parameter is missing before subconfig start '{'>"},
		{"orphan block steals the alias above", "5.0", "m = /d/a.fdb\n#n = /d/b.fdb\n{\nP = 5\n}\n", "m", "/d/a.fdb P=5@4"},
		{"second block replaces", "5.0", "m = /d/a.fdb\n{\nP = 5\n}\n{\nQ = 6\n}\n", "m", "/d/a.fdb Q=6@6"},
		{"doubled braces", "5.0", "m = /d/{{a}}.fdb\n{\nP = {{5}}\n}\n", "m", "/d/{a}.fdb P={5}@3"},
		{"brace in quotes", "5.0", "m = \"/d/{a}.fdb\"\n{\nP = \"5}\"\n}\n", "m", "/d/{a}.fdb P=5}@3"},
		{"duplicate alias", "3.0 5.0", "m = /d/a.fdb\nm = /d/b.fdb\n", "m", misconf},
		{"aliases have case", "3.0 5.0", "m = /d/a.fdb\nM = /d/b.fdb\n", "M", "/d/b.fdb"},
		{"two blocks for one file", "3.0 5.0", "m = /d/a.fdb\n{\n}\nn = /d/a.fdb\n{\n}\n", "m", misconf},
		{"two paths to one file", "3.0 5.0", "m = /d/a.fdb\nn = /d/link.fdb\n", "m", misconf},
		{"relative path", "3.0 5.0", "m = d/a.fdb\n", "m", "?"},
		{"remote path", "3.0.11 4.0.3 5.0", "m = host:/d/a.fdb\nn = [::1]/3050:x\n", "m", "host:/d/a.fdb"},
		{"remote path", "3.0.10 4.0.2", "m = host:/d/a.fdb\n", "m", "?"},
		{"backslashes", "3.0 5.0", "a\\m = \\d\\a.fdb\n", "a/m", "/d/a.fdb"},
		{"no path", "3.0.11", "/d/a.fdb\n{\nP = 5\n}\n", "/d/a.fdb", " P=5@3"},
		{"no path", "4.0.5 5.0.4", "/d/a.fdb\n{\nP = 5\n}\n", "/d/a.fdb", "/d/a.fdb P=5@3"},
		{"no path", "4.0.5", "m =\n", "m", "m"},
		{"no path", "6.0", "/d/a.fdb\n{\nP = 5\n}\n", "/d/a.fdb", "?"},
		{"macro without directory", "5.0", "m = $(dir_secDb)/s.fdb\n{\nP = 5\n}\n", "m", "$(dir_secDb)/s.fdb P=5@3"},
		{"bad line in a block", "5.0", "m = /d/a.fdb\n{\n\"P\" = 5\n}\n", "m", "!d.conf: illegal line <\"P\" = 5>"},
		{"bad second line in a block", "5.0", "m = /d/a.fdb\n{\nP = 1\n\"P\" = 5\n}\n", "m", "!d.conf: illegal line <\"P\" = 5>"},
		{"include in a block", "5.0", "m = /d/a.fdb\n{\ninclude /root/inc.conf\n}\n", "m", "/d/a.fdb DefaultDbCachePages=7777@1"},
		{"2.5 does not read it", "2.5", "m = /d/a.fdb\n", "m", "?"},
	}
	for _, tt := range tests {
		for version := range strings.FieldsSeq(tt.versions) {
			t.Run(tt.name+"/"+version, func(t *testing.T) {
				f := Parse([]byte(tt.text), Options{Name: "d.conf", Kind: DatabasesConf,
					Dialect: mustDialect(t, version), FileID: fileIDs, Files: probeFiles})
				if got := describe(f, tt.attach); got != tt.want {
					t.Errorf("got  %q\nwant %q", got, tt.want)
				}
			})
		}
	}
}

func describe(f *File, attach string) string {
	if f.Fault() != nil {
		return "!" + f.Fatal()
	}
	db, ok := f.Database(attach)
	if !ok {
		return "?"
	}
	return strings.TrimSuffix(db.Path+" "+inForce(db.Settings), " ")
}

// TestMisconfiguredLog: the cause stands in the log only.
func TestMisconfiguredLog(t *testing.T) {
	for text, want := range map[string]string{
		"m = /d/a.fdb\nm = /d/b.fdb\n":             "Duplicated alias m",
		"m = /d/a.fdb\n{\n}\nn = /d/a.fdb\n{\n}\n": "Duplicated configuration for database /d/a.fdb",
		"m = /d/a.fdb\nn = /d/link.fdb\n":          "Same ID for databases /d/link.fdb and /d/a.fdb",
	} {
		fault := Parse([]byte(text), Options{Kind: DatabasesConf, FileID: fileIDs}).Fault()
		if fault == nil || fault.Effect != AttachFails || fault.Log != "File databases.conf contains bad data: "+want {
			t.Errorf("%q: %+v, want %s", text, fault, want)
		}
	}
}

func TestWindowsDatabases(t *testing.T) {
	text := "Main = C:/data/a.fdb\n{\nP = 1\n}\nrel = a.fdb\ndrive = c:\nempty =\nh = host:C:\\a.fdb\n"
	f := Parse([]byte(text), Options{Kind: DatabasesConf, Dialect: Dialect{Major: 4, Patch: 5, Windows: true}})
	if got := describe(f, "MAIN"); got != `C:\data\a.fdb P=1@3` {
		t.Errorf("main is %q", got)
	}
	if got := describe(f, `c:\DATA\A.FDB`); got != `c:\DATA\A.FDB P=1@3` {
		t.Errorf("its path is %q", got)
	}
	if got := describe(f, "h"); got != `host:C:\a.fdb` {
		t.Errorf("remote is %q", got)
	}
	for _, name := range []string{"rel", "drive", "empty"} {
		if got := describe(f, name); got != "?" {
			t.Errorf("%s is %q, want it ignored", name, got)
		}
	}
}

func TestAliasesConf(t *testing.T) {
	text := "# c\na = /d/a.fdb\n b = \"/d/b #1.fdb\" # c\nc = d/c.fdb\na = /d/z.fdb\nbad line\nd = \"/d/d.fdb\" x\ne = \"/d/e.fdb\nf =\nA\\x = \\d\\f.fdb\r\n"
	f := Parse([]byte(text), Options{Kind: AliasesConf, Dialect: mustDialect(t, "2.5")})
	if f.Fault() != nil {
		t.Fatalf("fault %q; 2.5 skips bad lines of aliases.conf", f.Fatal())
	}
	for alias, want := range map[string]string{
		"a": "/d/z.fdb", "b": "/d/b #1.fdb", "A/x": "/d/f.fdb",
		"c": "?", "d": "?", "e": "?", "f": "?", "A": "?",
	} {
		if got := describe(f, alias); got != want {
			t.Errorf("%s is %q, want %q", alias, got, want)
		}
	}
	if got := len(f.Aliases()); got != 6 {
		t.Errorf("%d aliases, want 6: %v", got, f.Aliases())
	}
	if len(f.Settings()) != 0 {
		t.Errorf("settings %v", f.Settings())
	}
}

func TestAliasesListBlocksAndIgnored(t *testing.T) {
	f := Parse([]byte("m = $(root)/a.fdb\n{\nP = 5\n}\nrel = x.fdb\n"), Options{
		Name: "/c/databases.conf", Kind: DatabasesConf, Dirs: Dirs{Root: "/fb"}})
	m, rel := f.Aliases()[0], f.Aliases()[1]
	if m.Name != "m" || m.Raw != "$(root)/a.fdb" || m.Path != "/fb/a.fdb" || !m.HasBlock || fmt.Sprint(m.Settings[0].Line) != "3" {
		t.Errorf("m is %+v", m)
	}
	if !strings.Contains(rel.Ignored, "Value x.fdb configured for alias rel is not a fully qualified path name") || rel.HasBlock {
		t.Errorf("rel is %+v", rel)
	}
}
