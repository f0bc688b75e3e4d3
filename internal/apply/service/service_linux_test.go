package service_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/apply/service"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// options are those of a service that the test's commands start.
func options(ctx context.Context, s firebirdtest.Service, inst firebird.Installation) (service.Options, error) {
	target, err := apply.Locate(ctx, s.Files, inst.Root)
	return service.Options{
		Control: service.Control{Start: s.Start, Stop: s.Stop},
		Target:  target, User: s.User, Password: s.Password,
	}, err
}

// taken returns a service that was taken over.
func taken(t *testing.T, o service.Options) *service.Server {
	t.Helper()
	server, err := service.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// of is options for a test.
func of(t *testing.T, s firebirdtest.Service, inst firebird.Installation) service.Options {
	t.Helper()
	o, err := options(t.Context(), s, inst)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// restored fails the test unless the service's directory is as it was.
func restored(t *testing.T, what string, s firebirdtest.Service, before []string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(s.Files, "firebird.conf")); err != nil || !bytes.Equal(got, s.Conf) {
		t.Errorf("%s: firebird.conf holds (%v)\n%s", what, err, got)
	}
	if after := listed(t, s.Files); !slices.Equal(before, after) {
		t.Errorf("%s: its directory holds %v, before %v", what, after, before)
	}
}

// listed are the names in a directory, without what the server itself writes.
func listed(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".log" {
			names = append(names, e.Name())
		}
	}
	return names
}

// runs reports whether the service's server runs with its own files.
func runs(t *testing.T, o service.Options) bool {
	t.Helper()
	return len(o.Target.Installation.Servers()) > 0
}

// A service goes through its trials and is afterwards as it was.
func TestTrialsOnAService(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.NewService(t, inst)
		o := of(t, s, inst)
		s.Up(t)
		before := listed(t, s.Files)
		server := taken(t, o)
		dir, err := server.Scratch(firebirdtest.Dir(t))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "trial.fdb")
		if err := server.CreateDatabase(t.Context(), path, 8192); err != nil {
			t.Fatal(err)
		}
		if err := server.CreateDatabase(t.Context(), path, 8192); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("create over a file: %v", err)
		}
		for _, mode := range confgen.Modes() {
			trialInForce(t, server, path, mode)
		}
		err = server.Start(t.Context(), private.Config{Database: path, Settings: map[string]string{confgen.TempCacheLimit: "64M\" x"}})
		var refused *running.StartError
		if !errors.As(err, &refused) {
			t.Errorf("a value that cannot be written: %v, want a StartError", err)
		}
		if err := server.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		restored(t, "closed", s, before)
		if !runs(t, o) {
			t.Error("the server ran before and does not now")
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the directory of databases: %v", err)
		}
	})
}

// trialInForce starts a trial and reads it back: what its owner set is not in
// force in it, what the trial sets is.
func trialInForce(t *testing.T, server *service.Server, path string, mode confgen.Mode) {
	t.Helper()
	settings := map[string]string{confgen.ServerMode: string(mode), confgen.LockHashSlots: "30011", confgen.LockMemSize: "7M"}
	if err := server.Start(t.Context(), private.Config{Settings: settings, Database: path}); err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	list, err := server.Effective(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", mode, err)
	}
	if wrong := running.Contradictions(list); len(wrong) > 0 {
		t.Errorf("%s: %+v", mode, wrong)
	}
	pages, _ := confgen.Default(confgen.DefaultDbCachePages, server.Installation.Version, mode)
	for name, want := range map[string]string{confgen.ServerMode: string(mode), confgen.LockHashSlots: "30011", confgen.DefaultDbCachePages: pages} {
		i := slices.IndexFunc(list, func(e running.Effective) bool { return e.Name == name })
		if i < 0 || list[i].Value != want || list[i].State != running.Verified {
			t.Errorf("%s: %s is not %s in %+v", mode, name, want, list)
		}
	}
	if used, err := server.CPU(); err != nil || used <= 0 {
		t.Errorf("%s: processor time %s (%v)", mode, used, err)
	}
	if err := server.Died(); err != nil {
		t.Errorf("%s: %v", mode, err)
	}
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := server.Died(); err == nil {
		t.Errorf("%s: a server that was stopped has not died", mode)
	}
}

