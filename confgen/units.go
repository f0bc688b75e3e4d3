package confgen

import (
	"math"

	"github.com/fbtune/fbtune/probe"
)

// Bytes is an amount of memory or storage in bytes.
type Bytes = probe.Bytes

// Units of Bytes.
const (
	KiB = probe.KiB
	MiB = probe.MiB
	GiB = probe.GiB
	TiB = probe.TiB
	PiB = probe.PiB
)

// Pages is a number of database pages, or of page buffers.
type Pages int64

// Of returns the bytes of p pages of the given size each, saturating instead
// of overflowing.
func (p Pages) Of(size Bytes) Bytes { return times(int64(p), size) }

// times returns n*b, saturating at the largest Bytes: a budget of absurd
// settings must still compare as too large.
func times(n int64, b Bytes) Bytes {
	if n <= 0 || b <= 0 {
		return 0
	}
	if int64(b) > math.MaxInt64/n {
		return math.MaxInt64
	}
	return Bytes(n) * b
}

// plus returns a+b, saturating like times.
func plus(a, b Bytes) Bytes {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
