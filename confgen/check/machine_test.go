package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
)

// factCase is what a rule makes of facts beside the files.
type factCase struct {
	name string
	files
	with     func(*Input)
	rule     string // "" for no finding but notes
	severity Severity
	does     string // part of what the engine does
	instead  string // part of what to do
}

// factCases are the cases of all rules that ask for more than files.
func factCases() []factCase {
	return slices.Concat(machineCases(), stateCases(), directoryCases(), headerCases(), logCases())
}

// machine is one with some memory, processors and file system.
func machine(memory probe.Bytes, cpus int, fileSystem string) *probe.Host {
	h := &probe.Host{}
	h.Memory.Usable = probe.Given(memory, "test")
	h.CPU.Usable = probe.Given(cpus, "test")
	h.CPU.LogicalCPUs = probe.Given(cpus, "test")
	h.Disk.Path, h.Disk.FileSystem = "/data", probe.Given(fileSystem, "test")
	return h
}

// large is a machine that has enough of everything but what set changes.
func large(set func(*probe.Host)) func(*Input) {
	return func(in *Input) {
		in.Host = machine(512*probe.GiB, 64, "ext4")
		in.Connections = 1000
		set(in.Host)
	}
}

func machineCases() []factCase {
	hardLimit := func(n int64) func(*probe.Host) {
		return func(h *probe.Host) { h.Limits.OpenFilesHard = probe.Given(n, "/proc/1/limits") }
	}
	maps := func(n int64) func(*probe.Host) {
		return func(h *probe.Host) { h.Limits.MaxMapCount = probe.Given(n, "test") }
	}
	windows := func(cpus int) func(*probe.Host) {
		return func(h *probe.Host) {
			h.OS, h.CPU.LogicalCPUs = probe.Given("windows", "test"), probe.Given(cpus, "test")
		}
	}
	const superClassic, super, classic = "ServerMode = SuperClassic\n", "ServerMode = Super\n", "ServerMode = Classic\n"
	return []factCase{
		{"Super's cache in Classic", files{version: "3.0", conf: "ServerMode = Classic\nDefaultDbCachePages = 50K\n"},
			func(in *Input) { in.Host, in.Connections = machine(64*probe.GiB, 16, "ext4"), 200 }, "memory", Error, "200 connections x 51200 pages", "DefaultDbCachePages = "},
		{"the same in Super", files{version: "3.0", conf: "ServerMode = Super\nDefaultDbCachePages = 50K\n"},
			func(in *Input) { in.Host, in.Connections = machine(64*probe.GiB, 16, "ext4"), 200 }, "", "", "", ""},
		{"a limit lowered", files{version: "4.0", conf: "DefaultDbCachePages = 60000\n"},
			func(in *Input) { in.Host = machine(512*probe.MiB, 2, "ext4") }, "memory", Error, "512 MiB (test)", ""},
		{"a cache for each of three databases", files{version: "4.0", conf: "DefaultDbCachePages = 60000\n", databases: secured + "a = /a.fdb\nb = /b.fdb\nc = /c.fdb\nagain = /c.fdb\n"},
			func(in *Input) { in.Host = machine(1700*probe.MiB, 2, "ext4") }, "memory", Error, "sum over 3 databases", ""},
		{"databases by name", files{version: "4.0", conf: "DefaultDbCachePages = 60000\n"},
			func(in *Input) {
				in.Host = machine(2*probe.GiB, 2, "ext4")
				in.Open = []confgen.Database{{Name: "a", Path: "/a.fdb", PageSize: 32768}}
			}, "memory", Error, "60000 pages x (32768 + 614 B)", ""},
		{"pages and buffers of a header", files{version: "4.0", conf: "", databases: secured + "a = /a.fdb\n"},
			func(in *Input) {
				in.Host = machine(2*probe.GiB, 2, "ext4")
				in.DatabaseFiles = []DatabaseFile{{Name: "a", Path: "/a.fdb", Header: &Header{Opens: true, ForcedWrites: true, PageSize: 32768, PageBuffers: 60000}}}
			}, "memory", Error, "60000 pages x (32768 + 614 B)", ""},
		{"85 % of the memory", files{version: "4.0", conf: "DefaultDbCachePages = 110000\nUseFileSystemCache = true\n"},
			func(in *Input) { in.Host = machine(1300*probe.MiB, 2, "ext4") }, "memory-tight", Warning, "of 1.3 GiB", ""},
		{"64 workers on 4 CPUs", files{version: "5.0", conf: "MaxParallelWorkers = 64\n"},
			func(in *Input) { in.Host = machine(64*probe.GiB, 4, "ext4") }, "workers-cpus", Warning, "64 workers on 4 processors", ""},
		{"NFS", files{version: "5.0", conf: ""},
			func(in *Input) { in.Host = machine(64*probe.GiB, 4, "nfs4") }, "network-disk", Error, "nfs4, where /data lies", ""},
		{"NFS under one database", files{version: "5.0", conf: ""},
			func(in *Input) {
				in.DatabaseFiles = []DatabaseFile{{Path: "/local/a.fdb", Disk: probe.Disk{FileSystem: probe.Given("ext4", "test")}}, {Path: "/mnt/b.fdb", Disk: probe.Disk{FileSystem: probe.Given("cifs", "test")}}}
			}, "network-disk", Error, "/mnt/b.fdb on cifs", "disks of the server"},
		{"an address of another machine", files{version: "5.0", conf: "RemoteBindAddress = 172.16.1.20\n"},
			func(in *Input) { in.Addresses = []string{"127.0.0.1", "10.0.0.1"} }, "bind-address", ServerDown, "no address 172.16.1.20", ""},
		{"an address of this one", files{version: "5.0", conf: "RemoteBindAddress = 10.0.0.1\n"},
			func(in *Input) { in.Addresses = []string{"127.0.0.1", "10.0.0.1"} }, "", "", "", ""},

		{"1024 files for 1000 connections", files{version: "4.0", conf: super}, large(hardLimit(1024)), "open-files", Warning, "1000 connections in Super take 1000, up to 2064", "LimitNOFILE=65535"},
		{"twice as many in SuperClassic", files{version: "4.0", conf: superClassic}, large(hardLimit(4000)), "open-files", Warning, "in SuperClassic take 2000, up to 4064", ""},
		{"systemd's default", files{version: "4.0", conf: superClassic}, large(hardLimit(524288)), "", "", "", ""},
		{"no limit", files{version: "4.0", conf: super}, large(hardLimit(-1)), "", "", "", ""},
		{"a process for each", files{version: "4.0", conf: classic}, large(hardLimit(1024)), "", "", "", ""},

		{"mappings of SuperClassic", files{version: "4.0", conf: superClassic}, large(maps(20000)), "memory-maps", Warning, "about 13000 memory mappings for 1000 connections", "vm.max_map_count=256000"},
		{"fewer in 3.0", files{version: "3.0", conf: superClassic}, large(maps(20000)), "", "", "", ""},
		{"the kernel's default", files{version: "4.0", conf: superClassic}, large(maps(65530)), "", "", "", ""},
		{"mappings of Super", files{version: "4.0", conf: super}, large(maps(1000)), "", "", "", ""},

		{"two groups of processors", files{version: "4.0", conf: super, windows: true}, large(windows(96)), "processor-groups", Warning, "64 of the 96 processors", "one group"},
		{"Classic over groups", files{version: "4.0", conf: classic, windows: true}, large(windows(96)), "", "", "", ""},
		{"one group", files{version: "4.0", conf: super, windows: true}, large(windows(64)), "", "", "", ""},
	}
}

