//go:build !linux || !(amd64 || arm64)

package diskbench

import "os"

// calls are the system calls of a worker.
type calls struct{ file *os.File }

// callsOf returns the calls on a file that stays open as long as they are used.
func callsOf(f *os.File) calls { return calls{f} }

func (c calls) read(block []byte, offset int64) error {
	_, err := c.file.ReadAt(block, offset)
	return err
}

func (c calls) write(block []byte, offset int64) error {
	_, err := c.file.WriteAt(block, offset)
	return err
}

func (c calls) flush() error { return c.file.Sync() }
