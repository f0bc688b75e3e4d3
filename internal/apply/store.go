package apply

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Store is the directory of a server's configuration files, held against other
// runs until it is closed.
type Store struct {
	dir  string // of the journal
	lock *os.File
	disk disk
}

// Open holds the store that a configuration file belongs to: the directory it
// lies in, links followed. Paths of one server must be given in the same order
// by every run: the first one tells where the journal is.
func Open(path string) (*Store, error) {
	file, err := realPath(path)
	if err != nil {
		return nil, fmt.Errorf("find the configuration files: %w", err)
	}
	s := &Store{dir: filepath.Dir(file)}
	if s.lock, err = lock(s.dir); err != nil {
		return nil, err
	}
	return s, nil
}

// Close lets go of the store.
func (s *Store) Close() error { return s.lock.Close() }

// File is what is to stand in the place of a file.
type File struct {
	Path    string // as the server opens it; links are followed
	Content []byte
	// Seen is what the file held when the replacement was decided on, nil when
	// there was no file. A file that holds something else is not replaced.
	Seen []byte
	// Model is the file whose owner, mode and attributes the new one takes
	// over. Empty stands for the file itself, or else any beside it.
	Model string
}

// errPending is the error of a store in which something is not ended.
var errPending = errors.New("an earlier run was interrupted here; run fbtune restore --pending first")

// Replaced is what a replacement left.
type Replaced struct {
	Stamp   string   `json:"stamp"`   // of the backups; what restore takes
	Files   []string `json:"files"`   // replaced, links followed
	Backups []string `json:"backups"` // of those that were there
}

// Replace puts files in the place of others, all or none, and keeps the old
// ones under dated names. Files that hold the content already are left alone.
// An interrupted replacement in the way is an error: [Store.Recover] it first.
// After an error the old files are there, unless the error says otherwise.
func (s *Store) Replace(files []File, now time.Time) (Replaced, error) {
	fail := func(err error) (Replaced, error) {
		return Replaced{}, fmt.Errorf("replace the configuration: %w", err)
	}
	pending, err := s.read()
	if err != nil {
		return fail(err)
	}
	if pending != nil {
		return fail(errPending)
	}
	j, err := s.plan(files, now)
	if err != nil {
		return fail(err)
	}
	done := Replaced{Stamp: j.Stamp, Files: j.paths(), Backups: []string{}}
	if len(j.Changes) == 0 {
		return Replaced{Files: []string{}, Backups: []string{}}, nil
	}
	if err := s.carryOut(j); err != nil {
		if undone := s.undo(j); undone != nil {
			return fail(fmt.Errorf("%w; and what was done could not be undone: %w; run fbtune restore --pending when that is mended", err, undone))
		}
		return fail(fmt.Errorf("%w; nothing was changed", err))
	}
	for _, c := range j.Changes {
		if c.Old != absent {
			done.Backups = append(done.Backups, c.Backup)
		}
	}
	return done, nil
}

// plan finds out what there is to do.
func (s *Store) plan(files []File, now time.Time) (*journal, error) {
	j := &journal{Started: now.UTC().Truncate(time.Second)}
	for _, f := range files {
		path, err := realPath(f.Path)
		if err != nil {
			return nil, err
		}
		c := change{Path: path, Model: f.Model, New: sum(f.Content), content: f.Content}
		if c.Old, err = sumOf(path); err != nil {
			return nil, err
		}
		seen := absent
		if f.Seen != nil {
			seen = sum(f.Seen)
		}
		if c.Old != seen {
			return nil, fmt.Errorf("%s was changed by someone else in the meantime; run the command again", path)
		}
		if c.Old == c.New {
			continue
		}
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is no regular file; put one in its place", path)
		}
		if c.Model == "" && c.Old != absent {
			c.Model = path
		}
		j.Changes = append(j.Changes, c)
	}
	for i, c := range j.Changes {
		if c.Model == "" {
			j.Changes[i].Model = sibling(files, c.Path)
		}
	}
	return j, j.name()
}

// sibling is an existing file among the ones to be replaced, for a new one to
// take its attributes over, or "".
func sibling(files []File, path string) string {
	for _, f := range files {
		if other, err := realPath(f.Path); err == nil && other != path {
			if _, err := os.Stat(other); err == nil {
				return other
			}
		}
	}
	return ""
}

// stampLayout dates backups; in UTC, so that their names sort as they were made.
const stampLayout = "20060102T150405Z"

// name gives all backups of the journal one stamp, under which there is no file
// yet.
func (j *journal) name() error {
	j.Stamp = j.Started.Format(stampLayout)
	for n := 2; ; n++ {
		free := true
		for i := range j.Changes {
			c := &j.Changes[i]
			c.Backup = c.Path + mark + j.Stamp
			c.Staged = c.Backup + draft
			for _, path := range []string{c.Backup, c.Staged} {
				if _, err := os.Lstat(path); err == nil {
					free = false
				} else if !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
		if free {
			return nil
		}
		j.Stamp = fmt.Sprintf("%s-%d", j.Started.Format(stampLayout), n)
	}
}

// carryOut does what the journal says. The order is what makes it safe: nothing
// is replaced before everything that replaces it, and the backups, are on the
// disk.
func (s *Store) carryOut(j *journal) error {
	if err := s.rewrite(j); err != nil {
		return err
	}
	for _, c := range j.Changes {
		if c.Old == absent {
			continue
		}
		if err := s.disk.keep(c.Path, c.Backup); err != nil {
			return err
		}
	}
	for _, c := range j.Changes {
		if err := s.disk.create(c.Staged, c.content, c.Model); err != nil {
			return err
		}
	}
	if err := s.disk.settle(j.paths()...); err != nil {
		return err
	}
	return s.finish(j)
}
