package study

import (
	"path/filepath"
	"testing"
)

// What a study keeps outlives the process, is replaced by name, and is not
// another study's.
func TestKeep(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "s.db")
	store := openStore(t, path)
	for _, name := range []string{"one", "other"} {
		if _, err := store.Create(ctx, Meta{Name: name, Kind: Growth, Space: SpaceOf(cells...)}); err != nil {
			t.Fatal(err)
		}
	}
	read := func(study, name string) (value int, found bool) {
		t.Helper()
		st, err := openStore(t, path).Load(ctx, study)
		if err != nil {
			t.Fatal(err)
		}
		if found, err = st.Kept(ctx, name, &value); err != nil {
			t.Fatal(err)
		}
		return value, found
	}
	one, err := store.Load(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []int{3, 4} {
		if err := one.Keep(ctx, "meta", value); err != nil { // meta is the name of a document of every study
			t.Fatal(err)
		}
		if got, found := read("one", "meta"); !found || got != value {
			t.Errorf("kept %d (%t), want %d", got, found, value)
		}
	}
	if got, found := read("other", "meta"); found {
		t.Errorf("the other study has kept %d", got)
	}
	if one, err = store.Load(ctx, "one"); err != nil || one.Kind != Growth {
		t.Errorf("the study is a %s (%v) now", one.Kind, err)
	}
}

func TestCommand(t *testing.T) {
	for kind, want := range map[Kind]string{Sweep: "sweep", Tune: "tune", Growth: "bench growth"} {
		if got := kind.Command(); got != want {
			t.Errorf("%s is made by fbtune %s, want %s", kind, got, want)
		}
	}
}
