package apply

import (
	"fmt"
	"time"
)

// Outcome is what became of an interrupted replacement.
type Outcome string

// Outcomes.
const (
	Nothing  Outcome = "nothing was pending"
	Finished Outcome = "finished" // the new files are there
	Undone   Outcome = "undone"   // the old files are there
)

// Pending is a replacement that was interrupted.
type Pending struct {
	Stamp   string    `json:"stamp"`
	Started time.Time `json:"started"`
	Files   []string  `json:"files"`
	Loan    *Loan     `json:"loan"` // what the files were lent for; nil for a replacement
}

// Pending returns the replacement that was interrupted, or nil.
func (s *Store) Pending() (*Pending, error) {
	j, err := s.read()
	if j == nil || err != nil {
		return nil, err
	}
	return &Pending{Stamp: j.Stamp, Started: j.Started, Files: j.paths(), Loan: j.Loan}, nil
}

// Recover finishes an interrupted replacement if all of its new files are
// complete, and undoes it otherwise; it ends a loan as [Store.Return] does.
// Files that someone changed since are an error, and nothing is touched then.
func (s *Store) Recover() (Outcome, error) {
	fail := func(err error) (Outcome, error) {
		return "", fmt.Errorf("recover an interrupted run: %w", err)
	}
	j, err := s.read()
	if err != nil {
		return fail(err)
	}
	if j == nil {
		if err := s.disk.remove(s.journalPath() + draft); err != nil {
			return fail(err)
		}
		return Nothing, nil
	}
	complete := true
	for _, c := range j.Changes {
		state, err := c.state()
		if err != nil {
			return fail(err)
		}
		switch {
		case state == foreign:
			return fail(fmt.Errorf("%s was changed by someone else since; its old content is %s, its new one %s where they exist: put the right one in place and remove %s", c.Path, c.Backup, c.Staged, s.journalPath()))
		case state == isOld && !c.ready():
			complete = false
		}
	}
	if complete && j.Loan == nil {
		if s.finish(j) == nil {
			return Finished, nil
		}
		// What cannot be renamed into place (a mount point?) would be pending for ever.
	}
	if err := s.undo(j); err != nil {
		return fail(err)
	}
	return Undone, nil
}

// state is what a file that is being replaced holds.
type state int

const (
	foreign state = iota
	isOld
	isNew
)

func (c change) state() (state, error) {
	has, err := sumOf(c.Path)
	switch {
	case err != nil:
		return foreign, err
	case has == c.Old:
		return isOld, nil
	case has == c.New, c.Was != absent && has == c.Was:
		return isNew, nil
	}
	return foreign, nil
}

// ready reports whether the file can be replaced: the new one is complete, and
// the old one has its backup.
func (c change) ready() bool {
	staged, err := sumOf(c.Staged)
	return err == nil && staged == c.New && c.kept()
}

// kept reports whether the backup holds the old content.
func (c change) kept() bool {
	if c.Old == absent {
		return true
	}
	backup, err := sumOf(c.Backup)
	return err == nil && backup == c.Old
}

// finish puts the new files in place and ends the replacement.
func (s *Store) finish(j *journal) error {
	for _, c := range j.Changes {
		state, err := c.state()
		if err != nil {
			return err
		}
		switch state {
		case foreign:
			return fmt.Errorf("%s was changed by someone else in the meantime", c.Path)
		case isOld:
			if err := s.disk.rename(c.Staged, c.Path); err != nil {
				return err
			}
		}
	}
	if err := s.disk.settle(j.paths()...); err != nil {
		return err
	}
	return s.discard()
}

// undo puts the old files back, removes what was made beside them and ends the
// replacement.
func (s *Store) undo(j *journal) error {
	if err := s.undoFiles(j); err != nil {
		return err
	}
	if err := s.disk.remove(s.journalPath() + draft); err != nil {
		return err
	}
	return s.discard()
}

// undoFiles puts the old files back and removes what was made beside them.
func (s *Store) undoFiles(j *journal) error {
	for _, c := range j.Changes {
		state, err := c.state()
		if err != nil {
			return err
		}
		if err := s.undoOne(c, state); err != nil {
			return err
		}
	}
	return s.disk.settle(j.paths()...)
}

func (s *Store) undoOne(c change, state state) error {
	var err error
	switch {
	case state == foreign:
		return fmt.Errorf("%s was changed by someone else; look at it and at %s", c.Path, c.Backup)
	case state == isOld:
		err = s.disk.remove(c.Backup)
	case c.Old == absent:
		err = s.disk.remove(c.Path)
	case !c.kept():
		return fmt.Errorf("the backup %s is damaged or gone; %s has its new content", c.Backup, c.Path)
	default:
		err = s.disk.rename(c.Backup, c.Path)
	}
	if err != nil {
		return err
	}
	return s.disk.remove(c.Staged)
}
