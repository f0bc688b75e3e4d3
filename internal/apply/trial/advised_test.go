package trial_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// advised are loads whose advice a real server is tried with, one for each
// architecture. The caches are far larger than the cap in the first, which a
// server takes for granted until they fill.
func advised(v confgen.Version) []confgen.Input {
	db := confgen.Database{Name: "erp", Path: "/data/erp.fdb", Size: 100 * confgen.GiB, PageSize: 16 * confgen.KiB}
	return []confgen.Input{
		{Version: v, Mode: confgen.Super, Memory: 8 * confgen.GiB, CPUs: 8, Connections: 100},
		{Version: v, Mode: confgen.SuperClassic, Memory: 16 * confgen.GiB, CPUs: 8, Connections: 50, Workload: confgen.Reporting, Databases: []confgen.Database{db}},
		{Version: v, Mode: confgen.Classic, Memory: 8 * confgen.GiB, CPUs: 4, Connections: 200, Workload: confgen.Mixed, Databases: []confgen.Database{db}},
	}
}

// TestAdvisedFiles starts a real server with advised files and asks it for
// every value.
func TestAdvisedFiles(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		for _, in := range advised(inst.Version) {
			t.Run(string(in.Mode), func(t *testing.T) {
				advice, err := confgen.Recommend(in)
				if err != nil {
					t.Fatal(err)
				}
				files, err := advice.Files(confgen.Base{})
				if err != nil {
					t.Fatal(err)
				}
				texts := map[string]string{}
				for _, f := range files {
					texts[f.Name] = string(f.Content)
				}
				if got := try(t, inst, laidOut(t, texts), firebirdtest.Cap); got.Refused != "" {
					t.Fatalf("refused: %s", got.Refused)
				}
				settings := map[string]string{}
				for _, s := range fbconf.Parse(files[0].Content, fbconf.Options{Dialect: inst.Version.Dialect()}).Settings() {
					settings[s.Key] = s.Value
				}
				reports(t, inst, advice, settings)
			})
		}
	})
}

// reports starts a server with settings and compares what it says of itself
// with what was advised.
func reports(t *testing.T, inst firebird.Installation, advice confgen.Advice, settings map[string]string) {
	t.Helper()
	server := firebirdtest.New(t, inst, firebirdtest.Cap)
	database := filepath.Join(server.Dir(), "advised.fdb")
	if err := server.CreateDatabase(t.Context(), database, 8192); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(t.Context(), private.Config{Settings: settings, Database: database}); err != nil {
		t.Fatal(err)
	}
	effective, err := server.Effective(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range running.Contradictions(effective) {
		t.Errorf("%s is %s: %s", e.Name, e.Value, e.Note)
	}
	for _, rec := range advice.Settings {
		i := slices.IndexFunc(effective, func(e running.Effective) bool { return e.Name == rec.Name })
		if i < 0 && rec.Name != confgen.FileSystemCacheThreshold { // seen by the flags of the open file
			t.Errorf("the server was not asked for %s", rec.Name)
		}
		if i >= 0 && inst.Version.AtLeast(confgen.Version{Major: 4}) && effective[i].State != running.Verified {
			t.Errorf("%s = %s is %s", rec.Name, rec.Value, effective[i].State)
		}
	}
	if i := slices.IndexFunc(effective, func(e running.Effective) bool { return e.Name == running.CacheMode }); i < 0 || effective[i].Value != "buffered" {
		t.Errorf("the database is not cached by the system: %+v", effective)
	}
}
