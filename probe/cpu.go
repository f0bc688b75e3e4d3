package probe

import (
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"
)

// readCPU reads the processors and what of them may be used.
func readCPU(t tree, g groups) CPU {
	info, infoErr := t.text("proc/cpuinfo")
	c := CPU{
		Model:       cpuModel(info, infoErr),
		LogicalCPUs: logicalCPUs(t, info, infoErr),
		Affinity:    cpuList(t, "proc/self/status", "Cpus_allowed_list"),
		Quota:       g.cpuQuota(),
		Steal:       steal(t),
	}
	c.Sockets, c.PhysicalCores = topology(t, info)
	c.settle()
	return c
}

// settle derives the usable CPUs from the others.
func (c *CPU) settle() {
	c.Usable = missing[int]("neither the logical CPUs nor the affinity is known")
	for _, limit := range [...]Fact[int]{c.LogicalCPUs, c.Affinity, roundedUp(c.Quota)} {
		if limit.Known() && limit.Value > 0 && (!c.Usable.Known() || limit.Value < c.Usable.Value) {
			c.Usable = limit
		}
	}
}

// roundedUp returns a quota as a number of CPUs, at least one: the work of one
// and a half CPUs is still spread over two.
func roundedUp(quota Fact[float64]) Fact[int] {
	if !quota.Known() || quota.Value > math.MaxInt32 {
		return Fact[int]{Missing: quota.Missing}
	}
	return known(max(1, int(math.Ceil(quota.Value))), quota.Source)
}

// armCores names the cores of ARM processors, whose /proc/cpuinfo has numbers
// instead of a model name (arch/arm64/include/asm/cputype.h).
var armCores = map[string]string{
	"0x41/0xd03": "ARM Cortex-A53",
	"0x41/0xd07": "ARM Cortex-A57",
	"0x41/0xd08": "ARM Cortex-A72",
	"0x41/0xd0b": "ARM Cortex-A76",
	"0x41/0xd0c": "ARM Neoverse-N1",
	"0x41/0xd40": "ARM Neoverse-V1",
	"0x41/0xd49": "ARM Neoverse-N2",
	"0x41/0xd4f": "ARM Neoverse-V2",
	"0xc0/0xac3": "Ampere-1",
	"0xc0/0xac4": "Ampere-1a",
}

// cpuModel returns the model of the first processor.
func cpuModel(info string, infoErr error) Fact[string] {
	const source = "/proc/cpuinfo"
	if infoErr != nil {
		return missing[string]("%v", infoErr)
	}
	values := table(info)
	for _, key := range [...]string{"model name", "Model", "Hardware", "cpu model", "cpu"} {
		if name := values[key]; name != "" {
			return known(name, source+" "+key)
		}
	}
	implementer, part := values["CPU implementer"], values["CPU part"]
	if implementer == "" || part == "" {
		return missing[string]("%s has no model name", source)
	}
	if name, ok := armCores[implementer+"/"+part]; ok {
		return known(name, source+" CPU implementer, CPU part")
	}
	return known(fmt.Sprintf("ARM implementer %s, part %s", implementer, part), source)
}

// logicalCPUs counts the processors that are online.
func logicalCPUs(t tree, info string, infoErr error) Fact[int] {
	const online = "sys/devices/system/cpu/online"
	if text, err := t.text(online); err == nil {
		if n, err := countList(text); err == nil {
			return known(n, rooted(online))
		}
	}
	if infoErr != nil {
		return missing[int]("%v", infoErr)
	}
	n := 0
	for line := range strings.Lines(info) {
		if strings.HasPrefix(line, "processor") {
			n++
		}
	}
	if n == 0 {
		return missing[int]("/proc/cpuinfo lists no processor")
	}
	return known(n, "/proc/cpuinfo processor")
}

// topology counts the sockets and the physical cores, from /sys where it is
// mounted, else from /proc/cpuinfo, which has them on x86 only.
func topology(t tree, info string) (sockets, cores Fact[int]) {
	const dir = "sys/devices/system/cpu"
	packages, siblings := map[string]bool{}, map[string]bool{}
	for _, name := range t.names(dir) {
		if number, ok := strings.CutPrefix(name, "cpu"); !ok || strings.Trim(number, "0123456789") != "" || number == "" {
			continue
		}
		if text, err := t.text(path.Join(dir, name, "topology/physical_package_id")); err == nil {
			packages[text] = true
		}
		if text, err := t.text(path.Join(dir, name, "topology/thread_siblings_list")); err == nil {
			siblings[text] = true
		}
	}
	const source = "/" + dir + "/cpu*/topology/"
	if len(packages) > 0 && len(siblings) > 0 {
		return known(len(packages), source+"physical_package_id"), known(len(siblings), source+"thread_siblings_list")
	}
	clear(packages)
	clear(siblings)
	for block := range strings.SplitSeq(info, "\n\n") {
		values := table(block)
		if socket, core := values["physical id"], values["core id"]; socket != "" && core != "" {
			packages[socket] = true
			siblings[socket+"/"+core] = true
		}
	}
	if len(packages) == 0 {
		absent := missing[int]("neither %s nor /proc/cpuinfo tells", source)
		return absent, absent
	}
	return known(len(packages), "/proc/cpuinfo physical id"), known(len(siblings), "/proc/cpuinfo core id")
}

// cpuList counts the CPUs of a list that stands under a key in a file.
func cpuList(t tree, file, key string) Fact[int] {
	text, err := t.text(file)
	if err != nil {
		return missing[int]("%v", err)
	}
	list, ok := table(text)[key]
	if !ok {
		return missing[int]("%s has no %s", rooted(file), key)
	}
	n, err := countList(list)
	if err != nil {
		return missing[int]("%s %s: %v", rooted(file), key, err)
	}
	return known(n, rooted(file)+" "+key)
}

// countList counts the CPUs of a list such as "0-3,8,10-11".
func countList(text string) (int, error) {
	const most = 1 << 20 // far over any kernel's NR_CPUS
	n := 0
	for part := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 31)
		if err != nil {
			return 0, fmt.Errorf("%.40q is not a list of CPUs", text)
		}
		last, err := strconv.ParseUint(to, 10, 31)
		if err != nil || last < first || last-first >= most {
			return 0, fmt.Errorf("%.40q is not a list of CPUs", text)
		}
		if n += int(last - first + 1); n > most {
			return 0, fmt.Errorf("%.40q names too many CPUs", text)
		}
	}
	return n, nil
}
