package diskbench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Names of what a run leaves on a disk while it lasts.
const (
	dirPrefix = "fbtune-disk-"
	claimName = "claim" // locked by its owner
	dataName  = "data"
)

// mark begins every claim, so that a person, and Sweep, knows what it is.
const mark = "fbtune bench disk: a file to measure this disk with. Locked while the measurement runs; safe to remove after it.\n"

// errBusy is the error of a lock that another process holds.
var errBusy = errors.New("another process holds the lock")

// scratch is a directory of one run, and the lock that says its owner lives.
// The kernel lets go of the lock however the process ends.
type scratch struct {
	dir   string
	claim *os.File
}

// newScratch makes and claims a directory below parent.
func newScratch(parent string) (scratch, error) {
	const attempts = 3 // Sweep of another run may take a directory before it is claimed
	for range attempts {
		dir, err := os.MkdirTemp(parent, dirPrefix+"*")
		if err != nil {
			return scratch{}, fmt.Errorf("make a directory for the measurement: %w; give another --path", err)
		}
		claim, err := take(dir, os.O_CREATE|os.O_EXCL)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errBusy) {
			continue
		}
		s := scratch{dir: dir, claim: claim}
		if err == nil {
			_, err = claim.WriteString(mark)
		}
		if err != nil {
			return scratch{}, errors.Join(fmt.Errorf("claim %s: %w", dir, err), s.remove())
		}
		return s, nil
	}
	return scratch{}, fmt.Errorf("make a directory for the measurement in %s: another fbtune removed it %d times; try again", parent, attempts)
}

// take locks the claim in dir and makes sure that it is still the one there.
func take(dir string, flags int) (*os.File, error) {
	path := filepath.Join(dir, claimName)
	f, err := os.OpenFile(path, os.O_RDWR|flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	locked, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	there, err := os.Stat(path)
	if err == nil && !os.SameFile(locked, there) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// data is the path of the file that is measured.
func (s scratch) data() string { return filepath.Join(s.dir, dataName) }

// remove removes the directory and what a run put into it, and nothing else.
// Another run's Sweep may be at it at the same time.
func (s scratch) remove() error {
	failures := []error{removeIfThere(s.data())}
	if s.claim != nil {
		failures = append(failures, s.claim.Close()) // Windows removes no open file
	}
	failures = append(failures, removeIfThere(filepath.Join(s.dir, claimName)), removeIfThere(s.dir))
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("remove %s: %w; remove it by hand", s.dir, err)
	}
	return nil
}

// removeIfThere removes a file or an empty directory.
func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sweep removes what killed runs left in a directory and returns the bytes
// that freed. What a living run owns is locked by it; what does not carry
// fbtune's mark, or belongs to another account, is left alone.
func Sweep(parent string) (int64, error) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return 0, fmt.Errorf("look for what killed runs left: %w", err)
	}
	var freed int64
	var failures []error
	for _, entry := range entries {
		if !entry.IsDir() || len(entry.Name()) <= len(dirPrefix) || entry.Name()[:len(dirPrefix)] != dirPrefix {
			continue
		}
		n, err := sweepOne(filepath.Join(parent, entry.Name()))
		freed += n
		failures = append(failures, err)
	}
	return freed, errors.Join(failures...)
}

// sweepOne removes a directory if it is what a killed run left.
func sweepOne(dir string) (int64, error) {
	claim, err := take(dir, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist): // killed before it could claim; or full of somebody's files
		if inside, err := os.ReadDir(dir); err != nil || len(inside) > 0 {
			return 0, nil
		}
		return 0, scratch{dir: dir}.remove()
	case errors.Is(err, errBusy), errors.Is(err, fs.ErrPermission):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("clean up after a killed run: %w", err)
	}
	s := scratch{dir: dir, claim: claim}
	text, err := io.ReadAll(io.LimitReader(claim, int64(len(mark))))
	if err != nil || !bytes.HasPrefix([]byte(mark), text) { // cut short by the kill it is still ours
		return 0, errors.Join(err, claim.Close())
	}
	var freed int64
	if info, err := os.Stat(s.data()); err == nil {
		freed = info.Size()
	}
	if err := s.remove(); err != nil {
		return 0, fmt.Errorf("clean up after a killed run: %w", err)
	}
	return freed, nil
}
