package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

func rulesOf(t *testing.T, version string) Rules {
	t.Helper()
	v, err := confgen.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := NewRules(v)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// pair reads two configurations; each is a firebird.conf and, after a line
// "---", a databases.conf.
func pair(t *testing.T, version, a, b string) Difference {
	t.Helper()
	rules := rulesOf(t, version)
	read := func(name, text string) Side {
		conf, databases, both := strings.Cut(text, "---\n")
		texts := Texts{ConfPath: "/" + name + "/firebird.conf", DatabasesPath: "/" + name + "/databases.conf", Conf: []byte(conf)}
		if both {
			texts.Databases = []byte(databases)
		}
		return rules.Read(name, texts)
	}
	return Compare(read("a", a), read("b", b))
}

// spelled writes a difference as lines, settings first.
func spelled(d Difference) string {
	var b strings.Builder
	for _, s := range d.Settings {
		fmt.Fprintf(&b, "%s %s: %s -> %s\n", s.Database, s.Name, s.A.Means, s.B.Means)
	}
	for _, l := range d.Lines {
		fmt.Fprintf(&b, "%s %s:%d %q\n", l.Side, l.File, l.Line, l.Text)
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		name, version, a, b, want string
	}{
		{"the same", "3.0", "X = 1\n", "X = 1\n", ""},
		{
			"a value", "3.0", "DefaultDbCachePages = 100\n", "# more\nDefaultDbCachePages = 200\n",
			" DefaultDbCachePages: 100 pages -> 200 pages\nb firebird.conf:1 \"# more\"\n",
		},
		{
			"a default", "3.0", "", "TempCacheLimit = 128M\n",
			" TempCacheLimit: 64 MiB -> 128 MiB\n",
		},
		{
			"spelled in another way", "3.0", "TempCacheLimit = 64M\n", "tempcachelimit=67108864 # as it was\n",
			"a firebird.conf:1 \"TempCacheLimit = 64M\"\nb firebird.conf:1 \"tempcachelimit=67108864 # as it was\"\n",
		},
		{
			"the default in full", "3.0", "", "DefaultDbCachePages = 2048\n",
			"b firebird.conf:1 \"DefaultDbCachePages = 2048\"\n",
		},
		{
			"a clamp makes them equal", "3.0", "DefaultDbCachePages = 1\n", "DefaultDbCachePages = 64KB\n",
			"a firebird.conf:1 \"DefaultDbCachePages = 1\"\nb firebird.conf:1 \"DefaultDbCachePages = 64KB\"\n",
		},
		{
			"the first of two counts", "3.0", "GCPolicy = background\n", "GCPolicy = background\nGCPolicy = combined\n",
			"b firebird.conf:2 \"GCPolicy = combined\"\n",
		},
		{
			"the last of two counts in 2.5", "2.5", "GCPolicy = background\n", "GCPolicy = background\nGCPolicy = combined\n",
			" GCPolicy: background -> combined\n",
		},
		{
			"an architecture brings its defaults", "3.0", "", "ServerMode = Classic\n",
			" ServerMode: Super -> Classic\n DefaultDbCachePages: 2048 pages -> 256 pages\n TempCacheLimit: 64 MiB -> 8 MiB\n GCPolicy: combined -> cooperative\n",
		},
		{
			"a key of another version", "3.0", "", "ParallelWorkers = 4\n",
			"b firebird.conf:1 \"ParallelWorkers = 4\"\n",
		},
		{
			"a setting that counts by being written", "4.0", "", "UseFileSystemCache = true\n",
			" UseFileSystemCache: true -> true\n",
		},
		{
			"a file that stops the server", "3.0", "DefaultDbCachePages = 100\n", "X = \"\nDefaultDbCachePages = 200\n",
			"a firebird.conf:1 \"DefaultDbCachePages = 100\"\nb firebird.conf:1 \"X = \\\"\"\nb firebird.conf:2 \"DefaultDbCachePages = 200\"\n",
		},
		{
			"a block", "3.0", "---\na = /a.fdb\n", "---\na = /a.fdb\n{\n\tDefaultDbCachePages = 500\n}\n",
			"a DefaultDbCachePages: 2048 pages -> 500 pages\nb databases.conf:2 \"{\"\nb databases.conf:4 \"}\"\n",
		},
		{
			"a block that says what the server has", "3.0",
			"DefaultDbCachePages = 500\n---\na = /a.fdb\n", "DefaultDbCachePages = 500\n---\na = /a.fdb\n{\n\tDefaultDbCachePages = 500\n}\n",
			"b databases.conf:2 \"{\"\nb databases.conf:3 \"\\tDefaultDbCachePages = 500\"\nb databases.conf:4 \"}\"\n",
		},
		{
			"a server's value under an equal block", "3.0",
			"DefaultDbCachePages = 100\n---\na = /a.fdb\n{\nDefaultDbCachePages = 500\n}\n", "DefaultDbCachePages = 200\n---\na = /a.fdb\n{\nDefaultDbCachePages = 500\n}\n",
			" DefaultDbCachePages: 100 pages -> 200 pages\n",
		},
		{
			"a server's setting in a block", "3.0", "---\na = /a.fdb\n{\n}\n", "---\na = /a.fdb\n{\nServerMode = Classic\n}\n",
			"b databases.conf:3 \"ServerMode = Classic\"\n",
		},
		{
			"an alias", "3.0", "---\na = /a.fdb\nold = /o.fdb\n", "---\na = /b.fdb\n",
			"a file: /a.fdb -> /b.fdb\nold file: /o.fdb -> no such alias\n",
		},
		{
			"a file that was not there", "3.0", "", "---\na = /a.fdb\n",
			"a file: no such alias -> /a.fdb\n",
		},
		{
			"two aliases of one file", "3.0", "---\na = /a.fdb\n{\nLockMemSize = 2M\n}\nb = /a.fdb\n", "---\na = /a.fdb\n{\nLockMemSize = 3M\n}\nb = /a.fdb\n",
			"a LockMemSize: 2 MiB -> 3 MiB\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := lined(spelled(pair(t, test.version, test.a, test.b)))
			for line := range got {
				if !lined(test.want)[line] {
					t.Errorf("unexpected: %s", line)
				}
			}
			for line := range lined(test.want) {
				if !got[line] {
					t.Errorf("missing: %s", line)
				}
			}
		})
	}
}

