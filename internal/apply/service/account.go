package service

import (
	"fmt"
	"os"
	"os/user"
	"strconv"

	"github.com/shirou/gopsutil/v3/process"
)

// account is whom a server runs as.
type account struct{ uid, gid int }

// accountOf reads the account of a process.
func accountOf(pid int) (account, error) {
	p := process.Process{Pid: int32(pid)}
	uids, err := p.Uids()
	if err != nil {
		return account{}, fmt.Errorf("read the account of process %d: %w", pid, err)
	}
	gids, err := p.Gids()
	if err != nil {
		return account{}, fmt.Errorf("read the account of process %d: %w", pid, err)
	}
	if len(uids) < 2 || len(gids) < 2 {
		return account{}, fmt.Errorf("read the account of process %d: %v and %v, want real and effective ids", pid, uids, gids)
	}
	return account{int(uids[1]), int(gids[1])}, nil // the effective ones
}

// String is the account's name, or its number.
func (a account) String() string {
	number := strconv.Itoa(a.uid)
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return number
}

// allowed refuses a process that may not work as the account.
func (a account) allowed() error {
	if a.switches() && os.Geteuid() != 0 {
		return fmt.Errorf("the server runs as %s: run fbtune as root, or as %s", a, a)
	}
	return nil
}

// switches reports whether the account is another than this process's.
func (a account) switches() bool { return a.uid != os.Geteuid() }

// own gives a file or directory to the account.
func (a account) own(path string) error {
	if !a.switches() {
		return nil
	}
	if err := os.Lchown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("give a file to the server's account %s: %w", a, err)
	}
	return nil
}
