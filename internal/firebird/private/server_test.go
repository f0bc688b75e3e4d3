package private_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// effective returns what is in force by name.
func effective(t *testing.T, s *private.Server) map[string]running.Effective {
	t.Helper()
	list, err := s.Effective(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]running.Effective{}
	for _, e := range list {
		byName[e.Name] = e
	}
	return byName
}

// marked fails the test when a process of the server lives.
func noneLeft(t *testing.T, dir string) {
	t.Helper()
	if pids := firebird.AllMarked()[dir]; len(pids) != 0 {
		t.Errorf("processes %v of the server are left", pids)
	}
}

func TestEffectiveInEveryMode(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		path := firebirdtest.Database(t, s, 8192)
		for _, mode := range confgen.Modes() {
			t.Run(string(mode), func(t *testing.T) { effectiveIn(t, s, path, mode) })
		}
	})
}

// effectiveIn runs a server in a mode, reads back what is in force and sees
// that nothing is left of it.
func effectiveIn(t *testing.T, s *private.Server, path string, mode confgen.Mode) {
	err := s.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{
		"ServerMode": string(mode), "DefaultDbCachePages": "1K", "LockHashSlots": "30011", "LockMemSize": "7M", "TempCacheLimit": "32M", "GCPolicy": "cooperative",
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := effective(t, s)
	for name, want := range map[string]string{
		"ServerMode": string(mode), "DefaultDbCachePages": "1024", "LockHashSlots": "30011",
		"LockMemSize": "7340032", running.CacheMode: "buffered",
	} {
		e := got[name]
		if e.Value != want || e.State != running.Verified {
			t.Errorf("%s = %+v, want %s verified", name, e, want)
		}
		if both := hasConfigTable(s) && name != running.CacheMode; strings.Contains(e.Note, "RDB$CONFIG, from firebird.conf") != both {
			t.Errorf("%s was read by %q; by RDB$CONFIG too: want %t", name, e.Note, both)
		}
	}
	for name, want := range map[string]struct{ asked, read string }{"TempCacheLimit": {"32M", "33554432"}, "GCPolicy": {"cooperative", "cooperative"}} {
		e := got[name]
		if hasConfigTable(s) && (e.State != running.Verified || e.Value != want.read) {
			t.Errorf("%s = %+v, want %s verified", name, e, want.read)
		}
		if !hasConfigTable(s) && (e.State != running.NotVerifiable || e.Value != want.asked) {
			t.Errorf("%s = %+v, want %s, not verifiable before 4.0", name, e, want.asked)
		}
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	noneLeft(t, s.Dir())
	if left, err := os.ReadDir(filepath.Join(s.Dir(), "lock")); err != nil || len(left) != 0 {
		t.Errorf("lock directory holds %v (%v), want nothing", left, err)
	}
}

// hasConfigTable reports whether the server has RDB$CONFIG.
func hasConfigTable(s *private.Server) bool {
	return s.Installation.Version.AtLeast(confgen.Version{Major: 4})
}

// The engine's clamps are what is expected, not the text of the setting.
func TestEffectiveKnowsTheEnginesClamps(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		path := firebirdtest.Database(t, s, 8192)
		for _, test := range []struct {
			settings map[string]string
			in, want string
			table    bool // whether RDB$CONFIG is needed to see it, or the setting is as young
		}{
			{map[string]string{"DefaultDbCachePages": "64MB"}, "DefaultDbCachePages", "50", false},
			{map[string]string{"DefaultDbCachePages": "65536"}, running.CacheMode, "O_DIRECT", false},
			{map[string]string{"DefaultDbCachePages": "65536", "FileSystemCacheThreshold": "2M"}, running.CacheMode, "buffered", false},
			{map[string]string{"LockHashSlots": "7"}, "LockHashSlots", "101", false},
			{map[string]string{"DefaultDbCachePages": "65536", "UseFileSystemCache": "yes"}, running.CacheMode, "buffered", true},
			{map[string]string{"DefaultDbCachePages": "512", "UseFileSystemCache": "enabled"}, running.CacheMode, "O_DIRECT", true},
			{map[string]string{"UseFileSystemCache": "enabled"}, "UseFileSystemCache", "false", true},
			{map[string]string{"FileSystemCacheThreshold": "-5"}, "FileSystemCacheThreshold", "65536", true},
			{map[string]string{"TempCacheLimit": "2GB"}, "TempCacheLimit", "0", true},
			{map[string]string{"TempBlockSize": "1"}, "TempBlockSize", "65536", true},
			{map[string]string{"TcpRemoteBufferSize": "65536"}, "TcpRemoteBufferSize", "32767", true},
			{map[string]string{"GCPolicy": "Background"}, "GCPolicy", "background", true},
			{map[string]string{"ServerMode": "multiprocess"}, "ServerMode", "Classic", false},
			{map[string]string{"ServerMode": "SuperServer"}, "ServerMode", "Super", false},
		} {
			if test.table && !hasConfigTable(s) {
				continue
			}
			if err := s.Start(t.Context(), private.Config{Database: path, Settings: test.settings}); err != nil {
				t.Fatal(err)
			}
			if e := effective(t, s)[test.in]; e.Value != test.want || e.State != running.Verified {
				t.Errorf("%v: %s is %+v, want %s verified", test.settings, test.in, e, test.want)
			}
			if err := s.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A header value overrides the file: the candidate is not what was asked for.
func TestContradictedByTheHeader(t *testing.T) {
	s, path := firebirdtest.Started(t, firebirdtest.Installation(t), nil)
	target := s.Target(path)
	m, err := firebirdsql.NewMaintenanceManager(target.Addr, target.User, target.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetPageBuffers(path, 300); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{"DefaultDbCachePages": "4096"}}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Effective(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wrong := running.Contradictions(list)
	if len(wrong) != 1 || wrong[0].Name != "DefaultDbCachePages" || wrong[0].Value != "300" {
		t.Errorf("contradictions = %+v, want DefaultDbCachePages 300", wrong)
	}
}

func TestFailedStartCarriesTheLog(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		path := firebirdtest.Database(t, s, 8192)
		err := s.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{"TempCacheLimit": `"64M" trailing`}})
		var start *running.StartError
		if !errors.As(err, &start) {
			t.Fatalf("start with an illegal line: %v, want a StartError", err)
		}
		if !strings.Contains(start.Error(), "illegal line") {
			t.Errorf("error %q does not carry the server's own reason", start)
		}
		noneLeft(t, s.Dir())
		if err := s.Start(t.Context(), private.Config{Database: path}); err != nil {
			t.Errorf("start after a failed start: %v", err)
		}
	})
}

// A cache of 3,000,000,000 pages, which 4.0 takes for 2,147,483,646, took down
// a machine of 24 GB. Firebird 3.0 keeps 32 bits of that number, so fewer are
// asked for there.
func TestCapHoldsAHugeCache(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		pages := "3000000000"
		if !inst.Version.AtLeast(confgen.Version{Major: 4}) {
			pages = "2000000000"
		}
		for _, mode := range []string{"Super", "Classic"} {
			t.Run(mode, func(t *testing.T) {
				s := firebirdtest.New(t, inst, 512*confgen.MiB)
				path := firebirdtest.Database(t, s, 8192)
				err := s.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{
					"ServerMode": mode, "DefaultDbCachePages": pages,
				}})
				var start *running.StartError
				if !errors.As(err, &start) || !strings.Contains(start.Reason, "memory cap of 512 MiB") {
					t.Fatalf("start with %s pages: %v, want the memory cap named", pages, err)
				}
				noneLeft(t, s.Dir())
			})
		}
	})
}

