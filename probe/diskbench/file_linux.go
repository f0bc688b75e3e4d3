package diskbench

import (
	"os"

	"golang.org/x/sys/unix"
)

// What the calls are called here.
const (
	engine     = "psync: pread and pwrite"
	directName = "O_DIRECT"
	dsyncName  = "O_DSYNC"
	fsyncName  = "fsync"
)

// openDirect opens a file for transfers past the file cache.
func openDirect(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|unix.O_DIRECT, 0)
}

// openDsync opens a file whose writes wait for stable storage.
func openDsync(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR|unix.O_DSYNC, 0) }

// canDrop says whether the file cache can be asked to forget.
const canDrop = true

// drop asks the system to forget what its cache holds of a part of a file, 0
// bytes meaning to its end. Written data must have been flushed before.
func drop(f *os.File, offset, size int64) error {
	return unix.Fadvise(int(f.Fd()), offset, size, unix.FADV_DONTNEED)
}
