package memcap

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/probe"
)

func TestMemoryDirs(t *testing.T) {
	const hybrid = "30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n" +
		"31 30 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
		"34 30 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"38 30 0:34 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	const unified = "30 24 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	for _, test := range []struct {
		name, own, mounts string
		v2                bool
		want              []string
	}{
		{"v1", "4:memory:/user/7\n0::/\n", hybrid, false, []string{"/sys/fs/cgroup/memory/user/7", "/sys/fs/cgroup/memory/user"}},
		{"v2 beside v1", "4:memory:/user/7\n0::/\n", hybrid, true, []string{"/sys/fs/cgroup/unified"}},
		{"v2", "0::/system.slice/x.service\n", unified, true, []string{"/sys/fs/cgroup/system.slice/x.service", "/sys/fs/cgroup/system.slice"}},
		{"v2 asked for v1", "0::/a\n", unified, false, nil},
		{"container that sees its group as the root", "4:memory:/docker/abc\n", "34 30 0:30 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n", false, []string{"/sys/fs/cgroup/memory"}},
		{"joined controllers", "4:cpu,memory:/a\n", "34 30 0:30 / /cg rw - cgroup cgroup rw,cpu,memory\n", false, []string{"/cg/a", "/cg"}},
		{"nothing", "", "", true, nil},
		{"torn lines", "4:memory\n::\n", "34 30\n - \n", false, nil},
	} {
		if got := memoryDirs(test.own, test.mounts, test.v2); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestOOMKills(t *testing.T) {
	for text, want := range map[string]int{
		"low 0\nhigh 0\nmax 19\noom 3\noom_kill 2\noom_group_kill 0\n": 2,
		"oom_kill_disable 0\nunder_oom 0\noom_kill 5\n":                5,
	} {
		if got, err := oomKills(text); err != nil || got != want {
			t.Errorf("%q: %d (%v), want %d", text, got, err, want)
		}
	}
	if _, err := oomKills("oom_kill_disable 0\n"); err == nil {
		t.Error("no error where the kernel does not count")
	}
}

// eater is a command that takes memory, a megabyte at a time, until it is
// stopped: it starts with nothing and would end with 2 GiB.
var eater = []string{"sh", "-c", "x=; i=0; while [ $i -lt 2048 ]; do x=$x$(head -c 1048576 /dev/zero | tr '\\0' a); i=$((i+1)); done"}

// Every kind this machine offers must end a process that takes too much, and
// count it.
func TestCapsKill(t *testing.T) {
	const limit = 48 * probe.MiB
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			c, err := kind.make("fbtune-test-"+strings.ReplaceAll(kind.name, " ", "-"), limit)
			if err != nil {
				if kind.name == "watchdog" {
					t.Fatalf("the last resort is not to be had: %v", err)
				}
				t.Logf("not to be had here, so nothing to test: %v", err)
				return
			}
			argv := c.Wrap(eater)
			cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			go c.Watch(t.Context(), cmd.Process.Pid)
			select {
			case err := <-ended:
				if err == nil {
					t.Error("the process took 2 GiB and ended by itself")
				}
			case <-time.After(30 * time.Second):
				Kill(Tree(cmd.Process.Pid))
				t.Error("the process still runs")
			}
			if kills, err := c.Kills(); err != nil || kills < 1 {
				t.Errorf("%d kills counted (%v), want 1 or more", kills, err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNewTellsWhatWasNotToBeHad(t *testing.T) {
	c, notes, err := New("fbtune-test-new", 64*probe.MiB)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Kind() == "watchdog" && len(notes) != len(kinds)-1 {
		t.Errorf("notes %q do not name every stronger kind", notes)
	}
	if c.Limit() != 64*probe.MiB {
		t.Errorf("limit %s", c.Limit())
	}
	if _, _, err := New("fbtune-test-zero", 0); err == nil {
		t.Error("a cap of nothing is taken")
	}
}

func TestTreeAndPSS(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "sleep 30 & sleep 30 & wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	var tree []int
	for range 500 {
		if tree = Tree(cmd.Process.Pid); len(tree) == 3 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(tree) != 3 || tree[0] != cmd.Process.Pid {
		t.Errorf("tree %v, want the shell and two children", tree)
	}
	if used := PSS(tree); used < 100*probe.KiB || used > probe.GiB {
		t.Errorf("the tree uses %s, which cannot be", used)
	}
	Kill(tree)
	if used := PSS([]int{os.Getpid(), 1 << 30}); used == 0 {
		t.Error("a process that does not exist hides one that does")
	}
}
