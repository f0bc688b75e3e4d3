package fbconf

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// probe is one row of testdata/parser-probes-firebird-*.tsv: a text that was put
// before a real engine through isql, and what the engine made of it.
type probe struct {
	file, name, text string
	rc               int
	effective        map[string]string // RDB$CONFIG rows that were set
	err              string
}

// Paths that stand for $ROOT, $DB, $OTHERDB and $INC in the probes.
var probePaths = strings.NewReplacer(
	"$ROOT", "/root", "$DB", "/data/t.fdb", "$OTHERDB", "/data/o.fdb", "$INC", "/root/inc.conf")

// probeFiles holds what the probes include.
var probeFiles = fstest.MapFS{"root/inc.conf": {Data: []byte("DefaultDbCachePages = 7777\n")}}

// truncated rows end in "..." in the recording; these are the lines they lack.
var truncated = map[string]string{
	"dup among many":        "X23 = 1\nDefaultDbCachePages = 1111\nX24 = 1\nDefaultDbCachePages = 2222\n",
	"server keys top level": "TempBlockSize = 2M\nTempCacheLimit = 200M\nLockMemSize = 2M\nServerMode = Classic\n}\n",
}

func readProbes(t testing.TB, version string) []probe {
	t.Helper()
	content, err := os.ReadFile("testdata/parser-probes-firebird-" + version + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	var probes []probe
	for i, row := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
		f := strings.Split(row, "\t")
		if i == 0 {
			continue
		}
		if len(f) != 6 {
			t.Fatalf("row %d has %d columns", i, len(f))
		}
		p := probe{file: f[0], name: f[1], effective: map[string]string{}, err: f[5]}
		text := f[2]
		if cut, ok := strings.CutSuffix(text, "..."); ok {
			tail, known := truncated[p.name]
			if !known {
				t.Fatalf("row %d, %q, is cut off and has no completion", i, p.name)
			}
			at := strings.LastIndex(cut, `\n`) + len(`\n`)
			text = cut[:at] + strings.ReplaceAll(tail, "\n", `\n`)
		}
		if text, err = unescape(text); err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		p.text = probePaths.Replace(text)
		if p.rc, err = strconv.Atoi(f[3]); err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(f[4], "; ") {
			setting, _, fromConfig := strings.Cut(part, " [")
			if key, value, ok := strings.Cut(setting, "="); ok && fromConfig {
				p.effective[key] = value
			}
		}
		probes = append(probes, p)
	}
	return probes
}

// unescape undoes the recording's escapes: \n, \r, \t, \\ and \xHH.
func unescape(s string) (string, error) {
	return strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
}

// clamped lists the probes whose RDB$CONFIG value is what the engine's bounds
// made of the parsed value. Bounds belong to confgen, so what is compared here
// is the value before them.
var clamped = map[string]string{
	"LockMemSize = 100\n":             "100",
	"LockMemSize = 30MB\n":            "0",
	"LockMemSize = -1\n":              "-1",
	"ServerMode = SuperServer\n":      "SuperServer",
	"ServerMode = Super Classic\n":    "Super Classic",
	"ServerMode = Classic;\n":         "Classic;",
	"ServerMode = \n":                 "",
	"TcpRemoteBufferSize = 100\n":     "100",
	"TcpRemoteBufferSize = 65536\n":   "65536",
	"FileSystemCacheThreshold = -1\n": "-1",
}

// keyTypes are the types of the keys the probes use; serverOnly those that the
// engine ignores in a block, which is confgen's knowledge.
var (
	keyTypes = map[string]string{
		"DefaultDbCachePages": "int", "LockMemSize": "int", "LockHashSlots": "int",
		"TempCacheLimit": "int", "TempBlockSize": "int", "TcpRemoteBufferSize": "int",
		"FileSystemCacheThreshold": "int", "UseFileSystemCache": "bool",
		"ServerMode": "string", "GCPolicy": "string", "TempDirectories": "string",
	}
	serverOnly = map[string]bool{"ServerMode": true}
)

func TestGoldenProbes(t *testing.T) {
	for _, version := range []string{"4.0.5", "5.0.4"} {
		d := mustDialect(t, version)
		probes := readProbes(t, version)
		if len(probes) < 100 {
			t.Fatalf("%s: only %d probes", version, len(probes))
		}
		for i, p := range probes {
			t.Run(fmt.Sprintf("%s/%d %s", version, i+2, p.name), func(t *testing.T) {
				p.check(t, d)
			})
		}
	}
}

func (p probe) check(t *testing.T, d Dialect) {
	opts := Options{
		Dialect: d,
		Files:   probeFiles,
		Dirs:    Dirs{Root: "/root", SecDB: "/root"},
	}
	file, attach, databases := strings.Cut(p.file, "@")
	opts.Name = "/root/" + file
	if databases {
		opts.Kind = DatabasesConf
	}
	f := Parse([]byte(p.text), opts)
	if string(f.Bytes()) != p.text {
		t.Fatalf("round trip changed the text")
	}
	settings := f.Settings()
	found := true
	if databases {
		var db Database
		db, found = f.Database(probePaths.Replace(attach))
		settings = db.Settings
	}
	p.checkFault(t, f, found)
	if p.rc == 0 {
		p.checkValues(t, d, settings, databases)
	}
}

// checkFault compares the engine's refusal. A name that is no alias and no path
// makes it look for such a file, which is an I/O error of the attachment alone.
func (p probe) checkFault(t *testing.T, f *File, found bool) {
	switch {
	case p.rc == 0:
		if f.Fault() != nil {
			t.Errorf("fault %q, but the engine attached", f.Fatal())
		}
	case p.rc < 0:
		if f.Fault() == nil || f.Fault().Effect != ServerCrashes {
			t.Errorf("fault %+v, but the engine crashed", f.Fault())
		}
	case strings.Contains(p.err, `I/O error during "open"`):
		if f.Fault() != nil || found {
			t.Errorf("fault %q, alias known %t; the engine did not know the alias", f.Fatal(), found)
		}
	default:
		got := "SQLSTATE = XX000 | " + strings.ReplaceAll(f.Fatal(), "\n", " | ") + " | After"
		if strings.Contains(p.err, "08004") {
			got = "SQLSTATE = 08004 | " + f.Fatal() + " | After"
		}
		if f.Fault() == nil || !strings.Contains(probePaths.Replace(p.err), got) {
			t.Errorf("fault %q, engine said %q", got, p.err)
		}
	}
}

func (p probe) checkValues(t *testing.T, d Dialect, settings []Setting, block bool) {
	got := map[string]string{}
	for _, s := range settings {
		for key, kind := range keyTypes {
			if !s.InForce || !d.sameKey(s.Key, key) || block && serverOnly[key] {
				continue
			}
			switch kind {
			case "int":
				got[key] = strconv.FormatInt(s.Int(d), 10)
			case "bool":
				got[key] = strconv.FormatBool(s.Bool(d))
			default:
				got[key] = s.Value
			}
		}
	}
	if before, ok := clamped[p.text]; ok {
		for key := range p.effective {
			p.effective[key] = before
		}
	}
	// RDB$CONFIG printed only these for the blocks; TempBlockSize is per server.
	delete(got, "TempBlockSize")
	if fmt.Sprint(got) != fmt.Sprint(p.effective) {
		t.Errorf("in force %v, engine %v", got, p.effective)
	}
}

func mustDialect(t testing.TB, version string) Dialect {
	t.Helper()
	d, err := ParseDialect(version)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
