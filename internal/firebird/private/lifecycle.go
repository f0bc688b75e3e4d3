package private

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// How long the stages of a stop may take, which takes 150 ms; about one in eight
// of Debian's 3.0.11 hangs.
const (
	attemptPause = 5 * time.Millisecond
	stopGrace    = 1500 * time.Millisecond
	killTimeout  = 20 * time.Second
)

// Start starts the server with a configuration and returns once it answered a
// query. A server that runs already is an error. When it does not come up it
// is ended, and the error is a [*running.StartError].
func (s *Server) Start(ctx context.Context, c Config) error {
	if s.running != nil {
		return errors.New("start the private server: it is running; stop it first")
	}
	port, err := s.ports.next()
	if err != nil {
		return err
	}
	if err := s.writeConfig(c, port); err != nil {
		return err
	}
	return s.serve(ctx, c, port)
}

// Died returns nil while the server runs as it should, else why it does not,
// as a [*running.StartError].
func (s *Server) Died() error {
	p := s.running
	if p == nil {
		return &running.StartError{Reason: "the server is not running"}
	}
	kills, err := s.cap.Kills()
	switch {
	case p.blamed() != nil:
		return &running.StartError{Reason: p.blamed().Error(), Log: s.Log()}
	case err == nil && kills > s.kills:
		return &running.StartError{
			Reason: fmt.Sprintf("the server broke its memory cap of %s (%s): lower %s, or raise --cap", s.cap.Limit(), s.cap.Kind(), confgen.DefaultDbCachePages),
			Log:    s.Log(),
		}
	case !p.exited():
		return nil
	}
	return &running.StartError{Reason: s.exitReason(p), Log: s.Log()}
}

// exitReason says why a server ended by itself.
func (s *Server) exitReason(p *process) string {
	reason := "the server ended"
	if p.err != nil {
		reason = fmt.Sprintf("the server ended (%v)", p.err)
	}
	if text := strings.TrimSpace(p.output.String()); text != "" {
		reason += ": " + text
	}
	if s.Log() != "" {
		return reason
	}
	// Without a log the engine inside isql reads the same files and says why.
	_, err := s.Isql(context.Background(), "CONNECT "+running.Quote(s.Database)+";\n")
	if err != nil {
		reason += "; " + err.Error()
	}
	return reason
}

// Stop ends the server: SIGTERM, and SIGKILL to all that is left after a
// grace. It is nil for a server that does not run.
func (s *Server) Stop(ctx context.Context) error {
	p := s.running
	if p == nil {
		return nil
	}
	if pids := s.Processes(); len(pids) > 0 {
		_ = terminate(pids[0]) // it may have ended
	}
	select {
	case <-p.done:
	case <-ctx.Done():
	case <-time.After(stopGrace):
	}
	p.kill()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), killTimeout)
	defer cancel()
	if err := p.end(ctx); err != nil {
		return err
	}
	// Classic's processes outlive their parent without namespaces; with them the
	// kernel ends all, but later than the wrapper that p waits for, and until
	// then the databases are still open.
	if err := endMarked(ctx, s.dir); err != nil {
		return err
	}
	s.running = nil
	return s.cleanLocks()
}

// processes implements Processes of [running.Server].
func (s *Server) processes() []int {
	if s.running == nil {
		return nil
	}
	return slices.DeleteFunc(s.running.tree(), func(pid int) bool { return !s.Installation.Serves(pid) })
}

// cleanLocks removes what a server left in its lock directory.
func (s *Server) cleanLocks() error {
	dir := filepath.Join(s.dir, "lock")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("clean the lock directory: %w", err)
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clean the lock directory: %w", err)
		}
	}
	return nil
}

// logFile is where the server's log appears.
func (s *Server) logFile() string {
	if s.Installation.LogDir() == "" {
		return filepath.Join(s.rootDir(), s.Installation.LogName())
	}
	return filepath.Join(s.logDir(), s.Installation.LogName())
}

// tool returns a command that runs a program of the installation as the
// server's user, below the cap.
func (s *Server) tool(ctx context.Context, program string, args ...string) *exec.Cmd {
	return s.below(ctx, s.Installation.Command(program, args...)...)
}

// below returns a command that runs as the server's user, below the cap.
func (s *Server) below(ctx context.Context, argv ...string) *exec.Cmd {
	argv = s.cap.Wrap(s.user.become(argv))
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = s.environment()
	cmd.Dir = "/"
	cmd.WaitDelay = time.Second
	detach(cmd)
	return cmd
}
