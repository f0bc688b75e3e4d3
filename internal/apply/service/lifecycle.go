package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// How long a server may take to appear after its start, and to end.
const (
	appearTimeout = 10 * time.Second
	stopTimeout   = 2 * time.Minute
	pause         = 10 * time.Millisecond
)

// Start puts a trial's firebird.conf in place, starts the server and returns
// once it answered a query. One that runs is stopped before.
func (s *Server) Start(ctx context.Context, c private.Config) error {
	content, err := s.candidate(c.Settings)
	if err != nil {
		return &running.StartError{Reason: err.Error()}
	}
	if err := s.Stop(ctx); err != nil {
		return err
	}
	if err := s.store.Try(content); err != nil {
		return err
	}
	s.Begin(c.Settings, c.Database)
	err = s.launch(ctx, s.Mode())
	if err == nil {
		err = s.Await(ctx, nil, s.Died)
	}
	if err != nil {
		return errors.Join(err, s.Stop(ctx))
	}
	return nil
}

// launch starts the server with the files that are in place, of which mode is
// the architecture.
func (s *Server) launch(ctx context.Context, mode confgen.Mode) error {
	if mode == confgen.Classic && !rebinds(s.Installation.Version) {
		if err := awaitPort(ctx, s.Addr); err != nil {
			return err
		}
	}
	s.touched, s.up, s.seen, s.launched = true, true, false, time.Now()
	if err := s.control.start(ctx); err != nil {
		return &running.StartError{Reason: err.Error(), Log: s.Log()}
	}
	return nil
}

// firstRebinding are the first versions, by line, whose listener of Classic can
// bind a port again at once (issue 8181).
var firstRebinding = map[int]confgen.Version{3: {Major: 3, Patch: 12}, 4: {Major: 4, Patch: 5}, 5: {Major: 5, Patch: 1}}

// rebinds reports whether the listener of Classic can be started again at once.
func rebinds(v confgen.Version) bool {
	first, ok := firstRebinding[v.Major]
	return !ok || v.AtLeast(first)
}

// Stop stops the server; one that does not run is no error.
func (s *Server) Stop(ctx context.Context) error {
	if !s.up && len(s.Processes()) == 0 {
		return nil
	}
	s.touched = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	err := s.control.stop(ctx)
	for pids := s.Processes(); len(pids) > 0; pids = s.Processes() {
		if err != nil {
			return fmt.Errorf("stop %s: %w", s.control, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("stop %s: processes %v run on for %s; stop them by hand", s.control, pids, stopTimeout)
		case <-time.After(pause):
		}
	}
	s.up = false
	return nil // it does not run, as was wanted, whatever the command said of that
}

// Died is why the server does not run, or nil. One that was just started may
// take a while to appear.
func (s *Server) Died() error {
	if len(s.Processes()) > 0 {
		s.seen = true
		return nil
	}
	reason := "the server ended"
	if !s.seen {
		if time.Since(s.launched) < appearTimeout {
			return nil
		}
		reason = fmt.Sprintf("%s was started; it ended at once, or what runs now %v", s.control, s.unknown())
	}
	return &running.StartError{Reason: reason, Log: s.Log()}
}

// processes implements Processes of [running.Server]: the servers of the
// installation that read the target's firebird.conf.
func (s *Server) processes() []int {
	conf, err := os.Stat(s.target.FirebirdConf)
	return slices.DeleteFunc(s.Installation.Servers(), func(pid int) bool {
		root := cmp.Or(firebird.Environment(pid)["FIREBIRD"], s.Installation.Base())
		reads := filepath.Join(root, filepath.Base(s.target.FirebirdConf))
		info, statErr := os.Stat(reads)
		if err != nil || statErr != nil { // there is no such file, for one or both
			return filepath.Clean(reads) != filepath.Clean(s.target.FirebirdConf)
		}
		return !os.SameFile(conf, info)
	})
}

// inherited are the variables of the server's environment that its tools need
// to find what is the server's.
var inherited = []string{"FIREBIRD", "FIREBIRD_LOCK", "FIREBIRD_TMP", "FIREBIRD_MSG", "TMP"}

// environ returns what tools take over of a server's environment.
func environ(pid int) map[string]string {
	kept := map[string]string{}
	for name, value := range firebird.Environment(pid) {
		if slices.Contains(inherited, name) {
			kept[name] = value
		}
	}
	return kept
}

// logFile is where the server's log appears.
func (s *Server) logFile() string {
	dir := cmp.Or(s.Installation.LogDir(), s.environ["FIREBIRD"], s.Installation.Base())
	return filepath.Join(dir, s.Installation.LogName())
}

// tool returns a command that runs a program of the installation as the server's
// account. User and password go by the environment, which others cannot read.
func (s *Server) tool(ctx context.Context, program string, args ...string) *exec.Cmd {
	argv := s.Installation.Command(program, args...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C", "ISC_USER=" + s.User, "ISC_PASSWORD=" + s.Password}
	for name, value := range s.environ {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Dir = "/"
	cmd.WaitDelay = time.Second
	apart(cmd)
	s.account.run(cmd)
	return cmd
}
