package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nakagami/firebirdsql"
)

// answerTimeout is how long a server that was started may take to answer.
const answerTimeout = 45 * time.Second

// manager calls f with a connection to the server's services manager. The calls
// of the driver's that take no context end with ctx nevertheless.
func (s *Server) manager(ctx context.Context, f func(*firebirdsql.ServiceManager) error) error {
	svc, err := firebirdsql.NewServiceManagerContext(ctx, s.Addr, s.User, s.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		return fmt.Errorf("connect to the services manager of %s: %w", s.Addr, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = svc.Close() }) // the call reports it
	defer stop()
	return errors.Join(f(svc), svc.CloseContext(ctx))
}

// greet returns once the server answers, and refuses one that is not of the
// installation.
func (s *Server) greet(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTimeout, fmt.Errorf("%s did not answer at %s within %s", s.control, s.Addr, answerTimeout))
	defer cancel()
	for {
		var version string
		err := s.manager(ctx, func(svc *firebirdsql.ServiceManager) (err error) {
			version, err = svc.GetServerVersionString()
			return err
		})
		var refusal *firebirdsql.FbError
		switch {
		case err == nil && !strings.Contains(version, s.Installation.Build):
			return fmt.Errorf("the server at %s is %s, and %s is %s; name the installation it is of by --firebird-root", s.Addr, version, s.Installation.Root, s.Installation.Build)
		case err == nil:
			return nil
		case errors.As(err, &refusal) && len(refusal.GDSCodes) > 0:
			return fmt.Errorf("%w; set ISC_USER and ISC_PASSWORD to SYSDBA's", err)
		}
		if died := s.Died(); died != nil {
			return died
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// A connection that is seen may be about to end, as that of a run which was just
// killed is. It is asked again until settleTime is over, at intervals in which
// the process of Classic that answered ends too.
const (
	settleTime  = 1500 * time.Millisecond
	settlePause = 300 * time.Millisecond
)

// refuseUsers returns an error while users are connected to the running server,
// unless they are to be cut off.
func (s *Server) refuseUsers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	seen, err := s.users(ctx)
	for end := time.Now().Add(settleTime); err == nil && seen.connections > 0 && !s.force && time.Now().Before(end); {
		time.Sleep(settlePause)
		seen, err = s.users(ctx)
	}
	switch {
	case err != nil && s.force:
		s.Notes = append(s.Notes, fmt.Sprintf("who is connected is not known: %v", err))
		return nil
	case err != nil:
		return fmt.Errorf("see who is connected to %s: %w; stop it yourself, or give --force", s.control, err)
	}
	if seen.counted {
		s.Notes = append(s.Notes, "a server in Classic does not list all who are connected; its processes were counted instead")
	}
	if seen.connections == 0 {
		return nil
	}
	what := fmt.Sprintf("%d connections to %s", seen.connections, s.control)
	if len(seen.databases) > 0 {
		what += fmt.Sprintf(" (%s)", strings.Join(seen.databases, ", "))
	}
	if s.force {
		s.Notes = append(s.Notes, what+" are cut off, as --force says")
		return nil
	}
	return errors.New(what + " would be cut off: wait until their users have gone, or give --force")
}

// connected is who is connected to a server.
type connected struct {
	connections int
	databases   []string // as far as they are listed
	counted     bool     // whether processes were counted, because the list is not whole
}

// users asks who is connected. In Classic the answer is about one process, whose
// only connection is this one; the processes are counted then, less the
// listener and the one that answers.
func (s *Server) users(ctx context.Context) (connected, error) {
	var seen connected
	err := s.manager(ctx, func(svc *firebirdsql.ServiceManager) error {
		info, err := svc.GetSvrDbInfo()
		if err != nil {
			return err
		}
		processes := len(s.Processes())
		seen = connected{max(info.AttachmentsCount, processes-2), info.Databases, processes > 1}
		return nil
	})
	return seen, err
}