// directories makes a machine with these directories; others are not there.
func directories(all map[string]Directory) func(*Input) {
	return func(in *Input) {
		in.DefaultTemp, in.LockDirectory = "/tmp", "/tmp/firebird"
		in.Directory = func(path string) Directory {
			d, ok := all[path]
			d.Missing = !ok
			return d
		}
	}
}

// on is a directory on a file system with some room.
func on(fileSystem string, free probe.Bytes) Directory {
	return Directory{Disk: probe.Disk{FileSystem: probe.Given(fileSystem, "test"), MountPoint: probe.Given("/"+fileSystem, "test"), Free: probe.Given(free, "test")}}
}

func directoryCases() []factCase {
	roomy := on("ext4", 100*probe.GiB)
	refused := roomy
	refused.Refused = "mode 700 of user 0"
	temp := files{version: "4.0.5", conf: "TempDirectories = /a; /b\n"}
	none := files{version: "4.0.5", conf: ""}
	return []factCase{
		{"all is well", temp, directories(map[string]Directory{"/a": roomy, "/b": roomy, "/tmp": roomy, "/tmp/firebird": roomy}), "", "", "", ""},
		{"the default is well", none, directories(map[string]Directory{"/tmp": roomy}), "", "", "", ""},
		{"directories that are not there", temp, directories(nil), "temp-missing", Error, "/a, /b is missing", "make the directory"},
		{"one that may not be written to", temp, directories(map[string]Directory{"/a": roomy, "/b": refused}), "temp-refused", Error, "/b (mode 700 of user 0)", "the right to write"},
		{"a full one", temp, directories(map[string]Directory{"/a": on("xfs", probe.MiB), "/b": on("xfs", probe.MiB)}), "temp-space", Warning, "has 1 MiB for", "behind it"},
		{"a full one with another behind it", temp, directories(map[string]Directory{"/a": on("xfs", probe.MiB), "/b": roomy}), "", "", "", ""},
		{"a full default", none, directories(map[string]Directory{"/tmp": on("ext4", 0)}), "temp-space", Warning, "in /tmp", ""},
		{"a RAM disk by its file system", temp, directories(map[string]Directory{"/a": on("tmpfs", 8*probe.GiB), "/b": roomy}), "temp-in-memory", Warning, "and /a, which is memory", "lower TempCacheLimit"},
		{"a disk with a misleading name", files{version: "4.0.5", conf: "TempDirectories = /ramdisk\n"}, directories(map[string]Directory{"/ramdisk": roomy}), "", "", "", ""},
		{"the lock directory of another account", none, directories(map[string]Directory{"/tmp": roomy, "/tmp/firebird": refused}), "lock-directory", Error, "mode 700 of user 0", "give it to the account"},
		{"a full lock directory", files{version: "3.0.11", conf: ""}, directories(map[string]Directory{"/tmp": roomy, "/tmp/firebird": on("tmpfs", probe.MiB)}), "lock-directory", Warning, "ends 3.0.11 with SIGBUS", ""},
		{"a full one since 4.0.5", none, directories(map[string]Directory{"/tmp": roomy, "/tmp/firebird": on("tmpfs", probe.MiB)}), "lock-directory", Warning, "fails the statement", ""},
		{"lock tables over a network", none, directories(map[string]Directory{"/tmp": roomy, "/tmp/firebird": on("nfs", 9*probe.GiB)}), "lock-directory", Error, "from nfs", "FIREBIRD_LOCK"},
	}
}

