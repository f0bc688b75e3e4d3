package probe

import (
	"fmt"
	"slices"
	"strings"
)

// fileSystemWarnings says what a database on a file system has to expect.
var fileSystemWarnings = map[string]string{
	"nfs":        "databases on NFS can be corrupted, and Firebird refuses them; use a local disk, never RemoteFileOpenAbility",
	"nfs4":       "databases on NFS can be corrupted, and Firebird refuses them; use a local disk, never RemoteFileOpenAbility",
	"cifs":       "databases on a Windows share can be corrupted, and Firebird refuses them; use a local disk, never RemoteFileOpenAbility",
	"smb3":       "databases on a Windows share can be corrupted, and Firebird refuses them; use a local disk, never RemoteFileOpenAbility",
	"9p":         "9p is a directory of another machine: locks and flushes are not to be relied on; use a disk of this machine",
	"virtiofs":   "virtiofs is a directory of the host: flushes may not reach its disk; use a disk of this machine",
	"fuse.sshfs": "sshfs is a directory of another machine: locks and flushes are not to be relied on; use a local disk",
	"tmpfs":      "tmpfs is memory: a database here is lost at a restart, takes memory from the cache, and says nothing about a disk; use a disk",
	"overlay":    "overlay is a container's own layer: slow to write and lost with the container; mount a volume for databases",
	"btrfs":      "btrfs copies on write, which slows and fragments a database; use chattr +C on its directory before creating it, or ext4",
	"zfs":        "ZFS copies on write; set recordsize to the database's page size",
}

// optionWarnings says what a mount option does to a database.
var optionWarnings = map[string]string{
	"nobarrier":      "without write barriers a power cut corrupts databases; remount with barriers unless the disk's cache is protected by a battery",
	"barrier=0":      "without write barriers a power cut corrupts databases; remount with barriers unless the disk's cache is protected by a battery",
	"data=writeback": "with data=writeback a crash can leave old content in the database's new blocks; remount with data=ordered",
	"sync":           "every write waits for the disk; remount without sync, Firebird's forced writes do what is needed",
	"ro":             "mounted read-only; choose another directory",
}

// littleSpace is the free space below which a database's directory is warned
// about.
const littleSpace = GiB

// warnings returns what a person should look at, each ending in what to do.
func warnings(h Host) []string {
	var all []string
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if warning, ok := fileSystemWarnings[h.Disk.FileSystem.Value]; ok {
		add("%s: %s", h.Disk.Path, warning)
	}
	for _, option := range h.Disk.Options.Value {
		if warning, ok := optionWarnings[option]; ok {
			add("%s is mounted with %s: %s", h.Disk.MountPoint.Value, option, warning)
		}
	}
	if h.Disk.Rotational.Value && slices.ContainsFunc(h.Disk.Devices.Value, isVirtual) {
		add("%s: a virtual disk calls itself rotating, which says nothing about the disk behind it; measure it", strings.Join(h.Disk.Devices.Value, ", "))
	}
	if free := h.Disk.Free; free.Known() && free.Value < littleSpace {
		add("%s: only %s free; a sweep needs a few copies of its database, give another --path", h.Disk.Path, free.Value)
	}
	if h.KernelSettings.Governor.Value == "powersave" {
		add("the CPU governor is powersave, which costs up to a fifth of the speed; set it to performance")
	}
	if h.Memory.SwapTotal.Value > 0 && h.KernelSettings.Swappiness.Value > 10 {
		add("vm.swappiness is %d and there is swap: a page cache may be swapped out; set it to 10 or less", h.KernelSettings.Swappiness.Value)
	}
	if h.KernelSettings.Overcommit.Value == 2 {
		add("vm.overcommit_memory is 2: large page caches fail at the start instead of filling slowly; leave room or set it to 0")
	}
	return all
}

// isVirtual reports whether a disk's name is that of a virtual machine's.
func isVirtual(disk string) bool {
	return strings.HasPrefix(disk, "vd") || strings.HasPrefix(disk, "xvd")
}
