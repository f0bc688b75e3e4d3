//go:build !linux

package golden

import (
	"errors"
	"os"
)

// reflink is not tried on other systems.
func reflink(_, _ *os.File) error { return errors.ErrUnsupported }
