package diskbench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fbtune/fbtune/probe"
)

// MinSize is the smallest file that can be measured: 16 blocks of the largest
// tests.
const MinSize = 16 * probe.MiB

// Growth is the most that the test which appends makes the file longer by.
const Growth = 64 * probe.MiB

// Config says what is measured. No field has a default.
type Config struct {
	Dir      string        // an existing directory on the disk
	Size     probe.Bytes   // of the file, at least MinSize
	Duration time.Duration // of each test
}

// check refuses what cannot be measured.
func (c Config) check() error {
	switch {
	case c.Size < MinSize:
		return fmt.Errorf("a file of %s: give at least %s", c.Size, MinSize)
	case c.Duration <= 0:
		return fmt.Errorf("tests of %s: give a duration above 0", c.Duration)
	}
	return nil
}

// Bench is a file that is measured, and removed by Close.
type Bench struct {
	Disk     probe.Disk    // where the file is
	Size     probe.Bytes   // of the file
	Fill     time.Duration // that writing it took, until it was on the disk
	Direct   bool          // whether the file cache can be passed by
	NoDirect string        // why not
	Warnings []string      // doubts about every figure, each ending in what to do

	duration time.Duration
	scratch  scratch
}

// Open writes the file of a measurement, after it has removed what killed runs
// left in the directory and made sure that there is enough room: at most half
// of what is free is taken.
func Open(ctx context.Context, c Config) (*Bench, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(c.Dir) // File is for other programs
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", c.Dir, err)
	}
	if _, err := Sweep(dir); err != nil {
		return nil, err
	}
	host, err := probe.Read(ctx, probe.Live(), dir)
	var memory *probe.MemoryError
	if err != nil && !errors.As(err, &memory) { // how much memory there is does not matter here
		return nil, err
	}
	if err := checkRoom(host.Disk, c.Size+Growth); err != nil {
		return nil, err
	}
	s, err := newScratch(dir)
	if err != nil {
		return nil, err
	}
	b := &Bench{Disk: host.Disk, duration: c.Duration, scratch: s}
	if err := b.prepare(ctx, c.Size); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// checkRoom refuses to take more than half of the free space.
func checkRoom(d probe.Disk, need probe.Bytes) error {
	switch {
	case !d.Free.Known():
		return fmt.Errorf("find out how much is free in %s: %s; give another --path", d.Path, d.Free.Missing)
	case d.Free.Value/2 < need:
		return fmt.Errorf("%s has %s free, and a measurement takes at most half of it: this one needs %s; give a smaller --size or another --path",
			d.Path, d.Free.Value, need)
	}
	return nil
}

// prepare makes the file and finds out how it can be opened.
func (b *Bench) prepare(ctx context.Context, size probe.Bytes) error {
	f, err := os.OpenFile(b.scratch.data(), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("make the file that is measured: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("make the file that is measured: %w", err)
	}
	if err := tryDirect(b.scratch.data()); err != nil {
		b.NoDirect = err.Error()
	} else {
		b.Direct = true
	}
	return b.fill(ctx, size)
}

// tryDirect writes and reads a block past the file cache. Some file systems
// take the flag and refuse the transfer.
func tryDirect(path string) error {
	f, err := openDirect(path)
	if err != nil {
		return fmt.Errorf("%s: %w", directName, err)
	}
	block := aligned(alignment)
	_, err = f.WriteAt(block, 0)
	if err == nil {
		_, err = f.ReadAt(block, 0)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s: %w", directName, err)
	}
	return nil
}

// File is the path of the file, for another program to measure the same.
func (b *Bench) File() string { return b.scratch.data() }

// Close removes the file. It may be called twice.
func (b *Bench) Close() error {
	if b.scratch.dir == "" {
		return nil
	}
	s := b.scratch
	b.scratch = scratch{}
	return s.remove()
}
