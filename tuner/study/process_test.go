package study

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// childEnv tells the test binary to act as another fbtune on a store.
const childEnv = "FBTUNE_STUDY_TEST_CHILD"

// children are the parts a child process can play.
var children = map[string]func(ctx context.Context, path string) error{
	"hang":  childHang,
	"write": childWrite,
	"miss":  childMiss,
}

func TestMain(m *testing.M) {
	part, ok := children[os.Getenv(childEnv)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := part(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child prepares a process that plays a part on the store at path.
func child(t *testing.T, part, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, path)
	cmd.Env = append(os.Environ(), childEnv+"="+part)
	return cmd
}

// childHang creates a study, begins a trial, says so and never ends.
func childHang(ctx context.Context, path string) error {
	store, err := Open(ctx, path)
	if err != nil {
		return err
	}
	s, err := store.Create(ctx, Meta{Name: "shared", Kind: Sweep, Space: SpaceOf(cells...)})
	if err != nil {
		return err
	}
	if _, err := s.Begin(ctx, cells[1], nil); err != nil {
		return err
	}
	fmt.Println("running")
	select {}
}

// childTrials is the number of trials a writing child makes.
const childTrials = 12

// childWrite makes trials as fast as it can.
func childWrite(ctx context.Context, path string) error {
	store, err := Open(ctx, path)
	if err != nil {
		return err
	}
	s, err := store.Load(ctx, "shared")
	if err != nil {
		return err
	}
	for i := range childTrials {
		id, err := s.Begin(ctx, cells[i%len(cells)], map[string]any{"block": i})
		if err != nil {
			return err
		}
		if err := s.Heartbeat(ctx, id); err != nil {
			return err
		}
		if err := s.Finish(ctx, id, Record{Status: OK, Score: float64(i + 1)}); err != nil {
			return err
		}
	}
	return store.Close()
}

// childMiss looks for a study that is not there.
func childMiss(ctx context.Context, path string) error {
	store, err := Open(ctx, path)
	if err != nil {
		return err
	}
	if _, err := store.Load(ctx, "missing"); !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("load: %v", err)
	}
	return store.Close()
}

func TestKilledRunIsTakenOver(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "s.db")
	cmd := child(t, "hang", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "running\n" {
		t.Fatalf("child said %q, %v", line, err)
	}

	s, err := openStore(t, path).Load(ctx, "shared")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.TakeOverStale(ctx, time.Hour); n != 0 || err != nil {
		t.Errorf("took over %d trials of a living process, %v", n, err)
	}
	if err := s.Adopt(ctx); err == nil || !strings.Contains(err.Error(), "end that one first") {
		t.Errorf("adopted the study of a living process: %v", err)
	}

	if err := cmd.Process.Kill(); err != nil { // SIGKILL
		t.Fatal(err)
	}
	// Before anyone waits for it, the child is a zombie, which does not run.
	waitUntilDead(t, cmd.Process.Pid)
	if n, err := s.TakeOverStale(ctx, time.Hour); n != 1 || err != nil {
		t.Errorf("took over %d trials, %v, want 1", n, err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("the child was not killed")
	}
	if err := s.Adopt(ctx); err != nil {
		t.Error(err)
	}

	run(t, s, cells[1], Record{Status: OK, Score: 10})
	trials := trialsOf(t, s)
	if len(trials) != 2 {
		t.Fatalf("%d trials, want 2", len(trials))
	}
	if got := trials[0]; got.Status != Interrupted || !strings.Contains(got.Reason, "has ended") || got.Ended.IsZero() {
		t.Errorf("killed trial = %+v", got)
	}
	if got := trials[1]; got.Status != OK || got.Number != 1 {
		t.Errorf("repeated trial = %+v", got)
	}
}

// waitUntilDead polls until the process does not run any more.
func waitUntilDead(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		alive, _, err := inspect(pid)
		if err != nil {
			t.Fatal(err)
		}
		if !alive {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("process %d survived SIGKILL", pid)
}

func TestSeveralProcessesWriteAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	store := openStore(t, path)
	s := newStudy(t, store, "shared")

	const writers = 3
	errs := make(chan error, writers)
	for range writers {
		cmd := child(t, "write", path)
		go func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("child: %w: %s", err, out)
			}
			errs <- err
		}()
	}
	for range childTrials {
		run(t, s, cells[0], Record{Status: OK, Score: 5})
	}
	for range writers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}

	var numbers []int
	owners := map[int]int{}
	for _, trial := range trialsOf(t, s) {
		numbers = append(numbers, trial.Number)
		owners[trial.Owner.PID]++
		if trial.Status != OK {
			t.Errorf("trial %d is %s", trial.Number, trial.Status)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i {
			t.Fatalf("trial numbers %v are not 0, 1, 2, ...", numbers)
		}
	}
	if len(numbers) != (writers+1)*childTrials || len(owners) != writers+1 {
		t.Errorf("%d trials of %d processes", len(numbers), len(owners))
	}
}

func TestSeveralProcessesCreateTheFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.db")
	errs := make(chan error)
	const openers = 4
	for range openers {
		cmd := child(t, "miss", path)
		go func() {
			out, err := cmd.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("child: %w: %s", err, out)
			} else if len(out) > 0 {
				err = fmt.Errorf("a library printed %q", out)
			}
			errs <- err
		}()
	}
	for range openers {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestSilentTrialIsTakenOver(t *testing.T) {
	ctx := t.Context()
	store := openStore(t, filepath.Join(t.TempDir(), "s.db"))
	s := newStudy(t, store, "s")
	elsewhere := *s
	elsewhere.self.Host = "elsewhere"
	reused := *s
	reused.self.Started = reused.self.Started.Add(-time.Hour)

	var ids []TrialID
	for _, owner := range []*Study{s, &elsewhere, &reused} {
		id, err := owner.Begin(ctx, cells[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	// The process number of the third belongs to a process started later.
	if n, err := s.TakeOverStale(ctx, time.Hour); n != 1 || err != nil {
		t.Errorf("took over %d, %v, want the trial of the reused number", n, err)
	}
	if err := reused.Heartbeat(ctx, ids[2]); !errors.Is(err, ErrTrialOver) {
		t.Errorf("heartbeat after the take-over: %v, want ErrTrialOver", err)
	}
	// A heartbeat moves the time of silence.
	before := trialsOf(t, s)[1].Heartbeat
	if err := elsewhere.Heartbeat(ctx, ids[1]); err != nil {
		t.Fatal(err)
	}
	if after := trialsOf(t, s)[1].Heartbeat; !after.After(before) {
		t.Errorf("heartbeat stayed at %v", after)
	}
	// Without a limit on silence both of the others have been silent too long.
	if n, err := s.TakeOverStale(ctx, 0); n != 2 || err != nil {
		t.Errorf("took over %d, %v, want 2", n, err)
	}
	if got := trialsOf(t, s)[1]; got.Status != Interrupted || !strings.Contains(got.Reason, "was not heard of") {
		t.Errorf("silent trial = %+v", got)
	}
}
