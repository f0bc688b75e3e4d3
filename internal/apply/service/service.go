// Package service measures on a server that is not fbtune's own: the service of
// a machine, whose firebird.conf it lends to trials.
//
// The service is stopped and started as its owner does it, and each trial has a
// copy of its owner's firebird.conf in which only what a load feels differs.
// However this ends, the file comes back, byte for byte, and the server runs
// again if it did ([apply.Store.Lend]).
package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// Options say which server is measured on.
type Options struct {
	Control Control
	Target  apply.Target // its files, and the installation that runs it
	// User and Password log in to it; they need the rights of SYSDBA.
	User, Password string
	// Force cuts off whoever is connected.
	Force bool
}

// Server is a service while it is measured on. It implements tuner's Server.
type Server struct {
	running.Server
	control Control
	target  apply.Target
	force   bool

	store   *apply.Store
	base    *fbconf.File // its owner's firebird.conf
	mode    confgen.Mode // by that file
	before  bool         // whether it ran before
	touched bool         // whether it was started or stopped by us
	account account
	environ map[string]string // that it was started with
	scratch string            // directory of its databases

	up       bool      // whether it was started and not stopped since
	launched time.Time // the last start
	seen     bool      // whether a process of it was seen since
}

// New takes a service over: it puts back what a killed run left in place,
// refuses while users are connected, sees that the server which the commands
// start is the one whose files these are, and lends its firebird.conf. The
// server runs afterwards.
func New(ctx context.Context, o Options) (_ *Server, err error) {
	if err := o.Control.validate(); err != nil {
		return nil, err
	}
	s := &Server{
		Server:  running.Server{Installation: o.Target.Installation, User: o.User, Password: o.Password},
		control: o.Control, target: o.Target, force: o.Force,
	}
	s.Processes, s.Tool = s.processes, s.tool
	s.Notes = []string{"a service has no memory cap: a trial that would not fit the memory of this machine is refused before it runs"}
	if s.store, err = apply.Open(o.Target.FirebirdConf); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(context.WithoutCancel(ctx)))
		}
	}()
	if err := s.putBack(ctx); err != nil {
		return nil, err
	}
	if err := s.read(); err != nil {
		return nil, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	return s, s.store.Lend(s.target.FirebirdConf, apply.Loan{Service: s.control.String(), Running: s.before}, time.Now())
}

// putBack puts back what a killed run left in place. A server that runs with a
// trial's file is stopped first: in Classic each new process reads the file
// again, and would not go together with those that are there.
func (s *Server) putBack(ctx context.Context) error {
	s.before = len(s.Processes()) > 0
	pending, err := s.store.Pending()
	if err != nil || pending == nil {
		return err
	}
	if pending.Loan != nil && s.before {
		files, err := s.files()
		if err != nil {
			return err
		}
		s.Addr = address(files.Conf)
		if err := s.refuseUsers(ctx); err != nil {
			return fmt.Errorf("%w; it runs with a trial's settings, of a run that was killed", err)
		}
		if err := s.Stop(ctx); err != nil {
			return err
		}
	}
	outcome, err := s.store.Recover()
	if err != nil {
		return err
	}
	s.Notes = append(s.Notes, fmt.Sprintf("an earlier run was interrupted; what it had begun was %s now", outcome))
	if pending.Loan != nil {
		s.before = pending.Loan.Running
	}
	return nil
}

// files reads the server's files as they are.
func (s *Server) files() (confgen.Files, error) {
	rules, err := s.target.Rules()
	if err != nil {
		return confgen.Files{}, err
	}
	texts, err := s.target.Texts()
	if err != nil {
		return confgen.Files{}, err
	}
	if texts.Conf == nil {
		texts.Conf = []byte{} // as the engine takes it from 4.0 on
	}
	return rules.Read(s.target.Root, texts).Files, nil
}

// read takes the server's own firebird.conf as what trials are made from.
func (s *Server) read() error {
	files, err := s.files()
	if err != nil {
		return err
	}
	if fatal := files.Show("").Fatal; fatal != "" {
		return fmt.Errorf("read %s: the server does not work with it: %s; mend that first (fbtune check helps)", s.target.FirebirdConf, fatal)
	}
	s.base, s.mode, s.Addr = files.Conf, files.ServerMode(), address(files.Conf)
	_, err = s.candidate(nil)
	return err
}

