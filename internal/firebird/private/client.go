package private

import (
	"context"
	"os/exec"
)

// Client returns a command that runs a program of the installation, such as isql
// or gbak, as the server's user, below the server's cap and with its
// configuration. The user and the password of the server are in its
// environment: it connects to the running server over TCP, or opens a
// database by itself.
func (s *Server) Client(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := s.tool(ctx, program, args...)
	cmd.Env = append(cmd.Env, "ISC_USER="+sysdba, "ISC_PASSWORD="+s.Password)
	return cmd
}
