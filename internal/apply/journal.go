package apply

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Names in the directory of a store. None ends in .conf, so that no include
// with a wildcard takes one for configuration.
const (
	journalName = "fbtune.journal"
	draft       = ".new"
	mark        = ".fbtune-" // between a file's name and a stamp
)

// journal says what a replacement is about to do.
type journal struct {
	Stamp   string    `json:"stamp"`
	Started time.Time `json:"started"`
	Changes []change  `json:"changes"`
	// Loan is set where the files are lent: whatever stands in their place, the old
	// ones come back.
	Loan *Loan `json:"loan,omitempty"`
}

// change is the replacement of one file.
type change struct {
	Path   string `json:"path"`          // the file itself, no link
	Backup string `json:"backup"`        // the name it keeps
	Staged string `json:"staged"`        // where the new file waits
	Model  string `json:"-"`             // whose attributes the new file takes over
	Old    string `json:"old"`           // sum of what is replaced; absent when nothing is
	New    string `json:"new"`           // sum of what replaces it
	Was    string `json:"was,omitempty"` // of a loan: sum of what New replaces, which may not be Old

	content []byte
}

// paths are all names that a replacement touches.
func (j *journal) paths() []string {
	var paths []string
	for _, c := range j.Changes {
		paths = append(paths, c.Path)
	}
	return paths
}

func (s *Store) journalPath() string { return filepath.Join(s.dir, journalName) }

// write puts the journal onto the disk, whole or not at all.
func (s *Store) write(j *journal) error {
	data, err := json.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	path := s.journalPath()
	if err := s.disk.create(path+draft, append(data, '\n'), ""); err != nil {
		return err
	}
	if err := s.disk.rename(path+draft, path); err != nil {
		return err
	}
	return s.disk.settle(path)
}

// rewrite is write where a run that got no further may have left a draft.
func (s *Store) rewrite(j *journal) error {
	if err := s.disk.remove(s.journalPath() + draft); err != nil {
		return err
	}
	return s.write(j)
}

// read returns the journal of an interrupted replacement, or nil.
func (s *Store) read() (*journal, error) {
	path := s.journalPath()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal of an interrupted run: %w", err)
	}
	var j journal
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("read %s: %w; it is no journal of fbtune's: move it away", path, err)
	}
	for _, c := range j.Changes {
		// Whoever writes here could name any file otherwise.
		for _, name := range []string{c.Backup, c.Staged} {
			if !strings.HasPrefix(name, c.Path+mark) || filepath.Dir(name) != filepath.Dir(c.Path) || filepath.Clean(name) != name {
				return nil, fmt.Errorf("read %s: it names %s, which does not belong to %s; move the journal away", path, name, c.Path)
			}
		}
	}
	return &j, nil
}

// discard removes the journal, which ends the replacement.
func (s *Store) discard() error {
	if err := s.disk.remove(s.journalPath()); err != nil {
		return err
	}
	return s.disk.settle(s.journalPath())
}
