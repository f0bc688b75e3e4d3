//go:build !unix

package apply

import "os"

// lock opens the directory only: files are not replaced on these systems.
func lock(dir string) (*os.File, error) { return os.Open(dir) }
