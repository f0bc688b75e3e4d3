package fbconf

import (
	"fmt"
	"strings"
	"testing"
)

// inForce renders the settings that count, as "key=value@line".
func inForce(settings []Setting) string {
	var list []string
	for _, s := range settings {
		if s.InForce {
			list = append(list, fmt.Sprintf("%s=%s@%d", s.Key, s.Value, s.Line))
		}
	}
	return strings.Join(list, " ")
}

func TestSettingsInForce(t *testing.T) {
	tests := []struct {
		name, versions, text string
		want                 string // in force, or "!" and the fault
	}{
		{"plain", "2.5 3.0 4.0 5.0 6.0", "A = 1\n# c\n\n  B=2 # c\r\n", "A=1@1 B=2@4"},
		{"first wins", "3.0 4.0 5.0 6.0", "A = 1\na = 2\nA = 3\n", "A=1@1"},
		{"last wins, keys have case", "2.5", "A = 1\na = 2\nA = 3\n", "a=2@2 A=3@3"},
		{"no equals sign", "3.0.11 4.0.3 5.0 6.0", "A\nB = 1\nA = 2\n", "B=1@2"},
		{"no equals sign, old", "3.0.10 3.0.11.33637 4.0.2", "A\nB = 1\nA = 2\n", "A=@1 B=1@2"},
		{"no equals sign", "2.5", "A\nB = 1\n C d\n", "!2 bad lines in f.conf"},
		{"empty value", "3.0 5.0", "A =\nB = \"\"\n", "A=@1 B=@2"},
		{"empty value is the default", "2.5", "A = 1\nA =\n", ""},
		{"no key", "3.0 5.0", "B = 1\n = 1\n", "!f.conf: illegal line <= 1>"},
		{"no key", "2.5", " = 1\n", "=1@1"},
		{"second equals sign", "3.0 5.0", "A = 900 = 5\nB == 1\n", "A=900 = 5@1 B== 1@2"},
		{"second equals sign", "2.5", "A = 900 = 5\nB == 1\n", "A=900 = 5@1 B=1@2"},
		{"quotes", "3.0 5.0", "A = \"x # y\" # c\nB=\"\"\nC = a\"b\"\n", "A=x # y@1 B=@2 C=a\"b@3"},
		{"quotes stay", "2.5", "A = \"x\"\nB = \"x # y\"\n", "A=\"x\"@1 B=\"x@2"},
		{"text after quotes", "3.0", "A = \"x\" y\n", `!f.conf: illegal line <A = "x" y>`},
		{"three quotes", "5.0", "A = \"x\"\"\n", `!f.conf: illegal line <A = "x"">`},
		{"open quote", "5.0", "\tA = \"x # y\r\n", `!f.conf: illegal line <A = "x # y>`},
		{"quote before equals", "4.0", "\"A\" = 1\n", `!f.conf: illegal line <"A" = 1>`},
		{"hash cuts", "3.0 2.5", "A = /tmp/#dir\n", "A=/tmp/@1"},
		{"braces are text", "3.0 5.0", "A = x {y}\n{\nB = {{a}}\nC = {{{\n", "A=x {y}@1 B={a}@3 C={{@4"},
		{"braces stay", "2.5", "B = {{a}}\n", "B={{a}}@1"},
		{"NUL ends key and value", "3.0 5.0", "A\x00z = 1\x00 2\n", "A=1@1"},
		{"NUL begins a line", "4.0", "A = 1\n\x00\n", "!f.conf: illegal line <>"},
		{"byte order mark on a comment", "3.0", "\xef\xbb\xbf# c\nA = 1\n", "A=1@2"},
		{"byte order mark on a key", "3.0 2.5", "\xef\xbb\xbfA = 1\n", "\xef\xbb\xbfA=1@1"},
		{"lone CR does not end a line", "3.0", "A = 1\rB = 2\n# c\rD = 1", "A=1\rB = 2@1"},
		{"no final newline", "3.0 2.5", "A = 1", "A=1@1"},
		{"code page bytes", "3.0 2.5", "A = E:\\Programa\xe7\xe3o\n", "A=E:\\Programa\xe7\xe3o@1"},
		{"include with equals sign", "3.0", "include = x\n", "!Invalid include operator in f.conf for <= x>\n-File to include not found"},
		{"include is a word to 2.5", "2.5", "include x\n", "!1 bad lines in f.conf"},
		{"bare include is a key", "3.0.11", "include\n", ""},
		{"macros", "3.0 5.0", "A = $(root)/x\nB = $(dir_secDB)\\y\nC = a\\b\nD = $(this)z$(install)\n", "A=/fb/x@1 B=/sec/y@2 C=a\\b@3 D=$(this)z$(install)@4"},
		{"macro names with case", "3.0", "A = $(Root)\n", "!f.conf: illegal line <A = $(Root)>"},
		{"unknown macro", "5.0", "A = $(bogus)\n", "!f.conf: illegal line <A = $(bogus)>"},
		{"open macro", "5.0", "A = $(root\n", "!f.conf: illegal line <A = $(root>"},
		{"macro behind a NUL", "3.0", "A = 1\x00$(\n", "A=1@1"},
		{"macros are text", "2.5", "A = $(root)\n", "A=$(root)@1"},
	}
	for _, tt := range tests {
		for version := range strings.FieldsSeq(tt.versions) {
			t.Run(tt.name+"/"+version, func(t *testing.T) {
				f := Parse([]byte(tt.text), Options{
					Name:    "f.conf",
					Dialect: mustDialect(t, version),
					Files:   probeFiles,
					Dirs:    Dirs{Root: "/fb/", SecDB: "/sec"},
				})
				got := inForce(f.Settings())
				if f.Fault() != nil {
					got = "!" + f.Fatal()
				}
				if got != tt.want {
					t.Errorf("got  %q\nwant %q", got, tt.want)
				}
			})
		}
	}
}

func TestSettingKnowsItsPlace(t *testing.T) {
	f := Parse([]byte("Port = \"$(root)/p\" # c\nport = 2\n"), Options{Name: "/c/firebird.conf", Dirs: Dirs{Root: "/fb"}})
	first, second := f.Settings()[0], f.Settings()[1]
	if first.Raw != "$(root)/p" || first.Value != "/fb/p" || !first.HasValue || first.Place != (Place{f.Name(), 1}) || f.Name() != "/c/firebird.conf" {
		t.Errorf("first is %+v", first)
	}
	if second.InForce || second.ShadowedBy == nil || *second.ShadowedBy != first.Place {
		t.Errorf("second is %+v", second)
	}
	if s, ok := f.Lookup("PORT"); !ok || s.Line != 1 {
		t.Errorf("Lookup found %+v, %t", s, ok)
	}
	if _, ok := f.Lookup("Other"); ok {
		t.Error("Lookup found a key that is not there")
	}
}

// TestNumberBehindNUL is what a real 3.0.11 does: the blank before the NUL is
// not trimmed, so the number is none.
func TestNumberBehindNUL(t *testing.T) {
	d := mustDialect(t, "3.0")
	f := Parse([]byte("A = 110 \x00\nB = 110\x00\n"), Options{Dialect: d})
	if a, b := f.Settings()[0].Int(d), f.Settings()[1].Int(d); a != 0 || b != 110 {
		t.Errorf("got %d and %d, want 0 and 110", a, b)
	}
}
