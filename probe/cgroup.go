package probe

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// noLimit is the size from which a memory limit is none: the kernel of cgroup
// v1 writes 9223372036854771712 (PAGE_COUNTER_MAX) for "no limit".
const noLimit = PiB

// groups are the cgroups this process is in: for each controller the
// directories of its group and of the group's ancestors, innermost first.
// Version 2 has one hierarchy for all controllers.
type groups struct {
	t       tree
	v1      map[string][]groupDir
	v2      []groupDir
	problem string // why no cgroup was found
}

// groupDir is a cgroup: its path inside the hierarchy and its directory.
type groupDir struct{ group, dir string }

// readGroups finds the cgroups of this process from /proc/self/cgroup and the
// places where the hierarchies are mounted.
func readGroups(t tree, m mounts) groups {
	found := groups{t: t, v1: map[string][]groupDir{}}
	text, err := t.text("proc/self/cgroup")
	if err != nil {
		found.problem = err.Error()
		return found
	}
	for line := range strings.Lines(text) {
		// ID:CONTROLLERS:PATH; the v2 hierarchy has ID 0 and no controllers.
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		if fields[1] == "" {
			found.v2 = ancestry(m, fields[2], func(m mount) bool { return m.Type == "cgroup2" })
			continue
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			found.v1[controller] = ancestry(m, fields[2], func(m mount) bool {
				return m.Type == "cgroup" && slices.Contains(m.Options, controller)
			})
		}
	}
	if len(found.v1) == 0 && found.v2 == nil {
		found.problem = "/proc/self/cgroup names no mounted hierarchy"
	}
	return found
}

// ancestry returns the directories of a group and its ancestors as far as they
// are mounted, innermost first. Inside a container the hierarchy's root is
// often the container's own group, and the group's path may be told from the
// host's root or from the namespace's.
func ancestry(m mounts, group string, hierarchy func(mount) bool) []groupDir {
	i := slices.IndexFunc(m.all, hierarchy)
	if i < 0 {
		return nil
	}
	root, point := m.all[i].Root, m.all[i].Point
	below := group
	switch {
	case strings.HasPrefix(group, "/.."): // outside the namespace: only the mounted part can be read
		below = "/"
	case root != "/" && within(group, root):
		below = path.Join("/", strings.TrimPrefix(group, root))
	case root != "/":
		below = "/"
	}
	var dirs []groupDir
	for ; ; below = path.Dir(below) {
		dirs = append(dirs, groupDir{path.Join(root, below), path.Join(point, below)})
		if below == "/" {
			return dirs
		}
	}
}

// memoryLimits returns the memory limits set on the groups, innermost first,
// and at last what the kernel of v1 says is in force.
func (g groups) memoryLimits() []GroupLimit {
	var limits []GroupLimit
	add := func(d groupDir, file, text string) {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || Bytes(n) >= noLimit {
			return // "max", or the number that stands for it
		}
		limits = append(limits, GroupLimit{Group: d.group, Limit: Bytes(n), File: file})
	}
	for _, d := range g.v2 {
		// Above memory.high the kernel throttles, so it bounds as memory.max does.
		for _, name := range [...]string{"memory.max", "memory.high"} {
			file := path.Join(d.dir, name)
			if text, err := g.t.text(file); err == nil {
				add(d, file, text)
			}
		}
	}
	v1 := g.v1["memory"]
	for _, d := range v1 {
		file := path.Join(d.dir, "memory.limit_in_bytes")
		if text, err := g.t.text(file); err == nil {
			add(d, file, text)
		}
	}
	if len(v1) == 0 {
		return limits
	}
	// Last, the kernel's own minimum over all ancestors, also over those that
	// are not mounted here.
	file := path.Join(v1[0].dir, "memory.stat")
	if text, err := g.t.text(file); err == nil {
		for line := range strings.Lines(text) {
			if value, ok := strings.CutPrefix(line, "hierarchical_memory_limit "); ok {
				add(v1[0], file, strings.TrimSpace(value))
			}
		}
	}
	return limits
}

// cpuQuota returns the smallest CPU bandwidth set on the groups, in CPUs.
func (g groups) cpuQuota() Fact[float64] {
	if g.problem != "" {
		return missing[float64]("%s", g.problem)
	}
	least := missing[float64]("no cgroup sets one")
	add := func(file, quota, period string) {
		q, errQ := strconv.ParseFloat(quota, 64)
		p, errP := strconv.ParseFloat(period, 64)
		if errQ != nil || errP != nil || q <= 0 || p <= 0 {
			return // "max", or -1 in v1
		}
		if cpus := q / p; !least.Known() || cpus < least.Value {
			least = known(cpus, fmt.Sprintf("%s: %s of %s us", file, quota, period))
		}
	}
	for _, d := range g.v2 {
		file := path.Join(d.dir, "cpu.max")
		if text, err := g.t.text(file); err == nil {
			if quota, period, ok := strings.Cut(text, " "); ok {
				add(file, quota, period)
			}
		}
	}
	for _, d := range g.v1["cpu"] {
		file := path.Join(d.dir, "cpu.cfs_quota_us")
		quota, errQ := g.t.text(file)
		period, errP := g.t.text(path.Join(d.dir, "cpu.cfs_period_us"))
		if errQ == nil && errP == nil {
			add(file, quota, period)
		}
	}
	return least
}
