package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// served gives the commands of a test a service that runs, its user and its
// password, and returns the flags that name it.
func served(t *testing.T, inst firebird.Installation) (firebirdtest.Service, []string) {
	t.Helper()
	useHome(t)
	s := firebirdtest.NewService(t, inst)
	t.Setenv("ISC_USER", s.User)
	t.Setenv("ISC_PASSWORD", s.Password)
	s.Up(t)
	return s, []string{"--start-cmd", s.Start, "--stop-cmd", s.Stop, "--service-files", s.Files, "--firebird-root", inst.Root}
}

// tinyLoad is tiny without its memory cap, which a service has not.
var tinyLoad = tiny[:len(tiny)-2]

// onService are the arguments of a sweep of three cells.
func onService(flags []string) []string {
	return slices.Concat([]string{"sweep", "--json", "--param", "DefaultDbCachePages", "--values", "256,512", "--modes", "Classic", "--blocks", "1"}, tinyLoad, flags)
}

// unchanged fails the test unless the service has its own file.
func unchanged(t *testing.T, s firebirdtest.Service) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(s.Files, "firebird.conf")); err != nil || !bytes.Equal(got, s.Conf) {
		t.Errorf("firebird.conf holds (%v)\n%s", err, got)
	}
	left, err := filepath.Glob(filepath.Join(s.Files, "*fbtune*"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v are left (%v)", left, err)
	}
}

func TestSweepOnAService(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, flags := served(t, inst)
		out := capture(t, onService(flags)...)
		valid(t, "sweep", out)
		unchanged(t, s)
		if len(inst.Servers()) == 0 {
			t.Error("the service ran before and does not now")
		}
		var result struct {
			Complete    bool
			Trials      []struct{ Cell, Status, Reason string }
			Environment struct{ Isolation string }
			Plan        struct{ Service map[string]string }
		}
		if err := json.Unmarshal([]byte(out), &result); err != nil {
			t.Fatal(err)
		}
		if !result.Complete || len(result.Trials) != 4 || !strings.Contains(result.Environment.Isolation, "without a memory cap") {
			t.Errorf("result %+v", result)
		}
		for _, trial := range result.Trials {
			if trial.Status != "ok" {
				t.Errorf("trial %+v", trial)
			}
		}
		noSecrets(t, "the result", out, []string{s.Password})
	})
}

// A killed sweep is cleaned up by restore --pending, and goes on by --resume.
func TestKilledSweepOnAService(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s, flags := served(t, inst)
	run := startedWith(t, onService(flags), 1, func() bool { return len(inst.Servers()) > 0 })
	var lines strings.Builder
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if line, err := os.ReadFile(path); err == nil { // it may have ended
			lines.Write(line)
		}
	}
	noSecrets(t, "the command lines", lines.String(), []string{s.Password})
	if err := run.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.cmd.Wait() // killed
	noSecrets(t, "standard error", run.progress.String(), []string{s.Password})
	listed := capture(t, "restore", "--to", s.Files, "--json")
	valid(t, "backups", listed)
	if !strings.Contains(listed, `"running": true`) {
		t.Errorf("no loan in %s", listed)
	}
	if text := capture(t, "restore", "--to", s.Files, "--pending"); !strings.Contains(text, "old files are in place") || !strings.Contains(text, "restart it") {
		t.Errorf("restore --pending prints\n%s", text)
	}
	unchanged(t, s)

	out := capture(t, "sweep", "--resume", "--json")
	valid(t, "sweep", out)
	unchanged(t, s)
	var result struct{ Complete bool }
	if err := json.Unmarshal([]byte(out), &result); err != nil || !result.Complete {
		t.Errorf("complete %t (%v)", result.Complete, err)
	}
	if len(inst.Servers()) == 0 {
		t.Error("the service does not run")
	}
}

// Ctrl-C puts everything back before fbtune ends.
func TestInterruptedSweepOnAService(t *testing.T) {
	inst := firebirdtest.Installation(t)
	s, flags := served(t, inst)
	run := startedWith(t, onService(flags), 0, func() bool { return len(inst.Servers()) > 0 })
	if err := run.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := run.cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("exit %v, want %d", err, exitInterrupted)
	}
	unchanged(t, s)
	if len(inst.Servers()) == 0 {
		t.Error("the service ran before and does not now")
	}
}

func TestServiceFlags(t *testing.T) {
	useHome(t)
	t.Setenv("ISC_USER", "")
	sweep := []string{"sweep", "--quick", "--param", "DefaultDbCachePages", "--values", "256"}
	for want, flags := range map[string][]string{
		"not both":               {"--service", "x", "--start-cmd", "true"},
		"give both --start-cmd":  {"--stop-cmd", "true"},
		"--cap is for private":   {"--service", "x", "--cap", "1G"},
		"name it by --service":   {"--force"},
		"ISC_USER":               {"--service", "x"},
		"give both --start-cmd ": {"--service-files", "/"},
	} {
		_, err := captured(t.Context(), t, append(slices.Clone(sweep), flags...)...)
		if code := exitCode(err, io.Discard); code != exitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", flags, err, want)
		}
	}
	_, err := captured(t.Context(), t, "tune", "--quick", "--service", "x", "--conf", "y")
	if code := exitCode(err, io.Discard); code != exitUsage {
		t.Errorf("--conf with a service: %v", err)
	}
}
