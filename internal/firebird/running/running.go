// Package running says of a server that fbtune started, from outside, what is
// in force in it, what it logged and the processor time it used.
package running

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"time"

	gopsutil "github.com/shirou/gopsutil/v3/process"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/workload"
)

// Server is a server as whoever starts and stops it knows it. The fields are
// set before its methods are called; these are for one goroutine, but for
// [Server.CPU], which is for any.
type Server struct {
	Installation firebird.Installation
	// Isolation says in words how the server is kept apart from others, for
	// reports, and Notes why not more strictly.
	Isolation string
	Notes     []string

	Addr           string // host and port it listens on
	User, Password string
	LogFile        string // where its log appears

	// Processes returns the ids of the server's processes, the main one first;
	// shells and wrappers that started them are not among them.
	Processes func() []int
	// Tool returns a command that runs a program of the installation as the
	// server's account.
	Tool func(ctx context.Context, program string, args ...string) *exec.Cmd

	// Settings of firebird.conf, as written, and Database, the file whose
	// settings are read back, are those of the last start; see [Server.Begin].
	Settings map[string]string
	Database string
	logMark  int64 // size of the log then

	mu   sync.Mutex
	used map[int]time.Duration // processor time of processes since then, by id
}

// Running is the server itself, for those who have it as an interface.
func (s *Server) Running() *Server { return s }

// Begin notes what a start runs with. Its log and its processor time count from
// here.
func (s *Server) Begin(settings map[string]string, database string) {
	s.Settings, s.Database, s.logMark = settings, database, s.logSize()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = map[int]time.Duration{}
}

// Mode is the architecture of the last start.
func (s *Server) Mode() confgen.Mode {
	return confgen.EngineMode(setting(s.Settings, confgen.ServerMode))
}

// setting returns a setting's value, whatever the case of its name.
func setting(settings map[string]string, name string) string {
	for key, value := range settings {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// Target names a database of the running server.
func (s *Server) Target(database string) workload.Target {
	return workload.Target{Addr: s.Addr, Path: database, User: s.User, Password: s.Password}
}

// CPU returns the processor time the server's processes have used since the
// start, that of ended ones as last seen.
func (s *Server) CPU() (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, pid := range s.Processes() {
		proc := gopsutil.Process{Pid: int32(pid)}
		times, err := proc.Times()
		if err != nil {
			continue // ended between the two looks
		}
		s.used[pid] = time.Duration((times.User + times.System) * float64(time.Second))
	}
	if len(s.used) == 0 {
		return 0, errors.New("read the server's processor time: no process of it is left")
	}
	var sum time.Duration
	for _, used := range s.used {
		sum += used
	}
	return sum, nil
}
