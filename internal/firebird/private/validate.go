package private

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Belongings are what a configuration must say to belong to a private server
// and to no other.
type Belongings struct {
	Port             int
	Address          string // it listens on
	SecurityDatabase string // path
	Temporary        string // directory
	Root             string // directory of firebird.conf
}

// StartFiles starts the server with whole configuration files and returns once
// it answered a query on the database, as [Server.Start] does; its errors are
// the same. files makes them for this one start: content by name, relative to
// the root, firebird.conf among them. They are only as private as files makes
// them: the port, address, paths and users of the belongings must be theirs.
func (s *Server) StartFiles(ctx context.Context, database string, files func(Belongings) (map[string][]byte, error)) error {
	if s.running != nil {
		return errors.New("start the private server: it is running; stop it first")
	}
	port, err := s.ports.next()
	if err != nil {
		return err
	}
	contents, err := files(Belongings{
		Port: port, Address: "127.0.0.1",
		SecurityDatabase: s.securityDatabase(), Temporary: filepath.Join(s.dir, "tmp"), Root: s.rootDir(),
	})
	if err != nil {
		return err
	}
	if err := s.place(contents); err != nil {
		return fmt.Errorf("write the private server's configuration: %w", err)
	}
	return s.serve(ctx, Config{Database: database}, port)
}

// place writes files into the server's root, and nowhere else: not through its
// links to parts of the installation, where what is asked for lies already.
func (s *Server) place(contents map[string][]byte) (err error) {
	root, err := os.OpenRoot(s.rootDir())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		path := filepath.Join(s.rootDir(), name)
		if has, err := os.ReadFile(path); err == nil && bytes.Equal(has, contents[name]) {
			continue
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, contents[name], 0o644); err != nil {
			return err
		}
		if err := s.user.own(path); err != nil {
			return err
		}
	}
	return nil
}

// serve starts the server on a port with the files that are in its root, and
// returns once it answered a query on the configuration's database.
func (s *Server) serve(ctx context.Context, c Config, port int) (err error) {
	if err := s.cleanLocks(); err != nil {
		return err
	}
	if s.kills, err = s.cap.Kills(); err != nil {
		return err
	}
	s.Begin(c.Settings, c.Database)
	argv := s.cap.Wrap(s.sandbox.serve(s.user, s.Installation.Command(s.Installation.Server), s.logDir(), s.Installation.LogDir()))
	p, err := launch(argv, s.environment())
	if err != nil {
		return err
	}
	p.guard(s.cap, s.files)
	s.running, s.Addr = p, fmt.Sprintf("127.0.0.1:%d", port)
	if err := s.Await(ctx, p.done, s.Died); err != nil {
		return errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return nil
}
