package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
)

// screen is a terminal of tmux in which a command runs.
type screen struct {
	t      *testing.T
	socket string
}

// openScreen runs a shell command in a terminal of 80x24.
func openScreen(t *testing.T, command string) screen {
	t.Helper()
	s := screen{t, filepath.Join(t.TempDir(), "tmux")}
	s.tmux("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", command)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() }) // it ends by itself when all went well
	return s
}

func (s screen) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.CommandContext(s.t.Context(), "tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v: %s (apt-get install tmux)", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// keys presses keys by tmux's names.
func (s screen) keys(names ...string) {
	s.t.Helper()
	s.tmux(append([]string{"send-keys"}, names...)...)
}

// wait returns the screen once it shows a text.
func (s screen) wait(text string) string {
	s.t.Helper()
	var shown string
	for range 2400 {
		if shown = s.tmux("capture-pane", "-p"); strings.Contains(shown, text) {
			return shown
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("no %q comes to the screen:\n%s", text, shown)
	return ""
}

// A sweep of two cells on a real server, by keys alone, and its table read from
// the screen. In the end the terminal is as it was, and the result on standard
// output.
func TestSweepInATerminal(t *testing.T) {
	useHome(t)
	out := filepath.Join(t.TempDir(), "out.txt")
	s := openScreen(t, "stty -a >"+out+".before; fbtune tui >"+out+"; echo ended $?; stty -a >"+out+".after; sleep 60")
	s.wait("What next")
	s.keys("s")
	s.wait("trials, at most")
	s.keys("Down", "Down", "1s", "Down", "BSpace", "1", "Down", "BSpace", "BSpace", "1s") // warm-up, blocks, window
	s.keys("Down", "Down", "Down", "Down", "Enter", "Left", "Left", "Left", "Left", "Left", "Left", "Left", "Enter")
	s.wait("--warmup 1s --blocks 1 --duration 1s --modes Super")
	s.wait("4 trials, at most")
	s.keys("Down", "Enter")
	s.wait("Live")
	s.wait("done")
	s.keys("Enter")
	table := s.wait("control (stock, Super):")
	for _, row := range []string{`(?m)^ +64 +\d+`, `(?m)^ +128 +\d+`, `control \(stock, Super\): \d+`} {
		if !regexp.MustCompile(row).MatchString(table) {
			t.Errorf("no row %s on the screen\n%s", row, table)
		}
	}
	s.keys("q")
	s.wait("What next")
	s.keys("q")
	s.wait("ended 0")
	printed, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(printed), "control (stock, Super):") {
		t.Errorf("the result is not on standard output:\n%s", printed)
	}
	before, err := os.ReadFile(out + ".before")
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(out + ".after")
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Errorf("the terminal is not as it was:\n%s\n%s", before, after)
	}
}

// Ctrl-C in the middle of a trial ends the server and gives the terminal back.
func TestCtrlCInATerminal(t *testing.T) {
	useHome(t)
	s := openScreen(t, "fbtune tui; echo ended $?; sleep 60")
	s.wait("What next")
	s.keys("s")
	s.wait("trials, at most")
	s.keys("Up", "Enter")
	s.wait("warmup")
	s.keys("C-c")
	s.wait("ended 0")
	for dir, processes := range firebird.AllMarked() {
		if strings.HasPrefix(dir, os.Getenv("FBTUNE_HOME")) {
			t.Errorf("processes of the server in %s are left: %v", dir, processes)
		}
	}
}
