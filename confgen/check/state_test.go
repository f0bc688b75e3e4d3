package check

import (
	"testing"

	"github.com/fbtune/fbtune/probe"
)

// stateCases are about the state of the machine: disks, swap, other programs.
func stateCases() []factCase {
	host := func(set func(*probe.Host)) func(*Input) {
		return func(in *Input) { in.Host = machine(64*probe.GiB, 16, "ext4"); set(in.Host) }
	}
	kind := func(name string) func(*Input) {
		return host(func(h *probe.Host) { h.Disk.FileSystem = probe.Given(name, "test") })
	}
	options := func(all ...string) func(*Input) {
		return host(func(h *probe.Host) {
			h.Disk.MountPoint, h.Disk.Options = probe.Given("/data", "test"), probe.Given(all, "/proc/self/mountinfo")
		})
	}
	drive := func(d probe.Drive) func(*Input) {
		return host(func(h *probe.Host) { d.Name = "sda"; h.Disk.Drives = []probe.Drive{d} })
	}
	swap := func(used probe.Bytes) func(*Input) {
		return host(func(h *probe.Host) {
			h.Memory.Total = probe.Given(64*probe.GiB, "test")
			h.Memory.SwapTotal, h.Memory.SwapFree = probe.Given(32*probe.GiB, "test"), probe.Given(32*probe.GiB-used, "test")
		})
	}
	busy := func(all ...probe.Busy) func(*Input) {
		return host(func(h *probe.Host) { h.Busy = probe.Given(all, "/proc/PID/io over 500ms") })
	}
	none := files{version: "4.0.5", conf: ""}
	return []factCase{
		{"btrfs", none, kind("btrfs"), "disk-file-system", Warning, "on btrfs", "chattr +C"},
		{"ZFS", none, kind("zfs"), "disk-file-system", Warning, "a whole record for each page", "recordsize"},
		{"FAT", none, kind("vfat"), "disk-file-system", Error, "no journal", "ext4"},
		{"FAT on Windows", none, kind("FAT32"), "disk-file-system", Error, "on FAT32", "NTFS"},
		{"XFS", none, kind("xfs"), "disk-file-system", Note, "on xfs", "DatabaseGrowthIncrement"},
		{"NTFS", none, kind("NTFS"), "", "", "", ""},
		{"ReFS", none, kind("ReFS"), "", "", "", ""},
		{"no barriers", none, options("rw", "data=writeback", "nobarrier"), "disk-barriers", Error, "old content in new pages; has /data on /data, mounted with nobarrier", "data=ordered; remount with barriers"},
		{"old content after a crash", none, options("rw", "data=writeback"), "disk-barriers", Warning, "old content", "data=ordered"},
		{"good options", none, options("rw", "noatime", "data=ordered"), "", "", "", ""},
		{"a volatile cache", none, drive(probe.Drive{WriteCache: probe.Given("write back", "test")}), "disk-write-cache", Note, "sda has flushed its cache", "fbtune bench disk"},
		{"a virtual disk's cache", none, drive(probe.Drive{WriteCache: probe.Given("write back", "test"), Virtual: probe.Given("virtio", "test")}), "", "", "", ""},
		{"a disk that fails", none, drive(probe.Drive{SMARTPassed: probe.Given(false, "smartctl")}), "disk-smart", Error, "says that it fails", "back the databases up now"},
		{"a worn disk", none, drive(probe.Drive{SMARTPassed: probe.Given(true, "smartctl"), Worn: probe.Given(int64(104), "smartctl")}), "disk-smart", Warning, "104 % of its life", "replace the disk"},
		{"a healthy disk", none, drive(probe.Drive{SMARTPassed: probe.Given(true, "smartctl"), Worn: probe.Given(int64(40), "smartctl")}), "", "", "", ""},
		{"a rented disk", none, drive(probe.Drive{Virtual: probe.Given("Amazon EBS", "test")}), "disk-limit", Note, "cannot see by how much", "provider"},
		{"a limited disk", none, host(func(h *probe.Host) {
			h.Disk.Throttles = []probe.Throttle{{Disk: "sda", Group: "/g", Limit: "wbps=1048576", File: "io.max"}}
		}), "disk-limit", Warning, "no more of sda than wbps=1048576", "raise the limit"},
		{"stolen time", none, host(func(h *probe.Host) { h.CPU.Steal = probe.Given(12.5, "/proc/stat") }), "cpu-steal", Warning, "12.5 % of the CPU time", "reserve"},
		{"hardly any", none, host(func(h *probe.Host) { h.CPU.Steal = probe.Given(0.4, "/proc/stat") }), "", "", "", ""},
		{"powersave", none, host(func(h *probe.Host) { h.KernelSettings.Governor = probe.Given("powersave", "test") }), "cpu-governor", Warning, "save power", "performance"},
		{"swap in use", none, swap(8 * probe.GiB), "swap-used", Warning, "8 GiB of swap", "swappiness"},
		{"a little of it", none, swap(probe.GiB), "swap-used", Note, "1 GiB of swap", ""},
		{"a backup", none, busy(probe.Busy{PID: 7, Name: "gbak", Read: 80 * probe.MiB}), "heavy-io", Warning, "gbak (process 7) reads 80 MiB/s", "ionice"},
		{"the server itself", none, busy(probe.Busy{PID: 8, Name: "firebird", Write: 80 * probe.MiB}), "", "", "", ""},
	}
}

// Two databases of one mount are one disk to look at; the host's own is not
// looked at when those of the databases are known.
func TestDisksOfDatabases(t *testing.T) {
	disk := probe.Disk{FileSystem: probe.Given("btrfs", "test"), MountPoint: probe.Given("/b", "test")}
	in := files{version: "4.0.5", conf: ""}.input(t)
	in.Host = machine(64*probe.GiB, 16, "zfs")
	in.DatabaseFiles = []DatabaseFile{{Path: "/b/1.fdb", Disk: disk}, {Path: "/b/2.fdb", Disk: disk}}
	if got := Run(in); len(got) != 1 || got[0].File != "/b/1.fdb" {
		t.Errorf("%+v, want one finding, about the first", got)
	}
}
