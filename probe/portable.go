package probe

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/disk"
	"github.com/shirou/gopsutil/v3/host"
	"github.com/shirou/gopsutil/v3/mem"
)

// readPortable reads the running machine through gopsutil, which tells less
// than Linux's files do. Used on Windows and macOS.
func readPortable(ctx context.Context, sys System, path string) (Host, error) {
	h := Host{
		OS:             known(runtime.GOOS, "GOOS"),
		CPU:            portableCPU(ctx),
		Disk:           portableDisk(ctx, sys, path),
		Limits:         Limits{OpenFilesSoft: notHere[int64](), OpenFilesHard: notHere[int64](), MaxMapCount: notHere[int64]()},
		KernelSettings: KernelKnobs{notHere[string](), notHere[int64](), notHere[int64](), notHere[string]()},
		Container:      notHere[string](),
		Busy:           notHere[[]Busy](),
	}
	info, err := host.InfoWithContext(ctx)
	if err != nil {
		info = &host.InfoStat{}
	}
	h.OSName = told(info.Platform+" "+info.PlatformVersion, "host.Info", err)
	h.Kernel = told(info.KernelVersion, "host.Info", err)
	h.Virtualisation = told(info.VirtualizationSystem, "host.Info", err)
	memory, err := portableMemory(ctx)
	h.Memory = memory
	h.Warnings = warnings(h)
	return h, err
}

// notHere is a fact that only Linux's files tell.
func notHere[T any]() Fact[T] { return missing[T]("not read on %s", runtime.GOOS) }

// told returns a fact that gopsutil told, absent when it failed or said
// nothing.
func told[T comparable](value T, call string, err error) Fact[T] {
	var zero T
	switch {
	case err != nil:
		return missing[T]("gopsutil %s: %v", call, err)
	case value == zero:
		return missing[T]("gopsutil %s does not tell", call)
	}
	return known(value, "gopsutil "+call)
}

// portableCPU reads the processors.
func portableCPU(ctx context.Context) CPU {
	c := CPU{Affinity: notHere[int](), Quota: notHere[float64](), Sockets: notHere[int](), Steal: notHere[float64]()}
	infos, err := cpu.InfoWithContext(ctx)
	if len(infos) == 0 {
		infos = []cpu.InfoStat{{}}
	}
	c.Model = told(infos[0].ModelName, "cpu.Info", err)
	logical, err := cpu.CountsWithContext(ctx, true)
	c.LogicalCPUs = told(logical, "cpu.Counts", err)
	cores, err := cpu.CountsWithContext(ctx, false)
	c.PhysicalCores = told(cores, "cpu.Counts", err)
	c.settle()
	return c
}

// portableMemory reads the memory.
func portableMemory(ctx context.Context) (Memory, error) {
	var m Memory
	memory, err := mem.VirtualMemoryWithContext(ctx)
	if err != nil {
		memory = &mem.VirtualMemoryStat{}
	}
	m.Total = told(Bytes(memory.Total), "mem.VirtualMemory", err)
	m.Available = told(Bytes(memory.Available), "mem.VirtualMemory", err)
	swap, err := mem.SwapMemoryWithContext(ctx)
	if err != nil {
		m.SwapTotal, m.SwapFree = missing[Bytes]("gopsutil mem.SwapMemory: %v", err), missing[Bytes]("gopsutil mem.SwapMemory: %v", err)
	} else { // no swap is a fact, not an absence
		m.SwapTotal, m.SwapFree = known(Bytes(swap.Total), "gopsutil mem.SwapMemory"), known(Bytes(swap.Free), "gopsutil mem.SwapMemory")
	}
	return m, m.settle()
}

// portableDisk reads what lies under a path.
func portableDisk(ctx context.Context, sys System, path string) Disk {
	d := Disk{Path: path, Devices: notHere[[]string](), Rotational: notHere[bool](), NVMe: notHere[bool]()}
	if sys.Resolve != nil {
		if resolved, err := sys.Resolve(path); err == nil { // else disk.Usage says what is wrong with it
			d.Path = resolved
		}
	}
	usage, err := disk.UsageWithContext(ctx, d.Path)
	if err != nil {
		usage = &disk.UsageStat{}
	}
	d.Total = told(Bytes(usage.Total), "disk.Usage", err)
	d.Free = told(Bytes(usage.Free), "disk.Usage", err)
	part, err := portablePartition(ctx, d.Path)
	d.MountPoint = told(part.Mountpoint, "disk.Partitions", err)
	d.Source = told(part.Device, "disk.Partitions", err)
	d.FileSystem = told(part.Fstype, "disk.Partitions", err)
	if err != nil {
		d.Options = missing[[]string]("%v", err)
	} else {
		d.Options = known(part.Opts, "gopsutil disk.Partitions")
	}
	return d
}

// portablePartition returns the partition with the longest mount point that
// holds path.
func portablePartition(ctx context.Context, path string) (disk.PartitionStat, error) {
	partitions, err := disk.PartitionsWithContext(ctx, true)
	if err != nil {
		return disk.PartitionStat{}, fmt.Errorf("gopsutil disk.Partitions: %w", err)
	}
	var found disk.PartitionStat
	slashed := filepath.ToSlash(path)
	for _, p := range partitions {
		if within(slashed, filepath.ToSlash(p.Mountpoint)) && len(p.Mountpoint) >= len(found.Mountpoint) {
			found = p
		}
	}
	if found.Mountpoint == "" {
		return found, errors.New("gopsutil disk.Partitions lists no mount that holds it")
	}
	return found, nil
}
