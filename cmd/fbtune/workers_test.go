package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/tuner/study/postgrestest"
)

// startWorker starts a process that works on a shared sweep, with a work
// directory of its own.
func startWorker(t *testing.T, name, url string, more ...string) (s *started, home string) {
	t.Helper()
	program, err := exec.LookPath("fbtune") // put into PATH by testscript.Main
	if err != nil {
		t.Fatal(err)
	}
	home = firebirdtest.Dir(t)
	s = &started{events: filepath.Join(t.TempDir(), "events.jsonl")}
	args := append([]string{"sweep", "--json", "--events", s.events, "--storage", url, "--worker", name}, more...)
	s.cmd = exec.CommandContext(t.Context(), program, args...)
	s.cmd.Env = append(os.Environ(), "FBTUNE_HOME="+home)
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.progress
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s, home
}

// until waits for a worker's events to fulfil a condition.
func (s *started) until(t *testing.T, what string, fulfilled func(kinds map[string]int) bool) {
	t.Helper()
	for range 6000 {
		if fulfilled(eventKinds(t, s.events)) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("the worker does not come to %s:\n%s", what, s.progress.String())
}

// Two workers share a sweep in PostgreSQL; one is killed within a block, and the
// other one brings all of it to its end.
func TestWorkersShareASweep(t *testing.T) {
	url := postgrestest.Start(t)
	const blocks = 4
	killed, home := startWorker(t, "killed", url, append([]string{"--study", "shared", "--param", "DefaultDbCachePages", "--values", "256", "--modes", "Classic", "--blocks", "4"}, tiny...)...)
	killed.until(t, "its first result", func(kinds map[string]int) bool { return kinds["result"] >= 1 })
	left, _ := startWorker(t, "left", url, "--resume", "shared")
	left.until(t, "a result of its own", func(kinds map[string]int) bool { return kinds["result"] >= 1 })
	killed.until(t, "the middle of a block", func(kinds map[string]int) bool { return kinds["result"]%3 != 0 && kinds["trial"] > kinds["result"] })
	if err := killed.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.cmd.Wait() // killed
	if err := left.cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, left.progress.String())
	}
	noServers(t, home)

	valid(t, "sweep", left.out.String())
	var result struct {
		Complete bool
		Trials   []struct {
			Cell, Worker string
			Block, Order int
		}
	}
	if err := json.Unmarshal([]byte(left.out.String()), &result); err != nil {
		t.Fatal(err)
	}
	of, workers := map[int]string{}, map[string]int{}
	for _, trial := range result.Trials {
		if before, known := of[trial.Block]; known && before != trial.Worker {
			t.Errorf("block %d is of %q and %q", trial.Block, before, trial.Worker)
		}
		of[trial.Block] = trial.Worker
		workers[trial.Worker]++
	}
	if !result.Complete || len(result.Trials) != 3*blocks || workers["left"] == 0 {
		t.Errorf("complete %t, %d trials of %d, by worker %v", result.Complete, len(result.Trials), 3*blocks, workers)
	}
	if strings.Contains(left.out.String()+left.progress.String(), postgrestest.Password) {
		t.Error("the password of the database is in the output")
	}
	if list := capture(t, "studies", "--storage", url); !strings.Contains(list, "shared") {
		t.Errorf("studies lists\n%s", list)
	}
	if _, err := captured(t.Context(), t, "studies", "--storage", strings.Replace(url, "fbtune@", "fbtune:x@", 1)); exitCode(err, &strings.Builder{}) != exitUsage {
		t.Errorf("a password in the address: %v, want a usage error", err)
	}
	if _, err := captured(t.Context(), t, "sweep", "--resume", "--worker", "a"); exitCode(err, &strings.Builder{}) != exitUsage || !strings.Contains(err.Error(), "--storage") {
		t.Errorf("--worker without a shared study: %v, want a usage error", err)
	}
}
