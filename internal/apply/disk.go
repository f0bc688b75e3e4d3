package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// disk carries out the operations that change files, one at a time.
type disk struct {
	// before is asked before each operation; its error stops it. It is nil in
	// real use: tests cut the power here.
	before func(op operation, path string) error
}

// operation is a change of the disk that is done as a whole or not at all.
type operation string

// The operations.
const (
	opCreate     operation = "create"
	opWrite      operation = "write"
	opAttributes operation = "set attributes of"
	opSync       operation = "sync"
	opLink       operation = "link"
	opRename     operation = "rename"
	opRemove     operation = "remove"
	opSyncDir    operation = "sync directory"
)

// do carries out one operation.
func (d disk) do(op operation, path string, f func() error) error {
	if d.before != nil {
		if err := d.before(op, path); err != nil {
			return err
		}
	}
	return f()
}

// block is how much is written at a time.
const block = 4096

// create writes a new file, whole and onto the disk, with the attributes of the
// file model, or those of any new file when model is "". A file in the way is
// an error and left alone. A file that could not be completed is left, too.
func (d disk) create(path string, content []byte, model string) error {
	var f *os.File
	err := d.do(opCreate, path, func() (err error) {
		f, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	return errors.Join(d.fill(f, content, model), f.Close())
}

func (d disk) fill(f *os.File, content []byte, model string) error {
	for part := range slices.Chunk(content, block) {
		err := d.do(opWrite, f.Name(), func() error {
			_, err := f.Write(part)
			return err
		})
		if err != nil {
			return err
		}
	}
	err := d.do(opAttributes, f.Name(), func() error {
		if model == "" {
			return f.Chmod(0o644)
		}
		return takeOver(f, model)
	})
	if err != nil {
		return err
	}
	return d.do(opSync, f.Name(), f.Sync)
}

// keep gives a file a second name, under which it stays when its first is given
// to another. Where the file system has no links it copies the file.
func (d disk) keep(path, backup string) error {
	err := d.do(opLink, backup, func() error { return os.Link(path, backup) })
	switch {
	case errors.Is(err, syscall.EXDEV):
		return fmt.Errorf("%w: the file is mounted there, as into a container, and cannot be replaced; run fbtune where it comes from", err)
	case !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission):
		return err // nil mostly
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return d.create(backup, content, path)
}

// rename gives a file the name of another, which is gone then.
func (d disk) rename(from, to string) error {
	return d.do(opRename, to, func() error { return os.Rename(from, to) })
}

// remove removes a file; one that is not there is no error.
func (d disk) remove(path string) error {
	err := d.do(opRemove, path, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// settle makes the names in the directories of the paths last.
func (d disk) settle(paths ...string) error {
	var dirs []string
	for _, path := range paths {
		dirs = append(dirs, filepath.Dir(path))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		err := d.do(opSyncDir, dir, func() error {
			f, err := os.Open(dir)
			if err != nil {
				return err
			}
			return errors.Join(f.Sync(), f.Close())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// absent is the sum of a file that is not there.
const absent = ""

// sum identifies a content.
func sum(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}

// sumOf identifies the content of a file, or is absent.
func sumOf(path string) (string, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return absent, nil
	}
	if err != nil {
		return "", err
	}
	return sum(content), nil
}

// realPath returns the absolute path of the file that a path leads to through
// symbolic links. The file itself need not exist, its directory must.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range 40 { // as many links as Linux follows
		resolved, err := filepath.EvalSymlinks(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return resolved, err
		}
		target, err := os.Readlink(path)
		if err != nil { // no link: a file to come
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			return filepath.Join(dir, filepath.Base(path)), err
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}
