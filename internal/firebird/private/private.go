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

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/memcap"
	"github.com/fbtune/fbtune/internal/firebird/running"
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
// [Server.Died] and CPU from any.
type Server struct {
	running.Server
	dir     string
	claim   *os.File // held locked while this process owns dir
	user    account
	cap     memcap.Cap
	files   bool // whether the cap holds the file cache, as asked
	sandbox sandbox
	ports   ports
	scratch []string // directories outside dir that go with the server
	closed  bool

	running *process
	kills   int // of the cap at the last start
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
	s = &Server{Server: running.Server{Installation: o.Installation, User: sysdba}, user: unprivileged(), sandbox: newSandbox()}
	s.Processes, s.Tool = s.processes, s.tool
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
	for _, dir := range []string{s.dir, s.Installation.Root} {
		if err := s.user.reaches(dir); err != nil {
			return nil, err
		}
	}
	var notes []string
	if s.cap, notes, err = memcap.New(filepath.Base(s.dir), o.Cap); err != nil {
		return nil, err
	}
	s.files = o.Files && s.cap.HoldsFiles()
	if o.Files && !s.files {
		notes = append(notes, fmt.Sprintf("the %s does not hold the file cache, so that sizes above the cap are cached all the same; run as root, or where control groups can be made", s.cap.Kind()))
	}
	s.Notes = slices.Concat(notes, s.sandbox.notes)
	s.Isolation = fmt.Sprintf("%s cap of %s, %s, user %s", s.cap.Kind(), s.cap.Limit(), s.sandbox, s.user.name)
	s.LogFile = s.logFile()
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

// Dir is the server's own directory.
func (s *Server) Dir() string { return s.dir }

// CreateDatabase creates an empty database file owned by the server's user.
// A file in the way is an error, and is left alone.
func (s *Server) CreateDatabase(ctx context.Context, path string, pageSize int) error {
	return s.Create(ctx, "", path, pageSize)
}

// Adopt gives a file or directory to the user the server runs as.
func (s *Server) Adopt(path string) error { return s.user.own(path) }

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
