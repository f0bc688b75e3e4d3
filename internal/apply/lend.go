package apply

import (
	"errors"
	"fmt"
	"time"
)

// Loan says what a file is lent for.
type Loan struct {
	Service string `json:"service"` // the server whose file it is, as a person calls it
	Running bool   `json:"running"` // whether that server ran before
}

// errNotLent is the error of a trial without a loan.
var errNotLent = errors.New("the file is not lent")

// Lend writes into the journal that a file will be replaced for a time, and
// keeps what it holds now. Until [Store.Return] the journal stays: whatever ends
// this process meanwhile, [Store.Recover] puts back what was kept. A file that
// is not there is lent, too, and is not there again afterwards.
func (s *Store) Lend(path string, loan Loan, now time.Time) error {
	fail := func(err error) error { return fmt.Errorf("lend %s: %w", path, err) }
	pending, err := s.read()
	if err != nil {
		return fail(err)
	}
	if pending != nil {
		return fail(errPending)
	}
	file, err := realPath(path)
	if err != nil {
		return fail(err)
	}
	has, err := sumOf(file)
	if err != nil {
		return fail(err)
	}
	j := &journal{Started: now.UTC().Truncate(time.Second), Loan: &loan, Changes: []change{{Path: file, Old: has, New: has}}}
	if err := j.name(); err != nil {
		return fail(err)
	}
	if err := s.keepLent(j); err != nil {
		return fail(errors.Join(err, s.undo(j)))
	}
	return nil
}

// keepLent writes the journal of a loan and keeps the file.
func (s *Store) keepLent(j *journal) error {
	if err := s.rewrite(j); err != nil {
		return err
	}
	c := j.Changes[0]
	if c.Old == absent {
		return nil
	}
	if err := s.disk.keep(c.Path, c.Backup); err != nil {
		return err
	}
	return s.disk.settle(c.Path)
}

// Try puts a content in the place of the lent file, as often as one likes. The
// journal knows of it before it is done. After an error the file holds what it
// held.
func (s *Store) Try(content []byte) error {
	fail := func(err error) error { return fmt.Errorf("put a trial's configuration in place: %w", err) }
	j, err := s.read()
	if err != nil {
		return fail(err)
	}
	if j == nil || j.Loan == nil {
		return fail(errNotLent)
	}
	c := &j.Changes[0]
	state, err := c.state()
	if err != nil {
		return fail(err)
	}
	if state == foreign {
		return fail(fmt.Errorf("%s was changed by someone else in the meantime; its old content is %s", c.Path, c.Backup))
	}
	if c.Was, err = sumOf(c.Path); err != nil {
		return fail(err)
	}
	if c.New = sum(content); c.New == c.Was {
		return nil
	}
	c.content = content
	if err := s.swap(j); err != nil {
		return fail(err)
	}
	return nil
}

// swap replaces the lent file by its next content.
func (s *Store) swap(j *journal) error {
	if err := s.rewrite(j); err != nil {
		return err
	}
	c := j.Changes[0]
	if err := s.disk.remove(c.Staged); err != nil { // left by a trial that got no further
		return err
	}
	model := c.Backup
	if c.Old == absent {
		model = ""
	}
	if err := s.disk.create(c.Staged, c.content, model); err != nil {
		return err
	}
	if err := s.disk.rename(c.Staged, c.Path); err != nil {
		return err
	}
	return s.disk.settle(c.Path)
}

// PutBack puts back what the lent file held. The loan goes on, so that the
// journal tells what is still to be done for the server. Without a loan there is
// nothing to do.
func (s *Store) PutBack() error { return s.end(s.undoFiles) }

// Return puts back what the lent file held, unless it is there, and ends the
// loan. Without a loan there is nothing to do.
func (s *Store) Return() error { return s.end(s.undo) }

// end undoes a loan, if there is one, in one of two ways.
func (s *Store) end(undo func(*journal) error) error {
	j, err := s.read()
	if err != nil || j == nil || j.Loan == nil {
		return err
	}
	if err := undo(j); err != nil {
		return fmt.Errorf("put the lent configuration back: %w; run fbtune restore --pending when that is mended", err)
	}
	return nil
}
