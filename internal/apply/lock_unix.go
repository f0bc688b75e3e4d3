//go:build unix

package apply

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lock holds a directory against other runs until the file is closed. The
// kernel lets go of it however the process ends.
func lock(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another fbtune is at work in %s: wait until it has ended", dir)
		}
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return f, nil
}
