package diskbench

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// What the calls are called here.
const (
	engine     = "psync: pread and pwrite"
	directName = "F_NOCACHE"
	dsyncName  = "O_DSYNC, which leaves the drive's cache unflushed here"
	fsyncName  = "F_FULLFSYNC"
)

// openDirect opens a file for transfers past the file cache.
func openDirect(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_NOCACHE, 1); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// openDsync opens a file whose writes wait for stable storage.
func openDsync(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR|unix.O_DSYNC, 0) }

// canDrop says whether the file cache can be asked to forget.
const canDrop = false

// drop is not to be had on this system.
func drop(*os.File, int64, int64) error { return errors.ErrUnsupported }
