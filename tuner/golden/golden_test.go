package golden

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

func key(t *testing.T) Key {
	t.Helper()
	k, err := NewKey(workload.Quick(), 8192, confgen.Version{Major: 3, Minor: 0, Patch: 11})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// loader returns a Loader of the content and a count of its calls.
func loader(t *testing.T, content string) (Loader, *int) {
	calls := new(int)
	return func(context.Context) (string, workload.LoadResult, error) {
		*calls++
		path := filepath.Join(t.TempDir(), "loaded.fdb")
		return path, workload.LoadResult{Rows: 7}, os.WriteFile(path, []byte(content), 0o644)
	}, calls
}

func TestNameHoldsTheWholeKey(t *testing.T) {
	if got, want := key(t).Name(), "oltp-schema1-w10-c0.1-seed1-page8192-ods12.0"; got != want {
		t.Errorf("name %q, want %q", got, want)
	}
}

func TestEnsureLoadsOnce(t *testing.T) {
	dir := t.TempDir()
	load, calls := loader(t, "data")
	first, err := Ensure(t.Context(), dir, key(t), load)
	if err != nil {
		t.Fatal(err)
	}
	second, err := Ensure(t.Context(), dir, key(t), load)
	if err != nil {
		t.Fatal(err)
	}
	if *calls != 1 || second.SHA256 != first.SHA256 || second.Load.Rows != 7 || second.Path != first.Path {
		t.Errorf("%d loads, %+v then %+v; want one load and the same copy", *calls, first, second)
	}
}

// Every way in which a copy is not what it was leads to a new load.
func TestDamageIsMended(t *testing.T) {
	for name, damage := range map[string]func(c Copy) error{
		"a byte changed": func(c Copy) error { return rewrite(c.Path, "dAta") },
		"cut short":      func(c Copy) error { return rewrite(c.Path, "dat") },
		"file gone":      func(c Copy) error { return os.Remove(c.Path) },
		"record gone":    func(c Copy) error { return os.Remove(recordOf(c.Path)) },
		"record torn":    func(c Copy) error { return rewrite(recordOf(c.Path), `{"key"`) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			load, calls := loader(t, "data")
			c, err := Ensure(t.Context(), dir, key(t), load)
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(c); err != nil {
				t.Fatal(err)
			}
			c, err = Ensure(t.Context(), dir, key(t), load)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(c.Path)
			if err != nil || string(got) != "data" || *calls != 2 {
				t.Errorf("after the damage: %q, %v, %d loads; want the data loaded again", got, err, *calls)
			}
		})
	}
}

func rewrite(path, content string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), 0o644)
}

// A file that was loaded all the same becomes the golden copy only where there
// is none.
func TestKeepLeavesAWholeCopy(t *testing.T) {
	dir := t.TempDir()
	keep := func(content string, rows int64) Copy {
		t.Helper()
		path := filepath.Join(t.TempDir(), "loaded.fdb")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := Keep(dir, key(t), path, workload.LoadResult{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the loaded file: %v, want it taken over or gone", err)
		}
		return c
	}
	if Has(dir, key(t)) {
		t.Error("a copy takes room before there is one")
	}
	first := keep("data", 7)
	if !Has(dir, key(t)) {
		t.Error("the copy takes no room")
	}
	if second := keep("date", 8); second.SHA256 != first.SHA256 || second.Load.Rows != 7 {
		t.Errorf("the second file took the place of the first: %+v", second)
	}
	if err := rewrite(first.Path, "dat"); err != nil {
		t.Fatal(err)
	}
	if third := keep("date", 8); third.SHA256 == first.SHA256 || third.Load.Rows != 8 {
		t.Errorf("a damaged copy stayed: %+v", third)
	}
}

func TestFailedLoadKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("disk full")
	_, err := Ensure(t.Context(), dir, key(t), func(context.Context) (string, workload.LoadResult, error) {
		return "", workload.LoadResult{}, broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want the loader's", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the directory holds %v (%v), want nothing", entries, err)
	}
}

func TestCopyToIsEqualAndApart(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	load, _ := loader(t, string(content))
	c, err := Ensure(t.Context(), t.TempDir(), key(t), load)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "trial.fdb")
	if err := c.CopyTo(path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, content) {
		t.Fatalf("the copy differs (%v)", err)
	}
	if err := os.WriteFile(path, []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	if sum, err := checksum(c.Path); err != nil || sum != c.SHA256 {
		t.Errorf("writing to the copy changed the golden file (%v)", err)
	}
	if err := c.CopyTo(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("copy over an existing file: %v, want it refused", err)
	}
}
