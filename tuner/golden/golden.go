// Package golden keeps loaded databases, from fresh copies of which every
// trial starts.
//
// A copy is known by what went into it: the load's schema, scale and seed, the
// page size and the on-disk structure. It is loaded once, checked by a checksum
// of its file before every use, and never opened by a server again.
package golden

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

// Key is what makes one golden copy another.
type Key struct {
	Schema   int            `json:"schema"` // workload.SchemaVersion
	Scale    workload.Scale `json:"scale"`
	PageSize int            `json:"page_size"` // bytes
	ODS      string         `json:"ods"`
}

// odsOf is the on-disk structure each version creates (src/jrd/ods.h).
var odsOf = map[confgen.Version]string{
	{Major: 2, Minor: 5, Patch: confgen.AnyPatch}: "11.2",
	{Major: 3, Minor: 0, Patch: confgen.AnyPatch}: "12.0",
	{Major: 4, Minor: 0, Patch: confgen.AnyPatch}: "13.0",
	{Major: 5, Minor: 0, Patch: confgen.AnyPatch}: "13.1",
	{Major: 6, Minor: 0, Patch: confgen.AnyPatch}: "14.0",
}

// NewKey returns the key of a database of the given scale and page size
// loaded by a version. The error is for a version whose on-disk structure is
// not known.
func NewKey(scale workload.Scale, pageSize int, v confgen.Version) (Key, error) {
	ods, ok := odsOf[v.Line()]
	if !ok {
		return Key{}, fmt.Errorf("load a database with Firebird %s: its on-disk structure is not known to fbtune", v)
	}
	return Key{Schema: workload.SchemaVersion, Scale: scale, PageSize: pageSize, ODS: ods}, nil
}

// Name is the key as the base of a file name.
func (k Key) Name() string {
	return fmt.Sprintf("oltp-schema%d-w%d-c%g-seed%d-page%d-ods%s",
		k.Schema, k.Scale.Warehouses, k.Scale.Cardinality, k.Scale.Seed, k.PageSize, k.ODS)
}

// Copy is a golden copy on disk.
type Copy struct {
	Path   string              `json:"-"`
	Key    Key                 `json:"key"`
	Bytes  int64               `json:"bytes"`  // of the file
	SHA256 string              `json:"sha256"` // of the file
	Loaded time.Time           `json:"loaded"`
	Load   workload.LoadResult `json:"load"`
}

// Loader makes the loaded database of a key: it returns the path of a closed
// file, which the store takes over.
type Loader func(ctx context.Context) (path string, result workload.LoadResult, err error)

// Ensure returns the golden copy of a key in dir, loading it when it is missing
// or damaged. A damaged copy is removed: it is fbtune's own and can be made
// again.
func Ensure(ctx context.Context, dir string, key Key, load Loader) (Copy, error) {
	c, whole, err := look(dir, key)
	if whole || err != nil {
		return c, err
	}
	from, result, err := load(ctx)
	if err != nil {
		return Copy{}, err
	}
	return keep(dir, key, from, result)
}

// Keep takes over a file that was loaded whether or not there is a golden copy
// of its key. A whole one stays, for studies were measured on it, and the file
// is removed.
func Keep(dir string, key Key, from string, result workload.LoadResult) (Copy, error) {
	c, whole, err := look(dir, key)
	switch {
	case err != nil:
		return Copy{}, err
	case !whole:
		return keep(dir, key, from, result)
	}
	if err := os.Remove(from); err != nil {
		return Copy{}, fmt.Errorf("remove a second golden copy: %w", err)
	}
	return c, nil
}

// Has reports whether a golden copy of a key takes room in dir, whole or not.
func Has(dir string, key Key) bool {
	_, err := os.Stat(pathOf(dir, key))
	return err == nil
}

// look returns the golden copy of a key, and false for one that is missing or
// damaged.
func look(dir string, key Key) (c Copy, whole bool, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Copy{}, false, fmt.Errorf("make the directory of golden copies: %w", err)
	}
	c, err = open(dir, key)
	switch {
	case err == nil:
		return c, true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errDamaged):
		return Copy{}, false, nil
	}
	return Copy{}, false, err
}

// errDamaged is the error of a copy that is not what its record says.
var errDamaged = errors.New("the golden copy is damaged")

// open returns a copy that is there and whole.
func open(dir string, key Key) (Copy, error) {
	c := Copy{Path: pathOf(dir, key)}
	data, err := os.ReadFile(recordOf(c.Path))
	if err != nil {
		return Copy{}, fmt.Errorf("read the record of a golden copy: %w", err)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return Copy{}, fmt.Errorf("%w: %v", errDamaged, err)
	}
	info, err := os.Stat(c.Path)
	if err != nil {
		return Copy{}, fmt.Errorf("find a golden copy: %w", err)
	}
	if c.Key != key || info.Size() != c.Bytes {
		return Copy{}, errDamaged
	}
	sum, err := checksum(c.Path)
	if err != nil {
		return Copy{}, err
	}
	if sum != c.SHA256 {
		return Copy{}, errDamaged
	}
	return c, nil
}

// keep moves a loaded file into dir and records it. The record is written last:
// a file without one does not exist for open.
func keep(dir string, key Key, from string, result workload.LoadResult) (Copy, error) {
	c := Copy{Path: pathOf(dir, key), Key: key, Load: result, Loaded: time.Now().UTC()}
	if err := os.Remove(recordOf(c.Path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Copy{}, fmt.Errorf("replace a golden copy: %w", err)
	}
	if err := os.Chmod(from, 0o444); err != nil {
		return Copy{}, fmt.Errorf("protect a golden copy: %w", err)
	}
	if err := os.Rename(from, c.Path); err != nil {
		return Copy{}, fmt.Errorf("keep a golden copy: %w", err)
	}
	info, err := os.Stat(c.Path)
	if err != nil {
		return Copy{}, fmt.Errorf("keep a golden copy: %w", err)
	}
	c.Bytes = info.Size()
	if c.SHA256, err = checksum(c.Path); err != nil {
		return Copy{}, err
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return Copy{}, fmt.Errorf("record a golden copy: %w", err)
	}
	if err := maybe.WriteFile(recordOf(c.Path), data, 0o644); err != nil {
		return Copy{}, fmt.Errorf("record a golden copy: %w", err)
	}
	return c, nil
}

// pathOf returns where the golden copy of a key is.
func pathOf(dir string, key Key) string { return filepath.Join(dir, key.Name()+".fdb") }

func recordOf(path string) string { return path + ".json" }

// checksum returns the SHA-256 of a file, in hexadecimal.
func checksum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read a golden copy: %w", err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("read a golden copy: %w", err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// CopyTo makes a fresh copy at path, which must not exist, and waits until it
// is on the disk: written pages still on their way would disturb a measurement.
// The file shares its blocks with the golden copy where the file system can.
func (c Copy) CopyTo(path string) (err error) {
	from, err := os.Open(c.Path)
	if err != nil {
		return fmt.Errorf("copy the golden copy: %w", err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o660)
	if err != nil {
		return fmt.Errorf("copy the golden copy: %w", err)
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if reflink(from, to) != nil {
		// os.File copies within the kernel (copy_file_range) where it can.
		if _, err := io.Copy(to, from); err != nil {
			return fmt.Errorf("copy the golden copy: %w", err)
		}
	}
	if err := to.Sync(); err != nil {
		return fmt.Errorf("copy the golden copy: %w", err)
	}
	return nil
}
