package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/probe"
)

// machineRules are about disks, processors and other programs of the machine:
// what no setting makes up for.
func machineRules() []Rule {
	return []Rule{
		{
			ID: "disk-file-system", Severity: Warning, find: fileSystem,
			About:  "databases on a file system that is slow or unsafe for them",
			Source: "btrfs(5) on nodatacow; OpenZFS, Workload Tuning; FAT keeps no journal",
		},
		{
			ID: "disk-barriers", Severity: Error, find: barriers,
			About:  "mount options that lose databases at a power cut, or slow every write",
			Source: "ext4(5), mount(8); issue 8551 (barriers are the price of forced writes)",
		},
		{
			ID: "disk-write-cache", Severity: Note, find: writeCache,
			About:  "disks whose cache each forced write waits for",
			Source: "Linux, Documentation/block/writeback_cache_control.rst; issue 8551",
		},
		{
			ID: "disk-smart", Severity: Error, find: smart,
			About:  "disks that say themselves that they fail, or that they are worn out",
			Source: "smartctl(8); NVMe base specification, SMART / Health Information log (Percentage Used)",
		},
		{
			ID: "disk-limit", Severity: Warning, find: diskLimit,
			About:  "disks whose speed is limited by a cgroup, or by who rents them out",
			Source: "Linux, Documentation/admin-guide/cgroup-v2.rst (io.max), cgroup-v1/blkio-controller.rst; Amazon EBS volume types",
		},
		{
			ID: "cpu-steal", Severity: Warning, find: stolen,
			About:  "CPU time that the hypervisor gave to others",
			Source: "proc_stat(5)",
		},
		{
			ID: "cpu-governor", Severity: Warning, find: governor,
			About:  "processors that save power",
			Source: "ib-aid.com, 23 more ways (up to 20 % of the speed)",
		},
		{
			ID: "swap-used", Severity: Warning, find: swapUsed,
			About:  "memory that is on disk now",
			Source: "issue 7500; the memory model of confgen",
		},
		{
			ID: "heavy-io", Severity: Warning, find: heavyIO,
			About:  "backups and other programs that read or write much now",
			Source: "proc_pid_io(5)",
		},
	}
}

// disks returns what the databases lie on, or else what the host was asked
// about, each with the start of a finding about it and its name for a person.
// Databases in one mount are named once.
func (s *subject) disks() []namedDisk {
	var all []namedDisk
	for _, file := range s.DatabaseFiles {
		same := func(d namedDisk) bool { return d.MountPoint.Value == file.Disk.MountPoint.Value }
		if file.Disk.FileSystem.Known() && !slices.ContainsFunc(all, same) {
			all = append(all, namedDisk{file.Disk, file.finding(), file.called()})
		}
	}
	if len(all) == 0 && s.Host != nil {
		all = append(all, namedDisk{s.Host.Disk, Finding{}, s.Host.Disk.Path})
	}
	return all
}

// namedDisk is a disk and what lies on it.
type namedDisk struct {
	probe.Disk
	start Finding
	what  string
}

// perDisk returns what find says of each disk, as one finding: what is wrong
// with it in order, the gravest severity, and all that is to be done.
func (s *subject) perDisk(find func(namedDisk) []Finding) []Finding {
	var all []Finding
	for _, d := range s.disks() {
		found := find(d)
		if len(found) == 0 {
			continue
		}
		one, does, instead := found[0], []string{}, []string{}
		for _, f := range found {
			does = append(does, f.EngineDoes)
			if !slices.Contains(instead, f.Instead) {
				instead = append(instead, f.Instead)
			}
			if slices.Index(Severities(), f.Severity) < slices.Index(Severities(), one.Severity) {
				one.Severity = f.Severity // the rule's own, which is not set, counts as the gravest
			}
		}
		one.EngineDoes, one.Instead = strings.Join(does, "; "), strings.Join(instead, "; ")
		all = append(all, one)
	}
	return all
}

