package fbconf

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// fuzzCases are the ways one text is read by the fuzz tests.
func fuzzCases() []Options {
	files := fstest.MapFS{
		"c/inc.conf":       {Data: []byte("P = 1\n")},
		"c/firebird.conf":  {Data: []byte("include firebird.conf\n")},
		"c/databases.conf": {Data: []byte("m = /d/a.fdb\n{\nP = 1\n}\n")},
	}
	dirs := Dirs{Root: "/fb", SecDB: "/sec/", Conf: "/c"}
	var list []Options
	for _, version := range []Dialect{
		{Major: 2, Minor: 5}, {Major: 3, Patch: 10}, {Major: 3, Patch: 14},
		{Major: 4, Patch: 5}, {Major: 5, Patch: 4}, {Major: 6}, {Major: 5, Patch: 4, Windows: true},
	} {
		for _, kind := range []Kind{FirebirdConf, DatabasesConf, AliasesConf} {
			list = append(list, Options{Name: "/c/" + kind.String(), Kind: kind, Dialect: version, Dirs: dirs, Files: files})
		}
	}
	return list
}

func addSeeds(f *testing.F) {
	for _, text := range []string{
		"", "\n", "\r\n", "P = 1", "# c\r\nP = \"1\" # c\r\n", "P\n= 1\n", "P = \"\n",
		bom + "P=1\n", "P\x00=\x001\x00\n\x00", "P\u00a0=\u00a01\n", "\xea\xe5 = \xff\n", "a\rb\n",
		"include inc.conf\ninclude *.conf\n", "P = $(root)/$(dir_secDb)\\x$(this)\n", "P = $(\n",
		"m = /d/a.fdb\n{\nP = {{1}} }\n", "m = /d/a.fdb { # c\n}\n", "{\n}\n", "m = /x\n{\n{\n}\n", "{{{}}}\n",
	} {
		f.Add([]byte(text), "P", "2")
	}
	for _, p := range readProbes(f, "4.0.5") {
		f.Add([]byte(p.text), "DefaultDbCachePages", "4096")
	}
}

// FuzzRoundTrip: no text makes the parser fail, and none loses a byte.
func FuzzRoundTrip(f *testing.F) {
	addSeeds(f)
	cases := fuzzCases()
	f.Fuzz(func(t *testing.T, text []byte, key, _ string) {
		for _, opts := range cases {
			file := Parse(text, opts)
			if got := file.Bytes(); string(got) != string(text) {
				t.Fatalf("%v %v: %q became %q", opts.Dialect, opts.Kind, text, got)
			}
			file.Warnings()
			for _, s := range file.Settings() {
				s.Int(opts.Dialect)
				s.Bool(opts.Dialect)
			}
			file.Database(key)
		}
	})
}

// FuzzEdit: an edit either is refused and changes no byte, or is in force and
// leaves every other line of the file as it was, in its order.
func FuzzEdit(f *testing.F) {
	addSeeds(f)
	cases := fuzzCases()
	f.Fuzz(func(t *testing.T, text []byte, key, value string) {
		for _, opts := range cases {
			for name, edit := range map[string]func(*File) error{
				"Set":        func(f *File) error { return f.Set(key, value) },
				"SetInBlock": func(f *File) error { return f.SetInBlock("m", key, value) },
			} {
				file := Parse(text, opts)
				err := edit(file)
				after := file.Bytes()
				what := fmt.Sprintf("%s(%q, %q) on %v %v %q", name, key, value, opts.Dialect, opts.Kind, text)
				if err != nil {
					if string(after) != string(text) {
						t.Fatalf("%s failed and changed the file to %q", what, after)
					}
					continue
				}
				if file.Fault() != nil {
					t.Fatalf("%s: the file is now faulty: %s", what, file.Fatal())
				}
				if lost := lostLines(splitLines(string(text)), splitLines(string(after))); lost > 1 {
					t.Fatalf("%s changed %d lines: %q", what, lost, after)
				}
			}
		}
	})
}

// lostLines counts the lines of before that do not stand in after, in order. A
// line that only got its missing newline counts as standing there.
func lostLines(before, after []string) int {
	if n := len(before); n > 0 && n < len(after) {
		before = append(before[:n-1:n-1], withNewline(before[n-1], after))
	}
	lost, j := 0, 0
	for _, line := range before {
		k := j
		for k < len(after) && after[k] != line {
			k++
		}
		if k == len(after) {
			lost++
			continue
		}
		j = k + 1
	}
	return lost
}

// withNewline is line as after has it, where an insertion behind it ended it.
func withNewline(line string, after []string) string {
	for _, eol := range []string{"\n", "\r\n"} {
		for _, other := range after {
			if other == line+eol {
				return other
			}
		}
	}
	return line
}

// realFiles is a directory of other people's files, which are not part of this
// project: go test -args -files DIR.
var realFiles = flag.String("files", "", "a further directory of configuration files that must survive")

// TestWholeFiles reads and prints whole configuration files: fbtune's own
// templates, and other people's where they were given.
func TestWholeFiles(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"../../templates/conf/*/*.conf", "../../templates/conf/*/*/*.conf", filepath.Join(*realFiles, "*.conf")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		if given := pattern == filepath.Join(*realFiles, "*.conf"); len(found) == 0 && (!given || *realFiles != "") {
			t.Errorf("there are no files %s", pattern)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, opts := range fuzzCases() {
			f := Parse(content, opts)
			if string(f.Bytes()) != string(content) {
				t.Errorf("%s as %v of %v: bytes were lost", path, opts.Kind, opts.Dialect)
			}
		}
	}
}
