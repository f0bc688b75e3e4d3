package study

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fbtune/fbtune/tuner/study/postgrestest"
)

func TestParseDSN(t *testing.T) {
	for text, want := range map[string]DSN{
		"studies.db":                         {Path: "studies.db"},
		"postgres://tuner@db.example/fbtune": {URL: "postgres://tuner@db.example/fbtune"},
		"postgresql:///fbtune?host=/run":     {URL: "postgresql:///fbtune?host=/run"},
	} {
		if got, err := ParseDSN(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                                      "name a file",
		"mysql://h/d":                           "only postgres://",
		"postgres://u:secret@h/d":               "PGPASSWORD",
		"postgres://u@h/d?password=secret":      "PGPASSWORD",
		"postgres://u:secret@h:port%zz/d":       "write postgres://",
		"postgres://u:sec ret@h\x7f/d?x=secret": "write postgres://",
	} {
		_, err := ParseDSN(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "u:secret") {
			t.Errorf("%s: %v, want %q and no password", text, err, want)
		}
	}
}

func TestPostgres(t *testing.T) {
	ctx := t.Context()
	url := postgrestest.Start(t)
	open := func() *Store {
		store, err := OpenDSN(ctx, DSN{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store
	}
	// Several find an empty database at once.
	var stores [4]*Store
	var group sync.WaitGroup
	for i := range stores {
		group.Go(func() { stores[i] = open() })
	}
	group.Wait()
	s := newStudy(t, stores[0], "shared")
	long := strings.Repeat("second after second ", 1000) // wider than goptuna's columns
	run(t, s, cells[0], Record{Status: OK, Score: 40, Attrs: map[string]any{"series": long}})
	run(t, s, cells[1], Record{Status: Failed, Reason: strings.Repeat("é", 3000)})

	// Each claims what nobody has claimed.
	for _, store := range stores {
		group.Go(func() {
			st, err := store.Load(ctx, "shared")
			if err != nil {
				t.Error(err)
				return
			}
			for range 5 {
				if _, err := st.Claim(ctx, func(trials []Trial) (*Claim, error) {
					return &Claim{Params: cells[0], Attrs: map[string]any{"number": len(trials)}}, nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	trials := trialsOf(t, s)
	if len(trials) != 22 || trials[0].Score != 40 || trials[1].Status != Failed || len(string(trials[0].Attrs["series"])) != len(long)+2 {
		t.Fatalf("%d trials, the first %+v", len(trials), trials[0].Status)
	}
	for i, trial := range trials[2:] {
		if got := string(trial.Attrs["number"]); got != strconv.Itoa(i+2) {
			t.Errorf("trial %d was claimed as number %s", i+2, got)
		}
	}

	if err := stores[1].Delete(ctx, "shared"); err == nil || !strings.Contains(err.Error(), "end that one first") {
		t.Errorf("deleting a study with running trials: %v", err)
	}
	if n, err := s.TakeOverStale(ctx, -time.Second); n != 20 || err != nil {
		t.Errorf("took over %d, %v, want 20", n, err)
	}
	if err := stores[1].Delete(ctx, "shared"); err != nil {
		t.Error(err)
	}
	if list, err := stores[2].List(ctx); err != nil || len(list) != 0 {
		t.Errorf("studies after deletion: %+v, %v", list, err)
	}

	for _, test := range []struct{ url, password, want string }{
		{url, "wrong", "PGPASSWORD"},
		{strings.Replace(url, "/postgres", "/nothing", 1), postgrestest.Password, "createdb"},
		{"postgres://fbtune@127.0.0.1:1/postgres", postgrestest.Password, "check host and port"},
	} {
		t.Setenv("PGPASSWORD", test.password)
		_, err := OpenDSN(ctx, DSN{URL: test.url})
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), test.password) {
			t.Errorf("%s with password %q: %v, want %q", test.url, test.password, err, test.want)
		}
	}
}
