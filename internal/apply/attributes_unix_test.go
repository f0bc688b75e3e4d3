//go:build linux || darwin

package apply

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestReplaceKeepsAttributes(t *testing.T) {
	r := replacements[0]
	s := newServer(t, r.old, r.new)
	path := filepath.Join(s.etc, firebirdConf)
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	owner := os.Getuid()
	if owner == 0 {
		owner = 12345
		if err := os.Chown(path, owner, 12346); err != nil {
			t.Fatal(err)
		}
	}
	attribute := "user.label"
	if err := unix.Setxattr(path, attribute, []byte("system_u:object_r:firebird_conf_t"), 0); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	old, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.replace(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, done.Backups[0]} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != old.Mode() {
			t.Errorf("%s: mode %s, want %s", path, info.Mode(), old.Mode())
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; int(got) != owner {
			t.Errorf("%s: owner %d, want %d", path, got, owner)
		}
		names, err := attributeNames(path)
		if err != nil || len(names) == 0 {
			t.Errorf("%s: attributes %v, %v; want %s", path, names, err, attribute)
		}
	}
	// The backup is the old file, its date included.
	if info, err := os.Stat(done.Backups[0]); err != nil || !os.SameFile(info, old) || !info.ModTime().Equal(old.ModTime()) {
		t.Errorf("the backup is not the file that was replaced: %v, %v", info, err)
	}
}
