package private_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// childEnv names the directory for the process of TestSweep that is killed.
const childEnv = "FBTUNE_TEST_CHILD_DIR"

// TestMain runs the child of TestSweep: it starts a Classic server, says so,
// and waits to be killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

func child(dir string) int {
	ctx := context.Background()
	inst, err := firebird.At(ctx, os.Getenv(childEnv+"_ROOT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	s, err := private.New(ctx, private.Options{Installation: inst, Dir: dir, Cap: firebirdtest.Cap})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	scratch, err := s.Scratch(os.Getenv(childEnv + "_SCRATCH"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	path := filepath.Join(scratch, "test.fdb")
	if err := s.CreateDatabase(ctx, path, 8192); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := s.Start(ctx, private.Config{Database: path, Settings: map[string]string{"ServerMode": "Classic"}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println(s.Dir())
	select {}
}

// A run that is killed leaves no process behind, and the next run removes its
// files and its memory cap; a server whose owner lives is not touched.
func TestSweep(t *testing.T) {
	firebirdtest.Each(t, sweepAfterKill)
}

func sweepAfterKill(t *testing.T, inst firebird.Installation) {
	dir, scratch := firebirdtest.Dir(t), firebirdtest.Dir(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir, childEnv+"_SCRATCH="+scratch, childEnv+"_ROOT="+inst.Root)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	server := strings.TrimSpace(line)
	if len(firebird.AllMarked()[server]) == 0 {
		t.Fatal("the child's server does not run")
	}
	if left, err := private.Sweep(t.Context(), dir); err != nil || left != 0 {
		t.Errorf("swept %d servers (%v) while their owner lives", left, err)
	}
	if len(firebird.AllMarked()[server]) == 0 {
		t.Fatal("the server of a living owner was ended")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed
	for range 500 {
		if len(firebird.AllMarked()[server]) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	noneLeft(t, server)
	if left, err := private.Sweep(t.Context(), dir); err != nil || left != 1 {
		t.Errorf("swept %d servers (%v), want 1", left, err)
	}
	for _, d := range []string{dir, scratch} {
		if entries, err := os.ReadDir(d); err != nil || len(entries) != 0 {
			t.Errorf("%s holds %v (%v), want nothing", d, entries, err)
		}
	}
}

// What is not fbtune's is not touched, whatever a record says.
func TestSweepRefusesForeignPaths(t *testing.T) {
	dir, precious := firebirdtest.Dir(t), firebirdtest.Dir(t)
	server := filepath.Join(dir, "fbtune-1")
	if err := os.Mkdir(server, 0o755); err != nil {
		t.Fatal(err)
	}
	record := fmt.Sprintf(`{"owner": 1, "scratch": [%q]}`, precious)
	if err := os.WriteFile(filepath.Join(server, "server.json"), []byte(record), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := private.Sweep(t.Context(), dir); err == nil {
		t.Error("no error for a record that names another's directory")
	}
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("the directory is gone: %v", err)
	}
}
