package workload

import "testing"

func TestNurandA(t *testing.T) {
	for _, c := range []struct{ n, want int }{
		// The standard's values.
		{1000, 255}, {3000, 1023}, {100000, 8191},
		// Scaled: the largest 2^k-1 within a third.
		{300, 63}, {10000, 2047}, {30, 7}, {3, 1}, {2, 0}, {21, 7}, {20, 3},
	} {
		if got := nurandA(c.n); got != c.want {
			t.Errorf("nurandA(%d) = %d, want %d", c.n, got, c.want)
		}
	}
}

func TestNurandStaysInRangeAndSkews(t *testing.T) {
	const draws = 200000
	g := newLCG(1)
	for _, size := range []int{30, 300, 1000, 3000} {
		n := nurand{a: nurandA(size), c: 5 % (nurandA(size) + 1), lo: 1, hi: size}
		count := make([]int, size+1)
		for range draws {
			v := n.draw(&g)
			if v < 1 || v > size {
				t.Fatalf("drew %d of 1..%d", v, size)
			}
			count[v]++
		}
		most, missing := 0, 0
		for _, c := range count[1:] {
			most = max(most, c)
			if c == 0 {
				missing++
			}
		}
		if most < 2*draws/size {
			t.Errorf("range %d: the most frequent number came %d times in %d draws: not skewed", size, most, draws)
		}
		if missing > size/10 {
			t.Errorf("range %d: %d numbers never came", size, missing)
		}
	}
}

func TestNameDeltasOfTheStandard(t *testing.T) {
	deltas := nameDeltas(255)
	want := maxNameDelta - minNameDelta + 1 - len(excludedNameDeltas)
	if len(deltas) != want || deltas[0] != minNameDelta || deltas[len(deltas)-1] != maxNameDelta {
		t.Errorf("nameDeltas(255) = %v", deltas)
	}
	for _, d := range deltas {
		if d == 96 || d == 112 {
			t.Errorf("%d is excluded", d)
		}
	}
}

func TestNameC(t *testing.T) {
	for _, s := range []Scale{{1, 1, 0}, Quick(), {1, minCardinality, 3}} {
		a := nurandA(s.names())
		allowed := make(map[int]bool)
		for _, d := range nameDeltas(a) {
			allowed[d], allowed[-d] = true, true
		}
		for seed := range int64(200) {
			s.Seed = seed
			load, run := nameC(s, seed*7)
			if again, _ := nameC(s, seed); again != load {
				t.Fatalf("the constant of loading depends on the run: %d, %d", load, again)
			}
			if load < 0 || load > a || run < 0 || run > a {
				t.Errorf("%+v: constants %d, %d outside 0..%d", s, load, run, a)
			}
			if !allowed[run-load] {
				t.Errorf("%+v: constants %d, %d are %d apart", s, load, run, run-load)
			}
		}
	}
}

func TestLastName(t *testing.T) {
	for n, want := range map[int]string{0: "BARBARBAR", 371: "PRICALLYOUGHT", 999: "EINGEINGEING", 40: "BARPRESBAR"} {
		if got := lastName(n); got != want {
			t.Errorf("lastName(%d) = %q, want %q", n, got, want)
		}
	}
}