// A file in the way is never overwritten.
func TestCreateDatabaseKeepsAPreciousFile(t *testing.T) {
	s := firebirdtest.New(t, firebirdtest.Installation(t), firebirdtest.Cap)
	path := filepath.Join(firebirdtest.Dir(t), "precious.fdb")
	if err := os.WriteFile(path, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.CreateDatabase(t.Context(), path, 8192); err == nil {
		t.Error("no error for a file in the way")
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "precious" {
		t.Errorf("the file holds %q (%v) now", data, err)
	}
}

// Without the file of messages a program says "error code 188" for "cannot
// update erased record", and the load would not know a conflict.
func TestMessagesAreFound(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		err := s.CreateDatabase(t.Context(), filepath.Join(s.Dir(), "missing", "test.fdb"), 8192)
		if err == nil || strings.Contains(err.Error(), "can't format message") || !strings.Contains(err.Error(), "Statement failed") {
			t.Errorf("create a database in a missing directory: %v, want isql's own words", err)
		}
	})
}

func TestPageSize(t *testing.T) {
	s := firebirdtest.New(t, firebirdtest.Installation(t), firebirdtest.Cap)
	path := firebirdtest.Database(t, s, 16384)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size()%16384 != 0 || info.Size() < 100*16384 {
		t.Errorf("file of %d bytes, want pages of 16384", info.Size())
	}
}

func TestCPUGrowsWithWork(t *testing.T) {
	s, _ := firebirdtest.Started(t, firebirdtest.Installation(t), nil)
	before, err := s.CPU()
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := s.Effective(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	after, err := s.CPU()
	if err != nil || after <= before {
		t.Errorf("CPU time %s then %s (%v), want more", before, after, err)
	}
}

// Where namespaces are not allowed the server works without: it says so, gets
// the reason of a failed start from the engine inside isql, and still leaves no
// process of Classic behind.
func TestWithoutNamespaces(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "unshare"), []byte("#!/bin/sh\necho not permitted >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		if notes := strings.Join(s.Notes, "\n"); !strings.Contains(notes, "not permitted") {
			t.Errorf("notes %q do not say why there are no namespaces", notes)
		}
		path := firebirdtest.Database(t, s, 8192)
		err := s.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{"TempCacheLimit": `"64M" trailing`}})
		if err == nil || !strings.Contains(err.Error(), "illegal line") {
			t.Errorf("start with an illegal line: %v, want the engine's own reason", err)
		}
		if err := s.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{"ServerMode": "Classic"}}); err != nil {
			t.Fatal(err)
		}
		if e := effective(t, s)["ServerMode"]; e.Value != "Classic" || e.State != running.Verified {
			t.Errorf("ServerMode = %+v, want Classic verified", e)
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		noneLeft(t, s.Dir())
	})
}
