package probe

import "context"

// readLinux reads a Linux machine from its files.
func readLinux(ctx context.Context, sys System, path string) (Host, error) {
	t := tree{sys.FS}
	mounts := readMounts(t)
	groups := readGroups(t, mounts)
	host := Host{
		OS:             known("linux", "a root with /proc"),
		OSName:         osName(t),
		Kernel:         t.word("proc/sys/kernel/osrelease"),
		Virtualisation: virtualisation(t),
		Container:      container(t),
		CPU:            readCPU(t, groups),
		Disk:           readDisk(ctx, sys, t, mounts, path),
		Limits:         readLimits(t),
		KernelSettings: readKernelSettings(t),
	}
	host.Disk.Throttles = groups.throttles(host.Disk.Devices.Value)
	host.Busy = readBusy(ctx, sys, t)
	memory, err := readMemory(t, groups)
	host.Memory = memory
	host.Warnings = warnings(host)
	return host, err
}