// A server that did not run does not run afterwards.
func TestAServiceThatDidNotRun(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s := firebirdtest.NewService(t, inst)
	o := of(t, s, inst)
	before := listed(t, s.Files)
	server := taken(t, o)
	if !runs(t, o) {
		t.Error("it does not run while it is taken over")
	}
	if other, err := service.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), "another fbtune is at work") {
		t.Errorf("taken over twice: %v, %v", other, err)
	}
	if err := server.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	restored(t, "closed", s, before)
	if runs(t, o) {
		t.Error("the server did not run before and does now")
	}
}

// Whoever is connected is not cut off, unless that is wanted.
func TestUsersAreNotCutOff(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		for _, mode := range []confgen.Mode{confgen.Super, confgen.Classic} {
			t.Run(string(mode), func(t *testing.T) { usersIn(t, inst, mode) })
		}
	})
}

func usersIn(t *testing.T, inst firebird.Installation, mode confgen.Mode) {
	s := firebirdtest.NewService(t, inst)
	s.Conf = append([]byte("ServerMode = "+mode+"\n"), s.Conf...)
	if err := os.WriteFile(filepath.Join(s.Files, "firebird.conf"), s.Conf, 0o640); err != nil {
		t.Fatal(err)
	}
	o := of(t, s, inst)
	before := listed(t, s.Files)
	s.Up(t)
	first := taken(t, o) // makes a database for the user
	path := filepath.Join(filepath.Dir(s.Files), "user.fdb")
	if err := first.CreateDatabase(t.Context(), path, 8192); err != nil {
		t.Fatal(err)
	}
	target := first.Target(path)
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("firebirdsql", target.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := service.New(t.Context(), o); err == nil || !strings.Contains(err.Error(), "1 connections to ") || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a user is connected: %v", err)
	}
	if err := conn.PingContext(t.Context()); err != nil {
		t.Errorf("the user was cut off: %v", err)
	}
	restored(t, "refused", s, before)
	o.Force = true
	second := taken(t, o)
	if notes := strings.Join(second.Notes, "\n"); !strings.Contains(notes, "are cut off") {
		t.Errorf("notes %q", notes)
	}
	if err := second.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	restored(t, "forced", s, before)
}

// What is not the server whose files were named is neither stopped nor lent.
func TestAnotherServerIsLeftAlone(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s := firebirdtest.NewService(t, inst)
	s.Up(t)
	copied := firebirdtest.Dir(t)
	if err := os.WriteFile(filepath.Join(copied, "firebird.conf"), s.Conf, 0o644); err != nil {
		t.Fatal(err)
	}
	o := of(t, firebirdtest.Service{Files: copied, Start: s.Start, Stop: s.Stop, User: s.User, Password: s.Password}, inst)
	_, err := service.New(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "--service-files") {
		t.Errorf("files of no server: %v", err)
	}
	if !runs(t, o) {
		t.Error("the other server was stopped")
	}
	if names := listed(t, copied); !slices.Equal(names, []string{"firebird.conf"}) {
		t.Errorf("the directory holds %v", names)
	}
}

func TestWrongPassword(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s := firebirdtest.NewService(t, inst)
	before := listed(t, s.Files)
	o := of(t, s, inst)
	o.Password = "wrong-and-secret"
	_, err := service.New(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "ISC_PASSWORD") || strings.Contains(err.Error(), o.Password) {
		t.Errorf("a wrong password: %v", err)
	}
	restored(t, "refused", s, before)
	if runs(t, o) {
		t.Error("the server did not run before and does now")
	}
}

// A service's name goes to systemctl, and to nothing else.
func TestSystemctl(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s := firebirdtest.NewService(t, inst)
	t.Setenv("PATH", s.Bin+":"+os.Getenv("PATH"))
	o := of(t, s, inst)
	o.Control = service.Control{Name: "firebird-test"}
	server := taken(t, o)
	if err := server.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(s.Calls)
	if want := "reset-failed firebird-test\nstart firebird-test\nstop firebird-test\n"; err != nil || string(calls) != want {
		t.Errorf("systemctl was called with (%v)\n%swant\n%s", err, calls, want)
	}
	for _, control := range []service.Control{{Name: "-H"}, {Start: "x"}, {Stop: "x"}, {}} {
		o.Control = control
		if _, err := service.New(t.Context(), o); err == nil {
			t.Errorf("%+v is taken for a service", control)
		}
	}
}
