package probe

import (
	"path"
	"strconv"
	"strings"
)

// readLimits reads the limits of the operating system. The number of open
// files is that of our parent, the shell or service that started us: Go raises
// its own process's soft limit at start.
func readLimits(t tree) Limits {
	l := Limits{MaxMapCount: t.integer("proc/sys/vm/max_map_count")}
	file := "proc/self/limits"
	if status, err := t.text("proc/self/status"); err == nil {
		parent := path.Join("proc", table(status)["PPid"], "limits")
		if t.exists(parent) {
			file = parent
		}
	}
	l.OpenFilesSoft, l.OpenFilesHard = openFiles(t, file)
	return l
}

// openFiles reads the line "Max open files SOFT HARD files" of a process's
// limits.
func openFiles(t tree, file string) (soft, hard Fact[int64]) {
	const key = "Max open files"
	text, err := t.text(file)
	if err != nil {
		return missing[int64]("%v", err), missing[int64]("%v", err)
	}
	for line := range strings.Lines(text) {
		if values, ok := strings.CutPrefix(line, key); ok {
			if fields := strings.Fields(values); len(fields) >= 2 {
				return limit(fields[0], rooted(file)), limit(fields[1], rooted(file))
			}
		}
	}
	absent := missing[int64]("%s has no %s", rooted(file), key)
	return absent, absent
}

// limit reads a limit; unlimited is -1.
func limit(text, source string) Fact[int64] {
	if text == "unlimited" {
		return known(int64(-1), source)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return missing[int64]("%s: %.30q is not a number", source, text)
	}
	return known(n, source)
}

// readKernelSettings reads the settings of the kernel.
func readKernelSettings(t tree) KernelKnobs {
	k := KernelKnobs{
		TransparentHugePages: t.word("sys/kernel/mm/transparent_hugepage/enabled"),
		Swappiness:           t.integer("proc/sys/vm/swappiness"),
		Overcommit:           t.integer("proc/sys/vm/overcommit_memory"),
		Governor:             t.word("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
	}
	// The choice in force stands in brackets: always [madvise] never.
	if _, rest, ok := strings.Cut(k.TransparentHugePages.Value, "["); ok {
		k.TransparentHugePages.Value, _, _ = strings.Cut(rest, "]")
	}
	return k
}