// A system whose /tmp is memory is worth a note where nobody chose it.
func TestDefaultTempInMemory(t *testing.T) {
	in := files{version: "4.0.5", conf: ""}.input(t)
	directories(map[string]Directory{"/tmp": on("tmpfs", 8*probe.GiB)})(&in)
	got := Run(in)
	if len(got) != 1 || got[0].Rule != "temp-in-memory" || got[0].Severity != Note || got[0].Name != confgen.TempDirectories {
		t.Errorf("%+v, want one note of temp-in-memory", got)
	}
}

// TestRulesOfFacts shows rules about machines, databases and logs what they
// look for, and what is next to that and fine.
func TestRulesOfFacts(t *testing.T) {
	for _, test := range factCases() {
		t.Run(test.name, func(t *testing.T) {
			in := test.files.input(t)
			test.with(&in)
			all := Run(in)
			if test.rule == "" {
				for _, f := range all {
					if f.Severity != Note {
						t.Errorf("false alarm: %+v", f)
					}
				}
				return
			}
			i := slices.IndexFunc(all, func(f Finding) bool { return f.Rule == test.rule })
			if i < 0 {
				t.Fatalf("no %s among %+v", test.rule, all)
			}
			f := all[i]
			if f.Severity != test.severity || !strings.Contains(f.EngineDoes, test.does) || !strings.Contains(f.Instead, test.instead) {
				t.Errorf("%+v\nwant %s, %q, %q", f, test.severity, test.does, test.instead)
			}
			if f.File == "" || f.Instead == "" || f.Source == "" {
				t.Errorf("a finding says where it is, what to do and why that is known: %+v", f)
			}
		})
	}
}
