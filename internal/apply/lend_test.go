package apply

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lent are what a server's firebird.conf holds before trials put their contents
// in its place.
var lent = map[string]map[string]string{
	"a file": {firebirdConf: long("old"), databasesConf: "a = /a.fdb\n"},
	"none":   {databasesConf: "a = /a.fdb\n"},
}

// lend runs a loan from its beginning to its end, with three trials, of which
// the second has the old content.
func (s server) lend(p *power) error {
	store := s.store(p)
	defer store.Close()
	path := s.path(firebirdConf)
	if err := store.Lend(path, Loan{Service: "it", Running: true}, noon); err != nil {
		return err
	}
	for _, content := range []string{long("first"), s.old[firebirdConf], long("second")} {
		if err := store.Try([]byte(content)); err != nil {
			return err
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != content {
			s.t.Errorf("a trial holds %.20q (%v), want %.20q", got, err, content)
		}
	}
	return errors.Join(store.PutBack(), store.Return())
}

// Whenever the power goes during a loan, and when it goes again while what was
// kept comes back, the old file is there at the end.
func TestPowerCutWhileLent(t *testing.T) {
	for name, old := range lent {
		t.Run(name, func(t *testing.T) {
			undone := 0
			for n := 0; ; n++ {
				s := newServer(t, old, nil)
				first := cutAfter(t, n)
				if err := s.lend(first); err == nil {
					s.settled("without a cut", Nothing)
					break
				} else if !errors.Is(err, errCut) {
					t.Fatalf("cut after %d operations: %v", n, err)
				}
				what := fmt.Sprintf("cut after %v", first.ops)
				outcome, err := s.recover(nil)
				if err != nil || outcome == Finished {
					t.Fatalf("%s: %s, %v", what, outcome, err)
				}
				if outcome == Undone {
					undone++
				}
				s.settled(what, outcome)
				if n%5 == 0 {
					s.cutWhileReturning(n)
				}
			}
			if undone < 10 {
				t.Errorf("only %d cuts had something to undo", undone)
			}
		})
	}
}

// cutWhileReturning cuts the power after n operations of a loan, and at every
// moment of the recovery from that.
func (s server) cutWhileReturning(n int) {
	for m := 0; ; m++ {
		again := newServer(s.t, s.old, nil)
		_ = again.lend(cutAfter(s.t, n)) // was cut, as the caller saw
		second := cutAfter(s.t, m)
		outcome, err := again.recover(second)
		if err == nil {
			again.settled("recovered", outcome)
			return
		}
		what := fmt.Sprintf("cut after %d operations and then %v", n, second.ops)
		if !errors.Is(err, errCut) {
			s.t.Fatalf("%s: %v", what, err)
		}
		if outcome, err = again.recover(nil); err != nil {
			s.t.Fatalf("%s: %v", what, err)
		}
		again.settled(what, outcome)
	}
}

// What comes back is the file itself, not one like it.
func TestTheFileItselfComesBack(t *testing.T) {
	s := newServer(t, lent["a file"], nil)
	before, err := os.Stat(s.path(firebirdConf))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.lend(nil); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(s.path(firebirdConf))
	if err != nil || !os.SameFile(before, after) || after.ModTime() != before.ModTime() || after.Mode() != before.Mode() {
		t.Errorf("%v after the loan (%v), %v before", after, err, before)
	}
}

// A trial whose operation fails leaves what the file held, and the loan goes on.
func TestFailedTrial(t *testing.T) {
	for n := 0; ; n++ {
		s := newServer(t, lent["a file"], nil)
		store := s.store(nil)
		if err := store.Lend(s.path(firebirdConf), Loan{}, noon); err != nil {
			t.Fatal(err)
		}
		if err := store.Try([]byte("first\n")); err != nil {
			t.Fatal(err)
		}
		p := cutAfter(t, n)
		p.once = true
		store.disk.before = p.before
		failed := store.Try([]byte(long("second")))
		store.disk.before = nil
		got, err := os.ReadFile(s.path(firebirdConf))
		if err != nil || string(got) != "first\n" && string(got) != long("second") {
			t.Errorf("failed after %v: the file holds %.20q (%v)", p.ops, got, err)
		}
		if err := store.Try([]byte("third\n")); err != nil {
			t.Errorf("failed after %v; the next trial: %v", p.ops, err)
		}
		if err := errors.Join(store.Return(), store.Close()); err != nil {
			t.Errorf("failed after %v: %v", p.ops, err)
		}
		s.settled(fmt.Sprintf("failed after %v", p.ops), Nothing)
		if failed == nil {
			return
		}
	}
}

func TestLoanIsRefused(t *testing.T) {
	s := newServer(t, lent["a file"], nil)
	store := s.store(nil)
	defer store.Close()
	path := s.path(firebirdConf)
	if err := store.Try([]byte("x\n")); !errors.Is(err, errNotLent) {
		t.Errorf("a trial without a loan: %v", err)
	}
	if err := store.Lend(path, Loan{Service: "it", Running: true}, noon); err != nil {
		t.Fatal(err)
	}
	if pending, err := store.Pending(); err != nil || pending == nil || pending.Loan == nil || *pending.Loan != (Loan{"it", true}) {
		t.Errorf("pending %+v (%v), want the loan", pending, err)
	}
	if err := store.Lend(path, Loan{}, noon); !errors.Is(err, errPending) {
		t.Errorf("a second loan: %v", err)
	}
	if _, err := store.Replace(s.files(), noon); !errors.Is(err, errPending) {
		t.Errorf("a replacement during a loan: %v", err)
	}
	// Somebody edits the trial's file: their work is not thrown away.
	if err := store.Try([]byte("trial\n")); err != nil {
		t.Fatal(err)
	}
	s.put(firebirdConf, "theirs\n")
	for what, err := range map[string]error{"a trial": store.Try([]byte("y\n")), "returning": store.Return()} {
		if err == nil || !strings.Contains(err.Error(), "changed by someone else") {
			t.Errorf("%s over somebody's work: %v", what, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(s.etc, firebirdConf)); err != nil || string(got) != "theirs\n" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
}
