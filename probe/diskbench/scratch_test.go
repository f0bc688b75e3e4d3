package diskbench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// childDir, in the environment of a test process, makes it a measurement that
// waits to be killed.
const childDir = "FBTUNE_DISKBENCH_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if _, err := Open(context.Background(), Config{Dir: dir, Size: MinSize, Duration: time.Second}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("ready")
		select {}
	}
	os.Exit(m.Run())
}

func TestNextRunRemovesWhatAKilledOneLeft(t *testing.T) {
	dir := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childDir+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the child says %q (%v)", line, err)
	}
	if freed, err := Sweep(dir); freed != 0 || err != nil {
		t.Errorf("%d bytes of a living run were removed (%v)", freed, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Fatalf("the kill left %v (%v), want a directory", left, err)
	}
	c := small(t)
	c.Dir = dir
	open(t, c) // which fails the test if anything is left in the end
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the next run has %v (%v), want its own directory only", left, err)
	}
}

// Sweep removes nothing that it cannot know to be fbtune's.
func TestSweepLeavesWhatIsNotOurs(t *testing.T) {
	dir := t.TempDir()
	keep := []string{
		dirPrefix + "a/precious.fdb",    // a directory of somebody else
		dirPrefix + "b/" + claimName,    // a claim that is not ours
		dirPrefix + "b/" + dataName,     // beside it
		"somewhere/" + claimName,        // ours, but another name
		dirPrefix + "dead/precious.fdb", // put by somebody into what a killed run left
		dirPrefix + "file",              // no directory
		dirPrefix,                       // not even a whole name
	}
	contents := map[string]string{keep[3]: mark, dirPrefix + "dead/" + claimName: mark, dirPrefix + "dead/" + dataName: "0123456789"}
	for _, name := range keep {
		if _, ok := contents[name]; !ok {
			contents[name] = "precious"
		}
	}
	for name, content := range contents {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, cut := range []string{"", mark[:7]} { // killed before, or while, it wrote its mark
		d, err := os.MkdirTemp(dir, dirPrefix+"cut-*")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, claimName), []byte(cut), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, dirPrefix+"unclaimed"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Sweep(dir); err == nil {
		t.Error("a directory that cannot be removed for a stranger's file is no error")
	}
	for _, name := range keep {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Errorf("not ours and gone: %v", err)
		}
	}
	if gone, err := filepath.Glob(filepath.Join(dir, dirPrefix+"cut-*")); err != nil || len(gone) > 0 {
		t.Errorf("%v is left (%v)", gone, err)
	}
	for _, name := range []string{"unclaimed", "dead/" + dataName, "dead/" + claimName} {
		if _, err := os.Stat(filepath.Join(dir, dirPrefix+name)); !os.IsNotExist(err) {
			t.Errorf("%s is left (%v)", name, err)
		}
	}
}
