//go:build unix

package firebirdtest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
)

// Service is a server that commands start and stop, as that of a user is. It has
// a root of its own, a port of its own on the loopback address, and nothing of
// the machine's Firebird but its programs.
type Service struct {
	Files          string // directory of its firebird.conf
	Conf           []byte // what that holds
	Start, Stop    string // commands
	Bin            string // directory of a systemctl that runs them, for PATH
	Calls          string // file into which that writes its arguments, a line each
	Addr           string // it listens on
	User, Password string
}

// conf is what a user's firebird.conf may look like; the first lines are what
// ties it to the service.
const conf = "# Ours since 2019, do not touch!\r\n" +
	"  TempCacheLimit=48M # enough\r\n" +
	"#DefaultDbCachePages = 2048\r\n" +
	"defaultdbcachepages =  300\r\n" +
	"LockMemSize = 2M\n" +
	"\tMaxUserTraceLogSize = 11\n" +
	"# no line end follows"

// The scripts. A server must not inherit what tests have open, is known to the
// stop script by its process group, and is given a moment to end (3.0.11 takes two
// seconds).
const (
	startScript = `#!/bin/sh
cd /
export FIREBIRD=%[1]s/root FIREBIRD_LOCK=%[1]s/lock FIREBIRD_TMP=%[1]s/tmp FIREBIRD_MSG=%[1]s/root
setsid %[2]s </dev/null >>%[1]s/out 2>&1 &
echo $! >%[3]s
`
	stopScript = `#!/bin/sh
pid=$(cat %[1]s) || exit 0
kill -TERM $pid 2>/dev/null
for i in 1 2 3; do
	kill -0 $pid 2>/dev/null || break
	sleep 0.1
done
kill -KILL -$pid 2>/dev/null
rm -f %[1]s %[2]s/lock/*
`
	systemctl = `#!/bin/sh
echo "$*" >>%[3]s
case $1 in
start) exec %[1]s;;
stop) exec %[2]s;;
esac
`
)

// NewService returns a service that does not run, and is stopped and removed at
// the end of the test.
func NewService(t testing.TB, inst firebird.Installation) Service {
	t.Helper()
	server := New(t, inst, Cap)
	dir := Dir(t)
	s := Service{
		Files: filepath.Join(server.Dir(), "root"), Bin: filepath.Join(dir, "bin"), Calls: filepath.Join(dir, "calls"),
		Start: filepath.Join(dir, "start"), Stop: filepath.Join(dir, "stop"),
		Addr: fmt.Sprintf("127.0.0.1:%d", freePort(t)), User: server.User, Password: server.Password,
	}
	// Where its private server keeps them.
	path := filepath.Join(s.Files, "firebird.conf")
	generated, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(s.Addr, ":")
	s.Conf = append(regexp.MustCompile(`(RemoteServicePort =) \d+`).ReplaceAll(generated, []byte("$1 "+port)), conf...)
	if err := os.WriteFile(path, s.Conf, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.Bin, 0o755); err != nil {
		t.Fatal(err)
	}
	pid := filepath.Join(dir, "pid")
	program := strings.Join(asOwner(t, s.Files, inst.Command(inst.Server)), " ")
	for script, text := range map[string]string{
		s.Start:                           fmt.Sprintf(startScript, server.Dir(), program, pid),
		s.Stop:                            fmt.Sprintf(stopScript, pid, server.Dir()),
		filepath.Join(s.Bin, "systemctl"): fmt.Sprintf(systemctl, s.Start, s.Stop, s.Calls),
	} {
		if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { s.Run(t, s.Stop) })
	return s
}

// Run runs one of the service's commands.
func (s Service) Run(t testing.TB, command string) {
	t.Helper()
	cmd := exec.Command(command) // also at the end, when the test's context is over
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v", command, err)
	}
}

// Up starts the service and returns once it can be connected to.
func (s Service) Up(t testing.TB) {
	t.Helper()
	s.Run(t, s.Start)
	s.Await(t)
}

// Await returns once the service, which was started, can be connected to.
func (s Service) Await(t testing.TB) {
	t.Helper()
	for range 1000 {
		if conn, err := net.Dial("tcp", s.Addr); err == nil {
			conn.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("nothing answers at %s", s.Addr)
}

// asOwner returns a command line that runs as the owner of a directory.
func asOwner(t testing.TB, dir string, argv []string) []string {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatalf("%s has no owner", dir)
	}
	if os.Geteuid() != 0 {
		return argv
	}
	return append([]string{"setpriv", fmt.Sprintf("--reuid=%d", stat.Uid), fmt.Sprintf("--regid=%d", stat.Gid), "--clear-groups", "--"}, argv...)
}

// freePort returns a port below the kernel's own for outgoing connections, so
// that no client takes it meanwhile, and beside those of private servers.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := 12000 + rand.IntN(7000)
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatal("no port is free")
	return 0
}
