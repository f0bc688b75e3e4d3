package private

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// sandbox is how programs of a server are set apart from the machine's others.
type sandbox struct {
	namespaces bool // own mount and process namespaces
	asRoot     bool // whether they are made as root, or in a user namespace
	notes      []string
}

// newSandbox tries what this machine allows.
func newSandbox() sandbox {
	s := sandbox{namespaces: true, asRoot: unprivileged().switches}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	argv := s.unshare([]string{"sh", "-c", "mount --bind /tmp /tmp"})
	if out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
		s.namespaces = false
		s.notes = append(s.notes, fmt.Sprintf("no namespaces of its own (%s; %v): the log of a server whose log directory is compiled in cannot be read, and after a kill -9 processes may live until fbtune's next run",
			strings.TrimSpace(string(out)), err))
	}
	return s
}

// String says what the sandbox is, for reports.
func (s sandbox) String() string {
	if s.namespaces {
		return "own mount and process namespace"
	}
	return "process group only"
}

// unshare returns the command line that runs argv in its own namespaces. Its
// first process there is the parent of all; when it ends, or fbtune does, the
// kernel ends the others.
func (s sandbox) unshare(argv []string) []string {
	command := []string{"unshare", "--mount", "--pid", "--fork", "--kill-child=KILL", "--propagation", "private"}
	if !s.asRoot {
		command = append(command, "--user", "--map-root-user")
	}
	return append(append(command, "--"), argv...)
}

// serve returns the command line that runs a server with logDir where it
// believes its log directory to be, as the account.
func (s sandbox) serve(a account, server []string, logDir, compiledLogDir string) []string {
	argv := a.become(server)
	if !s.namespaces {
		return argv
	}
	// The shell stays as the first process of the namespace: a first process
	// without a handler, as the listener of Classic is, cannot be terminated.
	script := `"$@"; exit $?`
	if compiledLogDir == "" {
		return s.unshare(append([]string{"sh", "-c", script, "sh"}, argv...))
	}
	script = `mount --bind "$0" "$1" && shift && ` + script
	return s.unshare(append([]string{"sh", "-c", script, logDir, compiledLogDir}, argv...))
}

// become returns the command line that runs argv as the account.
func (a account) become(argv []string) []string {
	if !a.switches {
		return argv
	}
	return append([]string{
		"setpriv", fmt.Sprintf("--reuid=%d", a.uid), fmt.Sprintf("--regid=%d", a.gid), "--clear-groups", "--pdeathsig=KILL", "--",
	}, argv...)
}

// detach makes a command the leader of its own process group, so that a Ctrl-C
// in the terminal reaches fbtune alone, and has it killed when fbtune dies.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// terminate asks a process to end.
func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }
