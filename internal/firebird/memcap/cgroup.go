package memcap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fbtune/fbtune/probe"
)

// cgroup is a control group of ours with a memory limit.
type cgroup struct {
	dir    string
	kind   string
	events string // the file of the group with an oom_kill line
	limit  probe.Bytes
}

// memoryDirs returns the folders of this process's control group in the
// hierarchy that mounts selects, most specific first: its own and its parent.
// text is /proc/self/cgroup, mountinfo is /proc/self/mountinfo.
func memoryDirs(text, mountinfo string, v2 bool) []string {
	own := ""
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		if v2 && fields[0] == "0" && fields[1] == "" || !v2 && hasWord(fields[1], "memory") {
			own = fields[2]
		}
	}
	if own == "" {
		return nil
	}
	for line := range strings.Lines(mountinfo) {
		before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
		mount, kind := strings.Fields(before), strings.Fields(after)
		if !ok || len(mount) < 5 || len(kind) < 3 {
			continue
		}
		root, point := mount[3], mount[4]
		if v2 && kind[0] != "cgroup2" || !v2 && (kind[0] != "cgroup" || !hasWord(kind[2], "memory")) {
			continue
		}
		inside, err := filepath.Rel(root, own)
		if err != nil || strings.HasPrefix(inside, "..") {
			inside = "." // a container sees its own group as the root
		}
		dir := filepath.Join(point, inside)
		if inside == "." {
			return []string{dir}
		}
		return []string{dir, filepath.Dir(dir)}
	}
	return nil
}

// hasWord reports whether a comma-separated list holds word.
func hasWord(list, word string) bool {
	return strings.Contains(","+list+",", ","+word+",")
}

// ownDirs is memoryDirs of this process.
func ownDirs(v2 bool) ([]string, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("read own control group: %w", err)
	}
	mountinfo, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("read mounts: %w", err)
	}
	dirs := memoryDirs(string(text), string(mountinfo), v2)
	if len(dirs) == 0 {
		return nil, errors.New("no memory controller is mounted there")
	}
	return dirs, nil
}

// newCgroup2 makes a group beside or below this process's own in the unified
// hierarchy, where the memory controller must be handed down.
func newCgroup2(name string, limit probe.Bytes) (Cap, error) {
	dirs, err := ownDirs(true)
	if err != nil {
		return nil, err
	}
	for _, parent := range dirs {
		// Refused when it is enabled already or cannot be; the limit's own file
		// tells which.
		_ = os.WriteFile(filepath.Join(parent, "cgroup.subtree_control"), []byte("+memory"), 0)
		c := &cgroup{dir: filepath.Join(parent, name), kind: "cgroup v2", events: "memory.events", limit: limit}
		if err = c.create(map[string]string{"memory.max": "", "memory.swap.max": "0"}); err == nil {
			return c, nil
		}
	}
	return nil, err
}

// newCgroup1 makes a group below this process's own in the memory hierarchy.
func newCgroup1(name string, limit probe.Bytes) (Cap, error) {
	dirs, err := ownDirs(false)
	if err != nil {
		return nil, err
	}
	c := &cgroup{dir: filepath.Join(dirs[0], name), kind: "cgroup v1", events: "memory.oom_control", limit: limit}
	if err := c.create(map[string]string{"memory.limit_in_bytes": "", "memory.swappiness": "0"}); err != nil {
		return nil, err
	}
	return c, nil
}

// create makes the folder and writes the limit into the files: the empty value
// stands for the limit and is required, others are wishes (without swap there
// is no such file).
func (c *cgroup) create(files map[string]string) error {
	if err := os.Mkdir(c.dir, 0o755); err != nil {
		return fmt.Errorf("make a control group: %w", err)
	}
	for file, value := range files {
		required := value == ""
		if required {
			value = strconv.FormatInt(int64(c.limit), 10)
		}
		err := os.WriteFile(filepath.Join(c.dir, file), []byte(value), 0)
		if err != nil && required {
			_ = os.Remove(c.dir) // it was never used
			return fmt.Errorf("limit a control group: %w", err)
		}
	}
	return nil
}

func (c *cgroup) Kind() string                     { return c.kind }
func (c *cgroup) Limit() probe.Bytes               { return c.limit }
func (c *cgroup) Watch(ctx context.Context, _ int) { <-ctx.Done() }
func (c *cgroup) HoldsFiles() bool                 { return true }

// Wrap joins the group before it becomes argv, so that no process of argv is
// ever outside. Writing 0 means the writer itself.
func (c *cgroup) Wrap(argv []string) []string {
	return append([]string{
		"sh", "-c", `echo 0 >"$0" && exec "$@"`, filepath.Join(c.dir, "cgroup.procs"),
	}, argv...)
}

// Kills reads the kernel's count.
func (c *cgroup) Kills() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, c.events))
	if err != nil {
		return 0, fmt.Errorf("read kills of the memory cap: %w", err)
	}
	return oomKills(string(text))
}

// oomKills reads the oom_kill line of memory.events or memory.oom_control.
func oomKills(text string) (int, error) {
	for line := range strings.Lines(text) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name == "oom_kill" {
			return strconv.Atoi(value)
		}
	}
	return 0, errors.New("read kills of the memory cap: this kernel does not count them")
}

// Close removes the group. The kernel lets go of it a moment after its last
// process was reaped.
func (c *cgroup) Close() error { return Remove(c.dir) }

// Dir is the folder of the group, by which a later run can remove what a
// killed one left.
func (c *cgroup) Dir() string { return c.dir }

// Remove removes a control group by its folder; one that is gone is no error.
func Remove(dir string) error {
	var err error
	for wait := time.Millisecond; wait < 2*time.Second; wait *= 2 {
		err = os.Remove(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("remove control group: %w", err)
}
