// Package private runs a Firebird server of fbtune's own beside the user's.
//
// The server is started from an installed Firebird with a root, lock
// directory, temporary directory and security database of its own, as an
// unprivileged user, on a free loopback port, below a memory cap. Nothing of
// the installation is changed, and nothing is left when it ends: no process, no
// lock file, no shared memory, also after fbtune itself was killed ([Sweep]).
package private

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/memcap"
	"github.com/fbtune/fbtune/workload"
)

// sysdba is the user every private server has.
const sysdba = "SYSDBA"

// Options say how a server is set up.
type Options struct {
	Installation firebird.Installation
	// Dir is the directory private servers live in; each makes one of its own
	// there. It is created when missing.
	Dir string
	// Cap is the most memory all processes of the server may use together.
	Cap confgen.Bytes
	// Files says that Cap is to hold what the system caches of the databases
	// too, as on a machine that has no more memory than that. Waiting for memory
	// is then what is measured, and no reason to end the server.
	Files bool
}

// Server is a private server. It is set up once and started many times, each
// time with another configuration. Its methods are called from one goroutine;
// [Server.CPU] and [Server.Died] from any.
type Server struct {
	inst     firebird.Installation
	dir      string
	claim    *os.File // held locked while this process owns dir
	user     account
	cap      memcap.Cap
	files    bool // whether the cap holds the file cache, as asked
	sandbox  sandbox
	notes    []string
	password string
	ports    ports
	scratch  []string // directories outside dir that go with the server
	closed   bool

	running *process
	config  Config
	port    int
	logMark int64 // size of the log at the last start
	kills   int   // of the cap at the last start
}

// Config is what one start of a server runs with.
type Config struct {
	// Settings of firebird.conf, among them ServerMode. Names are Firebird's.
	Settings map[string]string
	// Database is the file the server is asked to answer a query on before it
	// counts as started.
	Database string
}

// New sets up a server: directories, security database, memory cap.
func New(ctx context.Context, o Options) (s *Server, err error) {
	s = &Server{inst: o.Installation, user: unprivileged(), sandbox: newSandbox()}
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the directory of private servers: %w", err)
	}
	if s.dir, err = os.MkdirTemp(o.Dir, dirPrefix+"*"); err != nil {
		return nil, fmt.Errorf("make the directory of a private server: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(context.WithoutCancel(ctx)))
		}
	}()
	if s.claim, err = claim(s.dir); err != nil {
		return nil, err
	}
	for _, sub := range []string{"", "root", "lock", "tmp", "log", "security"} {
		if err := s.user.mkdir(filepath.Join(s.dir, sub)); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{s.dir, s.inst.Root} {
		if err := s.user.reaches(dir); err != nil {
			return nil, err
		}
	}
	if s.cap, s.notes, err = memcap.New(filepath.Base(s.dir), o.Cap); err != nil {
		return nil, err
	}
	s.files = o.Files && s.cap.HoldsFiles()
	if o.Files && !s.files {
		s.notes = append(s.notes, fmt.Sprintf("the %s does not hold the file cache, so that sizes above the cap are cached all the same; run as root, or where control groups can be made", s.cap.Kind()))
	}
	if err := s.record(); err != nil {
		return nil, err
	}
	if err := s.buildRoot(); err != nil {
		return nil, err
	}
	return s, s.createSecurityDatabase(ctx)
}

// Close ends the server and removes everything of it. A closed server is
// closed again without an effect.
func (s *Server) Close(ctx context.Context) error {
	if s.closed {
		return nil
	}
	s.closed = true
	failures := []error{s.Stop(ctx)}
	if s.cap != nil {
		failures = append(failures, s.cap.Close())
	}
	for _, dir := range append(s.scratch, s.dir) {
		failures = append(failures, os.RemoveAll(dir))
	}
	if s.claim != nil {
		failures = append(failures, s.claim.Close())
	}
	return errors.Join(failures...)
}

// Installation is the Firebird the server runs.
func (s *Server) Installation() firebird.Installation { return s.inst }

// Dir is the server's own directory.
func (s *Server) Dir() string { return s.dir }

// Mode is the architecture of the last start.
func (s *Server) Mode() confgen.Mode {
	return confgen.EngineMode(setting(s.config.Settings, confgen.ServerMode))
}

// Isolation says in words how the server is kept apart, for reports: "cgroup
// v1 cap of 12 GiB, own mount and process namespace, user nobody".
func (s *Server) Isolation() string {
	return fmt.Sprintf("%s cap of %s, %s, user %s", s.cap.Kind(), s.cap.Limit(), s.sandbox, s.user.name)
}

// Notes are the reasons why the server is not kept apart more strictly.
func (s *Server) Notes() []string { return slices.Concat(s.notes, s.sandbox.notes) }

// Target names a database of the running server.
func (s *Server) Target(database string) workload.Target {
	return workload.Target{
		Addr: fmt.Sprintf("127.0.0.1:%d", s.port),
		Path: database, User: sysdba, Password: s.password,
	}
}

// CreateDatabase creates an empty database file owned by the server's user.
// A file in the way is an error, and is left alone.
func (s *Server) CreateDatabase(ctx context.Context, path string, pageSize int) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("create database %s: the file exists already; name another or remove it yourself", path)
	}
	_, err := s.isql(ctx, fmt.Sprintf("CREATE DATABASE %s USER %s PAGE_SIZE %d;\nCOMMIT;\n", quote(path), sysdba, pageSize))
	if err != nil {
		return fmt.Errorf("create database %s: %w", path, err)
	}
	return nil
}

// Adopt gives a file or directory to the user the server runs as.
func (s *Server) Adopt(path string) error { return s.user.own(path) }

// quote returns text as an SQL string.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// setting returns a setting's value, whatever the case of its name.
func setting(settings map[string]string, name string) string {
	for key, value := range settings {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// newPassword returns a password that Firebird takes whole.
func newPassword() string {
	raw := make([]byte, 10)
	rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

// Scratch makes a directory below parent in which the server's databases can
// live. It is removed with the server, by a later run if this one is killed.
func (s *Server) Scratch(parent string) (string, error) {
	if err := s.user.reaches(parent); err != nil {
		return "", err
	}
	dir := filepath.Join(parent, filepath.Base(s.dir))
	if err := s.user.mkdir(dir); err != nil {
		return "", err
	}
	s.scratch = append(s.scratch, dir)
	return dir, s.record()
}
