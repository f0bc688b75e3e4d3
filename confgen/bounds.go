package confgen

// Fate is what the engine does with a number outside a setting's bounds.
type Fate string

// Fates.
const (
	Kept      Fate = ""         // taken as it is
	Clamped   Fate = "clamped"  // moved to the bound
	Defaulted Fate = "default"  // replaced by the default
	Zeroed    Fate = "zero"     // replaced by 0
	Replaced  Fate = "replaced" // replaced by Bounds.Instead
	Fatal     Fate = "fatal"    // no attach is possible
)

// Bounds are the numbers a setting takes and what happens to others. The zero
// Bounds takes every number.
type Bounds struct {
	Min, Max int64 // inclusive; both 0 when there are none
	Zero     bool  // whether 0 is taken although Min is larger

	Negative Fate // decided first
	Low      Fate // below Min
	High     Fate // above Max

	Int32    bool  // whether only the low 32 bits are kept, as a signed number, before all else
	Uint32   bool  // the same, as an unsigned number
	Modulo   int64 // when not 0, taken modulo this before the bounds
	Instead  int64 // what Replaced puts in the place of a number
	Multiple int64 // when not 0, rounded up to a multiple of this at last
}

// apply returns what becomes of n, and false when no attach is possible with
// it. def is the setting's default.
func (b Bounds) apply(n, def int64) (int64, bool) {
	n = b.cut(n)
	fate, bound := Kept, int64(0)
	switch {
	case n == 0 && b.Zero:
	case n < 0 && b.Negative != Kept:
		fate = b.Negative
	case n < b.Min:
		fate, bound = b.Low, b.Min
	case b.Max != 0 && n > b.Max:
		fate, bound = b.High, b.Max
	}
	switch fate {
	case Clamped:
		n = bound
	case Zeroed:
		n = 0
	case Defaulted:
		n = def
	case Replaced:
		n = b.Instead
	case Fatal:
		return n, false
	}
	if b.Multiple != 0 {
		n = (n + b.Multiple - 1) / b.Multiple * b.Multiple
	}
	return n, true
}

// cut keeps as much of a number as the engine's variable holds.
func (b Bounds) cut(n int64) int64 {
	switch {
	case b.Int32:
		n = int64(int32(n))
	case b.Uint32:
		n = int64(uint32(n))
	}
	if b.Modulo != 0 {
		n = int64(uint64(n) % uint64(b.Modulo))
	}
	return n
}

// overflows reports whether the engine loses digits of n.
func (e Era) overflows(n int64) bool {
	return n > 0 && (e.Bounds.cut(n) != n || e.Use.cut(n) != n)
}
