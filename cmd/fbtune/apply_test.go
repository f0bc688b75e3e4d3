package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// laidOut is a root with files, by their paths below it, and a directory of new
// ones.
func laidOut(t *testing.T) (root, from string) {
	t.Helper()
	useHome(t)
	root, from = t.TempDir(), t.TempDir()
	for path, content := range map[string]string{
		filepath.Join(root, "firebird.conf"): "TempCacheLimit = 32M\n", filepath.Join(root, "databases.conf"): "erp = /data/erp.fdb\n",
		filepath.Join(from, "firebird.conf"): "TempCacheLimit = 48M\n", filepath.Join(from, "databases.conf"): "erp = /data/new.fdb\n",
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, from
}

// same reports whether both files of two directories are equal.
func same(t *testing.T, a, b string) bool {
	t.Helper()
	for _, name := range []string{"firebird.conf", "databases.conf"} {
		x, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.ReadFile(filepath.Join(b, name))
		if err != nil {
			t.Fatal(err)
		}
		if string(x) != string(y) {
			return false
		}
	}
	return true
}

// At a terminal the difference is shown and a person asked; everything but yes
// is no.
func TestApplyAsks(t *testing.T) {
	for _, test := range []struct {
		answer string
		want   bool
	}{{"y\n", true}, {"Yes\n", true}, {"n\n", false}, {"\n", false}, {"", false}, {"yes, but\n", false}} {
		root, from := laidOut(t)
		stdin, typed, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := typed.WriteString(test.answer); err != nil {
			t.Fatal(err)
		}
		typed.Close()
		var out, shown strings.Builder
		e := newEnv()
		e.stdin, e.stdout, e.stderr, e.terminal = stdin, &out, &shown, true
		if err := e.run(t.Context(), []string{"apply", "--from", from, "--to", root}); err != nil {
			t.Fatal(err)
		}
		stdin.Close()
		if done := same(t, root, from); done != test.want {
			t.Errorf("answer %q: applied is %t", test.answer, done)
		}
		for _, want := range []string{"32 MiB", "48 MiB", "/data/new.fdb", "[y/N]"} {
			if !strings.Contains(shown.String(), want) {
				t.Errorf("answer %q: %s was not shown before it:\n%s", test.answer, want, shown.String())
			}
		}
		if strings.Contains(out.String(), "48 MiB") {
			t.Errorf("the difference is shown twice:\n%s", out.String())
		}
	}
}

func TestApplyJSON(t *testing.T) {
	root, from := laidOut(t)
	valid(t, "diff", capture(t, "diff", root, from, "--json"))
	valid(t, "apply", capture(t, "apply", "--from", from, "--to", root, "--dry-run", "--json"))
	done := capture(t, "apply", "--from", from, "--to", root, "--yes", "--json")
	valid(t, "apply", done)
	var object struct {
		Applied  bool
		Replaced struct{ Stamp string }
	}
	if err := json.Unmarshal([]byte(done), &object); err != nil {
		t.Fatal(err)
	}
	if !object.Applied || !same(t, root, from) {
		t.Errorf("not applied:\n%s", done)
	}
	valid(t, "backups", capture(t, "restore", "--to", root, "--list", "--json"))
	valid(t, "apply", capture(t, "restore", "--to", root, "--pending", "--json"))
	valid(t, "apply", capture(t, "restore", "--to", root, "--yes", "--json", object.Replaced.Stamp))
	if same(t, root, from) {
		t.Error("the backup was not put back")
	}
	refused := filepath.Join(from, "firebird.conf")
	if err := os.WriteFile(refused, []byte("X = \"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := captured(t.Context(), t, "apply", "--from", from, "--to", root, "--yes", "--json")
	if !errors.Is(err, errNotApplied) {
		t.Errorf("%v; want it refused", err)
	}
	valid(t, "apply", out)
}

// What the power cut is finished by the next run that may change files, and
// only told by the others.
func TestApplyAfterAPowerCut(t *testing.T) {
	interrupted := func() (root, from string) {
		root, from = laidOut(t)
		var changes []map[string]string
		for _, name := range []string{"firebird.conf", "databases.conf"} {
			path := filepath.Join(root, name)
			backup := path + ".fbtune-20261201T120000Z"
			old, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(filepath.Join(from, name))
			if err != nil {
				t.Fatal(err)
			}
			changes = append(changes, map[string]string{
				"path": path, "backup": backup, "staged": backup + ".new",
				"old": fmt.Sprintf("%x", sha256.Sum256(old)), "new": fmt.Sprintf("%x", sha256.Sum256(content)),
			})
			if err := errors.Join(os.WriteFile(backup, old, 0o644), os.WriteFile(backup+".new", content, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		journal, err := json.Marshal(map[string]any{"stamp": "20261201T120000Z", "started": "2026-12-01T12:00:00Z", "changes": changes})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "fbtune.journal"), journal, 0o644); err != nil {
			t.Fatal(err)
		}
		return root, from
	}
	for _, test := range []struct {
		name  string
		args  func(root, from string) []string
		done  bool
		shown string
	}{
		{"list", func(root, _ string) []string { return []string{"restore", "--to", root} }, false, "--pending finishes or undoes it"},
		{"dry run", func(root, from string) []string { return []string{"apply", "--from", from, "--to", root, "--dry-run"} }, false, "would be finished or undone first"},
		{"pending", func(root, _ string) []string { return []string{"restore", "--to", root, "--pending"} }, true, "was finished: the new files are in place"},
		{"apply", func(root, from string) []string { return []string{"apply", "--from", from, "--to", root, "--yes"} }, true, "an earlier run was interrupted; what it had begun was finished"},
	} {
		root, from := interrupted()
		out := capture(t, test.args(root, from)...)
		if !strings.Contains(strings.Join(strings.Fields(out), " "), test.shown) {
			t.Errorf("%s: no %q in\n%s", test.name, test.shown, out)
		}
		if done := same(t, root, from); done != test.done {
			t.Errorf("%s: finished is %t", test.name, done)
		}
		if _, err := os.Stat(filepath.Join(root, "fbtune.journal")); (err == nil) == test.done {
			t.Errorf("%s: the journal: %v", test.name, err)
		}
	}
}
