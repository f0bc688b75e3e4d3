// Package postgrestest gives tests a PostgreSQL server of their own.
package postgrestest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Password is that of the server's user fbtune.
const Password = "of the test only"

// Start runs a server on loopback until the end of the test and returns the URL
// of an empty database, without the password. Where PostgreSQL is not installed
// the test is skipped, except in continuous integration, where it fails.
func Start(t testing.TB) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		if os.Getenv("CI") != "" {
			t.Fatal("tests need PostgreSQL here: make postgres")
		}
		t.Skip("needs PostgreSQL (make postgres)")
	}
	bin := filepath.Dir(slices.Max(found))
	dir, err := os.MkdirTemp("", "fbtune-postgres-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	secret := filepath.Join(dir, "password")
	if err := os.WriteFile(secret, []byte(Password), 0o600); err != nil {
		t.Fatal(err)
	}
	data, own := filepath.Join(dir, "data"), account(t, dir, secret)
	initdb := exec.CommandContext(t.Context(), filepath.Join(bin, "initdb"), "-D", data, "-U", "fbtune", "--pwfile", secret, "-A", "scram-sha-256", "--no-sync")
	own(initdb)
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	port := freePort(t)
	server := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-p", strconv.Itoa(port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+dir, "-c", "fsync=off")
	own(server)
	var log bytes.Buffer
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt) // a fast shutdown
		_ = server.Wait()
	})
	url := fmt.Sprintf("postgres://fbtune@127.0.0.1:%d/postgres", port)
	t.Setenv("PGPASSWORD", Password)
	if err := answer(t.Context(), url); err != nil {
		_ = server.Process.Kill()
		_ = server.Wait()
		t.Fatalf("PostgreSQL does not answer: %v\n%s", err, log.String())
	}
	return url
}

// account returns what makes a program run as another user than root, who may
// not run PostgreSQL, and gives that user the files.
func account(t testing.TB, files ...string) func(*exec.Cmd) {
	t.Helper()
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		u, err := user.Lookup("postgres") // of the package
		if err != nil {
			t.Fatal(err)
		}
		if uid, err = strconv.Atoi(u.Uid); err != nil {
			t.Fatal(err)
		}
		if gid, err = strconv.Atoi(u.Gid); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		if err := os.Chown(file, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return func(cmd *exec.Cmd) {
		cmd.Dir = files[0]
		runAs(cmd, uid, gid)
	}
}

// freePort returns a port of loopback that nobody listens on.
func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// answer waits until a query is answered.
func answer(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := query(ctx, url)
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// query asks the server something.
func query(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "SELECT 1"); err != nil {
		conn.Close(ctx)
		return err
	}
	return conn.Close(ctx)
}
