// Package isql has an installation's isql work on databases of a server.
//
// It does what the driver must not: the driver's call to create a database
// overwrites a file in the way, and takes no page size.
package isql

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/workload"
)

// Create creates a database on a server. A file in the way is an error of the
// server, and is left alone.
func Create(ctx context.Context, inst firebird.Installation, t workload.Target, pageSize int) error {
	name := strings.ReplaceAll(connection(t), "'", "''")
	if _, err := run(ctx, inst, t, fmt.Sprintf("CREATE DATABASE '%s' PAGE_SIZE %d;\n", name, pageSize)); err != nil {
		return fmt.Errorf("create database %s on %s: %w", t.Path, t.Addr, err)
	}
	return nil
}

// Drop removes a database from a server, which refuses while another program is
// attached.
func Drop(ctx context.Context, inst firebird.Installation, t workload.Target) error {
	if _, err := Run(ctx, inst, t, "DROP DATABASE;\n"); err != nil {
		return fmt.Errorf("drop database %s on %s: %w; remove it yourself", t.Path, t.Addr, err)
	}
	return nil
}

// Run runs a script on a database and returns what isql prints, up to the first
// statement that fails.
func Run(ctx context.Context, inst firebird.Installation, t workload.Target, script string) (string, error) {
	return run(ctx, inst, t, script, connection(t))
}

// run has isql read a script, connected to the database that its arguments name.
// User and password are in its environment, where other users cannot read them.
func run(ctx context.Context, inst firebird.Installation, t workload.Target, script string, args ...string) (string, error) {
	if strings.ContainsAny(t.Path, "\r\n") {
		return "", fmt.Errorf("database %q: a path in one line is needed", t.Path)
	}
	argv := inst.Command(inst.Isql(), append([]string{"-quiet", "-bail"}, args...)...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), isCredential), "ISC_USER="+t.User, "ISC_PASSWORD="+t.Password,
		"FIREBIRD_MSG="+inst.Base()) // a build unpacked elsewhere looks where it was built to be
	cmd.Dir = os.TempDir()
	cmd.WaitDelay = time.Second
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %s (%w)", filepath.Base(inst.Isql()), strings.TrimSpace(string(out)), err)
	}
	return string(out), nil
}

// isCredential reports whether a variable says who connects.
func isCredential(variable string) bool {
	return strings.HasPrefix(variable, "ISC_USER=") || strings.HasPrefix(variable, "ISC_PASSWORD=")
}

// connection is a target in Firebird's own form, host/port:path.
func connection(t workload.Target) string {
	host, port, err := net.SplitHostPort(t.Addr)
	if err != nil {
		return t.Addr + ":" + t.Path // the server's default port
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + "/" + port + ":" + t.Path
}
