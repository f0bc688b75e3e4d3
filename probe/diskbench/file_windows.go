package diskbench

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// What the calls are called here.
const (
	engine     = "synchronous ReadFile and WriteFile"
	directName = "FILE_FLAG_NO_BUFFERING"
	dsyncName  = "FILE_FLAG_WRITE_THROUGH"
	fsyncName  = "FlushFileBuffers"
)

// openDirect opens a file for transfers past the file cache.
func openDirect(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|windows.FILE_FLAG_NO_BUFFERING, 0)
}

// openDsync opens a file whose writes wait for stable storage.
func openDsync(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|windows.FILE_FLAG_WRITE_THROUGH, 0)
}

// canDrop says whether the file cache can be asked to forget.
const canDrop = false

// drop is not to be had on this system.
func drop(*os.File, int64, int64) error { return errors.ErrUnsupported }
