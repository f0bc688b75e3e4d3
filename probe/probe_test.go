package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

// captured unpacks the tree of a machine from testdata. A file named
// "LINK -> TARGET" is a symbolic link.
func captured(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, file := range archive.Files {
		if link, target, ok := strings.Cut(file.Name, " -> "); ok {
			tree[link] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink}
			continue
		}
		tree[file.Name] = &fstest.MapFile{Data: file.Data, Mode: 0o444}
	}
	return tree
}

// read probes a captured machine.
func read(t *testing.T, tree fs.FS, path string) Host {
	t.Helper()
	host, err := Read(context.Background(), System{FS: tree}, path)
	if err != nil {
		t.Fatal(err)
	}
	return host
}

// TestCaptured holds what is read from the trees of other machines.
func TestCaptured(t *testing.T) {
	for _, test := range []struct {
		tree, path string
		want       map[string]string // a fact's name -> its value and source, or why it is missing
		warnings   []string          // parts of them, in order
	}{
		{
			tree: "hybrid-v1-vm", path: "/var/lib/firebird",
			want: map[string]string{
				"os":     "Debian GNU/Linux 12 (bookworm) | /etc/os-release",
				"virt":   "a hypervisor without a name | /proc/cpuinfo flags",
				"model":  "AMD EPYC | /proc/cpuinfo model name",
				"cores":  "2 | /sys/devices/system/cpu/cpu*/topology/thread_siblings_list",
				"cpus":   "2 | /sys/devices/system/cpu/online",
				"quota":  "unknown (no cgroup sets one)",
				"memory": "23.5 GiB | /proc/meminfo MemTotal",
				"disks":  "[vda] | /sys/dev/block/254:0",
				"spin":   "true | /sys/class/block/vda/queue/rotational",
				"soft":   "1024 | /proc/42/limits",
				"hard":   "524288 | /proc/42/limits",
				"maps":   "65530 | /proc/sys/vm/max_map_count",
				"thp":    "madvise | /sys/kernel/mm/transparent_hugepage/enabled",
				"free":   "unknown (not a live machine)",
			},
			warnings: []string{"vda: a virtual disk calls itself rotating"},
		},
		{
			tree: "v2-ancestor", path: "/var/lib/firebird/data",
			want: map[string]string{
				"virt":      "Amazon EC2 | /sys/class/dmi/id/sys_vendor",
				"container": "kubernetes | /proc/self/cgroup",
				"cpus":      "3 | /sys/fs/cgroup/kubepods.slice/pod1/cpu.max: 250000 of 100000 us",
				"quota":     "2.5 | /sys/fs/cgroup/kubepods.slice/pod1/cpu.max: 250000 of 100000 us",
				"memory":    "4 GiB | /sys/fs/cgroup/kubepods.slice/pod1/memory.max",
				"fs":        "xfs | /proc/self/mountinfo",
				"options":   "[rw noatime attr2] | /proc/self/mountinfo",
				"disks":     "[nvme0n1] | /sys/dev/block/259:2",
				"nvme":      "true | names of the disks",
				"spin":      "false | /sys/class/block/nvme0n1/queue/rotational",
				"soft":      "-1 | /proc/self/limits",
			},
			warnings: []string{"vm.swappiness is 60"},
		},
		{
			tree: "v2-ancestor", path: "/tmp",
			want:     map[string]string{"disks": "unknown (overlay on overlay has no block device in /sys)", "spin": "unknown (overlay on overlay has no block device in /sys)"},
			warnings: []string{"mount a volume", "vm.swappiness"},
		},
		{
			tree: "v1-limit", path: "/db",
			want: map[string]string{
				"container": "docker | /proc/self/cgroup",
				"cores":     "1 | /proc/cpuinfo core id",
				"cpus":      "1 | /sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us: 50000 of 100000 us",
				"memory":    "2 GiB | /sys/fs/cgroup/memory/memory.stat",
				"affinity":  "unknown (/proc/self/status: file does not exist)",
				"disks":     "[sda] | /sys/class/block/sda3",
				"spin":      "true | /sys/class/block/sda/queue/rotational",
				"swap":      "unknown (/proc/meminfo has no SwapTotal)",
			},
			warnings: []string{"chattr +C"},
		},
		{
			tree: "lvm-sata", path: "/srv/fire bird/x",
			want: map[string]string{
				"virt":     "none | /proc/cpuinfo flags, /sys/class/dmi/id",
				"mount":    "/srv/fire bird | /proc/self/mountinfo",
				"disks":    "[sda sdb] | /sys/dev/block/253:3",
				"spin":     "true | /sys/class/block/sda/queue/rotational",
				"nvme":     "false | names of the disks",
				"governor": "powersave | /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
			},
			warnings: []string{"nobarrier", "data=writeback", "governor is powersave"},
		},
		{
			tree: "arm-zfs", path: "/db",
			want: map[string]string{
				"model":  "ARM Neoverse-N1 | /proc/cpuinfo CPU implementer, CPU part",
				"virt":   "unknown (this processor's /proc/cpuinfo does not tell)",
				"cpus":   "1 | /proc/cpuinfo processor",
				"cores":  "unknown (neither /sys/devices/system/cpu/cpu*/topology/ nor /proc/cpuinfo tells)",
				"quota":  "unknown (/proc/self/cgroup: file does not exist)",
				"memory": "7.6 GiB | /proc/meminfo MemTotal",
				"disks":  "unknown (zfs on rpool/ROOT has no block device in /sys)",
			},
			warnings: []string{"recordsize"},
		},
		{tree: "arm-zfs", path: "/mnt/share/db", warnings: []string{"RemoteFileOpenAbility"}},
		{tree: "arm-zfs", path: "/ram", warnings: []string{"tmpfs is memory"}},
		{tree: "arm-zfs", path: "/host/db", warnings: []string{"9p is a directory of another machine"}},
	} {
		t.Run(test.tree+test.path, func(t *testing.T) {
			host := read(t, captured(t, test.tree), test.path)
			got := named(host)
			for name, want := range test.want {
				if got[name] != want {
					t.Errorf("%s: %s, want %s", name, got[name], want)
				}
			}
			if len(host.Warnings) != len(test.warnings) {
				t.Fatalf("%d warnings, want %d: %q", len(host.Warnings), len(test.warnings), host.Warnings)
			}
			for i, want := range test.warnings {
				if !strings.Contains(host.Warnings[i], want) {
					t.Errorf("warning %q lacks %q", host.Warnings[i], want)
				}
			}
		})
	}
}

