//go:build !linux

package private

import (
	"errors"
	"fmt"
)

// Uncache is not known for other systems, whose caps do not hold files either.
func Uncache(path string) error {
	return fmt.Errorf("drop %s from the cache: %w on this system", path, errors.ErrUnsupported)
}
