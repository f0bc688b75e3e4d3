package service

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"syscall"
	"time"
)

// supported is nil where a service can be taken over.
func supported() error { return nil }

// apart makes a command the leader of its own process group, so that a Ctrl-C
// in the terminal reaches fbtune alone.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// run has a command, which was set apart, run as the account.
func (a account) run(cmd *exec.Cmd) {
	if a.switches() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
}

// portTimeout is a little more than a closed connection blocks its port.
const portTimeout = 65 * time.Second

// awaitPort returns once an address can be bound by one who does not set
// SO_REUSEADDR: as long as connections that the server closed last linger, its
// next listener would wait in silence, and give up (issue 8181).
func awaitPort(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, portTimeout, fmt.Errorf("%s is in use by another program; stop that", addr))
	defer cancel()
	plain := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var failed error
		err := c.Control(func(fd uintptr) {
			failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0)
		})
		if err != nil {
			return err
		}
		return failed
	}}
	for {
		l, err := plain.Listen(ctx, "tcp", addr)
		if err == nil {
			return l.Close()
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
