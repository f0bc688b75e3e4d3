package workload

import "math"

// nurand draws non-uniformly from a range, as TPC-C 2.1.6 defines:
// NURand(A, x, y) = (((random(0, A) | random(x, y)) + C) mod (y - x + 1)) + x.
type nurand struct {
	a, c   int
	lo, hi int
}

func (n nurand) draw(g *lcg) int {
	return ((g.between(0, n.a)|g.between(n.lo, n.hi))+n.c)%(n.hi-n.lo+1) + n.lo
}

// specifiedA are the constants of TPC-C 2.1.6 for its three ranges, by size:
// last names 0..999, customers 1..3000, items 1..100000.
var specifiedA = map[int]int{
	lastNames:                255,
	fullCustomersPerDistrict: 1023,
	fullItems:                8191,
}

// nurandA returns the constant A for a range of size n.
//
// For the standard's own ranges it is the standard's value: 255 of 1000, 1023
// of 3000, 8191 of 100000. For the ranges of scaled tables it is the largest
// 2^k-1 within a third of the range. The standard gives no rule, only those
// three values, which are 1/3.9, 1/2.9 and 1/12.2 of their ranges: the rule
// gives the first, and for the others would give 511 and 32767, so the second
// range of a scaled table is a little more skewed and the third less than
// theirs are. A third keeps A below the range, without which NURand would
// skew nothing.
func nurandA(n int) int {
	if a, ok := specifiedA[n]; ok {
		return a
	}
	a := 0
	for 2*a+1 <= n/3 {
		a = 2*a + 1
	}
	return a
}

// The distance the standard (2.1.6.1) wants between the constants C of loading
// and running for last names, where A is 255: 65..119 without 96 and 112.
const (
	minNameDelta = 65
	maxNameDelta = 119
)

var excludedNameDeltas = [...]int{96, 112}

// nameDeltas returns the distances allowed between the two constants C of last
// names for a given A: the standard's, in proportion.
func nameDeltas(a int) []int {
	scaled := func(d int) float64 { return float64(d) * float64(a) / 255 }
	var deltas []int
next:
	for d := int(math.Ceil(scaled(minNameDelta))); d <= int(scaled(maxNameDelta)); d++ {
		for _, x := range excludedNameDeltas {
			if d == int(math.Round(scaled(x))) {
				continue next
			}
		}
		deltas = append(deltas, d)
	}
	return deltas
}

// nameC returns the constants C of last names for loading, which depends on
// the scale's seed, and for a run, which depends on both seeds.
func nameC(s Scale, runSeed int64) (load, run int) {
	a := nurandA(s.names())
	g := newLCG(s.Seed, seedNameC)
	load = g.between(0, a)
	deltas := nameDeltas(a)
	if len(deltas) == 0 {
		return load, load
	}
	r := newLCG(s.Seed, runSeed, seedNameC)
	delta := deltas[r.between(0, len(deltas)-1)]
	if load+delta > a || (load-delta >= 0 && r.oneIn(2)) {
		delta = -delta
	}
	if load+delta < 0 {
		// Neither side has room: only when the range is narrower than two deltas.
		return load, load
	}
	return load, load + delta
}

var syllables = [10]string{"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}

// lastName returns the last name of number n in 0..999 (TPC-C 4.3.2.3).
func lastName(n int) string {
	return syllables[n/100] + syllables[n/10%10] + syllables[n%10]
}

// lastNameTable returns the first n last names.
func lastNameTable(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = lastName(i)
	}
	return names
}
