package diskbench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// access is how a test gets at the file.
type access struct {
	name   string
	open   func(path string) (*os.File, error)
	flush  bool // after each operation
	forget bool // before each operation: drop the file from the cache
}

// access returns how a test is run on this file system. Where the cache cannot
// be passed by, reads have it emptied and writes wait for the device.
func (b *Bench) access(t Test) access {
	plain := func(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR, 0) }
	switch {
	case t.Mode == Fsync:
		return access{name: fsyncName + " after each write", open: plain, flush: true}
	case t.Mode == Dsync || !b.Direct && t.Operation == Write:
		return access{name: dsyncName, open: openDsync}
	case b.Direct:
		return access{name: directName, open: openDirect}
	case !canDrop:
		return access{name: "file cache", open: plain}
	}
	return access{name: "file cache, dropped after each read", open: plain, forget: true}
}

// worker is a thread that has one operation under way at a time.
type worker struct {
	file      *os.File
	calls     calls
	access    access
	write     bool
	block     []byte
	next      func() (offset int64, more bool)
	written   uint64 // blocks
	latencies *hdrhistogram.Histogram
}

// workers opens the file for each worker of a test: on Windows operations on
// one handle wait for each other. What was opened is returned with an error,
// too.
func (b *Bench) workers(t Test, a access) ([]*worker, error) {
	data, err := incompressible()
	if err != nil {
		return nil, err
	}
	var all []*worker
	offsets := b.offsets(t)
	for range t.Workers {
		f, err := a.open(b.scratch.data())
		if err != nil {
			return all, err
		}
		w := &worker{
			file: f, calls: callsOf(f), access: a, write: t.Operation == Write, block: aligned(int(t.Block)),
			next: offsets(), latencies: newHistogram(),
		}
		all = append(all, w)
		if w.write {
			if _, err := data.Read(w.block); err != nil {
				return all, err
			}
		}
	}
	if a.forget {
		return all, drop(all[0].file, 0, 0)
	}
	return all, nil
}

// offsets returns what makes the source of offsets of each worker of a test.
func (b *Bench) offsets(t Test) func() func() (int64, bool) {
	block := int64(t.Block)
	blocks := int64(b.Size) / block
	var shared atomic.Int64
	switch t.Pattern {
	case Random:
		return func() func() (int64, bool) {
			random := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
			return func() (int64, bool) { return random.Int64N(blocks) * block, true }
		}
	case Append:
		return func() func() (int64, bool) {
			return func() (int64, bool) {
				at := (shared.Add(1) - 1) * block
				return int64(b.Size) + at, at < int64(Growth)
			}
		}
	}
	return func() func() (int64, bool) {
		return func() (int64, bool) { return (shared.Add(1) - 1) % blocks * block, true }
	}
}

// run does one operation after the other until the deadline, until stop, or
// until there is nothing more to do.
func (w *worker) run(deadline time.Time, stop *atomic.Bool) error {
	for !stop.Load() {
		offset, more := w.next()
		if !more {
			return nil
		}
		if w.write {
			w.written++
			stamp(w.block, w.written)
		}
		begin := time.Now()
		if err := w.operate(offset); err != nil {
			return err
		}
		end := time.Now()
		if err := w.latencies.RecordValue(int64(min(end.Sub(begin), longest))); err != nil {
			return fmt.Errorf("record a latency: %w", err)
		}
		if w.access.forget {
			if err := drop(w.file, offset, int64(len(w.block))); err != nil {
				return err
			}
		}
		if !end.Before(deadline) {
			return nil
		}
	}
	return nil
}

// operate does what is measured.
func (w *worker) operate(offset int64) error {
	if !w.write {
		return w.calls.read(w.block, offset)
	}
	if err := w.calls.write(w.block, offset); err != nil || !w.access.flush {
		return err
	}
	return w.calls.flush()
}

// settle brings the file back to what it was before a test that wrote, and
// waits until nothing is under way.
func (b *Bench) settle(t Test) error {
	if t.Operation != Write {
		return nil
	}
	f, err := os.OpenFile(b.scratch.data(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = f.Truncate(int64(b.Size))
	return errors.Join(err, f.Sync(), f.Close())
}
