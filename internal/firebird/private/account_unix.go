//go:build unix

package private

import (
	"io/fs"
	"syscall"
)

// passes reports whether the account may enter a directory, as its owner,
// group or others' bits say.
func (a account) passes(info fs.FileInfo) bool {
	shift := 0
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		switch {
		case int(stat.Uid) == a.uid:
			shift = 6
		case int(stat.Gid) == a.gid:
			shift = 3
		}
	}
	return info.Mode().Perm()>>shift&1 == 1
}
