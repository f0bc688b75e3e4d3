package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
)

// tested are the rules with tests of their own, for they ask for a machine.
var tested = []string{"temp-missing", "bind-address", "memory", "memory-tight", "workers-cpus", "network-disk"}

// TestRulesOfMachines are about the machine.
func TestRulesOfMachines(t *testing.T) {
	host := func(memory probe.Bytes, cpus int, fileSystem string) *probe.Host {
		h := &probe.Host{}
		h.Memory.Usable = probe.Given(memory, "test")
		h.CPU.Usable = probe.Given(cpus, "test")
		h.Disk.Path, h.Disk.FileSystem = "/data", probe.Given(fileSystem, "test")
		return h
	}
	none := func(string) bool { return false }
	for _, test := range []struct {
		name     string
		files    files
		with     func(*Input)
		rule     string // "" for no finding but notes
		severity Severity
		does     string
	}{
		{"Super's cache in Classic", files{version: "3.0", conf: "ServerMode = Classic\nDefaultDbCachePages = 50K\n"},
			func(in *Input) { in.Host, in.Connections = host(64*probe.GiB, 16, "ext4"), 200 }, "memory", Error, "200 connections x 51200 pages"},
		{"the same in Super", files{version: "3.0", conf: "ServerMode = Super\nDefaultDbCachePages = 50K\n"},
			func(in *Input) { in.Host, in.Connections = host(64*probe.GiB, 16, "ext4"), 200 }, "", "", ""},
		{"a limit lowered", files{version: "4.0", conf: "DefaultDbCachePages = 60000\n"},
			func(in *Input) { in.Host = host(512*probe.MiB, 2, "ext4") }, "memory", Error, "512 MiB (test)"},
		{"a cache for each of three databases", files{version: "4.0", conf: "DefaultDbCachePages = 60000\n", databases: secured + "a = /a.fdb\nb = /b.fdb\nc = /c.fdb\nagain = /c.fdb\n"},
			func(in *Input) { in.Host = host(1700*probe.MiB, 2, "ext4") }, "memory", Error, "sum over 3 databases"},
		{"databases by name", files{version: "4.0", conf: "DefaultDbCachePages = 60000\n"},
			func(in *Input) {
				in.Host = host(2*probe.GiB, 2, "ext4")
				in.Open = []confgen.Database{{Name: "a", Path: "/a.fdb", PageSize: 32768}}
			}, "memory", Error, "60000 pages x (32768 + 614 B)"},
		{"85 % of the memory", files{version: "4.0", conf: "DefaultDbCachePages = 110000\nUseFileSystemCache = true\n"},
			func(in *Input) { in.Host = host(1300*probe.MiB, 2, "ext4") }, "memory-tight", Warning, "of 1.3 GiB"},
		{"64 workers on 4 CPUs", files{version: "5.0", conf: "MaxParallelWorkers = 64\n"},
			func(in *Input) { in.Host = host(64*probe.GiB, 4, "ext4") }, "workers-cpus", Warning, "64 workers on 4 processors"},
		{"NFS", files{version: "5.0", conf: ""},
			func(in *Input) { in.Host = host(64*probe.GiB, 4, "nfs4") }, "network-disk", Error, "nfs4, where /data lies"},
		{"a directory that is not there", files{version: "5.0", conf: "TempDirectories = /tmp/a; /tmp/b\n"},
			func(in *Input) { in.Exists = none }, "temp-missing", Error, "/tmp/a, /tmp/b is missing"},
		{"an address of another machine", files{version: "5.0", conf: "RemoteBindAddress = 172.16.1.20\n"},
			func(in *Input) { in.Addresses = []string{"127.0.0.1", "10.0.0.1"} }, "bind-address", ServerDown, "no address 172.16.1.20"},
		{"an address of this one", files{version: "5.0", conf: "RemoteBindAddress = 10.0.0.1\n"},
			func(in *Input) { in.Addresses = []string{"127.0.0.1", "10.0.0.1"} }, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			in := test.files.input(t)
			test.with(&in)
			got := slices.DeleteFunc(Run(in), func(f Finding) bool { return f.Severity == Note || f.Rule == "cache-per-connection" })
			if test.rule == "" {
				if len(got) > 0 {
					t.Errorf("false alarm: %+v", got)
				}
				return
			}
			if len(got) == 0 || got[0].Rule != test.rule || got[0].Severity != test.severity || !strings.Contains(got[0].EngineDoes, test.does) {
				t.Errorf("%+v, want %s with %q", got, test.rule, test.does)
			}
		})
	}
}
