package workload

// The generator of the stored procedures in templates/oltp/generate.sql
// ("minstd"), repeated here for what fbtune itself draws: seeds, the pool of
// letters, permutations and the inputs of operations. It needs no allocation
// and gives the same numbers on every platform.
const (
	lcgMultiplier = 48271
	lcgModulus    = 1<<31 - 1
)

// lcg is a linear congruential generator; its value is in 1..lcgModulus-1.
type lcg uint32

// newLCG returns a generator whose start depends on all of parts. Parts that
// differ in one bit give starts that have nothing in common.
func newLCG(parts ...int64) lcg {
	var h uint64
	for _, p := range parts {
		// The finaliser of SplitMix64 (Steele, Lea, Flood 2014) over a running sum.
		h += uint64(p) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return lcg(1 + h%(lcgModulus-1))
}

// next advances the generator and returns its value.
func (g *lcg) next() uint32 {
	*g = lcg(uint64(*g) * lcgMultiplier % lcgModulus)
	return uint32(*g)
}

// between returns a number in lo..hi, both included. Ranges are far smaller
// than the modulus, so the remainder's bias stays below 1 in 10,000.
func (g *lcg) between(lo, hi int) int {
	return lo + int(g.next()%uint32(hi-lo+1))
}

// oneIn reports true once in n draws.
func (g *lcg) oneIn(n int) bool { return g.between(1, n) == 1 }

// shuffle puts the elements of s in random order.
func shuffle[T any](g *lcg, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := g.between(0, i)
		s[i], s[j] = s[j], s[i]
	}
}

// letters returns n random letters and digits.
func (g *lcg) letters(n int) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[g.between(0, len(alphabet)-1)]
	}
	return string(b)
}
