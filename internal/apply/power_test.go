package apply

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var errCut = errors.New("power cut")

// power lets a number of operations through and then cuts: nothing is done any
// more, and what was written without a sync is lost.
type power struct {
	t     *testing.T
	left  int  // operations until the cut; -1 never cuts
	once  bool // whether only that operation fails, and no power is cut
	ops   []string
	dirty map[string]bool // written, not synced
}

func (p *power) before(op operation, path string) error {
	if p.left == 0 {
		if p.once {
			p.left = -1
			return errCut
		}
		for path := range p.dirty {
			if err := os.Truncate(path, 0); err != nil {
				p.t.Error(err)
			}
		}
		p.dirty = nil
		return errCut
	}
	p.left--
	p.ops = append(p.ops, string(op)+" "+filepath.Base(path))
	switch op {
	case opCreate, opWrite:
		p.dirty[path] = true
	case opSync, opRemove:
		delete(p.dirty, path)
	case opRename:
		if len(p.dirty) > 0 {
			p.t.Errorf("%s %s while %v are not on the disk", op, path, p.dirty)
		}
	}
	return nil
}

func cutAfter(t *testing.T, n int) *power {
	return &power{t: t, left: n, dirty: map[string]bool{}}
}

// server is a root as Debian lays it out: links to the files, elsewhere.
type server struct {
	t         *testing.T
	root, etc string
	old, new  map[string]string // content by name; absent when there is no file
}

const (
	firebirdConf  = "firebird.conf"
	databasesConf = "databases.conf"
)

func newServer(t *testing.T, old, new map[string]string) server {
	t.Helper()
	s := server{t: t, root: t.TempDir(), etc: t.TempDir(), old: old, new: new}
	for _, name := range []string{firebirdConf, databasesConf} {
		if err := os.Symlink(filepath.Join(s.etc, name), filepath.Join(s.root, name)); err != nil {
			t.Fatal(err)
		}
		if content, ok := old[name]; ok {
			s.put(name, content)
		}
	}
	return s
}

func (s server) put(name, content string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.etc, name), []byte(content), 0o640); err != nil {
		s.t.Fatal(err)
	}
}

func (s server) path(name string) string { return filepath.Join(s.root, name) }

func (s server) files() []File {
	var files []File
	for _, name := range []string{firebirdConf, databasesConf} {
		f := File{Path: s.path(name), Content: []byte(s.new[name])}
		if content, ok := s.old[name]; ok {
			f.Seen = []byte(content)
		}
		files = append(files, f)
	}
	return files
}

// store opens the server's store with a power of its own.
func (s server) store(p *power) *Store {
	s.t.Helper()
	store, err := Open(s.path(firebirdConf))
	if err != nil {
		s.t.Fatal(err)
	}
	if p != nil {
		store.disk.before = p.before
	}
	return store
}

func (s server) replace(p *power) (Replaced, error) {
	store := s.store(p)
	defer store.Close()
	return store.Replace(s.files(), noon)
}

func (s server) recover(p *power) (Outcome, error) {
	store := s.store(p)
	defer store.Close()
	return store.Recover()
}

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// holds reports whether the files are all as in one of the two states.
func (s server) holds(want map[string]string) bool {
	for _, name := range []string{firebirdConf, databasesConf} {
		got, err := os.ReadFile(s.path(name))
		content, exists := want[name]
		if exists != (err == nil) || string(got) != content {
			return false
		}
	}
	return true
}

// settled fails the test unless the files are all old or all new, as outcome
// says, with nothing beside them but the backups of new ones.
func (s server) settled(what string, outcome Outcome) {
	s.t.Helper()
	isNew := s.holds(s.new)
	if !isNew && !s.holds(s.old) {
		s.t.Errorf("%s: a mixture after recovery (%s)", what, outcome)
	}
	if outcome == Finished && !isNew || outcome == Undone && isNew {
		s.t.Errorf("%s: %s, but new is %t", what, outcome, isNew)
	}
	var want []string
	for _, name := range []string{databasesConf, firebirdConf} {
		_, wasThere := s.old[name]
		if wasThere || isNew {
			want = append(want, name)
		}
		if wasThere && isNew && s.old[name] != s.new[name] {
			want = append(want, name+mark+"20261201T120000Z")
		}
	}
	var got []string
	entries, err := os.ReadDir(s.etc)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		s.t.Errorf("%s: the directory holds %v, want %v", what, got, want)
	}
	for _, name := range []string{firebirdConf, databasesConf} {
		if info, err := os.Lstat(s.path(name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			s.t.Errorf("%s: %s is no link any more", what, name)
		}
	}
}

