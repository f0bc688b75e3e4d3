// Package firebirdtest gives tests a private Firebird server.
package firebirdtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// Cap is the memory cap of test servers.
const Cap = 2 * confgen.GiB

// Installation returns the newest Firebird of this machine. Without one the
// test is skipped, except in continuous integration, where it fails.
func Installation(t testing.TB) firebird.Installation {
	t.Helper()
	inst, err := firebird.Choose(t.Context(), os.Getenv("FBTUNE_TEST_ROOT"))
	if err == nil {
		return inst
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("tests need a real Firebird here: %v", err)
	}
	t.Skipf("needs a real Firebird (make firebird): %v", err)
	return inst
}

// Each runs a test on every Firebird that tests are to prove: the newest of
// this machine, and those whose roots FBTUNE_TEST_ROOTS lists as PATH does. The
// Makefile sets it; in continuous integration a test fails without.
func Each(t *testing.T, test func(t *testing.T, inst firebird.Installation)) {
	t.Helper()
	all := []firebird.Installation{Installation(t)}
	roots := filepath.SplitList(os.Getenv("FBTUNE_TEST_ROOTS"))
	if len(roots) == 0 && os.Getenv("CI") != "" {
		t.Fatal("tests need a second Firebird here: run them by make test, or set FBTUNE_TEST_ROOTS")
	}
	for _, root := range roots {
		inst, err := firebird.At(t.Context(), root)
		if err != nil {
			t.Fatalf("FBTUNE_TEST_ROOTS: %v", err)
		}
		all = append(all, inst)
	}
	for _, inst := range all {
		t.Run(inst.Version.Line().String(), func(t *testing.T) { test(t, inst) })
	}
}

// Dir returns a directory that the server's user can work in, removed at the
// end of the test. (t.TempDir is closed to other users.)
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fbtune-test-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// New returns a private server that is set up but not started, and closed at
// the end of the test.
func New(t testing.TB, inst firebird.Installation, limit confgen.Bytes) *private.Server {
	t.Helper()
	s, err := private.New(t.Context(), private.Options{Installation: inst, Dir: Dir(t), Cap: limit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Database creates an empty database in the server's own directory.
func Database(t testing.TB, s *private.Server, pageSize int) string {
	t.Helper()
	dir, err := os.MkdirTemp(s.Dir(), "db-*")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt(dir); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "test.fdb")
	if err := s.CreateDatabase(t.Context(), path, pageSize); err != nil {
		t.Fatal(err)
	}
	return path
}

// Started returns a running server with an empty database and its path.
func Started(t testing.TB, inst firebird.Installation, settings map[string]string) (*private.Server, string) {
	t.Helper()
	s := New(t, inst, Cap)
	path := Database(t, s, 8192)
	if err := s.Start(t.Context(), private.Config{Settings: settings, Database: path}); err != nil {
		t.Fatal(err)
	}
	return s, path
}

// Long reports whether tests are to take their full counts, as make test-long
// asks for by FBTUNE_LONG.
func Long() bool { return os.Getenv("FBTUNE_LONG") != "" }
