package private

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Uncache has the system forget what it caches of a file. Pages that are not
// on the disk yet, or that a program has mapped, stay.
func Uncache(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("drop a file from the cache: %w", err)
	}
	const whole = 0 // length of all that follows
	if err := unix.Fadvise(int(f.Fd()), 0, whole, unix.FADV_DONTNEED); err != nil {
		return errors.Join(fmt.Errorf("drop %s from the cache: %w", path, err), f.Close())
	}
	return f.Close()
}
