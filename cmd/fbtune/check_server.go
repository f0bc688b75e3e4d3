package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/probe"
)

// server is the process of a Firebird as the machine shows it, or what it would
// be where it does not run.
type server struct {
	pid     int // 0 when it does not run
	account account
	temp    string // where sorts go without TempDirectories; "" when not known
	locks   string // where its lock tables are; "" when not known
}

// account is who a server runs as.
type account struct {
	name   string // "" when not known
	user   uint64
	groups []uint64
}

// serverOf finds out how the server of an installation runs, else how it would:
// as the user that every package makes for it.
func serverOf(inst firebird.Installation) server {
	var s server
	if runtime.GOOS != "windows" {
		s.temp, s.locks = "/tmp", "/tmp/firebird" // 50:src/common/file_params.h, src/common/os/posix
	}
	if len(inst.Running) == 0 {
		s.account = accountNamed("firebird")
		return s
	}
	s.pid = inst.Running[0]
	proc := path.Join("/proc", strconv.Itoa(s.pid))
	if status, err := os.ReadFile(path.Join(proc, "status")); err == nil {
		s.account = accountOf(string(status))
	}
	variables := firebird.Environ(s.pid)                   // empty of another account's, so what a service has is assumed
	for _, name := range []string{"TMP", "FIREBIRD_TMP"} { // the last counts
		if value := variables[name]; value != "" {
			s.temp = value
		}
	}
	if value := variables["FIREBIRD_LOCK"]; value != "" {
		s.locks = value
	}
	return s
}

// accountNamed returns an account of the machine, the zero account when there
// is none of that name.
func accountNamed(name string) account {
	u, err := user.Lookup(name)
	if err != nil {
		return account{}
	}
	groups, err := u.GroupIds()
	if err != nil {
		groups = []string{u.Gid}
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return account{} // Windows has other ids
	}
	return account{name: name, user: uid, groups: numbers(groups)}
}

// accountOf reads the account of a process from its /proc/PID/status.
func accountOf(status string) account {
	var a account
	for line := range strings.Lines(status) {
		key, rest, _ := strings.Cut(line, ":")
		ids := numbers(strings.Fields(rest))
		switch {
		case key == "Uid" && len(ids) > 1:
			a.user, a.name = ids[1], fmt.Sprintf("user %d", ids[1]) // the effective one
			if u, err := user.LookupId(strconv.FormatUint(ids[1], 10)); err == nil {
				a.name = u.Username
			}
		case key == "Gid" && len(ids) > 1:
			a.groups = append(a.groups, ids[1])
		case key == "Groups":
			a.groups = append(a.groups, ids...)
		}
	}
	return a
}

// numbers reads ids, leaving out what is none.
func numbers(texts []string) []uint64 {
	var all []uint64
	for _, text := range texts {
		if n, err := strconv.ParseUint(text, 10, 32); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// refused says why the account cannot do what asks for these bits of a mode,
// "" when it can or that is not known.
func (a account) refused(path string, want fs.FileMode) string {
	info, err := os.Stat(path)
	if err != nil || a.name == "" || a.user == 0 {
		return ""
	}
	uid, gid, known := owner(info)
	if !known {
		return ""
	}
	mode := info.Mode().Perm()
	granted := mode
	switch {
	case uid == a.user:
		granted = mode >> 6
	case slices.Contains(a.groups, gid):
		granted = mode >> 3
	}
	if granted&want == want {
		return ""
	}
	return fmt.Sprintf("%s is of user %d with mode %04o, and the server runs as %s", path, uid, mode, a.name)
}

// Bits of a mode for one who may write to a file, or make files in a directory.
const (
	toWrite = 0o2
	toMake  = 0o3
)

// directory looks at a directory of the server.
func (s server) directory(ctx context.Context, dir string) check.Directory {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return check.Directory{Missing: true}
	case err != nil:
		return check.Directory{} // nothing is known
	case !info.IsDir():
		return check.Directory{Refused: dir + " is no directory"}
	}
	d := check.Directory{Refused: s.account.refused(dir, toMake)}
	if dir == s.locks && d.Refused == "" {
		d.Refused = s.refusedLocks()
	}
	if host, err := probe.Read(ctx, probe.Live(), dir); err == nil {
		d.Disk = host.Disk
	}
	return d
}

// refusedLocks says why the server cannot use a file in its lock directory that
// another account left there, as tools run by another user do.
func (s server) refusedLocks() string {
	files, err := filepath.Glob(filepath.Join(s.locks, "fb*"))
	if err != nil {
		return "" // of a name with brackets; nothing is known
	}
	for _, file := range files {
		if why := s.account.refused(file, toWrite); why != "" {
			return why
		}
	}
	return ""
}

// system is the machine as the process sees it: its control groups, its
// processors, its limits.
func (s server) system() probe.System {
	system := probe.Live()
	if system.FS != nil {
		system.FS = processView{system.FS, strconv.Itoa(s.pid)}
	}
	return system
}

// processView is a root directory in whose /proc self is another process, the
// only one there.
type processView struct {
	fs.FS
	pid string
}

// seenAs is the name of a file in the underlying root.
func (p processView) seenAs(name string) (string, error) {
	rest, inProc := strings.CutPrefix(name, "proc/")
	if !inProc {
		return name, nil
	}
	first, below, _ := strings.Cut(rest, "/")
	if first == "self" {
		return path.Join("proc", p.pid, below), nil
	}
	if _, err := strconv.Atoi(first); err == nil {
		return "", &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return name, nil
}

// Open implements fs.FS.
func (p processView) Open(name string) (fs.File, error) {
	as, err := p.seenAs(name)
	if err != nil {
		return nil, err
	}
	return p.FS.Open(as)
}

// ReadLink implements fs.ReadLinkFS.
func (p processView) ReadLink(name string) (string, error) {
	as, err := p.seenAs(name)
	if err != nil {
		return "", err
	}
	return fs.ReadLink(p.FS, as)
}

// Lstat implements fs.ReadLinkFS.
func (p processView) Lstat(name string) (fs.FileInfo, error) {
	as, err := p.seenAs(name)
	if err != nil {
		return nil, err
	}
	return fs.Lstat(p.FS, as)
}
