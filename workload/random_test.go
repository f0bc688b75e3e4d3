package workload

import "testing"

// The generator must be the published one: Park and Miller give the 10,000th
// value from 1 as the test of an implementation, for the multiplier 48271 it
// is 399268537.
func TestLCGKnownValue(t *testing.T) {
	g := lcg(1)
	for range 10000 {
		g.next()
	}
	if g != 399268537 {
		t.Errorf("10,000th value %d, want 399268537", g)
	}
}

func TestNewLCG(t *testing.T) {
	seen := make(map[lcg][2]int64)
	for a := int64(-50); a < 50; a++ {
		for b := int64(0); b < 100; b++ {
			g := newLCG(a, b)
			if g < 1 || g >= lcgModulus {
				t.Fatalf("newLCG(%d, %d) = %d, outside 1..%d", a, b, g, lcgModulus-1)
			}
			if other, ok := seen[g]; ok {
				t.Fatalf("newLCG(%d, %d) and newLCG(%d, %d) start alike", a, b, other[0], other[1])
			}
			seen[g] = [2]int64{a, b}
		}
	}
}

func TestBetweenCoversRangeEvenly(t *testing.T) {
	const draws = 100000
	g := newLCG(1)
	var count [10]int
	for range draws {
		count[g.between(3, 12)-3]++
	}
	for i, n := range count {
		if n < draws/10*9/10 || n > draws/10*11/10 {
			t.Errorf("%d drawn %d times of %d", i+3, n, draws)
		}
	}
}

func TestPermutationVisitsAll(t *testing.T) {
	for _, n := range []int{30, 60, 300, 3000} {
		for seed := range int64(20) {
			step, c := permutation(n, newLCG(seed))
			seen := make(map[int]bool)
			for range n {
				c = (c + step) % n
				seen[c] = true
			}
			if len(seen) != n {
				t.Errorf("step %d visits %d of %d", step, len(seen), n)
			}
		}
	}
}