// lined is a text as a set of lines: the order of settings is the catalogue's.
func lined(text string) map[string]bool {
	set := map[string]bool{}
	for line := range strings.Lines(text) {
		set[strings.TrimSuffix(line, "\n")] = true
	}
	return set
}

func TestSettingsComeInTheOrderOfTheCatalogue(t *testing.T) {
	d := pair(t, "3.0", "", "TempCacheLimit = 1M\nServerMode = Classic\nDefaultDbCachePages = 77\n")
	at := -1
	for _, s := range d.Settings {
		for i, row := range confgen.All() {
			if row.Name != s.Name {
				continue
			}
			if i < at {
				t.Errorf("%s comes too late", s.Name)
			}
			at = i
			if s.Group != string(row.Topic) || s.Group == "" {
				t.Errorf("%s is in group %q, want %q", s.Name, s.Group, row.Topic)
			}
		}
	}
	if len(d.Settings) < 3 {
		t.Errorf("%d settings", len(d.Settings))
	}
}

func TestFatal(t *testing.T) {
	d := pair(t, "3.0.11", "", "X = \"\n")
	if d.A.Fatal != "" || !strings.Contains(d.B.Fatal, "illegal line") {
		t.Errorf("%+v, %+v", d.A, d.B)
	}
	d = pair(t, "3.0.11", "", "LockMemSize = 256K\nLockHashSlots = 65521\n")
	if !strings.Contains(d.B.Fatal, "8885") || len(d.Settings) != 2 {
		t.Errorf("%+v, %d settings", d.B, len(d.Settings))
	}
}

