package probe

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"testing"
	"testing/fstest"
	"time"
)

// readState reads a machine of one SATA disk behind a RAID controller, that is
// limited by groups of both versions.
func readState(t *testing.T, smart func(context.Context, string) ([]byte, error)) Host {
	t.Helper()
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	root := fstest.MapFS{
		"proc/meminfo":        text("MemTotal: 8000000 kB\n"),
		"proc/stat":           text("cpu 50 0 20 20 0 0 0 10 5 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n"),
		"proc/self/cgroup":    text("7:blkio:/fb\n0::/fb\n"),
		"proc/self/mountinfo": text("1 0 8:0 / / rw - ext4 /dev/sda rw\n2 1 0:9 / /cg/io rw - cgroup cgroup rw,blkio\n3 1 0:8 / /cg/two rw - cgroup2 cgroup rw\n"),
		"cg/io/fb/blkio.throttle.write_iops_device":     text("8:0 500\n9:9 1\n"),
		"cg/two/fb/io.max":                              text("8:0 rbps=max wbps=1048576 riops=max wiops=max\n"),
		"sys/dev/block/8:0":                             link("../../devices/host3/block/sda"),
		"sys/class/block/sda":                           link("../../devices/host3/block/sda"),
		"sys/devices/host3/block/sda/dev":               text("8:0\n"),
		"sys/devices/host3/block/sda/device/model":      text("PERC H740P\n"),
		"sys/devices/host3/block/sda/queue/write_cache": text("write back\n"),
		"sys/class/scsi_host/host3/proc_name":           text("megaraid_sas\n"),
	}
	host, err := Read(t.Context(), System{FS: root, SMART: smart}, "/data")
	if err != nil {
		t.Fatal(err)
	}
	if len(host.Disk.Drives) != 1 {
		t.Fatalf("drives %+v, want sda", host.Disk.Drives)
	}
	return host
}

// TestDrive reads what the kernel tells of a disk, and its limits.
func TestDrive(t *testing.T) {
	host := readState(t, nil)
	d := host.Disk.Drives[0]
	for _, test := range []struct{ got, want string }{
		{show(d.Model), "PERC H740P | /sys/class/block/sda/device/model"},
		{show(d.WriteCache), "write back | /sys/class/block/sda/queue/write_cache"},
		{show(d.Battery), "unknown (the kernel does not tell of the battery behind megaraid_sas; run storcli /c0/bbu show, or /c0/cv show)"},
		{show(d.Virtual), "unknown (neither its name nor its model is that of a known virtual disk)"},
		{show(d.SMARTPassed), "unknown (not asked)"},
		{show(host.CPU.Steal), "10 | /proc/stat since the start"},
		{show(host.Busy), "unknown (not sampled)"},
	} {
		if test.got != test.want {
			t.Errorf("%s, want %s", test.got, test.want)
		}
	}
	want := []Throttle{{"sda", "/fb", "wbps=1048576", "/cg/two/fb/io.max"}, {"sda", "/fb", "wiops=500", "/cg/io/fb/blkio.throttle.write_iops_device"}}
	if !reflect.DeepEqual(host.Disk.Throttles, want) {
		t.Errorf("throttles %+v, want %+v", host.Disk.Throttles, want)
	}
}

// TestSMART reads what smartctl prints, and why it could not.
func TestSMART(t *testing.T) {
	for _, test := range []struct {
		out          string
		err          error
		passed, worn string
	}{
		{`{"smart_status":{"passed":false},"nvme_smart_health_information_log":{"percentage_used":104}}`, nil, "false | smartctl smart_status.passed", "104 | smartctl percentage_used"},
		{`{"smartctl":{"messages":[{"string":"/dev/sda: Unable to detect device type"}]}}`, nil, "unknown (smartctl: /dev/sda: Unable to detect device type)", "unknown (smartctl: /dev/sda: Unable to detect device type)"},
		{``, errors.New("smartctl is not in PATH; install smartmontools"), "unknown (smartctl is not in PATH; install smartmontools)", "unknown (smartctl is not in PATH; install smartmontools)"},
	} {
		d := readState(t, func(context.Context, string) ([]byte, error) { return []byte(test.out), test.err }).Disk.Drives[0]
		if show(d.SMARTPassed) != test.passed || show(d.Worn) != test.worn {
			t.Errorf("%s: %s, %s", test.out, show(d.SMARTPassed), show(d.Worn))
		}
	}
}

// TestVirtualDisk knows virtual disks by name or model.
func TestVirtualDisk(t *testing.T) {
	for disk, want := range map[[2]string]string{
		{"vda", ""}: "virtio", {"xvda", ""}: "Xen", {"nvme1n1", "Amazon Elastic Block Store"}: "Amazon EBS", {"sda", "ST4000"}: "",
	} {
		if got := virtualDisk(disk[0], known(disk[1], "test")).Value; got != want {
			t.Errorf("%v: %q, want %q", disk, got, want)
		}
	}
}

// TestBusiest lists what is busy, the busiest first, and no process whose
// counters have no start.
func TestBusiest(t *testing.T) {
	before := map[int]counters{1: {"init", 0, 0}, 2: {"dd", 0, 1 << 20}, 3: {"gbak", 0, 0}, 4: {"bash", 0, 0}}
	after := map[int]counters{1: {"init", 9, 9}, 2: {"dd", 0, 2 << 20}, 3: {"gbak", 4 << 20, 0}, 4: {"tar", 9 << 20, 0}, 5: {"cp", 9 << 20, 0}}
	want := []Busy{{3, "gbak", 8 * MiB, 0}, {2, "dd", 0, 2 * MiB}}
	if got := busiest(before, after, time.Second/2); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
