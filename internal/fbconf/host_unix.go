//go:build !windows

package fbconf

import (
	"io/fs"
	"os"
)

// HostFiles is this machine's file system in the form Options.Files asks for.
func HostFiles() fs.FS {
	return os.DirFS("/")
}
