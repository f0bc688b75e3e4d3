package study

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"github.com/c-bata/goptuna/tpe"
)

// cells are the configurations of the studies under test.
var cells = []map[string]string{
	{"ServerMode": "Super"},
	{"ServerMode": "Classic", "DefaultDbCachePages": "256"},
	{"ServerMode": "SuperClassic", "DefaultDbCachePages": "2048"},
}

func openStore(t *testing.T, path string) *Store {
	t.Helper()
	store, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func newStudy(t *testing.T, store *Store, name string) *Study {
	t.Helper()
	s, err := store.Create(t.Context(), Meta{
		Name:        name,
		Kind:        Sweep,
		Plan:        json.RawMessage(`{"blocks":3}`),
		Environment: json.RawMessage(`{"cores":2}`),
		Space:       SpaceOf(cells...),
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run begins and finishes one trial.
func run(t *testing.T, s *Study, cell map[string]string, record Record) TrialID {
	t.Helper()
	id, err := s.Begin(t.Context(), cell, map[string]any{"block": 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(t.Context(), id, record); err != nil {
		t.Fatal(err)
	}
	return id
}

func trialsOf(t *testing.T, s *Study) []Trial {
	t.Helper()
	trials, err := s.Trials(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return trials
}

func TestStudySurvivesReopening(t *testing.T) {
	// Characters that mean something in the URI the driver is given.
	path := filepath.Join(t.TempDir(), "what? 100%25 #1.db")
	store, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	created := newStudy(t, store, "first")
	run(t, created, cells[1], Record{Status: OK, Score: 123.5, Attrs: map[string]any{"effective": []string{"256"}}})
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	loaded, err := openStore(t, path).Load(t.Context(), "first")
	if err != nil {
		t.Fatal(err)
	}
	got, want := loaded.Meta, created.Meta
	if !got.Created.Equal(want.Created) || !got.Owner.same(want.Owner) {
		t.Errorf("created %v by %v, want %v by %v", got.Created, got.Owner, want.Created, want.Owner)
	}
	got.Created, got.Owner = want.Created, want.Owner // times differ in their clock reading
	if !reflect.DeepEqual(got, want) {
		t.Errorf("meta = %+v, want %+v", got, want)
	}

	trials := trialsOf(t, loaded)
	if len(trials) != 1 {
		t.Fatalf("%d trials, want 1", len(trials))
	}
	trial := trials[0]
	if trial.Status != OK || trial.Score != 123.5 || trial.Told != 123.5 || trial.Number != 0 {
		t.Errorf("trial = %+v", trial)
	}
	if !reflect.DeepEqual(trial.Params, cells[1]) {
		t.Errorf("params = %v, want %v", trial.Params, cells[1])
	}
	if trial.Ended.Before(trial.Begun) || !trial.Owner.same(created.Owner) {
		t.Errorf("ran from %v to %v by %v", trial.Begun, trial.Ended, trial.Owner)
	}
	attrs := map[string]string{"block": "1", "effective": `["256"]`}
	for name, want := range attrs {
		if got := string(trial.Attrs[name]); got != want {
			t.Errorf("attribute %s = %s, want %s", name, got, want)
		}
	}
}

func TestCreateRefuses(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	newStudy(t, store, "taken")
	long := make([]string, 600)
	for i := range long {
		long[i] = strings.Repeat("9", 4)
	}
	tests := []struct {
		name string
		meta Meta
		want string
	}{
		{"taken name", Meta{Name: "taken"}, "--resume taken"},
		{"no name", Meta{}, "it has no name"},
		{"empty ladder", Meta{Name: "a", Space: Space{"GCPolicy": nil}}, "GCPolicy has no values"},
		{"ladder too long", Meta{Name: "b", Space: Space{"GCPolicy": long}}, "too many to store"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := store.Create(t.Context(), tt.meta)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
			if want := tt.meta.Name == "taken"; errors.Is(err, ErrExists) != want {
				t.Errorf("errors.Is(%v, ErrExists) = %v", err, !want)
			}
		})
	}
}

func TestListAndLatestUnfinished(t *testing.T) {
	ctx := t.Context()
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	if _, err := store.LatestUnfinished(ctx, Tune); !errors.Is(err, ErrNone) {
		t.Errorf("error on an empty store = %v, want ErrNone", err)
	}
	if _, err := store.Load(ctx, "new"); !errors.Is(err, ErrNotFound) {
		t.Errorf("error of a missing study = %v, want ErrNotFound", err)
	}
	if _, err := store.Load(ctx, "new"); err == nil || !strings.Contains(err.Error(), "none has been made yet") {
		t.Errorf("error of an empty store: %v", err)
	}
	// Created out of order: the date decides, not the order of storing.
	base := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	for name, day := range map[string]int{"new": 2, "old": 0, "middle": 1} {
		meta := Meta{Name: name, Kind: Tune, Created: base.AddDate(0, 0, day), Space: SpaceOf(cells...)}
		if _, err := store.Create(ctx, meta); err != nil {
			t.Fatal(err)
		}
	}
	load := func(name string) *Study {
		s, err := store.Load(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if _, err := store.Load(ctx, "nwe"); err == nil || !strings.Contains(err.Error(), `["middle" "new" "old"]`) {
		t.Errorf("error of a misspelt name does not list the names: %v", err)
	}
	for _, want := range []string{"new", "middle", "old"} {
		got, err := store.LatestUnfinished(ctx, Tune)
		if err != nil || got != want {
			t.Errorf("latest unfinished = %q, %v, want %q", got, err, want)
		}
		if err := load(want).MarkFinished(ctx); err != nil {
			t.Fatal(err)
		}
	}
	old := load("old")
	run(t, old, cells[0], Record{Status: OK, Score: 40})
	run(t, old, cells[0], Record{Status: OK, Score: 50})
	run(t, old, cells[1], Record{Status: Failed, Reason: "did not start"})

	list, err := store.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, sum := range list {
		names = append(names, sum.Name)
		if !sum.Finished || sum.Kind != Tune {
			t.Errorf("%s: finished %v, kind %q", sum.Name, sum.Finished, sum.Kind)
		}
	}
	if want := []string{"new", "middle", "old"}; !slices.Equal(names, want) {
		t.Errorf("listed %v, want %v", names, want)
	}
	if got, want := list[2].Trials, (map[Status]int{OK: 2, Failed: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("trials = %v, want %v", got, want)
	}
	if list[2].Best != 50 {
		t.Errorf("best = %v, want 50", list[2].Best)
	}
}

func TestFinishTellsGoptuna(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	s := newStudy(t, store, "s")
	records := []struct {
		record Record
		state  goptuna.TrialState
		told   float64
	}{
		{Record{Status: Failed, Reason: "first"}, goptuna.TrialStateComplete, 0},
		{Record{Status: OK, Score: 200}, goptuna.TrialStateComplete, 200},
		{Record{Status: OK, Score: 100}, goptuna.TrialStateComplete, 100},
		{Record{Status: Failed, Reason: "out of memory"}, goptuna.TrialStateComplete, 90},
		// The failed ones before do not count as worst seen.
		{Record{Status: Failed, Reason: "again"}, goptuna.TrialStateComplete, 90},
		{Record{Status: Interrupted, Reason: "Ctrl-C"}, goptuna.TrialStateFail, 0},
	}
	for _, r := range records {
		run(t, s, cells[1], r.record)
	}
	frozen, err := rdb.NewStorage(store.db).GetAllTrials(s.id)
	if err != nil {
		t.Fatal(err)
	}
	trials := trialsOf(t, s)
	for i, r := range records {
		if frozen[i].State != r.state || frozen[i].Value != r.told {
			t.Errorf("trial %d: goptuna has %v %v, want %v %v", i, frozen[i].State, frozen[i].Value, r.state, r.told)
		}
		if trials[i].Status != r.record.Status || trials[i].Score != r.record.Score || trials[i].Reason != r.record.Reason {
			t.Errorf("trial %d = %+v, want %+v", i, trials[i], r.record)
		}
	}
}

func TestFinishRefuses(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	s := newStudy(t, store, "s")
	nan := json.Number("NaN")
	tests := []struct {
		name   string
		record Record
		want   string
	}{
		{"zero score", Record{Status: OK}, "not a positive number"},
		{"still running", Record{Status: Running}, "not a status to finish with"},
		{"no status", Record{}, "not a status to finish with"},
		{"not JSON", Record{Status: OK, Score: 1, Attrs: map[string]any{"series": nan}}, "encode series"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id, err := s.Begin(t.Context(), cells[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			err = s.Finish(t.Context(), id, tt.record)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
			trials := trialsOf(t, s)
			if last := trials[len(trials)-1]; last.Status != Running || len(last.Attrs) != 0 {
				t.Errorf("a refused record left %+v", last)
			}
		})
	}
	id := run(t, s, cells[0], Record{Status: OK, Score: 1})
	if err := s.Finish(t.Context(), id, Record{Status: Failed}); !errors.Is(err, ErrTrialOver) {
		t.Errorf("second Finish: %v, want ErrTrialOver", err)
	}
	other := newStudy(t, store, "other")
	if err := other.Heartbeat(t.Context(), id); err == nil || !strings.Contains(err.Error(), "no such trial") {
		t.Errorf("heartbeat of another study's trial: %v", err)
	}
	if _, err := s.Begin(t.Context(), map[string]string{"ServerMode": "Turbo"}, nil); err == nil ||
		!strings.Contains(err.Error(), `ServerMode = "Turbo" is not among`) {
		t.Errorf("value outside the space: %v", err)
	}
	if n := len(trialsOf(t, s)); n != len(tests)+1 {
		t.Errorf("%d trials, want %d: a refused trial must not be begun", n, len(tests)+1)
	}
}

func TestBigAttributesSurvive(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	s := newStudy(t, store, "s")
	series := make([]float64, 20_000)
	for i := range series {
		series[i] = float64(i) + 0.25
	}
	reason := strings.Repeat("é", 2*maxReason)
	run(t, s, cells[0], Record{Status: Failed, Reason: reason, Attrs: map[string]any{
		"seconds": series,
		"block":   2, // replaces the one of Begin
	}})
	trial := trialsOf(t, s)[0]
	if n := len(trial.Attrs["seconds"]); n < 100<<10 {
		t.Fatalf("series has %d bytes, the test wants more than 100 KiB", n)
	}
	var got []float64
	if err := json.Unmarshal(trial.Attrs["seconds"], &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, series) {
		t.Error("the series came back changed")
	}
	if string(trial.Attrs["block"]) != "2" {
		t.Errorf("block = %s, want 2", trial.Attrs["block"])
	}
	if len(trial.Reason) > maxReason || !strings.HasPrefix(reason, trial.Reason) {
		t.Errorf("reason of %d bytes was not clipped cleanly to %d", len(trial.Reason), maxReason)
	}
}

func TestSamplerGoesOnFromTheRecord(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	s := newStudy(t, store, "s")
	// More than TPE's ten start-up trials, with a clear winner.
	for range 8 {
		run(t, s, map[string]string{"ServerMode": "SuperClassic"}, Record{Status: OK, Score: 300})
		run(t, s, map[string]string{"ServerMode": "Super"}, Record{Status: OK, Score: 100})
		run(t, s, map[string]string{"ServerMode": "Classic"}, Record{Status: Failed})
	}
	study, err := goptuna.LoadStudy("s",
		goptuna.StudyOptionStorage(rdb.NewStorage(store.db)),
		goptuna.StudyOptionSampler(tpe.NewSampler()),
		goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	const draws = 20
	hits := 0
	for range draws {
		id, err := study.Storage.CreateNewTrial(study.ID)
		if err != nil {
			t.Fatal(err)
		}
		trial := goptuna.Trial{Study: study, ID: id}
		value, err := trial.SuggestCategorical("ServerMode", s.Space["ServerMode"])
		if err != nil {
			t.Fatal(err)
		}
		if value == "SuperClassic" {
			hits++
		}
	}
	// By chance it would be a third; 14 of 20 happen by chance once in 1,000.
	if hits < 14 {
		t.Errorf("TPE drew the winner %d times of %d: it does not see the record", hits, draws)
	}
}

func TestContextIsHonoured(t *testing.T) {
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	s := newStudy(t, store, "s")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Begin(ctx, cells[0], nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want context.Canceled", err)
	}
}
