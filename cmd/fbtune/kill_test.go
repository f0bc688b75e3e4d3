package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
)

// started is a command in a process of its own, and the file of its events.
type started struct {
	cmd           *exec.Cmd
	events        string
	out, progress strings.Builder
}

// startSweep starts a tiny sweep of 4 trials and returns once so many have
// ended and the server of the next one runs.
func startSweep(t *testing.T, ended int) *started {
	t.Helper()
	return start(t, ended, append([]string{"sweep", "--json", "--param", "DefaultDbCachePages", "--values", "256,512",
		"--modes", "Classic", "--blocks", "1"}, tiny...)...)
}

// start starts a command and returns once so many of its trials have ended and
// a private server runs the next one.
func start(t *testing.T, ended int, args ...string) *started {
	t.Helper()
	return startedWith(t, args, ended, func() bool { return len(firebird.AllMarked()) > 0 })
}

// startedWith is start with another way to tell whether the server runs.
func startedWith(t *testing.T, args []string, ended int, runs func() bool) *started {
	t.Helper()
	program, err := exec.LookPath("fbtune") // put into PATH by testscript.Main
	if err != nil {
		t.Fatal(err)
	}
	s := &started{events: filepath.Join(t.TempDir(), "events.jsonl")}
	s.cmd = exec.CommandContext(t.Context(), program, append(args, "--events", s.events)...)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.progress
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		kinds := eventKinds(t, s.events)
		if kinds["result"] >= ended && kinds["trial"] > kinds["result"] && runs() {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("it does not come to trial %d:\n%s", ended+1, s.progress.String())
	return nil
}

// eventKinds counts the events in a file that is being written.
func eventKinds(t *testing.T, path string) map[string]int {
	t.Helper()
	kinds := map[string]int{}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return kinds
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return kinds // the last line may be half written
		}
		var event struct {
			Event    string
			Replayed bool
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		if event.Replayed {
			event.Event = "replayed"
		}
		kinds[event.Event]++
	}
}

// noServers fails the test unless all private servers below home end soon.
func noServers(t *testing.T, home string) {
	t.Helper()
	var left []int
	for range 500 {
		left = nil
		for dir, pids := range firebird.AllMarked() {
			if strings.HasPrefix(dir, home) {
				left = append(left, pids...)
			}
		}
		if len(left) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("processes %v are left", left)
}

func TestKilledSweepIsResumed(t *testing.T) {
	useHome(t)
	home := os.Getenv("FBTUNE_HOME")
	s := startSweep(t, 2)
	finished := eventKinds(t, s.events)["result"]
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait() // killed
	noServers(t, home)

	events := filepath.Join(t.TempDir(), "resumed.jsonl")
	out := capture(t, "sweep", "--resume", "--json", "--events", events)
	valid(t, "sweep", out)
	kinds := eventKinds(t, events)
	if kinds["replayed"] < finished || kinds["replayed"]+kinds["result"] != 4 || kinds["trial"] < kinds["result"] {
		t.Errorf("%d trials had ended; the resumed run replayed %d and ran %d, want 4 in all and none twice", finished, kinds["replayed"], kinds["result"])
	}
	var result struct{ Complete bool }
	if err := json.Unmarshal([]byte(out), &result); err != nil || !result.Complete {
		t.Errorf("complete %t (%v)", result.Complete, err)
	}
	for _, dir := range []string{"servers", "data/scratch"} {
		if left, err := os.ReadDir(filepath.Join(home, dir)); err != nil || len(left) != 0 {
			t.Errorf("%s holds %v (%v), want nothing", dir, left, err)
		}
	}
	if _, err := captured(t.Context(), t, "sweep", "--resume"); exitCode(err, &strings.Builder{}) != exitUsage {
		t.Errorf("resume with nothing left to do: %v, want a usage error", err)
	}
}

func TestInterruptedSweepPrintsWhatItHas(t *testing.T) {
	for signal, ended := range map[syscall.Signal]int{syscall.SIGINT: 1, syscall.SIGTERM: 0} {
		t.Run(signal.String(), func(t *testing.T) {
			useHome(t)
			t.Setenv("ISC_USER", "somebody")
			t.Setenv("ISC_PASSWORD", "a password of theirs")
			s := startSweep(t, ended)
			secrets := append(passwords(t), os.Getenv("ISC_PASSWORD"))
			noSecrets(t, "the command lines", commandLines(), secrets)
			if err := s.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			err := s.cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
				t.Errorf("exit %v, want %d", err, exitInterrupted)
			}
			valid(t, "sweep", s.out.String())
			var result struct {
				Complete bool
				Trials   []struct{ Status string }
			}
			if err := json.Unmarshal([]byte(s.out.String()), &result); err != nil {
				t.Fatal(err)
			}
			if result.Complete || len(result.Trials) < ended {
				t.Errorf("complete %t with %d trials, want what had ended: at least %d", result.Complete, len(result.Trials), ended)
			}
			noSecrets(t, "standard output", s.out.String(), secrets)
			noSecrets(t, "standard error", s.progress.String(), secrets)
			for _, path := range []string{s.events, filepath.Join(os.Getenv("FBTUNE_HOME"), "studies.db")} {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				noSecrets(t, path, string(data), secrets)
			}
			noServers(t, os.Getenv("FBTUNE_HOME"))
			if left, err := os.ReadDir(filepath.Join(os.Getenv("FBTUNE_HOME"), "servers")); err != nil || len(left) != 0 {
				t.Errorf("servers holds %v (%v), want nothing", left, err)
			}
		})
	}
}

// passwords returns those of the private servers that run.
func passwords(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("FBTUNE_HOME"), "servers", "*", "password"))
	if err != nil || len(files) == 0 {
		t.Fatalf("password files %v (%v), want one", files, err)
	}
	var all []string
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o, want 600", file, mode)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, strings.TrimSpace(string(data)))
	}
	return all
}

// commandLines returns what ps shows of the private servers.
func commandLines() string {
	var all strings.Builder
	for _, pids := range firebird.AllMarked() {
		for _, pid := range pids {
			line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if err == nil { // it may have ended
				all.Write(line)
			}
		}
	}
	return all.String()
}

// noSecrets fails the test when a text that others can read holds a secret.
func noSecrets(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	if text == "" {
		t.Errorf("%s: nothing there", where)
	}
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows a password", where)
		}
	}
}
