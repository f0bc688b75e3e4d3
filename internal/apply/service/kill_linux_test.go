package service_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/apply/service"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// What the child of TestKilledAtEveryStep is told by its environment.
const (
	childRoot    = "FBTUNE_TEST_CHILD_ROOT" // of the installation
	childFiles   = "FBTUNE_TEST_CHILD_FILES"
	childScratch = "FBTUNE_TEST_CHILD_SCRATCH"
	childStep    = "FBTUNE_TEST_CHILD_STEP" // after which it kills itself
)

// TestMain runs the child of TestKilledAtEveryStep.
func TestMain(m *testing.M) {
	if os.Getenv(childRoot) != "" {
		if err := child(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// steps are the calls of a run, after each of which a child can kill itself.
var steps = []string{"taken", "created", "first trial", "first stopped", "second trial"}

// child takes the service over and runs two trials.
func child(ctx context.Context) error {
	reached := func(step string) {
		if os.Getenv(childStep) == step {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}
	inst, err := firebird.At(ctx, os.Getenv(childRoot))
	if err != nil {
		return err
	}
	o, err := options(ctx, firebirdtest.Service{
		Files: os.Getenv(childFiles), User: os.Getenv("ISC_USER"), Password: os.Getenv("ISC_PASSWORD"),
	}, inst)
	if err != nil {
		return err
	}
	o.Control = service.Control{Name: "firebird-test"}
	server, err := service.New(ctx, o)
	if err != nil {
		return err
	}
	reached("taken")
	dir, err := server.Scratch(os.Getenv(childScratch))
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "trial.fdb")
	if err := server.CreateDatabase(ctx, path, 8192); err != nil {
		return err
	}
	reached("created")
	for i, settings := range []map[string]string{
		{confgen.ServerMode: "Super", confgen.DefaultDbCachePages: "512"},
		{confgen.ServerMode: "Classic", confgen.LockMemSize: "7M"},
	} {
		if err := server.Start(ctx, private.Config{Settings: settings, Database: path}); err != nil {
			return err
		}
		reached([]string{"first trial", "second trial"}[i])
		if err := server.Stop(ctx); err != nil {
			return err
		}
		reached([]string{"first stopped", "second stopped"}[i])
	}
	return server.Close(ctx)
}

// killer is a systemctl that kills who called it at one of its calls: before it
// does what it is asked for, or after.
const killer = `#!/bin/sh
echo "$*" >>%[1]s
at=$(wc -l <%[1]s)
[ "$KILL_BEFORE" = $at ] && kill -KILL $PPID && exit 1
%[2]s.real "$@"
[ "$KILL_AFTER" = $at ] && kill -KILL $PPID
exit 0
`

// calls are how often a run calls systemctl: to stop, forget and start for each
// of two trials, and at the end to stop and start as it was.
const calls = 3 + 1 + 2 + 1 + 2

// A run that is killed at any step is cleaned up by the next one, or by restore
// --pending: the configuration is the same file, and the server runs again.
func TestKilledAtEveryStep(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		var kills [][2]string
		for _, step := range steps {
			kills = append(kills, [2]string{childStep, step})
		}
		for n := 1; n <= calls; n++ {
			kills = append(kills, [2]string{"KILL_BEFORE", fmt.Sprint(n)}, [2]string{"KILL_AFTER", fmt.Sprint(n)})
		}
		s := firebirdtest.NewService(t, inst)
		systemctl := filepath.Join(s.Bin, "systemctl")
		if err := os.Rename(systemctl, systemctl+".real"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(systemctl, fmt.Appendf(nil, killer, s.Calls+".counted", systemctl), 0o755); err != nil {
			t.Fatal(err)
		}
		scratch := firebirdtest.Dir(t)
		for i, kill := range kills {
			if !firebirdtest.Long() && i%8 != 2 {
				continue
			}
			killed(t, s, inst, scratch, kill, i%3 == 0)
		}
	})
}

// killed runs a child that is killed, and cleans up after it: by restore
// --pending first, or by the next run alone.
func killed(t *testing.T, s firebirdtest.Service, inst firebird.Installation, scratch string, kill [2]string, pending bool) {
	t.Helper()
	what := strings.Join(kill[:], " ")
	o := of(t, s, inst)
	before := listed(t, s.Files)
	file, err := os.Stat(filepath.Join(s.Files, "firebird.conf"))
	if err != nil {
		t.Fatal(err)
	}
	s.Up(t)
	if err := os.WriteFile(s.Calls+".counted", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childRoot+"="+inst.Root, childFiles+"="+s.Files, childScratch+"="+scratch, kill[0]+"="+kill[1],
		"ISC_USER="+s.User, "ISC_PASSWORD="+s.Password, "PATH="+s.Bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("%s: the child ended with %v, want it killed: %s", what, err, out)
	}
	counted, err := os.ReadFile(s.Calls + ".counted")
	if err != nil {
		t.Fatal(err)
	}
	if last := strings.Split(strings.TrimSpace(string(counted)), "\n"); kill[0] == "KILL_AFTER" && strings.HasPrefix(last[len(last)-1], "start ") {
		s.Await(t)
	}
	if pending {
		store, err := apply.Open(filepath.Join(s.Files, "firebird.conf"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Recover(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		restored(t, what+", restored", s, before)
	}
	next, err := service.New(t.Context(), o)
	if err != nil {
		t.Fatalf("%s; the next run: %v", what, err)
	}
	if _, err := next.Scratch(scratch); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if err := next.Close(t.Context()); err != nil {
		t.Errorf("%s; the next run's end: %v", what, err)
	}
	restored(t, what, s, before)
	if now, err := os.Stat(filepath.Join(s.Files, "firebird.conf")); err != nil || !os.SameFile(now, file) || now.ModTime() != file.ModTime() {
		t.Errorf("%s: firebird.conf is another file (%v)", what, err)
	}
	if !pending && !runs(t, o) {
		t.Errorf("%s: the server ran before and does not now", what)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Errorf("%s: %s holds %v (%v)", what, scratch, left, err)
	}
	s.Run(t, s.Stop)
}
