package health_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
	"github.com/fbtune/fbtune/internal/health"
)

// finding returns the finding of a rule about a name.
func finding(t *testing.T, d inspect.Database, rule, name string) check.Finding {
	t.Helper()
	all := health.Findings(d)
	i := slices.IndexFunc(all, func(f check.Finding) bool { return f.Rule == rule && f.Name == name })
	if i < 0 {
		t.Fatalf("no finding %s about %q in %+v", rule, name, all)
	}
	return all[i]
}

// Every fault that was made is found on a real server, and named.
func TestFaultsAreFound(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		// A collector of garbage that works by itself might be faster than the look.
		d := start(t, inst, 4096, map[string]string{"TempCacheLimit": "64K", "GCPolicy": "cooperative"})
		d.fill(deep, bulk, worn)
		holder := d.stuck()
		d.run("EXECUTE PROCEDURE AGE(" + strconv.Itoa(versions) + ")")
		d.run("EXECUTE PROCEDURE BEGIN_MANY(" + strconv.Itoa(beginMany) + ")")
		d.sorting()
		stop := d.busy()
		got := d.inspect(time.Second)
		stop()

		attachment := "attachment " + strconv.FormatInt(holder, 10)
		for _, want := range []struct{ rule, name, says string }{
			{"forced-writes", "", "gfix -write sync"},
			{"old-active-transaction", "", attachment},
			{"version-chains", "HOT", attachment},
			{"index-depth", "DEEP_K", "-page_size"},
			{"temp-spill", confgen.TempCacheLimit, "recommend --observed"},
		} {
			f := finding(t, got, want.rule, want.name)
			if !strings.Contains(f.EngineDoes+f.Instead, want.says) {
				t.Errorf("%s does not say %q: %+v", want.rule, want.says, f)
			}
		}
		if gap := health.Gaps(got)[0]; gap.Transactions < beginMany || !strings.Contains(gap.HeldBy, attachment) {
			t.Errorf("gap %+v, want %d held by %s", gap, beginMany, attachment)
		}
		activity := got.Activity
		if activity.PageBuffers != 2048 || activity.Peak < 3 || activity.Looks < 2 || activity.Watched < time.Second {
			t.Errorf("activity %+v", activity)
		}
		if ratio, known := activity.IO.HitRatio(); !known || ratio <= 0 {
			t.Errorf("hit ratio %g (%t) of %+v", ratio, known, activity.IO)
		}
		if got.Locks == nil || got.Locks.HashSlots != 8191 || got.Locks.Used == 0 {
			t.Errorf("locks %+v", got.Locks)
		}
		if len(got.Unknown) != 0 {
			t.Errorf("not known: %q", got.Unknown)
		}
		if o := got.Observed(); o.PeakAttachments != activity.Peak || o.TempSpilled < confgen.MiB || o.HitRatio == 0 || o.HashSlots != 8191 {
			t.Errorf("observed %+v", o)
		}
		if header, err := dbheader.Read(d.path); err != nil || header.PageSize != got.Statistics.Header.PageSize || header.ODS != got.Statistics.Header.ODS || got.Path != d.path {
			t.Errorf("%s: header %+v, read %+v (%v)", got.Path, got.Statistics.Header, header, err)
		}
		cures(t, d, got)
	})
}

// cures fails the test unless the page size that is to cure the deep index does:
// the same rows in pages of it make the depth that was computed.
func cures(t *testing.T, d database, seen inspect.Database) {
	t.Helper()
	small := index(t, seen)
	if small.Depth < gstat.TooDeep || small.CurePageSize == 0 {
		t.Fatalf("index %+v, want one that larger pages cure", small)
	}
	other := open(t, d.s, firebirdtest.Database(t, d.s, int(small.CurePageSize)))
	other.fill(deep)
	estimate := small.DepthAt(seen.Statistics.Header.PageSize, small.CurePageSize)
	if large := index(t, other.inspect(0)); large.Depth != estimate.Depth {
		t.Errorf("in pages of %s the index is %d deep (%+v), computed from %+v: %s", small.CurePageSize, large.Depth, large, small, estimate)
	}
}

// index returns the deep index.
func index(t *testing.T, d inspect.Database) gstat.Index {
	t.Helper()
	i := slices.IndexFunc(d.Statistics.Indices, func(i gstat.Index) bool { return i.Name == "DEEP_K" })
	if i < 0 {
		t.Fatalf("no index DEEP_K in %+v", d.Statistics)
	}
	return d.Statistics.Indices[i]
}

// In Classic attachments have counts of pages, not the database, and processes
// of their own. Its file is left alone while it runs, and read by gstat when it
// does not.
func TestClassicAndFile(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		d := start(t, inst, 8192, map[string]string{confgen.ServerMode: string(confgen.Classic)})
		d.fill(bulk, worn)
		stop := d.busy()
		served := d.inspect(time.Second)
		stop()
		if ratio, known := served.Activity.IO.HitRatio(); !known || ratio <= 0 {
			t.Errorf("hit ratio %g (%t) of %+v", ratio, known, served.Activity.IO)
		}
		if served.Locks == nil || served.Locks.Acquires == 0 || served.Activity.PageBuffers != 256 {
			t.Errorf("locks %+v, activity %+v", served.Locks, served.Activity)
		}
		fromFile(t, d, inst, served)
	})
}

// fromFile inspects the file of a running server, ends the server and inspects
// it again.
func fromFile(t *testing.T, d database, inst firebird.Installation, served inspect.Database) {
	t.Helper()
	o := inspect.Options{Installations: []firebird.Installation{inst}, Tables: true}
	got, err := inspect.FromFile(t.Context(), d.path, o)
	if err != nil {
		t.Fatal(err)
	}
	if got.Statistics.Pages || got.Locks == nil || !strings.Contains(strings.Join(got.Unknown, "\n"), "so gstat is not run on it") {
		t.Errorf("while it is open: %+v", got)
	}
	if err := errors.Join(d.db.Close(), d.s.Stop(t.Context())); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"FIREBIRD": "root", "FIREBIRD_MSG": "root", "FIREBIRD_LOCK": "lock", "FIREBIRD_TMP": "tmp"} {
		t.Setenv(name, filepath.Join(d.s.Dir(), dir))
	}
	if got, err = inspect.FromFile(t.Context(), d.path, o); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Statistics.Indices, served.Statistics.Indices) || len(got.Statistics.Tables) != 2 || got.Activity != nil || got.Locks != nil {
		t.Errorf("tables %+v, indices %+v, not known %q\nby services: %+v, %+v", got.Statistics.Tables, got.Statistics.Indices, got.Unknown, served.Statistics.Tables, served.Statistics.Indices)
	}
	if _, err := inspect.FromFile(t.Context(), filepath.Join(d.s.Dir(), "password"), o); err == nil {
		t.Error("a file that is no database is inspected")
	}
}
