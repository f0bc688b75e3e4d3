//go:build amd64 || arm64

package diskbench

import (
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are the system calls of a worker, past Go's scheduler: it would take
// the processor from a goroutine that stays in a call for 20 µs and give one
// back after it, which was measured to add 14 to 28 µs to an operation of 70 µs
// on a busy virtual machine. Each worker must have a processor of its own,
// which it keeps while it waits.
type calls struct{ fd uintptr }

// callsOf returns the calls on a file that stays open as long as they are used.
func callsOf(f *os.File) calls { return calls{f.Fd()} }

func (c calls) read(block []byte, offset int64) error {
	return c.transfer(unix.SYS_PREAD64, block, offset, io.ErrUnexpectedEOF)
}

func (c calls) write(block []byte, offset int64) error {
	return c.transfer(unix.SYS_PWRITE64, block, offset, io.ErrShortWrite)
}

// transfer moves a whole block, else it fails, with short for a part of it.
func (c calls) transfer(call uintptr, block []byte, offset int64, short error) error {
	for {
		n, _, errno := unix.RawSyscall6(call, c.fd, uintptr(unsafe.Pointer(&block[0])), uintptr(len(block)), uintptr(offset), 0, 0)
		switch {
		case errno == unix.EINTR:
			continue
		case errno != 0:
			return errno
		case n != uintptr(len(block)):
			return short
		}
		return nil
	}
}

func (c calls) flush() error {
	for {
		switch _, _, errno := unix.RawSyscall(unix.SYS_FSYNC, c.fd, 0, 0); errno {
		case unix.EINTR:
		case 0:
			return nil
		default:
			return errno
		}
	}
}
