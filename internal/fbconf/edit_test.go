package fbconf

import (
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	const stock = "# page cache\r\n#\r\n# DefaultDbCachePages = 9999 for example\r\n#DefaultDbCachePages = 2048\r\n\r\n#Other = 1\r\n"
	tests := []struct {
		name, version, text, key, value string
		want                            string
	}{
		{"value only", "5.0", "a\n  P\t=\t1  # c\r\nQ = 2\n", "P", "7", "a\n  P\t=\t7  # c\r\nQ = 2\n"},
		{"key in another case", "5.0", "defaultdbcachepages=1#c", "DefaultDbCachePages", "70", "defaultdbcachepages=70#c"},
		{"first duplicate", "3.0", "P = 1\nP = 2\n", "p", "7", "P = 7\nP = 2\n"},
		{"last duplicate", "2.5", "P = 1\nP = 2\n", "P", "7", "P = 1\nP = 7\n"},
		{"quoted", "5.0", "T = \"/tmp/a b\" # c\n", "T", "/tmp/c", "T = /tmp/c # c\n"},
		{"same value", "5.0", "T = \"/tmp\" # c\n", "T", "/tmp", "T = \"/tmp\" # c\n"},
		{"needs quotes", "5.0", "T = /tmp # c\n", "T", "/tmp/#1", "T = \"/tmp/#1\" # c\n"},
		{"blanks need quotes", "5.0", "T = x\n", "T", " y ", "T = \" y \"\n"},
		{"braces need doubling", "5.0", "T = x\n", "T", "{{a}", "T = {{{{a}}\n"},
		{"macro", "5.0", "T = x\n", "T", "$(root)/tmp", "T = $(root)/tmp\n"},
		{"empty", "5.0", "T = # c\n", "T", "x", "T = x # c\n"},
		{"empty at the end", "5.0", "T =\nU=1\n", "T", "x", "T = x\nU=1\n"},
		{"to empty", "5.0", "T = x # c\n", "T", "", "T =  # c\n"},
		{"no equals sign", "5.0", " T # c\nT = 1\n", "T", "x", " T = x # c\nT = 1\n"},
		{"commented default", "5.0", stock, "DefaultDbCachePages", "4096", strings.Replace(stock, "2048\r\n", "2048\r\nDefaultDbCachePages = 4096\r\n", 1)},
		{"loose comment", "5.0", "\t# P = 1\nQ = 1\n", "P", "4", "\t# P = 1\n\tP = 4\nQ = 1\n"},
		{"at the end", "5.0", "A = 1\r\n", "P", "4", "A = 1\r\nP = 4\r\n"},
		{"at the end without newline", "5.0", "A = 1\r\nB = 2", "P", "4", "A = 1\r\nB = 2\r\nP = 4"},
		{"empty file", "5.0", "", "P", "4", "P = 4\n"},
		{"code page", "5.0", "# \xea\xe5\xf8\nR = \xe7\xe3\nP = 1 # \xff\n", "P", "4", "# \xea\xe5\xf8\nR = \xe7\xe3\nP = 4 # \xff\n"},
		{"key lost to a byte order mark", "5.0", "\xef\xbb\xbfP = 1\n", "P", "4", "\xef\xbb\xbfP = 1\nP = 4\n"},
		{"several equals signs", "2.5", "P == 1\n", "P", "4", "P == 4\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Parse([]byte(tt.text), Options{Dialect: mustDialect(t, tt.version)})
			if err := f.Set(tt.key, tt.value); err != nil {
				t.Fatal(err)
			}
			if got := string(f.Bytes()); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if s, ok := f.Lookup(tt.key); !ok || s.Raw != tt.value {
				t.Errorf("in force is %+v, %t", s, ok)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct {
		name, version, text, key, value string
		want                            string // part of the error
	}{
		{"faulty file", "5.0", "P = 1\nQ = \"\n", "P", "2", "illegal line <Q = \">"},
		{"included", "5.0", "include /root/inc.conf\n", "DefaultDbCachePages", "2", "edit /root/inc.conf:1"},
		{"quote inside", "5.0", "P = 1\n", "P", "a\"#b", "unchanged"},
		{"newline", "5.0", "P = 1\n", "P", "1\nQ = 2", "unchanged"},
		{"newline hidden in a comment", "5.0", "P = 1\n", "P", "1\n#", "unchanged"},
		{"unknown macro", "5.0", "P = 1\n", "P", "$(bogus)", "illegal line"},
		{"bad key", "5.0", "", "A = B", "1", "unchanged"},
		{"include is no key", "5.0", "", "include", "1", "Invalid include operator"},
		{"hash", "2.5", "P = 1\n", "P", "/tmp/#1", "unchanged"},
		{"empty", "2.5", "P = 1\n", "P", "", "unchanged"},
		{"UTF-16", "5.0", "\xff\xfeP\x00=\x001\x00\r\x00\n\x00", "Q", "1", "illegal line <>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Parse([]byte(tt.text), Options{Dialect: mustDialect(t, tt.version), Files: probeFiles})
			err := f.Set(tt.key, tt.value)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if string(f.Bytes()) != tt.text {
				t.Errorf("the file became %q", f.Bytes())
			}
		})
	}
}

func TestRemove(t *testing.T) {
	tests := []struct{ name, text, key, want string }{
		{"every line of the key", "P = 1\nA = 2\np = 3 # c\nP\n", "P", "A = 2\n"},
		{"absent", "A = 2\n", "P", "A = 2\n"},
		{"commented default stays", "#P = 1\nP = 2\n", "P", "#P = 1\n"},
	}
	for _, tt := range tests {
		f := Parse([]byte(tt.text), Options{})
		if err := f.Remove(tt.key); err != nil || string(f.Bytes()) != tt.want {
			t.Errorf("%s: %v, got %q, want %q", tt.name, err, f.Bytes(), tt.want)
		}
	}
	for _, text := range []string{"include /root/inc.conf\n", "P = \"\n"} {
		f := Parse([]byte(text), Options{Files: probeFiles})
		if err := f.Remove("DefaultDbCachePages"); err == nil || string(f.Bytes()) != text {
			t.Errorf("Remove from %q: error %v, file %q", text, err, f.Bytes())
		}
	}
}

func TestSetInBlock(t *testing.T) {
	tests := []struct {
		name, text, alias, key, value string
		want                          string
	}{
		{"value only", "m = /d/a.fdb\n{\n  P = 1 # c\n}\n", "m", "p", "7", "m = /d/a.fdb\n{\n  P = 7 # c\n}\n"},
		{"on the line of the brace", "m = /d/a.fdb {\nP = 1 } # c\n", "m", "P", "7", "m = /d/a.fdb {\nP = 7 } # c\n"},
		{"quoted before the brace", "m = /d/a.fdb {\nP = \"1\" }\n", "m", "P", "7#", "m = /d/a.fdb {\nP = \"7#\" }\n"},
		{"new key", "m = /d/a.fdb\r\n{\r\n  P = 1\r\n}\r\n", "m", "Q", "7", "m = /d/a.fdb\r\n{\r\n  P = 1\r\n  Q = 7\r\n}\r\n"},
		{"new key beside comment", "m = /d/a.fdb\n{\n\t#Q = 1\n\tP = 1\n}\n#Q = 2\n", "m", "Q", "7", "m = /d/a.fdb\n{\n\t#Q = 1\n\tQ = 7\n\tP = 1\n}\n#Q = 2\n"},
		{"empty block", "  m = /d/a.fdb {\n}\n", "m", "Q", "7", "  m = /d/a.fdb {\n  \tQ = 7\n}\n"},
		{"new key before brace line", "m = /d/a.fdb\n{\nP = 1 }\n", "m", "Q", "7", "m = /d/a.fdb\n{\n\tQ = 7\nP = 1 }\n"},
		{"no block", "m = /d/a.fdb # c\nn = /d/b.fdb", "m", "Q", "7", "m = /d/a.fdb # c\n{\n\tQ = 7\n}\nn = /d/b.fdb"},
		{"no block at the end", "m = /d/a.fdb", "m", "Q", "7", "m = /d/a.fdb\n{\n\tQ = 7\n}"},
		{"another alias has the block", "m = /d/a.fdb\n{\n\tP = 1\n}\nn = /d/a.fdb\n", "n", "P", "7", "m = /d/a.fdb\n{\n\tP = 7\n}\nn = /d/a.fdb\n"},
		{"nested block is another's", "m = /d/a.fdb\n{\n\tX = 1\n\t{\n\t\tP = 1\n\t}\n}\n", "m", "P", "7", "m = /d/a.fdb\n{\n\tX = 1\n\t{\n\t\tP = 1\n\t}\n\tP = 7\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := Parse([]byte(tt.text), Options{Kind: DatabasesConf})
			if err := f.SetInBlock(tt.alias, tt.key, tt.value); err != nil {
				t.Fatal(err)
			}
			if got := string(f.Bytes()); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			db, _ := f.Database(tt.alias)
			if s, ok := InForce(db.Settings, tt.key, Dialect{}); !ok || s.Raw != tt.value {
				t.Errorf("in force is %+v, %t", s, ok)
			}
		})
	}
}

func TestSetInBlockRefuses(t *testing.T) {
	tests := []struct {
		name, text, alias, key string
		kind                   Kind
		want                   string
	}{
		{"no alias", "m = /d/a.fdb\n", "n", "P", DatabasesConf, "no such alias"},
		{"ignored alias", "m = a.fdb\n", "m", "P", DatabasesConf, "no such alias"},
		{"firebird.conf", "m = /d/a.fdb\n", "m", "P", FirebirdConf, "set it in firebird.conf"},
		{"faulty file", "m = /d/a.fdb\n}\n", "m", "P", DatabasesConf, "illegal line <}>"},
		{"key in an included file", "m = /d/a.fdb\n{\ninclude /root/inc.conf\n}\n", "m", "DefaultDbCachePages", DatabasesConf, "edit /root/inc.conf:1"},
		{"bad key", "m = /d/a.fdb\n{\n}\n", "m", "}", DatabasesConf, "unchanged"},
	}
	for _, tt := range tests {
		f := Parse([]byte(tt.text), Options{Kind: tt.kind, Files: probeFiles})
		err := f.SetInBlock(tt.alias, tt.key, "1")
		if err == nil || !strings.Contains(err.Error(), tt.want) || string(f.Bytes()) != tt.text {
			t.Errorf("%s: error %v, want %q; file %q", tt.name, err, tt.want, f.Bytes())
		}
	}
}

func TestSetAlias(t *testing.T) {
	tests := []struct {
		name, text, alias, path string
		want                    string // "" for a refusal
	}{
		{"path", "m = /d/a.fdb # c\n{\nP = 1\n}\n", "m", "/d/b c.fdb", "m = /d/b c.fdb # c\n{\nP = 1\n}\n"},
		{"new", "m = /d/a.fdb\n{\n}\n", "n", "/d/b.fdb", "m = /d/a.fdb\n{\n}\nn = /d/b.fdb\n"},
		{"case is another alias", "m = /d/a.fdb\n", "M", "/d/b.fdb", "m = /d/a.fdb\nM = /d/b.fdb\n"},
		{"not between alias and block", "m = /d/a.fdb\n#n = /x\n{\n}\n", "n", "/d/b.fdb", "m = /d/a.fdb\n#n = /x\n{\n}\nn = /d/b.fdb\n"},
		{"relative", "m = /d/a.fdb\n", "m", "b.fdb", ""},
		{"second block for one file", "m = /d/a.fdb\n{\n}\nn = /d/b.fdb\n{\n}\n", "n", "/d/a.fdb", ""},
	}
	for _, tt := range tests {
		f := Parse([]byte(tt.text), Options{Kind: DatabasesConf})
		err := f.Set(tt.alias, tt.path)
		if want := tt.want; err == nil && string(f.Bytes()) != want {
			t.Errorf("%s: got %q, want %q", tt.name, f.Bytes(), want)
		} else if (err == nil) != (want != "") {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
	f := Parse([]byte("m = /d/a.fdb\n{\n}\nn = /d/b.fdb\n"), Options{Kind: DatabasesConf})
	if err := f.Remove("m"); err == nil {
		t.Error("Remove took an alias and left its block")
	}
	if err := f.Remove("n"); err != nil || string(f.Bytes()) != "m = /d/a.fdb\n{\n}\n" {
		t.Errorf("Remove: %v, %q", err, f.Bytes())
	}
	g := Parse([]byte("a = /d/a.fdb\na = /d/b.fdb\n"), Options{Kind: AliasesConf})
	if err := g.Set("a", "/d/#.fdb"); err != nil || string(g.Bytes()) != "a = /d/a.fdb\na = \"/d/#.fdb\"\n" {
		t.Errorf("aliases.conf: %v, %q", err, g.Bytes())
	}
}
