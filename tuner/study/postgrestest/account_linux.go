package postgrestest

import (
	"os/exec"
	"syscall"
)

// runAs makes a program run as a user, and end with this process.
func runAs(cmd *exec.Cmd, uid, gid int) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Pdeathsig:  syscall.SIGKILL,
		Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: syscall.Getuid() != 0},
	}
}
