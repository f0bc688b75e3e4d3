package study

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestDelete(t *testing.T) {
	ctx := t.Context()
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	for _, name := range []string{"gone", "kept"} {
		st, err := store.Create(ctx, Meta{Name: name, Kind: Sweep, Space: SpaceOf(cells...)})
		if err != nil {
			t.Fatal(err)
		}
		run(t, st, cells[0], Record{Status: OK, Score: 40, Attrs: map[string]any{"x": "y"}})
	}
	count := func(table string) (n int64) {
		if err := store.db.Table(table).Count(&n).Error; err != nil {
			t.Fatal(err)
		}
		return n
	}
	tables := []string{"studies", "trials", "trial_values", "trial_params", "trial_user_attributes", "fbtune_documents"}
	before := map[string]int64{}
	for _, table := range tables {
		before[table] = count(table)
	}
	if err := store.Delete(ctx, "gone"); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(ctx, "gone"); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting twice: %v", err)
	}
	for _, table := range tables { // the two studies are alike
		if n := count(table); n == 0 && before[table] > 0 || n*2 != before[table] {
			t.Errorf("%s has %d rows of %d, want those of the other study", table, n, before[table])
		}
	}
	kept, err := store.Load(ctx, "kept")
	if err != nil {
		t.Fatal(err)
	}
	if trials, err := kept.Trials(ctx); err != nil || len(trials) != 1 || string(trials[0].Attrs["x"]) != `"y"` {
		t.Errorf("the other study has %v, %v", trials, err)
	}
}