// show returns a fact's value and source, or why it is missing.
func show[T any](f Fact[T]) string {
	if !f.Known() {
		return f.String()
	}
	return f.String() + " | " + f.Source
}

// named returns the facts of a host that tests look at, under short names.
func named(h Host) map[string]string {
	return map[string]string{
		"os": show(h.OSName), "virt": show(h.Virtualisation), "container": show(h.Container),
		"model": show(h.CPU.Model), "cores": show(h.CPU.PhysicalCores), "sockets": show(h.CPU.Sockets), "cpus": show(h.CPU.Usable),
		"affinity": show(h.CPU.Affinity), "quota": show(h.CPU.Quota),
		"memory": show(h.Memory.Usable), "swap": show(h.Memory.SwapTotal),
		"mount": show(h.Disk.MountPoint), "fs": show(h.Disk.FileSystem), "options": show(h.Disk.Options),
		"disks": show(h.Disk.Devices), "spin": show(h.Disk.Rotational), "nvme": show(h.Disk.NVMe), "free": show(h.Disk.Free),
		"soft": show(h.Limits.OpenFilesSoft), "hard": show(h.Limits.OpenFilesHard), "maps": show(h.Limits.MaxMapCount),
		"thp": show(h.KernelSettings.TransparentHugePages), "governor": show(h.KernelSettings.Governor),
	}
}

