package confgen

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// probeRow is a row of fbconf's golden probes: a text put before a real engine,
// and what the engine made of it.
type probeRow struct {
	file, attach string // attach is the alias or path of databases.conf's probes
	name, text   string
	rc           int
	effective    map[string]string // of RDB$CONFIG, those that were set
	pages        string            // MON$PAGE_BUFFERS
	err          string
}

// cutOff completes the rows whose text ends in "..." in the recording.
var cutOff = map[string]string{
	"dup among many":        `X23 = 1\nDefaultDbCachePages = 1111\nX24 = 1\nDefaultDbCachePages = 2222\n`,
	"server keys top level": `TempBlockSize = 2M\nTempCacheLimit = 200M\nLockMemSize = 2M\nServerMode = Classic\n}\n`,
}

func readProbeRows(t *testing.T, version string) []probeRow {
	t.Helper()
	content, err := os.ReadFile("../internal/fbconf/testdata/parser-probes-firebird-" + version + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	paths := strings.NewReplacer("$ROOT", "/root", "$DB", "/data/t.fdb", "$OTHERDB", "/data/o.fdb", "$INC", "/root/inc.conf")
	var rows []probeRow
	for _, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")[1:] {
		f := strings.Split(line, "\t")
		row := probeRow{name: f[1], effective: map[string]string{}, err: f[5]}
		row.file, row.attach, _ = strings.Cut(paths.Replace(f[0]), "@")
		text := f[2]
		if head, cut := strings.CutSuffix(text, "..."); cut {
			text = head[:strings.LastIndex(head, `\n`)+len(`\n`)] + cutOff[row.name]
		}
		if text, err = strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`); err != nil {
			t.Fatal(err)
		}
		row.text = paths.Replace(text)
		if row.rc, err = strconv.Atoi(f[3]); err != nil {
			t.Fatal(err)
		}
		for part := range strings.SplitSeq(f[4], "; ") {
			setting, _, fromConfig := strings.Cut(part, " [")
			key, value, _ := strings.Cut(setting, "=")
			switch {
			case fromConfig:
				row.effective[key] = value
			case key == "MON$PAGE_BUFFERS":
				row.pages = value
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// show reads the row's text as fbtune show does.
func (p probeRow) show(v Version) Shown {
	opts := fbconf.Options{
		Name: "/root/" + p.file, Dialect: v.dialect(), Dirs: fbconf.Dirs{Root: "/root", SecDB: "/root"},
		Files: fstest.MapFS{"root/inc.conf": {Data: []byte("DefaultDbCachePages = 7777\n")}},
	}
	files := Files{Version: v}
	if p.file == "databases.conf" {
		opts.Kind = fbconf.DatabasesConf
		files.Databases = fbconf.Parse([]byte(p.text), opts)
	} else {
		files.Conf = fbconf.Parse([]byte(p.text), opts)
	}
	return files.Show(p.attach)
}

// TestShowProbes holds what is shown to what real servers of 4.0.5 and 5.0.4
// said: RDB$CONFIG to the value, MON$PAGE_BUFFERS to the number after all
// bounds, a failed attach to a fatal text.
func TestShowProbes(t *testing.T) {
	for _, version := range []string{"4.0.5", "5.0.4"} {
		rows := readProbeRows(t, version)
		if len(rows) < 100 {
			t.Fatalf("%s: only %d probes", version, len(rows))
		}
		for i, row := range rows {
			t.Run(fmt.Sprintf("%s/%d %s", version, i+2, row.name), func(t *testing.T) {
				row.check(t, row.show(parse(t, version)))
			})
		}
	}
}

func (p probeRow) check(t *testing.T, got Shown) {
	unknownName := strings.Contains(p.err, `I/O error during "open"`)
	if fatal := p.rc != 0 && !unknownName; fatal != (got.Fatal != "") {
		t.Errorf("fatal %q; exit code %d, %s", got.Fatal, p.rc, p.err)
	}
	if unknownName && !strings.Contains(strings.Join(got.Warnings, "\n"), "neither an alias nor the path") {
		t.Errorf("the engine did not know %s; warnings %q", p.attach, got.Warnings)
	}
	if p.rc != 0 {
		return
	}
	for name, want := range p.effective {
		if s, _ := got.Get(name); s.Value != want || !s.Set || s.File == "" || s.Line == 0 {
			t.Errorf("%s: %+v, want %s", name, s, want)
		}
	}
	for _, s := range got.Settings {
		if _, set := p.effective[s.Name]; s.Set && !set {
			t.Errorf("%s is set to %s; RDB$CONFIG has it not set", s.Name, s.Value)
		}
	}
	if s, _ := got.Get(DefaultDbCachePages); fmt.Sprint(s.Number) != p.pages || s.Means != p.pages+" pages" {
		t.Errorf("page buffers %d, %s; MON$PAGE_BUFFERS %s", s.Number, s.Means, p.pages)
	}
}

// TestShowDefaults holds the values of an empty file to RDB$CONFIG of a 4.0.5
// with none, in each mode: testdata/rdb-config-4.0.5.tsv, recorded on Debian, the
// default where the value is null (WireCrypt).
func TestShowDefaults(t *testing.T) {
	content, err := os.ReadFile("testdata/rdb-config-4.0.5.tsv")
	if err != nil {
		t.Fatal(err)
	}
	v := parse(t, "4.0.5")
	rows := 0
	for line := range strings.Lines(string(content)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		conf := fbconf.Parse([]byte("ServerMode = "+f[0]+"\n"), fbconf.Options{Dialect: v.dialect()})
		s, ok := Files{Version: v, Conf: conf}.Show("").Get(f[1])
		if want := f[2]; !ok || s.Value != want {
			t.Errorf("%s %s: %q, RDB$CONFIG has %q", f[0], f[1], s.Value, want)
		}
		rows++
	}
	if rows != 3*len(Known(v)) {
		t.Errorf("%d rows for 3 modes, the catalogue has %d settings", rows, len(Known(v)))
	}
}

// TestShow covers what the probes do not: other versions, fatal values, bounds
// between settings, and lines without effect.
func TestShow(t *testing.T) {
	for _, test := range []struct {
		name, version, conf, databases, database string
		setting, value, means, place             string
		fatal, warning                           string
	}{
		{
			name: "a block of 3.0 does not hold TempCacheLimit", version: "3.0.11",
			conf: "TempCacheLimit = 1G\n", databases: "a = /a.fdb\n{\nTempCacheLimit = 2G\nDefaultDbCachePages = 9\n}\n", database: "a",
			setting: TempCacheLimit, value: "1073741824", means: "1 GiB", place: "firebird.conf:1",
			warning: "databases.conf:3: TempCacheLimit is a setting of the whole server",
		},
		{
			name: "a block of 4.0 does", version: "4.0.5",
			conf: "TempCacheLimit = 1G\n", databases: "a = /a.fdb\n{\nTempCacheLimit = 2G\n}\n", database: "/a.fdb",
			setting: TempCacheLimit, value: "2147483648", means: "2 GiB", place: "databases.conf:3",
		},
		{
			name: "another database has the server's", version: "4.0.5",
			conf: "TempCacheLimit = 1G\n", databases: "a = /a.fdb\n{\nTempCacheLimit = 2G\n}\n", database: "/b.fdb",
			setting: TempCacheLimit, value: "1073741824", means: "1 GiB", place: "firebird.conf:1",
			warning: "/b.fdb is neither an alias nor the path",
		},
		{
			name: "the default depends on the mode", version: "5.0", conf: "ServerMode = multiprocess\n",
			setting: DefaultDbCachePages, value: "256", means: "256 pages",
		},
		{
			name: "workers are bound by their maximum", version: "5.0", conf: "ParallelWorkers = 8\nMaxParallelWorkers = 4\n",
			setting: ParallelWorkers, value: "4", means: "4 workers", place: "firebird.conf:1",
		},
		{
			name: "2.5 has no suffixes and no true", version: "2.5", conf: "TempCacheLimit = 64M\nBugcheckAbort = true\n",
			setting: TempCacheLimit, value: "64", means: "64 B", place: "firebird.conf:1",
		},
		{
			name: "2.5 compares names by case", version: "2.5", conf: "tempcachelimit = 64\n",
			setting: TempCacheLimit, value: "67108864", means: "64 MiB",
		},
		{
			name: "the last of two lines counts in 2.5", version: "2.5", conf: "LockHashSlots = 7\nLockHashSlots = 2003\n",
			setting: LockHashSlots, value: "2003", means: "2003 slots", place: "firebird.conf:2",
			warning: "firebird.conf:1: LockHashSlots has no effect here",
		},
		{
			name: "issue 8885", version: "4.0.5", conf: "LockHashSlots = 31173\nLockMemSize = 256K\n",
			setting: LockHashSlots, value: "31173", means: "31173 slots", place: "firebird.conf:1", fatal: "31173 slots need a LockMemSize of 262152",
		},
		{
			name: "issue 8885, just enough", version: "4.0.5", conf: "LockHashSlots = 31172\nLockMemSize = 256K\n",
			setting: LockMemSize, value: "262144", means: "256 KiB", place: "firebird.conf:2",
		},
		{
			name: "issue 8885, fixed", version: "5.0.4", conf: "LockHashSlots = 65521\nLockMemSize = 256K\n",
			setting: LockMemSize, value: "262144", means: "256 KiB", place: "firebird.conf:2",
		},
		{
			name: "3.0 makes a lock table of 64 KiB at least", version: "3.0.11", conf: "LockMemSize = 0\nLockHashSlots = 6590\n",
			setting: LockMemSize, value: "0", means: "64 KiB", place: "firebird.conf:1",
		},
		{
			name: "the default slots of 3.0 do not fit in it", version: "3.0.11", conf: "LockMemSize = 4G\n",
			setting: LockMemSize, value: "0", means: "64 KiB", place: "firebird.conf:1", fatal: "8191 slots need a LockMemSize of 78296, and it is 65536",
		},
		{
			name: "a table of 4 GB", version: "4.0.5", conf: "LockMemSize = 4G\n",
			setting: LockMemSize, value: "4294967296", means: "no database can be attached", place: "firebird.conf:1", fatal: "LockMemSize = 4G",
		},
		{
			name: "a misspelt name", version: "3.0.11", conf: "TempCacheLimt = 1G\n",
			setting: TempCacheLimit, value: "67108864", means: "64 MiB", warning: "write TempCacheLimit",
		},
		{
			name: "a vendor's name", version: "4.0.5", conf: "MaxTempBlobs = 5\n",
			setting: TempCacheLimit, value: "67108864", means: "64 MiB", warning: "a setting of HQbird and ignored",
		},
		{
			name: "a name of a later version", version: "4.0.5", conf: "MaxParallelWorkers = 5\n",
			setting: TempCacheLimit, value: "67108864", means: "64 MiB", warning: "Firebird 4.0.5 does not know MaxParallelWorkers",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := parse(t, test.version)
			files := Files{Version: v, Conf: fbconf.Parse([]byte(test.conf), fbconf.Options{Dialect: v.dialect()})}
			if test.databases != "" {
				files.Databases = fbconf.Parse([]byte(test.databases), fbconf.Options{Kind: fbconf.DatabasesConf, Dialect: v.dialect()})
			}
			got := files.Show(test.database)
			s, _ := got.Get(test.setting)
			place := ""
			if s.Set {
				place = fmt.Sprintf("%s:%d", s.File, s.Line)
			}
			if s.Value != test.value || s.Means != test.means || place != test.place {
				t.Errorf("%+v, want %s, %s from %s", s, test.value, test.means, test.place)
			}
			if (got.Fatal != "") != (test.fatal != "") || !strings.Contains(got.Fatal, test.fatal) {
				t.Errorf("fatal %q, want %q", got.Fatal, test.fatal)
			}
			if warnings := strings.Join(got.Warnings, "\n"); test.warning == "" && test.version != "2.5" && warnings != "" || !strings.Contains(warnings, test.warning) {
				t.Errorf("warnings %q, want %q", warnings, test.warning)
			}
		})
	}
}
