package probe

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

func TestCountList(t *testing.T) {
	for _, test := range []struct {
		text string
		want int // -1 for an error
	}{
		{"0", 1}, {"0-3", 4}, {"0-3,8,10-11\n", 7}, {"", -1}, {"3-1", -1}, {"a", -1}, {"0-", -1}, {"0-4294967295", -1}, {"-1", -1},
	} {
		got, err := countList(test.text)
		if test.want < 0 && err == nil || test.want >= 0 && (err != nil || got != test.want) {
			t.Errorf("countList(%q) = %d, %v, want %d", test.text, got, err, test.want)
		}
	}
}

func TestUnescape(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"/plain", "/plain"}, {`/a\040b\011c\134d`, "/a b\tc\\d"}, {`/end\04`, `/end\04`}, {`/no\999`, `/no\999`},
	} {
		if got := unescape(test.text); got != test.want {
			t.Errorf("unescape(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// TestCoveredMount checks that of two mounts on one point the later counts, and
// that a mount point is not taken for a prefix of a longer name.
func TestCoveredMount(t *testing.T) {
	all, err := parseMountInfo("1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 8:2 / /db rw - ext4 /dev/b rw\n3 1 8:3 / /db rw - xfs /dev/c rw\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ path, want string }{{"/db/x", "/dev/c"}, {"/db", "/dev/c"}, {"/dbx", "/dev/a"}, {"/", "/dev/a"}} {
		if got, err := (mounts{all: all}).under(test.path); err != nil || got.Source != test.want {
			t.Errorf("under(%s) = %s, %v, want %s", test.path, got.Source, err, test.want)
		}
	}
}

func TestPressure(t *testing.T) {
	const text = "some avg10=1.50 avg60=0.20 avg300=0.03 total=2500000\nfull avg10=1.00 avg60=0.10 avg300=0.01 total=1000\n"
	want := Pressure{
		Some: Stall{1.5, 0.2, 0.03, 2500 * time.Millisecond},
		Full: Stall{1, 0.1, 0.01, time.Millisecond},
	}
	got, err := ReadPressure(fstest.MapFS{"proc/pressure/memory": {Data: []byte(text)}})
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := ReadPressure(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the file: %v", err)
	}
	for _, bad := range []string{"", "none", "some avg10=x", "full total=1.5"} {
		if got, err := ParsePressure(bad); err == nil {
			t.Errorf("ParsePressure(%q) = %+v", bad, got)
		}
	}
}

// TestResolve checks that links are followed and that the end of a path need
// not exist.
func TestResolve(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	got, err := resolve(filepath.Join(dir, "link", "not", "yet"))
	if want := filepath.Join(dir, "real", "not", "yet"); err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestBytesString(t *testing.T) {
	for _, test := range []struct {
		bytes Bytes
		want  string
	}{{0, "0 B"}, {1023, "1023 B"}, {KiB, "1 KiB"}, {1536 * KiB, "1.5 MiB"}, {24 * GiB, "24 GiB"}, {PiB, "1 PiB"}, {-5, "-5 B"}} {
		if got := test.bytes.String(); got != test.want {
			t.Errorf("%d: %q, want %q", int64(test.bytes), got, test.want)
		}
	}
}

// FuzzRead checks that no content of the files makes a probe panic, and that
// what it takes for usable is within reason.
func FuzzRead(f *testing.F) {
	tree := captured(f, "v2-ancestor")
	files := []string{"proc/meminfo", "proc/self/mountinfo", "proc/self/cgroup", "proc/cpuinfo", "proc/self/status", "sys/fs/cgroup/kubepods.slice/pod1/cpu.max"}
	for i, file := range files {
		f.Add(i, tree[file].Data)
	}
	f.Add(1, []byte("1 0 8:1 / / rw - \n"))
	f.Add(2, []byte("0::/../..\n4:memory:x"))
	f.Add(5, []byte("1e308 1e-308"))
	f.Fuzz(func(t *testing.T, file int, data []byte) {
		changed := fstest.MapFS{}
		for name, content := range tree {
			changed[name] = content
		}
		changed[files[uint(file)%uint(len(files))]] = &fstest.MapFile{Data: data}
		host, err := Read(t.Context(), System{FS: changed}, "/var/lib/firebird")
		if err == nil && (host.Memory.Usable.Value < leastMemory || host.Memory.Usable.Value > mostMemory) {
			t.Errorf("usable memory %d", host.Memory.Usable.Value)
		}
		if cpus := host.CPU.Usable; cpus.Known() && cpus.Value < 1 {
			t.Errorf("usable CPUs %d", cpus.Value)
		}
	})
}
