//go:build unix

package diskbench

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file for as long as it is open, and never waits: held by
// another process it is errBusy.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errBusy
	}
	return err
}
