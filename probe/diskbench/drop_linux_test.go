package diskbench

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/fbtune/fbtune/probe"
)

// onDisk returns a bench on a disk: where temporary files are in memory, in this
// directory or in /var/tmp.
func onDisk(t *testing.T) *Bench {
	t.Helper()
	for _, parent := range []string{os.TempDir(), ".", "/var/tmp"} {
		dir, err := os.MkdirTemp(parent, "fbtune-disk-test-*")
		if err != nil {
			continue // not ours to write to
		}
		t.Cleanup(func() { os.Remove(dir) })
		c := small(t)
		if c.Dir, err = filepath.Abs(dir); err != nil {
			t.Fatal(err)
		}
		if b := open(t, c); !inMemory(b.Disk) {
			return b
		}
	}
	t.Fatal("all directories are in memory, from which files cannot be dropped; set TMPDIR to one on a disk")
	return nil
}

// What was read through the file cache is not in it afterwards, else the next
// read of it would measure memory.
func TestReadsAreForgotten(t *testing.T) {
	b := onDisk(t)
	b.Direct = false
	m, err := b.Measure(t.Context(), Test{Operation: Read, Pattern: Random, Mode: Direct, Block: 4 * probe.KiB, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(b.File())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	mapped, err := unix.Mmap(int(f.Fd()), 0, int(b.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.Munmap(mapped); err != nil {
			t.Error(err)
		}
	}()
	resident := make([]byte, len(mapped)/os.Getpagesize())
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&mapped[0])), uintptr(len(mapped)), uintptr(unsafe.Pointer(&resident[0])))
	if errno != 0 {
		t.Fatal(errno)
	}
	cached := 0
	for _, page := range resident {
		cached += int(page & 1)
	}
	if int64(cached) > m.Operations/10 {
		t.Errorf("%d pages are in the cache after %d reads", cached, m.Operations)
	}
}
