//go:build unix && !linux && !darwin

package diskbench

import (
	"errors"
	"os"
)

// What the calls are called here.
const (
	engine     = "psync: pread and pwrite"
	directName = "direct transfer"
	dsyncName  = "O_SYNC"
	fsyncName  = "fsync"
)

// openDirect is not to be had on this system.
func openDirect(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// openDsync opens a file whose writes wait for stable storage.
func openDsync(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR|os.O_SYNC, 0) }

// canDrop says whether the file cache can be asked to forget.
const canDrop = false

// drop is not to be had on this system.
func drop(*os.File, int64, int64) error { return errors.ErrUnsupported }
