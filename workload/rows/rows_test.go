package rows_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/fbtune/fbtune/workload/rows"
)

// saved is what isql prints of the test after SET STATS ON, SET LIST ON.
const saved = `
INSERTED_ROWS                   1000000
ELAP_MS                         58877


Current memory = 553427712
Delta memory = 36592
Max memory = 553514432
Elapsed time = 58.894 sec
Cpu = 0.000 sec
Buffers = 32768
Reads = 12
Writes = 148698
Fetches = 24712345
Current memory = 553427712
Delta memory = 0
Max memory = 553514432
Elapsed time = 4.846 sec
Cpu = 0.000 sec
Buffers = 32768
Reads = 0
Writes = 32001
Fetches = 5

UPDATED_ROWS                    1000000
ELAP_MS                         80000

Elapsed time = 80.000 sec
Buffers = 32768
Reads = 1
Writes = 2
Fetches = 3
Elapsed time = 20.000 sec
Buffers = 32768
Reads = 10
Writes = 20
Fetches = 30

DELETED_ROWS                    1000000
ELAP_MS                         40000

Elapsed time = 40.000 sec
Reads = 0
Writes = 7
Fetches = 9
`

func TestParse(t *testing.T) {
	run, err := rows.Parse(strings.NewReader(saved))
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Phases) != 2 || len(run.Warnings) != 1 || !strings.Contains(run.Warnings[0], "the delete ends before the statistics of its commit") {
		t.Fatalf("%+v, want insert and update, and that the delete is cut off", run)
	}
	insert, update := run.Phases[0], run.Phases[1]
	if math.Floor(insert.RowsPerSecond) != 15688 || insert.Rows != 1_000_000 || insert.Seconds != 58.894 || insert.CommitSeconds != 4.846 ||
		(insert.IO != rows.IO{Reads: 12, Writes: 148698 + 32001, Fetches: 24712350}) {
		t.Errorf("%+v, want 15688 rows a second as published", insert)
	}
	if update.RowsPerSecond != 10000 || math.Abs(update.CommitShare-0.2) > 1e-12 || (update.IO != rows.IO{Reads: 11, Writes: 22, Fetches: 33}) {
		t.Errorf("%+v, want 10000 rows a second and a commit of 20 %%", update)
	}
}

// The same output as other settings, versions and shells write it.
func TestParseForms(t *testing.T) {
	units := utf16.Encode([]rune("\ufeff" + strings.ReplaceAll(saved, "\n", "\r\n")))
	wide := make([]byte, 0, 2*len(units))
	for _, u := range units {
		wide = append(wide, byte(u), byte(u>>8))
	}
	columns := strings.NewReplacer("INSERTED_ROWS                   1000000\nELAP_MS                         58877\n",
		"\nINSERTED_ROWS      ELAP_MS \n============= ============ \n      1000000        58877 \n").Replace(saved)
	want, err := rows.Parse(strings.NewReader(saved))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"UTF-16 of PowerShell":   string(wide),
		"ends of lines":          strings.ReplaceAll(saved, "\n", "\r\n"),
		"columns":                columns,
		"2.5":                    strings.ReplaceAll(strings.ReplaceAll(saved, "time = ", "time= "), ".894 sec", ".894 sec"),
		"decimal comma":          strings.NewReplacer("58.894", "58,894", "4.846", "4,846").Replace(saved),
		"statistics of creation": "Elapsed time = 9.000 sec\nReads = 1\nWrites = 1\nFetches = 1\n" + saved,
	} {
		got, err := rows.Parse(strings.NewReader(text))
		if err != nil || len(got.Phases) != 2 || got.Phases[0] != want.Phases[0] || got.Phases[1] != want.Phases[1] {
			t.Errorf("%s: %+v (%v), want %+v", name, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	before, _, _ := strings.Cut(saved, "Current memory")
	for name, c := range map[string]struct{ text, want string }{
		"empty":               {"", "no INSERTED_ROWS"},
		"other text":          {"Statement failed, SQLSTATE = 42000\n", "no INSERTED_ROWS"},
		"no statistics":       {before, "SET STATS ON"},
		"two runs":            {saved + saved, "a second insert"},
		"no rows":             {strings.Replace(saved, "1000000", "0", 1), "0 rows"},
		"more than it counts": {strings.Replace(saved, "1000000", "10000000000", 1), "rows"},
	} {
		if got, err := rows.Parse(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v (%v), want an error with %q", name, got, err, c.want)
		}
	}
	instant := strings.NewReplacer("58.894", "0.000", "4.846", "0.000").Replace(saved)
	if got, err := rows.Parse(strings.NewReader(instant)); err != nil || len(got.Phases) != 1 || !strings.Contains(got.Warnings[0], "took no time") {
		t.Errorf("%+v (%v), want the insert left out", got, err)
	}
}

// FuzzParse: no text makes the parser fail, and whatever it takes are figures.
func FuzzParse(f *testing.F) {
	f.Add([]byte(saved))
	f.Add([]byte("\xff\xfeI\x00N\x00"))
	f.Add([]byte("INSERTED_ROWS 1\nElapsed time= 0.01 sec\nFetches = 999999999999999\nElapsed time= 0 sec\nFetches=1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := rows.Parse(bytes.NewReader(data))
		if err != nil {
			return
		}
		if len(run.Phases) == 0 || len(run.Phases) > len(rows.Names) {
			t.Errorf("%d phases without an error", len(run.Phases))
		}
		for _, p := range run.Phases {
			if p.Rows < 1 || !(p.RowsPerSecond > 0) || math.IsInf(p.RowsPerSecond, 0) || !(p.CommitShare >= 0 && p.CommitShare <= 1) || min(p.Reads, p.Writes, p.Fetches) < 0 {
				t.Errorf("%+v", p)
			}
		}
	})
}

func TestMean(t *testing.T) {
	run := func(loop, commit float64, fetches int64, names ...string) rows.Run {
		var r rows.Run
		for _, name := range names {
			r.Phases = append(r.Phases, rows.NewPhase(name, 100, loop, commit, rows.IO{Fetches: fetches}))
		}
		return r
	}
	got := rows.Mean([]rows.Run{run(1, 1, 10, rows.Insert, rows.Update), run(5, 3, 30, rows.Insert)})
	want := []rows.Phase{
		{Name: rows.Insert, Rows: 100, RowsPerSecond: 20, Seconds: 3, CommitSeconds: 2, CommitShare: 0.4, IO: rows.IO{Fetches: 20}},
		{Name: rows.Update, Rows: 100, RowsPerSecond: 50, Seconds: 1, CommitSeconds: 1, CommitShare: 0.5, IO: rows.IO{Fetches: 10}},
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, want %+v", got, want)
	}
	if none := rows.Mean(nil); none == nil || len(none) != 0 {
		t.Errorf("%+v of no run, want an empty list", none)
	}
}
