package private

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// account is the user that servers run as.
type account struct {
	name     string
	uid, gid int
	switches bool // whether it is another than this process's
}

// nobody has no right to anything: not to the user's databases either, which
// the account of an installed Firebird would have.
const nobody = "nobody"

// unprivileged returns the account for servers: nobody when this process is
// root, else its own.
func unprivileged() account {
	self := account{name: strconv.Itoa(os.Geteuid()), uid: os.Geteuid(), gid: os.Getegid()}
	if u, err := user.Current(); err == nil {
		self.name = u.Username
	}
	if self.uid != 0 {
		return self
	}
	u, err := user.Lookup(nobody)
	if err != nil {
		return self
	}
	uid, uerr := strconv.Atoi(u.Uid)
	gid, gerr := strconv.Atoi(u.Gid)
	if uerr != nil || gerr != nil {
		return self // not a system with numeric ids
	}
	return account{name: nobody, uid: uid, gid: gid, switches: true}
}

// own gives a file or directory to the account.
func (a account) own(path string) error {
	if !a.switches {
		return nil
	}
	if err := os.Lchown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("give a file to user %s: %w", a.name, err)
	}
	return nil
}

// mkdir makes a directory of the account's, or gives it one that exists.
func (a account) mkdir(path string) error {
	if err := os.MkdirAll(path, 0o750); err != nil {
		return fmt.Errorf("make a directory for the private server: %w", err)
	}
	return a.own(path)
}

// reaches reports, before a server finds out in less clear words, a directory
// above dir that the account may not pass.
func (a account) reaches(dir string) error {
	if !a.switches {
		return nil
	}
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return fmt.Errorf("check the way to %s: %w", dir, err)
		}
		if !a.passes(info) {
			return fmt.Errorf("user %s, as which the private server runs, may not enter %s: choose another directory (FBTUNE_HOME, --path, --firebird-root), or chmod o+x it", a.name, at)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

// CheckDir reports whether the user that servers run as may work below dir.
func CheckDir(dir string) error { return unprivileged().reaches(dir) }
