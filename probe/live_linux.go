package probe

import (
	"os"

	"golang.org/x/sys/unix"
)

// Live returns the running machine.
func Live() System {
	return System{FS: os.DirFS("/"), Space: statfs, Resolve: resolve}
}

// statfs returns the size of the file system under path and the part free to
// an unprivileged user.
func statfs(path string) (total, free Bytes, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, 0, err
	}
	unit := Bytes(s.Frsize)
	return Bytes(s.Blocks) * unit, Bytes(s.Bavail) * unit, nil
}
