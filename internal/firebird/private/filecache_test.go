package private_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// cached returns how many bytes of files are counted for a server's control
// group, which the record in its directory names.
func cached(t *testing.T, s *private.Server) confgen.Bytes {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.Dir(), "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct{ Cgroup string }
	if err := json.Unmarshal(data, &record); err != nil {
		t.Fatal(err)
	}
	stat, err := os.ReadFile(filepath.Join(record.Cgroup, "memory.stat"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(stat)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "cache" || name == "file" { // of version 1, of version 2
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return confgen.Bytes(n)
		}
	}
	t.Fatalf("no cache in %s", stat)
	return 0
}

// A file that this process wrote counts for the server's cap once it was warmed,
// and the cap holds it: of a larger file only a part stays cached.
func TestWarmCountsForTheCap(t *testing.T) {
	const limit = 64 * confgen.MiB
	s, err := private.New(t.Context(), private.Options{Installation: firebirdtest.Installation(t), Dir: firebirdtest.Dir(t), Cap: limit, Files: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	if !s.HoldsFiles() {
		if len(s.Notes) == 0 {
			t.Error("nothing says that the cap of this machine does not hold files")
		}
		return
	}
	// The kernel adds up the counts of processors now and then.
	const slack = confgen.MiB
	for _, size := range []confgen.Bytes{24 * confgen.MiB, 2 * limit} {
		path := filepath.Join(s.Dir(), "file")
		if err := os.WriteFile(path, make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := synced(path); err != nil {
			t.Fatal(err)
		}
		before := cached(t, s)
		if err := s.Warm(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		after := cached(t, s)
		if after-before < min(size, limit/2)-slack || after > limit {
			t.Errorf("a file of %s takes the cache of the server from %s to %s, want the file in it as far as it fits into %s", size, before, after, limit)
		}
		if err := private.Uncache(path); err != nil {
			t.Fatal(err)
		}
	}
}

// synced returns once a file is on the disk.
func synced(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
