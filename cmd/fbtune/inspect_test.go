package main

import (
	"database/sql"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// What inspect sees of a server is what recommend --observed takes.
func TestInspectJSON(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, path := firebirdtest.Started(t, inst, nil)
		target := s.Target(path)
		t.Setenv("ISC_USER", target.User)
		t.Setenv("ISC_PASSWORD", target.Password)
		db, err := sql.Open("firebirdsql", target.DSN())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		const others = 3
		for range others {
			conn, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
		}
		connect := strings.Replace(target.Addr, ":", "/", 1) + ":" + path
		seen := filepath.Join(t.TempDir(), "seen.json")
		out := capture(t, "inspect", "--json", "--connect", connect, "--firebird-root", inst.Root, "--watch", "1s")
		valid(t, "inspect", out)
		capture(t, "inspect", "--json", "--connect", connect, "--firebird-root", inst.Root, "--watch", "1s", "-o", seen)
		recommended := capture(t, "recommend", "--json", "--memory", "8G", "--firebird", inst.Version.String(), "--observed", seen)
		valid(t, "recommend", recommended)
		var advice struct{ Observed []string }
		if err := json.Unmarshal([]byte(recommended), &advice); err != nil {
			t.Fatal(err)
		}
		if moved := strings.Join(advice.Observed, "\n"); !strings.Contains(moved, "connections: 4, the peak of 3 attachments") {
			t.Errorf("moved by what was observed: %q\n%s", moved, out)
		}
		text := capture(t, "inspect", "--connect", target.Addr+path, "--firebird-root", inst.Root)
		for _, want := range []string{"services of " + target.Addr, "2048 page buffers in force, 3 attachments", "lock table: 8191 slots", "next - oldest active: "} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
		if strings.Contains(text, target.Password) || strings.Contains(out, target.Password) {
			t.Error("the password is in the output")
		}
		t.Setenv("ISC_PASSWORD", "wrong")
		_, err = captured(t.Context(), t, "inspect", "--connect", connect)
		if code := exitCode(err, io.Discard); code != exitFailed || !strings.Contains(err.Error(), "ISC_PASSWORD") {
			t.Errorf("with a wrong password: exit code %d, %v", code, err)
		}
	})
}

func TestTarget(t *testing.T) {
	e := newEnv()
	e.getenv = func(name string) string { return map[string]string{"ISC_USER": "ANNA", "ISC_PASSWORD": "secret"}[name] }
	for _, test := range []struct{ connect, addr, path string }{
		{"localhost:/data/erp.fdb", "localhost:3050", "/data/erp.fdb"},
		{"db1/3051:erp", "db1:3051", "erp"},
		{"db1/3051:/data/a b.fdb", "db1:3051", "/data/a b.fdb"},
		{"10.0.0.7:3051/erp", "10.0.0.7:3051", "erp"},
		{"10.0.0.7:3051/data/erp.fdb", "10.0.0.7:3051", "/data/erp.fdb"},
		{"10.0.0.7:3051//data/erp.fdb", "10.0.0.7:3051", "/data/erp.fdb"},
		{`win:C:\data\erp.fdb`, "win:3050", `C:\data\erp.fdb`},
		{"win:3051/C:/data/erp.fdb", "win:3051", "C:/data/erp.fdb"},
		{"[::1]/3051:erp", "[::1]:3051", "erp"},
	} {
		got, err := e.target(test.connect)
		if err != nil || got.Addr != test.addr || got.Path != test.path || got.User != "ANNA" || got.Password != "secret" {
			t.Errorf("%s: %+v (%v), want %s and %s", test.connect, got, err, test.addr, test.path)
		}
	}
	for connect, want := range map[string]string{
		"/data/erp.fdb": "write host[/port]:database", "erp": "write host[/port]:database", "db1:": "write host[/port]:database", `C:\data\erp.fdb`: "a path without a host",
	} {
		if got, err := e.target(connect); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v (%v), want an error with %q", connect, got, err, want)
		}
	}
	e.getenv = func(string) string { return "" }
	if _, err := e.target("db1:erp"); err == nil || !strings.Contains(err.Error(), "set ISC_USER") {
		t.Errorf("without a user: %v", err)
	}
}
