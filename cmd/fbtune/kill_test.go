package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
)

// started is a sweep in a process of its own, and the file of its events.
type started struct {
	cmd    *exec.Cmd
	events string
	out    strings.Builder
}

// startSweep starts a tiny sweep of 8 trials and returns once two have ended
// and the third is under load.
func startSweep(t *testing.T) *started {
	t.Helper()
	program, err := exec.LookPath("fbtune") // put into PATH by testscript.Main
	if err != nil {
		t.Fatal(err)
	}
	s := &started{events: filepath.Join(t.TempDir(), "events.jsonl")}
	s.cmd = exec.CommandContext(t.Context(), program, append([]string{"sweep", "--json", "--events", s.events, "--param", "DefaultDbCachePages", "--values", "256,512",
		"--modes", "Classic", "--blocks", "2"}, tiny...)...)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, os.Stderr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 3000 {
		kinds := eventKinds(t, s.events)
		if kinds["result"] >= 2 && kinds["trial"] > kinds["result"] && len(firebird.AllMarked()) > 0 {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the sweep does not come to its third trial")
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
	s := startSweep(t)
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
	if kinds["replayed"] < finished || kinds["replayed"]+kinds["result"] != 8 || kinds["trial"] != kinds["result"] {
		t.Errorf("%d trials had ended; the resumed run replayed %d and ran %d, want 8 in all and none twice", finished, kinds["replayed"], kinds["result"])
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
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			useHome(t)
			s := startSweep(t)
			if err := s.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			err := s.cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
				t.Errorf("exit %v, want %d", err, exitInterrupted)
			}
			valid(t, "sweep", s.out.String())
			noServers(t, os.Getenv("FBTUNE_HOME"))
			if left, err := os.ReadDir(filepath.Join(os.Getenv("FBTUNE_HOME"), "servers")); err != nil || len(left) != 0 {
				t.Errorf("servers holds %v (%v), want nothing", left, err)
			}
		})
	}
}
