package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/probe"
)

// fact is one row of the table of a machine.
type fact struct{ name, value, source string }

// row makes a row of a fact.
func row[T any](name string, f probe.Fact[T]) fact { return fact{name, f.String(), f.Source} }

// Probe writes what a machine is, each number with where it came from, and the
// Firebird installations on it.
func Probe(w io.Writer, h probe.Host, found []firebird.Installation, warnings []string) error {
	var b strings.Builder
	groups := [...]struct {
		title string
		facts []fact
	}{
		{"System", []fact{
			row("system", h.OSName), row("kernel", h.Kernel), row("virtualisation", h.Virtualisation), row("container", h.Container),
		}},
		{"Processors", []fact{
			row("model", h.CPU.Model), row("sockets", h.CPU.Sockets), row("physical cores", h.CPU.PhysicalCores),
			row("logical CPUs", h.CPU.LogicalCPUs), row("affinity", h.CPU.Affinity), row("cgroup quota", h.CPU.Quota), row("steal, percent", h.CPU.Steal), row("usable", h.CPU.Usable),
		}},
		{"Memory", memoryFacts(h.Memory)},
		{"Disk of " + h.Disk.Path, append([]fact{
			row("mount point", h.Disk.MountPoint), row("file system", h.Disk.FileSystem), row("mounted from", h.Disk.Source),
			row("options", h.Disk.Options), row("devices", h.Disk.Devices), row("rotational", h.Disk.Rotational), row("NVMe", h.Disk.NVMe),
			row("size", h.Disk.Total), row("free", h.Disk.Free),
		}, driveFacts(h.Disk)...)},
		{"Limits", limitFacts(h)},
		{"Busy now", busyFacts(h.Busy)},
	}
	for _, g := range groups {
		var rows strings.Builder
		t := tabwriter.NewWriter(&rows, 0, 0, 2, ' ', 0)
		for _, f := range g.facts {
			fmt.Fprintf(t, "  %s\t%s\t%s\n", f.name, f.value, f.source)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s\n%s\n", g.title, trimmed(rows.String()))
	}
	fmt.Fprintln(&b, "Firebird")
	for _, inst := range found {
		fmt.Fprintf(&b, "  %s, %d bits, %s\n    root %s\n    %s\n    %s\n    %s\n", inst.Build, inst.Bits, inst.Kind,
			inst.Root, inst.FirebirdConf, inst.DatabasesConf, processes(inst.Running))
	}
	if len(found) == 0 {
		fmt.Fprintf(&b, "  %v\n", firebird.ErrNone)
	}
	for _, warning := range warnings {
		fmt.Fprintf(&b, "\nwarning: %s\n", warning)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// memoryFacts lists memory and every limit on it.
func memoryFacts(m probe.Memory) []fact {
	facts := []fact{row("total", m.Total), row("available", m.Available), row("swap", m.SwapTotal), row("swap free", m.SwapFree)}
	for _, limit := range m.Limits {
		facts = append(facts, fact{"limit of " + limit.Group, limit.Limit.String(), limit.File})
	}
	return append(facts, row("usable", m.Usable))
}

// driveFacts lists the disks and the limits on their speed.
func driveFacts(d probe.Disk) []fact {
	var facts []fact
	for _, v := range d.Drives {
		facts = append(facts, row(v.Name+" model", v.Model), row(v.Name+" virtual", v.Virtual), row(v.Name+" write cache", v.WriteCache),
			row(v.Name+" RAID battery", v.Battery), row(v.Name+" SMART passed", v.SMARTPassed), row(v.Name+" worn, percent", v.Worn))
	}
	for _, t := range d.Throttles {
		facts = append(facts, fact{t.Disk + " limit of " + t.Group, t.Limit, t.File})
	}
	return facts
}

// busyFacts lists the processes that read or write much now.
func busyFacts(busy probe.Fact[[]probe.Busy]) []fact {
	if len(busy.Value) == 0 {
		return []fact{row("processes", busy)}
	}
	var facts []fact
	for _, b := range busy.Value {
		facts = append(facts, fact{fmt.Sprintf("%s %d", b.Name, b.PID), fmt.Sprintf("reads %s/s, writes %s/s", b.Read, b.Write), busy.Source})
	}
	return facts
}

// limitFacts lists what a server runs into.
func limitFacts(h probe.Host) []fact {
	return []fact{
		row("open files, soft", h.Limits.OpenFilesSoft), row("open files, hard", h.Limits.OpenFilesHard),
		row("vm.max_map_count", h.Limits.MaxMapCount), row("transparent huge pages", h.KernelSettings.TransparentHugePages),
		row("vm.swappiness", h.KernelSettings.Swappiness), row("vm.overcommit_memory", h.KernelSettings.Overcommit),
		row("governor", h.KernelSettings.Governor),
	}
}

func processes(pids []int) string {
	if len(pids) == 0 {
		return "not running"
	}
	return "running, processes " + strings.Trim(fmt.Sprint(pids), "[]")
}
