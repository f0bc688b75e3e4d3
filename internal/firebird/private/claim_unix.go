//go:build unix

package private

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// claim locks a server's directory for as long as this process lives. The
// kernel lets go of the lock however the process ends.
func claim(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, claimName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("claim a private server's directory: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, fmt.Errorf("claim %s: another fbtune owns it: %w", dir, err)
	}
	return f, nil
}
