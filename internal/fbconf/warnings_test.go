package fbconf

import (
	"fmt"
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	tests := []struct {
		name, version, text string
		kind                Kind
		want                string // "kind@line", in order
	}{
		{"clean", "5.0", "# c\nP = 1 # c\nQ = \"x\"\n", FirebirdConf, ""},
		{"duplicate", "5.0", "P = 1\nQ = 1\np = 2\n", FirebirdConf, "duplicate@3"},
		{"duplicate", "2.5", "P = 1\nQ = 1\nP = 2\n", FirebirdConf, "duplicate@1"},
		{"no equals sign", "5.0", "P 1\n", FirebirdConf, "no equals sign@1"},
		{"no equals sign", "4.0.2", "P\n", FirebirdConf, "no equals sign@1"},
		{"no equals sign", "2.5", "P 1\n", FirebirdConf, "no equals sign@1"},
		{"bare key hides value", "5.0", "P\nP = 1\n", FirebirdConf, "bare key hides value@1 duplicate@2"},
		{"empty", "5.0", "P =\n", FirebirdConf, "empty value@1"},
		{"empty", "2.5", "P =\n", FirebirdConf, "empty value@1"},
		{"no-break space", "5.0", "P\u00a0=\u00a01\n", FirebirdConf, "key with foreign characters@1"},
		{"byte order mark", "5.0", bom + "P = 1\n", FirebirdConf, "byte order mark@1"},
		{"byte order mark on a comment", "5.0", bom + "# c\nP = 1\n", FirebirdConf, ""},
		{"byte order mark on a comment", "2.5", bom + "# c\nP = 1\n", FirebirdConf, "no equals sign@1"}, // and no start
		{"UTF-16", "5.0", "P\x00=\x001\x00\n\x00", FirebirdConf, "NUL bytes@1 empty value@1"},
		{"CR", "5.0", "# c\n#P = 1\rQ = 2\r\n", FirebirdConf, "lone carriage return@2"},
		{"hash in quotes", "2.5", "P = \"/tmp/#1\"\n", FirebirdConf, "# in quotes@1"},
		{"hash after quotes", "2.5", "P = \"/tmp\" # c\n", FirebirdConf, ""},
		{"brace comment", "5.0", "m = /d/a.fdb\n{ # c\n}\n", DatabasesConf, "comment after brace@2 alias ignored@2"},
		{"second block", "5.0", "m = /d/a.fdb\n{\n}\n{\n}\n", DatabasesConf, "second block@4"},
		{"relative alias", "5.0", "m = a.fdb\n", DatabasesConf, "alias ignored@1"},
		{"empty alias", "5.0.4", "m =\n", DatabasesConf, "alias without path@1"},
		{"in a block", "5.0", "m = /d/a.fdb\n{\nP 1\nQ = 1\nQ = 2\n}\n", DatabasesConf, "no equals sign@3 duplicate@5"},
		{"databases.conf", "2.5", "m = /d/a.fdb\n", DatabasesConf, "file not read@0"},
		{"aliases.conf", "2.5", "a = /d/a\na = /d/b\nb\n", AliasesConf, "alias ignored@1 no equals sign@3"},
	}
	for _, tt := range tests {
		t.Run(tt.name+"/"+tt.version, func(t *testing.T) {
			f := Parse([]byte(tt.text), Options{Kind: tt.kind, Dialect: mustDialect(t, tt.version)})
			var got []string
			for _, w := range f.Warnings() {
				got = append(got, fmt.Sprintf("%s@%d", w.Kind, w.Line))
				if !strings.Contains(w.Text, "; ") {
					t.Errorf("%q does not say what to do", w.Text)
				}
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %q, want %q", s, tt.want)
			}
		})
	}
}