func TestOpen(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for path, content := range map[string]string{
		filepath.Join(dir, "firebird.conf"): "DefaultDbCachePages = 1000\n", filepath.Join(dir, "databases.conf"): "a = /a.fdb\n",
		filepath.Join(other, "firebird.conf"): "", filepath.Join(other, "my.conf"): "DefaultDbCachePages = 2000\n", filepath.Join(other, "old-databases.conf"): "b = /b.fdb\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rules := rulesOf(t, "3.0")
	open := func(path string) Side {
		t.Helper()
		s, err := rules.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, test := range []struct {
		a, b string
		want []string // names of settings
	}{
		{dir, other, []string{"DefaultDbCachePages"}},
		{dir, filepath.Join(other, "my.conf"), []string{"DefaultDbCachePages"}},
		{dir, filepath.Join(other, "old-databases.conf"), []string{"file", "file"}},
		{filepath.Join(other, "firebird.conf"), dir, []string{"DefaultDbCachePages"}},
	} {
		a, b, err := Common(open(test.a), open(test.b))
		if err != nil {
			t.Error(err)
		}
		var got []string
		for _, s := range Compare(a, b).Settings {
			got = append(got, s.Name)
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s, %s: %v differ, want %v", test.a, test.b, got, test.want)
		}
	}
	if _, _, err := Common(open(filepath.Join(other, "my.conf")), open(filepath.Join(dir, "databases.conf"))); err == nil {
		t.Error("a firebird.conf was compared with a databases.conf")
	}
	if _, err := rules.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "neither") {
		t.Errorf("an empty directory: %v", err)
	}
}

func TestBesides(t *testing.T) {
	const restart, block, buffers = "restart Firebird (process 7): firebird.conf is read once", "or wait until every connection", "gfix -buffers 0"
	for _, test := range []struct {
		name, a, b string
		want       []string
	}{
		{"text only", "", "# a word\n", []string{"nothing"}},
		{"the server", "", "GCPolicy = background\n", []string{restart}},
		{"the cache", "", "DefaultDbCachePages = 100\n", []string{restart, buffers}},
		{"a block", "---\na = /a.fdb\n", "---\na = /a.fdb\n{\nDefaultDbCachePages = 100\n}\n", []string{block, buffers}},
		{"a mended file", "X = \"\n", "", []string{restart}},
	} {
		got := pair(t, "3.0", test.a, test.b).Besides([]int{7, 8})
		if len(got) != len(test.want) {
			t.Errorf("%s: %q", test.name, got)
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: %q, want %q in it", test.name, got[i], want)
			}
		}
	}
}

// Every line of both files is in the matches or in the difference, once, and
// what matches is equal and in order.
func TestMatches(t *testing.T) {
	words := func(text string) []string { return strings.Fields(text) }
	var long []string
	for i := range 3000 {
		long = append(long, fmt.Sprint(i))
	}
	for _, test := range []struct {
		x, y []string
		want int
	}{
		{words("a b c"), words("a b c"), 3},
		{words("a b c"), words("a x c"), 2},
		{words("a b c d"), words("b d"), 2},
		{words("x a b"), words("a b y"), 2},
		{nil, words("a"), 0},
		{words("a a a"), words("a a"), 2},
		{append([]string{"same"}, long...), append([]string{"same"}, append([]string{"x"}, long[:2500]...)...), 1}, // too many for the table
	} {
		got := matches(test.x, test.y)
		if len(got) != test.want {
			t.Errorf("%.40q and %.40q: %d matches, want %d", test.x, test.y, len(got), test.want)
		}
		i, j := -1, -1
		for _, m := range got {
			if m.i <= i || m.j <= j || test.x[m.i] != test.y[m.j] {
				t.Errorf("match %v after %d, %d", m, i, j)
			}
			i, j = m.i, m.j
		}
	}
}