// TestLargeHost reads a machine of two sockets with 48 cores of two threads
// each.
func TestLargeHost(t *testing.T) {
	const sockets, cores = 2, 48
	tree := fstest.MapFS{
		"proc/meminfo":                  {Data: []byte("MemTotal: 1585000000 kB\nMemAvailable: 1500000000 kB\n")},
		"sys/devices/system/cpu/online": {Data: []byte("0-191\n")},
		"proc/self/status":              {Data: []byte("Cpus_allowed_list:\t0-31,96-127\n")},
	}
	for cpu := range sockets * cores * 2 {
		dir := fmt.Sprintf("sys/devices/system/cpu/cpu%d/topology/", cpu)
		core := cpu % (sockets * cores)
		tree[dir+"physical_package_id"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d\n", core/cores)}
		tree[dir+"thread_siblings_list"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d,%d\n", core, core+sockets*cores)}
	}
	cpu := read(t, tree, "/").CPU
	for _, test := range []struct {
		name string
		got  Fact[int]
		want int
	}{{"sockets", cpu.Sockets, 2}, {"cores", cpu.PhysicalCores, 96}, {"logical", cpu.LogicalCPUs, 192}, {"affinity", cpu.Affinity, 64}, {"usable", cpu.Usable, 64}} {
		if !test.got.Known() || test.got.Value != test.want {
			t.Errorf("%s: %s, want %d", test.name, test.got, test.want)
		}
	}
}

// TestAbsurdMemory checks that no memory, or memory no machine has, is an error
// that says how to state it, and that the other facts are there nevertheless.
func TestAbsurdMemory(t *testing.T) {
	for _, test := range []struct{ name, meminfo, limit, want string }{
		{"no file", "", "max", "file does not exist"},
		{"no MemTotal", "MemFree: 1 kB\n", "max", "has no MemTotal"},
		{"zero", "MemTotal: 0 kB\n", "max", "says 0 B"},
		{"too much", "MemTotal: 2000000000000 kB\n", "max", "1.8 PiB"},
		{"overflow", "MemTotal: 9223372036854775807 kB\n", "max", "MemTotal is"},
		{"negative", "MemTotal: -5 kB\n", "max", "MemTotal is"},
		{"words", "MemTotal: much kB\n", "max", `MemTotal is "much kB"`},
		{"more available than there is", "MemTotal: 1000000 kB\nMemAvailable: 2000000 kB\n", "max", "are available of"},
		{"a limit of nothing", "MemTotal: 1000000 kB\n", "4096", "too little for Firebird"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := captured(t, "v2-ancestor")
			delete(tree, "proc/meminfo")
			if test.meminfo != "" {
				tree["proc/meminfo"] = &fstest.MapFile{Data: []byte(test.meminfo)}
			}
			tree["sys/fs/cgroup/kubepods.slice/pod1/app/memory.max"] = &fstest.MapFile{Data: []byte(test.limit)}
			host, err := Read(context.Background(), System{FS: tree}, "/")
			var memory *MemoryError
			if !errors.As(err, &memory) {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(err.Error(), test.want) || !strings.HasSuffix(err.Error(), "--memory 16G") {
				t.Errorf("error %q lacks %q or its hint", err, test.want)
			}
			if host.Memory.Usable.Known() || !host.CPU.Usable.Known() {
				t.Errorf("usable memory %s, usable CPUs %s", host.Memory.Usable, host.CPU.Usable)
			}
		})
	}
}

// TestEmptyTree checks that a machine without any file yields reasons, not
// zeros.
func TestEmptyTree(t *testing.T) {
	host, err := Read(context.Background(), System{FS: fstest.MapFS{}}, "/")
	if err == nil {
		t.Error("no error without memory")
	}
	for name, fact := range named(host) {
		if !strings.HasPrefix(fact, "unknown (") {
			t.Errorf("%s is %s", name, fact)
		}
	}
}

// TestHostJSON checks that what probe --json saves is read back as it was.
func TestHostJSON(t *testing.T) {
	host := read(t, captured(t, "v2-ancestor"), "/var/lib/firebird")
	data, err := json.Marshal(host)
	if err != nil {
		t.Fatal(err)
	}
	var back Host
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(host, back) {
		t.Errorf("got %+v, want %+v", back, host)
	}
	var byHand Fact[Bytes]
	if err := json.Unmarshal([]byte(`{"value": 1024}`), &byHand); err != nil || byHand != (Fact[Bytes]{Value: KiB, Source: "given"}) {
		t.Errorf("a value without a source: %+v, %v", byHand, err)
	}
}

// TestLive probes the machine the test runs on, both ways, and compares them.
func TestLive(t *testing.T) {
	ctx := context.Background()
	live, err := Read(ctx, Live(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	portable, err := Read(ctx, System{Resolve: resolve}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if live.Memory.Total.Value != portable.Memory.Total.Value {
		t.Errorf("total memory is %d by our reading, %d by gopsutil", live.Memory.Total.Value, portable.Memory.Total.Value)
	}
	if live.CPU.LogicalCPUs.Value != portable.CPU.LogicalCPUs.Value {
		t.Errorf("logical CPUs are %d by our reading, %d by gopsutil", live.CPU.LogicalCPUs.Value, portable.CPU.LogicalCPUs.Value)
	}
	if got := live.CPU.Usable; !got.Known() || got.Value < 1 || got.Value > runtime.NumCPU() {
		t.Errorf("usable CPUs %s, the Go runtime sees %d", got, runtime.NumCPU())
	}
	if free := live.Disk.Free; !free.Known() || free.Value > live.Disk.Total.Value {
		t.Errorf("free space %s of %s", free, live.Disk.Total)
	}
}

// TestCanceled checks that a canceled probe does nothing.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, Live(), "/"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
