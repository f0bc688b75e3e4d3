//go:build unix

package inspect

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// asOwner has a command run as the owner of a file, when this process may
// choose. Then what the command leaves behind, such as lock files, is the
// server's own.
func asOwner(cmd *exec.Cmd, path string) {
	info, err := os.Stat(path)
	if err != nil || os.Geteuid() != 0 {
		return // the command will say what it cannot do
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: stat.Uid, Gid: stat.Gid}}
	}
}

// fileNumber returns the number of a file on its file system, "" when it is not
// known.
func fileNumber(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return strconv.FormatUint(uint64(stat.Ino), 10)
}
