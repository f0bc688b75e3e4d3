package diskbench

import (
	"context"
	crypto "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
	"unsafe"

	"github.com/fbtune/fbtune/probe"
)

// alignment of buffers, offsets and lengths: the largest block of a disk that
// direct transfers are known to ask for.
const alignment = 4096

// fillLimit bounds the writing of the file: a disk that has not taken it by
// then is measured with what it has taken.
const fillLimit = 5 * time.Minute

// aligned returns a buffer whose address is a multiple of alignment.
func aligned(size int) []byte {
	raw := make([]byte, size+alignment)
	skip := -int(uintptr(unsafe.Pointer(&raw[0]))) & (alignment - 1)
	return raw[skip : skip+size : skip+size]
}

// incompressible returns a source of bytes that no disk can compress, and that
// are others in every run.
func incompressible() (*rand.ChaCha8, error) {
	var seed [32]byte
	if _, err := crypto.Read(seed[:]); err != nil {
		return nil, fmt.Errorf("make data: %w", err)
	}
	return rand.NewChaCha8(seed), nil
}

// stamp makes every sector of a block of incompressible data differ from what
// it was under another number, so that no disk can store it once for two.
func stamp(block []byte, number uint64) {
	const sector = 512
	for at := 0; at < len(block); at += sector {
		binary.LittleEndian.PutUint64(block[at:], number)
	}
}

// fill writes the whole file and waits until it is on the disk.
func (b *Bench) fill(ctx context.Context, size probe.Bytes) (err error) {
	begin := time.Now()
	defer func() {
		b.Fill = time.Since(begin)
		if err != nil {
			err = fmt.Errorf("write the file that is measured: %w", err)
		}
	}()
	f, err := b.openPlain()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	data, err := incompressible()
	if err != nil {
		return err
	}
	for block := aligned(int(probe.MiB)); b.Size+probe.MiB <= size; b.Size += probe.MiB {
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Since(begin) > fillLimit {
			break
		}
		if _, err := data.Read(block); err != nil {
			return err
		}
		if _, err := f.WriteAt(block, int64(b.Size)); err != nil {
			return err
		}
	}
	if b.Size < MinSize {
		return fmt.Errorf("only %s in %s; give another --path", b.Size, fillLimit)
	}
	if b.Size+probe.MiB <= size {
		b.Warnings = append(b.Warnings, fmt.Sprintf("only %s of %s could be written in %s; the figures are of that much; give a smaller --size", b.Size, size, fillLimit))
	}
	return f.Sync()
}

// openPlain opens the file past the cache if that can be, else through it.
func (b *Bench) openPlain() (*os.File, error) {
	if b.Direct {
		return openDirect(b.scratch.data())
	}
	return os.OpenFile(b.scratch.data(), os.O_RDWR, 0)
}
