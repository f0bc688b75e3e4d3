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
	"github.com/fbtune/fbtune/internal/firebird"
)

// How long the stages of a start and a stop may take. A start takes 10 to 30
// ms, a stop 150 ms; about one stop in eight of Debian's 3.0.11 hangs.
const (
	startTimeout = 45 * time.Second
	attemptPause = 5 * time.Millisecond
	stopGrace    = 1500 * time.Millisecond
	killTimeout  = 20 * time.Second
	deathNotice  = 500 * time.Millisecond
)

// StartError is why a server did not start or died.
type StartError struct {
	Reason string // in words, with what to do
	Log    string // the end of the server's log; "" when it wrote nothing
}

func (e *StartError) Error() string {
	if e.Log == "" {
		return e.Reason
	}
	return e.Reason + "\nfirebird.log ends:\n" + e.Log
}

// Start starts the server with a configuration and returns once it answered a
// query. A server that runs already is an error. When it does not come up it
// is ended, and the error is a [*StartError].
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

// awaitAnswer returns once the server answered a query.
func (s *Server) awaitAnswer(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout,
		&StartError{Reason: fmt.Sprintf("the server did not answer a query within %s", startTimeout)})
	defer cancel()
	ended := s.running.done
	go func() { // a query does not notice that its server was killed on the way
		select {
		case <-ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	target := s.Target(s.config.Database)
	for {
		err := ask(ctx, target)
		if err == nil {
			return nil
		}
		if died := s.Died(); died != nil {
			return died
		}
		if refusedForGood(err) {
			return &StartError{Reason: fmt.Sprintf("the server refuses every connection: %v", err), Log: s.Log()}
		}
		select {
		case <-ended:
			return s.Died()
		case <-ctx.Done():
			var timeout *StartError
			if errors.As(context.Cause(ctx), &timeout) {
				timeout.Log = s.Log()
			}
			return context.Cause(ctx)
		case <-time.After(attemptPause):
		}
	}
}

// Died returns nil while the server runs as it should, else why it does not,
// as a [*StartError].
func (s *Server) Died() error {
	p := s.running
	if p == nil {
		return &StartError{Reason: "the server is not running"}
	}
	kills, err := s.cap.Kills()
	switch {
	case p.blamed() != nil:
		return &StartError{Reason: p.blamed().Error(), Log: s.Log()}
	case err == nil && kills > s.kills:
		return &StartError{
			Reason: fmt.Sprintf("the server broke its memory cap of %s (%s): lower %s, or raise --cap", s.cap.Limit(), s.cap.Kind(), confgen.DefaultDbCachePages),
			Log:    s.Log(),
		}
	case !p.exited():
		return nil
	}
	return &StartError{Reason: s.exitReason(p), Log: s.Log()}
}

// DiedSoon is [Server.Died] for a connection that just broke: a server that was
// killed is known to be dead a moment after its clients notice.
func (s *Server) DiedSoon() error {
	if p := s.running; p != nil {
		select {
		case <-p.done:
		case <-time.After(deathNotice):
		}
	}
	return s.Died()
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
	_, err := s.isql(context.Background(), "CONNECT "+quote(s.config.Database)+";\n")
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

// CPU returns the processor time the server's processes have used since start.
func (s *Server) CPU() (time.Duration, error) {
	p := s.running
	if p == nil {
		return 0, errors.New("read the server's processor time: it is not running")
	}
	return p.cpu()
}

// Processes returns the ids of the running server's processes, the main one
// first; wrappers and shells it was started by are not among them.
func (s *Server) Processes() []int {
	if s.running == nil {
		return nil
	}
	return slices.DeleteFunc(s.running.tree(), func(pid int) bool { return !s.inst.Serves(pid) })
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
	if s.inst.LogDir() == "" {
		return filepath.Join(s.rootDir(), s.inst.LogName())
	}
	return filepath.Join(s.logDir(), s.inst.LogName())
}

func (s *Server) logSize() int64 {
	info, err := os.Stat(s.logFile())
	if err != nil {
		return 0
	}
	return info.Size()
}

// logTail is how much of a log is worth showing.
const logTail = 4 << 10

// FullLog returns what the server logged since its last start.
func (s *Server) FullLog() string {
	data, err := os.ReadFile(s.logFile())
	if err != nil || int64(len(data)) < s.logMark {
		return "" // it wrote none, or its directory is closed
	}
	return string(data[s.logMark:])
}

// Log returns the end of [Server.FullLog], without entries that say nothing.
func (s *Server) Log() string {
	var kept strings.Builder
	head := ""
	for line := range strings.Lines(s.FullLog()) {
		switch {
		case strings.TrimSpace(line) == "" || strings.Contains(line, "IPV6_V6ONLY"): // harmless without IPv6
		case line[0] != '\t': // host and time, which begin an entry
			head = line
		default:
			kept.WriteString(head + line)
			head = ""
		}
	}
	text := strings.TrimSpace(kept.String())
	return text[max(0, len(text)-logTail):]
}

// tool returns a command that runs a program of the installation as the
// server's user, below the cap.
func (s *Server) tool(ctx context.Context, program string, args ...string) *exec.Cmd {
	return s.below(ctx, s.inst.Command(program, args...)...)
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

// Findings returns what the log since the last start says about the server.
func (s *Server) Findings() []firebird.LogFinding { return firebird.ScanLog(s.FullLog()) }