// replacements are the pairs the tests replace; contents span blocks, so that
// the power also goes within a file.
var replacements = []struct {
	name     string
	every    int // how many cuts there are to one that is followed by a second
	old, new map[string]string
}{
	{
		"both", 1,
		map[string]string{firebirdConf: long("old"), databasesConf: "a = /a.fdb\n"},
		map[string]string{firebirdConf: long("new"), databasesConf: "b = /b.fdb\n"},
	},
	{
		"one is new", 3,
		map[string]string{firebirdConf: "old\n"},
		map[string]string{firebirdConf: long("new"), databasesConf: "b = /b.fdb\n"},
	},
	{
		"one stays", 5,
		map[string]string{firebirdConf: "old\n"},
		map[string]string{firebirdConf: "old\n", databasesConf: "b = /b.fdb\n"},
	},
}

func long(word string) string { return strings.Repeat("# "+word+"\n", 1000) }

// Whenever the power goes, the next run finishes or undoes, and when it goes
// again during that, the run after it.
func TestPowerCut(t *testing.T) {
	for _, r := range replacements {
		t.Run(r.name, func(t *testing.T) {
			outcomes := map[Outcome]int{}
			for n := 0; ; n++ {
				s := newServer(t, r.old, r.new)
				p := cutAfter(t, n)
				_, err := s.replace(p)
				if err == nil {
					s.settled("without a cut", Finished)
					break
				}
				if !errors.Is(err, errCut) {
					t.Fatalf("cut after %d operations: %v", n, err)
				}
				what := fmt.Sprintf("cut after %v", p.ops)
				outcome, err := s.recover(nil)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				outcomes[outcome]++
				s.settled(what, outcome)
				if again, err := s.recover(nil); again != Nothing || err != nil {
					t.Errorf("%s: recovered twice: %s, %v", what, again, err)
				}
				if n%r.every == 0 {
					s.cutAgain(n)
				}
			}
			for _, want := range []Outcome{Nothing, Finished, Undone} {
				if outcomes[want] == 0 {
					t.Errorf("no cut after which recovery ended with %q: %v", want, outcomes)
				}
			}
		})
	}
}

// cutAgain cuts the power after n operations of a replacement, and at every
// moment of the recovery from that.
func (s server) cutAgain(n int) {
	for m := 0; ; m++ {
		again := newServer(s.t, s.old, s.new)
		first, second := cutAfter(s.t, n), cutAfter(s.t, m)
		_, _ = again.replace(first) // was cut, as the caller saw
		outcome, err := again.recover(second)
		if err == nil {
			again.settled(fmt.Sprintf("cut after %v", first.ops), outcome)
			return
		}
		if !errors.Is(err, errCut) {
			s.t.Fatalf("cut after %v and %v: %v", first.ops, second.ops, err)
		}
		what := fmt.Sprintf("cut after %v and then %v", first.ops, second.ops)
		if outcome, err = again.recover(nil); err != nil {
			s.t.Fatalf("%s: %v", what, err)
		}
		again.settled(what, outcome)
	}
}

// An operation that fails while the machine lives on (a full disk) leaves the
// old files, at once.
func TestFailureIsUndone(t *testing.T) {
	for _, r := range replacements {
		for n := 0; ; n++ {
			s := newServer(t, r.old, r.new)
			p := cutAfter(t, n)
			p.once = true
			_, err := s.replace(p)
			if err == nil {
				break
			}
			what := fmt.Sprintf("%s, failed after %v", r.name, p.ops)
			if !errors.Is(err, errCut) || !strings.Contains(err.Error(), "nothing was changed") {
				t.Errorf("%s: %v", what, err)
			}
			s.settled(what, Undone)
			if outcome, err := s.recover(nil); outcome != Nothing || err != nil {
				t.Errorf("%s: %s, %v", what, outcome, err)
			}
		}
	}
}

// A new file that cannot be put in place (a mount point) is not pending for ever.
func TestRecoverUndoesWhatItCannotFinish(t *testing.T) {
	r := replacements[0]
	s := newServer(t, r.old, r.new)
	var off bool
	store := s.store(nil)
	store.disk.before = func(op operation, path string) error {
		if off = off || op == opRename && filepath.Base(path) == firebirdConf; off {
			return errCut
		}
		return nil
	}
	if _, err := store.Replace(s.files(), noon); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	store.disk.before = func(op operation, path string) error {
		if op == opRename {
			return errors.New("device or resource busy")
		}
		return nil
	}
	outcome, err := store.Recover()
	if outcome != Undone || err != nil {
		t.Errorf("%s, %v; want it undone", outcome, err)
	}
	s.settled("after a rename that fails", Undone)
}
