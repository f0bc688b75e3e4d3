package workload

import (
	"slices"
	"strconv"
	"testing"
)

func TestDeckHoldsTheMix(t *testing.T) {
	d := newDeck(newLCG(1))
	var before [deckSize]kind
	for round := range 3 {
		var dealt [deckSize]kind
		var count [kinds]int
		for i := range dealt {
			dealt[i] = d.next()
			count[dealt[i]]++
		}
		if want := [kinds]int{45, 43, 4, 4, 4}; count != want {
			t.Errorf("deck %d deals %v, want %v", round, count, want)
		}
		if dealt == before {
			t.Errorf("deck %d is not shuffled", round)
		}
		before = dealt
	}
}

func TestInputs(t *testing.T) {
	const draws = 8000
	for _, s := range []Scale{Quick(), Default(), {1, minCardinality, 5}} {
		in := newInputs(s, 11, 0)
		rolledBack, byName, remote := 0, 0, 0
		bound := func(what string, v any, lo, hi int) {
			t.Helper()
			if n, ok := v.(int64); !ok || n < int64(lo) || n > int64(hi) {
				t.Fatalf("%+v: %s is %v, want %d..%d", s, what, v, lo, hi)
			}
		}
		for range draws {
			in.draw(payment)
			a := in.drawn
			bound("warehouse", a[0], 1, s.Warehouses)
			bound("district", a[1], 1, 10)
			bound("customer's warehouse", a[2], 1, s.Warehouses)
			bound("customer's district", a[3], 1, 10)
			bound("cents", a[6], minPayment, maxPayment)
			if a[0] != a[2] {
				remote++
			}
			if a[4] == nil {
				byName++
				if !slices.Contains(in.names, a[5].(string)) {
					t.Fatalf("the name %v occurs in no district", a[5])
				}
			} else {
				bound("customer", a[4], 1, s.customers())
			}

			in.draw(newOrder)
			lines := parseLines(t, in.drawn[5].([]byte))
			bound("lines", in.drawn[3], len(lines), len(lines))
			if !slices.IsSortedFunc(lines, func(a, b orderLine) int { return a.item - b.item }) {
				t.Fatalf("lines are not sorted by item: %v", lines)
			}
			if last := lines[len(lines)-1].item; (last > s.items()) != in.rollback {
				t.Fatalf("last item %d of %d, rollback planned: %t", last, s.items(), in.rollback)
			}
			if in.rollback {
				rolledBack++
			}
			local := int64(1)
			for _, l := range lines {
				bound("quantity", int64(l.quantity), 1, maxQuantity)
				bound("supplier", int64(l.supply), 1, s.Warehouses)
				if int64(l.supply) != in.drawn[0] {
					local = 0
				}
			}
			if in.drawn[4] != local {
				t.Fatalf("all_local is %v, lines %v of warehouse %v", in.drawn[4], lines, in.drawn[0])
			}
		}
		near := func(what string, n, percent int) {
			t.Helper()
			if d := 100*n/draws - percent; d < -1 || d > 1 {
				t.Errorf("%+v: %s %d of %d, want %d %%", s, what, n, draws, percent)
			}
		}
		near("rolled back", rolledBack, 1)
		near("by name", byName, byNamePercent)
		if s.Warehouses > 1 {
			near("remote", remote, remotePaymentPercent)
		}
	}
}

func parseLines(t *testing.T, packed []byte) []orderLine {
	t.Helper()
	if len(packed)%packedLine != 0 {
		t.Fatalf("%d digits are no whole lines", len(packed))
	}
	var lines []orderLine
	for chunk := range slices.Chunk(packed, packedLine) {
		number := func(from, to int) int {
			n, err := strconv.Atoi(string(chunk[from:to]))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		lines = append(lines, orderLine{number(0, 6), number(6, 10), number(10, 12)})
	}
	return lines
}

func TestInputsAreReproducible(t *testing.T) {
	a, b, other := newInputs(Quick(), 1, 4), newInputs(Quick(), 1, 4), newInputs(Quick(), 1, 5)
	differ := false
	for i := range 200 {
		k := kind(i % kinds)
		a.draw(k)
		b.draw(k)
		other.draw(k)
		for j := range a.drawn {
			if ab, ok := a.drawn[j].([]byte); ok {
				if !slices.Equal(ab, b.drawn[j].([]byte)) {
					t.Fatal("equal seeds draw different lines")
				}
			} else if a.drawn[j] != b.drawn[j] {
				t.Fatalf("equal seeds draw %v and %v", a.drawn, b.drawn)
			} else if a.drawn[j] != other.drawn[j] {
				differ = true
			}
		}
	}
	if !differ {
		t.Error("two connections draw the same")
	}
}