// poorFileSystems are file systems with a price, what that is, and what to do.
// Those of other machines have a rule of their own.
var poorFileSystems = map[string]struct {
	severity      Severity
	does, instead string
}{
	"btrfs": {Warning, "copies each page that is written to another place, which slows forced writes and scatters the database", "run chattr +C on the directory before a database is made in it, or use ext4"},
	"zfs":   {Warning, "copies each record that is written to another place, a whole record for each page", "set recordsize to the page size of the database before it is restored there, and keep its log (SLOG) on a disk with power-loss protection"},
	"vfat":  {Error, "keeps no journal and no file over 4 GiB: a power cut loses the file, and the database stops growing", "move the database to ext4, on Windows to NTFS"},
	"msdos": {Error, "keeps no journal and no file over 4 GiB: a power cut loses the file, and the database stops growing", "move the database to ext4, on Windows to NTFS"},
	"exfat": {Error, "keeps no journal: a power cut loses the file", "move the database to ext4, on Windows to NTFS"},
	"xfs":   {Note, "gives a growing file space in extents of its own choosing, and its log takes part in each growth", "leave barriers on, and let DatabaseGrowthIncrement grow the file in few large steps"},
}

// osFileSystems are the names that other systems give to file systems.
var osFileSystems = map[string]string{"fat": "vfat", "fat32": "vfat", "msdosfs": "vfat"}

func fileSystem(s *subject) []Finding {
	return s.perDisk(func(d namedDisk) (all []Finding) {
		kind := strings.ToLower(d.FileSystem.Value)
		if other, ok := osFileSystems[kind]; ok {
			kind = other
		}
		if poor, ok := poorFileSystems[kind]; ok {
			all = append(all, d.start.does(poor.instead, "keeps %s on %s (%s), which %s", d.what, d.FileSystem.Value, d.FileSystem.Source, poor.does).as(poor.severity))
		}
		return all
	})
}

// badOptions are mount options, what they do, and what to do about them.
var badOptions = map[string]struct {
	severity      Severity
	does, instead string
}{
	"nobarrier":      {Error, "sends no flush to the disk: a power cut corrupts databases", "remount with barriers, unless a battery keeps the disk's cache"},
	"barrier=0":      {Error, "sends no flush to the disk: a power cut corrupts databases", "remount with barrier=1, unless a battery keeps the disk's cache"},
	"data=writeback": {Warning, "lets a crash leave old content in new pages", "remount with data=ordered"},
	"sync":           {Warning, "waits for the disk at each write, also at those that need not", "remount without sync; forced writes do what is needed"},
	"ro":             {Error, "lets nobody write", "remount with rw, or choose another directory"},
}

func barriers(s *subject) []Finding {
	return s.perDisk(func(d namedDisk) (all []Finding) {
		for _, option := range d.Options.Value {
			bad, ok := badOptions[option]
			if !ok {
				continue
			}
			all = append(all, d.start.does(bad.instead, "has %s on %s, mounted with %s (%s), which %s", d.what, d.MountPoint, option, d.Options.Source, bad.does).as(bad.severity))
		}
		return all
	})
}

func writeCache(s *subject) []Finding {
	return s.perDisk(func(d namedDisk) (all []Finding) {
		for _, drive := range d.Drives {
			if drive.WriteCache.Value == "write back" && !drive.Virtual.Known() { // the cache of a virtual disk is the hypervisor's
				all = append(all, d.start.does("measure it with fbtune bench disk; disks with power-loss protection, or a controller with a battery, answer at once",
					"waits at each forced write until %s has flushed its cache (%s: write back); battery: %s", drive.Name, drive.WriteCache.Source, drive.Battery))
			}
		}
		return all
	})
}

// wornOut is the use of an NVMe disk's life, in percent, from which its maker
// no longer vouches for it.
const wornOut = 100

func smart(s *subject) []Finding {
	return s.perDisk(func(d namedDisk) (all []Finding) {
		for _, drive := range d.Drives {
			switch {
			case drive.SMARTPassed.Known() && !drive.SMARTPassed.Value:
				all = append(all, d.start.does("back the databases up now, to another disk, and replace this one", "has %s on %s, which says that it fails (%s)", d.what, drive.Name, drive.SMARTPassed.Source))
			case drive.Worn.Value >= wornOut:
				all = append(all, d.start.does("back the databases up, and replace the disk", "has %s on %s, which has used %d %% of its life (%s)", d.what, drive.Name, drive.Worn.Value, drive.Worn.Source).as(Warning))
			}
		}
		return all
	})
}