// ready has the server run with its own files, and learns what it is.
func (s *Server) ready(ctx context.Context) error {
	if len(s.Processes()) > 0 {
		if err := s.refuseUsers(ctx); err != nil {
			return err
		}
	} else {
		if err := s.refuseOthers(); err != nil {
			return err
		}
		if err := s.launch(ctx, s.mode); err != nil {
			return err
		}
	}
	if err := s.greet(ctx); err != nil {
		return err
	}
	return s.learn()
}

// refuseOthers refuses a server that answers where this one would: it is not the
// one whose files these are, and may not be stopped.
func (s *Server) refuseOthers() error {
	conn, err := net.DialTimeout("tcp", s.Addr, time.Second)
	if err != nil {
		return nil // nobody is there, as it should be
	}
	return errors.Join(fmt.Errorf("what answers at %s %w", s.Addr, s.unknown()), conn.Close())
}

// unknown is the error of a server that is not the one that was named.
func (s *Server) unknown() error {
	return fmt.Errorf("is no server of %s that reads %s, or none that this account may look at; check --firebird-root and --service-files, and run fbtune as root",
		s.Installation.Root, s.target.FirebirdConf)
}

// learn finds out as whom, and with which directories, the server runs.
func (s *Server) learn() error {
	pids := s.Processes()
	if len(pids) == 0 {
		return fmt.Errorf("what %s started %w", s.control, s.unknown())
	}
	var err error
	if s.account, err = accountOf(pids[0]); err != nil {
		return err
	}
	if err := s.account.allowed(); err != nil {
		return err
	}
	s.environ = environ(pids[0])
	s.LogFile = s.logFile()
	s.Isolation = fmt.Sprintf("%s itself, account %s, not set apart and without a memory cap", s.control, s.account)
	return nil
}

// closeTimeout bounds what is done at the end.
const closeTimeout = 5 * time.Minute

// Close stops the server, puts its firebird.conf back and starts it again if it
// ran before. The file comes back whatever else fails.
func (s *Server) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	var failures []error
	if s.touched {
		failures = append(failures, s.Stop(ctx))
	}
	failures = append(failures, s.store.PutBack())
	if s.touched && s.before {
		failures = append(failures, s.resume(ctx)) // until then the loan says that it ran
	}
	failures = append(failures, s.store.Return())
	if s.scratch != "" {
		failures = append(failures, os.RemoveAll(s.scratch))
	}
	return errors.Join(append(failures, s.store.Close())...)
}

// resume starts the server as it ran before.
func (s *Server) resume(ctx context.Context) error {
	err := s.launch(ctx, s.mode)
	if err == nil {
		err = s.greet(ctx)
	}
	if err != nil {
		return fmt.Errorf("start %s again, with its own files: %w; start it by hand", s.control, err)
	}
	return nil
}

// Scratch makes a directory below parent in which the server's account can
// write. The name is the same for every run, and the store is held: what lies
// there was left by a killed one.
func (s *Server) Scratch(parent string) (string, error) {
	parent, err := filepath.EvalSymlinks(parent) // as the kernel names open files
	if err != nil {
		return "", fmt.Errorf("make a directory for the service's databases: %w", err)
	}
	dir := filepath.Join(parent, scratchName(s.target.FirebirdConf))
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("remove what a killed run left: %w", err)
	}
	if err := os.Mkdir(dir, 0o750); err != nil {
		return "", fmt.Errorf("make a directory for the service's databases: %w", err)
	}
	s.scratch = dir
	return dir, s.account.own(dir)
}

// Adopt gives a file to the account the server runs as.
func (s *Server) Adopt(path string) error { return s.account.own(path) }

// CreateDatabase creates an empty database through the server.
func (s *Server) CreateDatabase(ctx context.Context, path string, pageSize int) error {
	if err := s.Create(ctx, isqlHost(s.Addr), path, pageSize); err != nil {
		return fmt.Errorf("%w; the server's account %s needs a directory it can work in: choose one by --path", err, s.account)
	}
	return nil
}
