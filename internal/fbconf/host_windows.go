package fbconf

import (
	"io/fs"
	"os"
	"path/filepath"
)

// HostFiles is this machine's file system in the form Options.Files asks for:
// the drive is the first element of a name.
func HostFiles() fs.FS {
	return drives{}
}

// drives opens "C:/path" as the path on that drive.
type drives struct{}

// Open implements fs.FS.
func (drives) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	path := filepath.FromSlash(name)
	if filepath.VolumeName(path) == path {
		path += string(filepath.Separator)
	}
	return os.Open(path)
}