// rentedDisks are the virtual disks that are sold with a limit on their speed.
var rentedDisks = []string{"Amazon EBS", "Google Persistent Disk", "Microsoft"}

func diskLimit(s *subject) []Finding {
	return s.perDisk(func(d namedDisk) (all []Finding) {
		for _, t := range d.Throttles {
			all = append(all, d.start.does("raise the limit of the container or service, or tune for what is left of the disk", "gets no more of %s than %s (%s)", t.Disk, t.Limit, t.File))
		}
		for _, drive := range d.Drives {
			if slices.Contains(rentedDisks, drive.Virtual.Value) {
				all = append(all, d.start.does("look the volume's limit up at its provider, and measure with fbtune bench disk for longer than its burst credit lasts",
					"has %s on %s of %s (%s), whose operations per second are limited by what was ordered; the machine cannot see by how much", d.what, drive.Name, drive.Virtual, drive.Virtual.Source).as(Note))
			}
		}
		return all
	})
}

// muchStolen is the share of CPU time, in percent, from which others on the
// same hardware are worth a warning.
const muchStolen = 5

func stolen(s *subject) []Finding {
	if s.Host == nil || s.Host.CPU.Steal.Value < muchStolen {
		return nil
	}
	return []Finding{Finding{}.does("move the virtual machine to a host with CPUs to spare, or reserve its CPUs",
		"did not get %.1f %% of the CPU time (%s): the hypervisor gave it to others", s.Host.CPU.Steal.Value, s.Host.CPU.Steal.Source)}
}

func governor(s *subject) []Finding {
	if s.Host == nil || s.Host.KernelSettings.Governor.Value != "powersave" {
		return nil
	}
	return []Finding{Finding{}.does("run cpupower frequency-set -g performance, and keep it over restarts",
		"runs on processors that save power (%s: powersave), which costs up to a fifth of the speed", s.Host.KernelSettings.Governor.Source)}
}

func swapUsed(s *subject) []Finding {
	if s.Host == nil || !s.Host.Memory.SwapTotal.Known() || !s.Host.Memory.SwapFree.Known() {
		return nil
	}
	total, free := s.Host.Memory.SwapTotal, s.Host.Memory.SwapFree
	used := total.Value - free.Value
	if used <= 0 {
		return nil
	}
	f := Finding{}.does("see who needs it (smem, or VmSwap in /proc/PID/status), and give less to caches or more memory to the machine; set vm.swappiness to 10 or less",
		"may find its page cache on disk: %s of swap are in use (%s, %s)", used, total.Source, free.Source)
	if used < s.Host.Memory.Total.Value/littleSwap {
		f.Severity = Note // pages that nobody needed for long
	}
	return []Finding{f}
}

// littleSwap is the part of the memory below which swap in use is only noted.
const littleSwap = 16

// servers are the programs of Firebird's servers, by /proc/PID/comm.
var servers = []string{"firebird", "fbserver", "fb_smp_server", "fb_inet_server"}

// backups are programs that copy databases or disks.
var backups = []string{"gbak", "nbackup", "rsync", "dd", "tar", "cp", "restic", "borg", "bacula-fd", "pg_dump", "mysqldump"}

func heavyIO(s *subject) []Finding {
	if s.Host == nil {
		return nil
	}
	var busy []string
	instead := "see what it is, and let it run when few people work"
	for _, b := range s.Host.Busy.Value {
		if slices.Contains(servers, b.Name) {
			continue
		}
		busy = append(busy, fmt.Sprintf("%s (process %d) reads %s/s and writes %s/s", b.Name, b.PID, b.Read, b.Write))
		if slices.Contains(backups, b.Name) {
			instead = "let backups and copies run when few people work, or slow them (ionice -c3); measure nothing meanwhile"
		}
	}
	if len(busy) == 0 {
		return nil
	}
	return []Finding{Finding{}.does(instead, "shares the disks with %s (%s)", strings.Join(busy, ", "), s.Host.Busy.Source)}
}
