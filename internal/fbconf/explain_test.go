package fbconf

import "testing"

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name string
		kind Kind
		in   string
		key  string
		with []string
		want string
	}{
		{"above the line in force", FirebirdConf, "# mine\nA = 1\nA = 2\n", "a", []string{"why", "and how"},
			"# mine\n# fbtune: why\n#   and how\nA = 1\nA = 2\n"},
		{"replaces an earlier one", FirebirdConf, "# mine\n# fbtune: old\n#   older\nA = 1\n", "A", []string{"new"},
			"# mine\n# fbtune: new\nA = 1\n"},
		{"removes", FirebirdConf, "# fbtune: old\nA = 1\n", "A", nil, "A = 1\n"},
		{"leaves other comments", FirebirdConf, "# fbtune: of B\nB = 1\n#   mine\nA = 1\n", "A", []string{"new"},
			"# fbtune: of B\nB = 1\n#   mine\n# fbtune: new\nA = 1\n"},
		{"keeps line ends and margin", FirebirdConf, "X = 1\r\n\tA = 1\r\n", "A", []string{"why", "how"},
			"X = 1\r\n\t# fbtune: why\r\n\t#   how\r\n\tA = 1\r\n"},
		{"without a final newline", FirebirdConf, "A = 1", "A", []string{"why"}, "# fbtune: why\nA = 1"},
		{"an alias", DatabasesConf, "erp = /data/erp.fdb\n{\n\tX = 1\n}\n", "erp", []string{"why"},
			"# fbtune: why\nerp = /data/erp.fdb\n{\n\tX = 1\n}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := Parse([]byte(test.in), Options{Kind: test.kind, Dialect: Dialect{Major: 3, Patch: NewestPatch}})
			if err := f.Explain(test.key, "fbtune: ", test.with); err != nil {
				t.Fatal(err)
			}
			if got := string(f.Bytes()); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestExplainRefuses(t *testing.T) {
	const text = "A = 1\n"
	f := Parse([]byte(text), Options{Dialect: Dialect{Major: 3, Patch: NewestPatch}})
	if err := f.Explain("B", "fbtune: ", []string{"why"}); err == nil {
		t.Error("explained a key that no line gives")
	}
	if err := f.Explain("A", "fbtune: ", []string{"why\nB = 2"}); err == nil {
		t.Error("a line end got into a comment")
	}
	if string(f.Bytes()) != text {
		t.Errorf("the file changed: %q", f.Bytes())
	}
}
