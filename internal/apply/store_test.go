package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Files in the way of every name that fbtune would use stay as they are.
func TestPreciousFiles(t *testing.T) {
	r := replacements[0]
	s := newServer(t, r.old, r.new)
	stamp := "20261201T120000Z"
	precious := []string{
		firebirdConf + mark + stamp, databasesConf + mark + stamp + "-2" + draft,
		firebirdConf + ".bak", "SYSDBA.password", "plugins.conf",
	}
	for _, name := range precious {
		s.put(name, "precious")
	}
	done, err := s.replace(nil)
	if err != nil {
		t.Fatal(err)
	}
	if done.Stamp != stamp+"-3" {
		t.Errorf("stamp %s, want the first that is free, -3", done.Stamp)
	}
	if !s.holds(s.new) {
		t.Error("the new files are not there")
	}
	for _, name := range precious {
		if content, err := os.ReadFile(filepath.Join(s.etc, name)); err != nil || string(content) != "precious" {
			t.Errorf("%s: %q, %v", name, content, err)
		}
	}
}

// A file that someone changed after the difference was shown is not replaced,
// nor is the other of the pair.
func TestChangedMeanwhile(t *testing.T) {
	r := replacements[0]
	s := newServer(t, r.old, r.new)
	s.put(databasesConf, "someone = /else.fdb\n")
	_, err := s.replace(nil)
	if err == nil || !strings.Contains(err.Error(), "changed by someone else") {
		t.Errorf("%v; want it refused", err)
	}
	s.old = map[string]string{firebirdConf: r.old[firebirdConf], databasesConf: "someone = /else.fdb\n"}
	s.settled("changed meanwhile", Undone)
}

// A file that someone changed after the power went is not overwritten by the
// recovery, which says so every time.
func TestChangedAfterTheCut(t *testing.T) {
	r := replacements[0]
	for n := 0; ; n++ {
		s := newServer(t, r.old, r.new)
		if _, err := s.replace(cutAfter(t, n)); err == nil {
			return
		}
		store := s.store(nil)
		pending, err := store.Pending()
		store.Close()
		if err != nil || pending == nil {
			continue
		}
		s.put(firebirdConf, "by hand\n")
		for range 2 {
			if outcome, err := s.recover(nil); err == nil || !strings.Contains(err.Error(), "changed by someone else since") {
				t.Fatalf("%d: %s, %v", n, outcome, err)
			}
		}
		if content, err := os.ReadFile(s.path(firebirdConf)); err != nil || string(content) != "by hand\n" {
			t.Errorf("%q, %v", content, err)
		}
	}
}

// A file that is made takes over what the one beside it has.
func TestNewFileTakesAfterItsSibling(t *testing.T) {
	r := replacements[1]
	s := newServer(t, r.old, r.new)
	if _, err := s.replace(nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.path(databasesConf))
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v; want that of firebird.conf, 0640", info, err)
	}
}

func TestNothingToReplace(t *testing.T) {
	old := replacements[0].old
	s := newServer(t, old, old)
	done, err := s.replace(nil)
	if err != nil || len(done.Files) != 0 || done.Stamp != "" {
		t.Errorf("%+v, %v; want nothing done", done, err)
	}
	entries, err := os.ReadDir(s.etc)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v; want the two files alone", entries, err)
	}
}

func TestStoreIsHeldByOne(t *testing.T) {
	s := newServer(t, replacements[0].old, replacements[0].new)
	first := s.store(nil)
	if second, err := Open(s.path(firebirdConf)); err == nil || !strings.Contains(err.Error(), "another fbtune is at work") {
		t.Errorf("%v, %v; want it refused", second, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.store(nil).Close(); err != nil {
		t.Error(err)
	}
}

// A journal that is none, or that names other files, is not acted upon.
func TestForeignJournal(t *testing.T) {
	for _, journal := range []string{
		"precious",
		`{"changes": [{"path": "/tmp/a", "backup": "/etc/passwd", "staged": "/tmp/a.fbtune-1.new", "old": "x", "new": "y"}]}`,
		`{"changes": [{"path": "/tmp/a", "backup": "/tmp/a.fbtune-/../passwd", "staged": "/tmp/a.fbtune-1.new", "old": "x", "new": "y"}]}`,
	} {
		s := newServer(t, replacements[0].old, replacements[0].new)
		s.put(journalName, journal)
		if outcome, err := s.recover(nil); err == nil || !strings.Contains(err.Error(), "away") {
			t.Errorf("%s: %s, %v", journal, outcome, err)
		}
		if _, err := s.replace(nil); err == nil {
			t.Error("replaced beside a journal that cannot be read")
		}
		if content, err := os.ReadFile(filepath.Join(s.etc, journalName)); err != nil || string(content) != journal {
			t.Errorf("the file became %q, %v", content, err)
		}
	}
}

func TestBackups(t *testing.T) {
	contents := []string{"first\n", "second\n", "third\n", "fourth\n"}
	s := newServer(t, map[string]string{firebirdConf: contents[0]}, nil)
	moments := []time.Time{noon, noon.Add(time.Hour), noon.Add(time.Hour)}
	store := s.store(nil)
	for i, at := range moments {
		if _, err := store.Replace([]File{{Path: s.path(firebirdConf), Content: []byte(contents[i+1]), Seen: []byte(contents[i])}}, at); err != nil {
			t.Fatal(err)
		}
	}
	s.put(firebirdConf+mark+"20261301T000000Z", "no such month")
	s.put(firebirdConf+mark+"20261201T120000Z"+draft, "no backup")
	list, err := Backups(s.path(firebirdConf), s.path(databasesConf))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"20261201T130000Z-2", "20261201T130000Z", "20261201T120000Z"}
	var got []string
	for i, b := range list {
		got = append(got, b.Stamp)
		content, err := os.ReadFile(b.Files[0].Backup)
		if err != nil || string(content) != contents[len(contents)-2-i] {
			t.Errorf("%s holds %q, %v", b.Stamp, content, err)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("backups %v, want %v", got, want)
	}
	for _, name := range []string{want[2], firebirdConf + mark + want[2], filepath.Join(s.etc, firebirdConf+mark+want[2])} {
		if b, err := Find(list, name); err != nil || b.Stamp != want[2] {
			t.Errorf("find %s: %v, %v", name, b, err)
		}
	}
	if b, err := Find(list, "20201201T120000Z"); err == nil {
		t.Errorf("found %v", b)
	}
}
