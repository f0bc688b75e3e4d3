package sidebyside_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// Every block has each place once, in one of the orders, and all orders occur.
func TestRunInterleaves(t *testing.T) {
	const places, blocks = 2, 40
	var order [blocks][]int
	err := sidebyside.Run(t.Context(), places, blocks, 7, func(_ context.Context, block, place int) error {
		order[block] = append(order[block], place)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	first := [places]int{}
	for block, got := range order {
		if !slices.Equal(slices.Sorted(slices.Values(got)), []int{0, 1}) {
			t.Fatalf("block %d has places %v, want each once", block, got)
		}
		first[got[0]]++
	}
	if first[0] < 10 || first[1] < 10 { // p < 0.002 by chance, and the seed is fixed
		t.Errorf("of %d blocks %v begin with each place, want about half", blocks, first)
	}
}

func TestRunEnds(t *testing.T) {
	fault := errors.New("fault")
	calls := 0
	measure := func(context.Context, int, int) error { calls++; return fault }
	if err := sidebyside.Run(t.Context(), 2, 3, 1, measure); !errors.Is(err, fault) || calls != 1 {
		t.Errorf("%v after %d calls, want the fault of the first", err, calls)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(fault)
	if err := sidebyside.Run(ctx, 2, 3, 1, measure); !errors.Is(err, fault) || calls != 1 {
		t.Errorf("%v after %d calls, want the cause, and nothing measured", err, calls)
	}
}

func TestCompare(t *testing.T) {
	// Logs of the ratios are ln 2 -+ 0.1; Student-t for 1 degree of freedom is
	// 12.706, and the standard error 0.1.
	m, err := sidebyside.Compare("x", []float64{1, 1}, []float64{2 * math.Exp(-0.1), 2 * math.Exp(0.1)})
	if err != nil {
		t.Fatal(err)
	}
	half := math.Exp(1.27062)
	if m.Name != "x" || m.Blocks != 2 || !m.Bounded || math.Abs(m.Ratio-2) > 1e-9 || math.Abs(m.High-2*half) > 1e-3 || math.Abs(m.Low-2/half) > 1e-3 {
		t.Errorf("%+v, want 2 within [%.4f, %.4f]", m, 2/half, 2*half)
	}
	if one, err := sidebyside.Compare("x", []float64{4}, []float64{1}); err != nil || one.Bounded || one.Ratio != 0.25 {
		t.Errorf("%+v (%v), want 0.25 without an interval", one, err)
	}
	if m, err := sidebyside.Compare("x", []float64{0}, []float64{1}); err == nil {
		t.Errorf("a ratio to nothing: %+v", m)
	}
}

func TestCompareAll(t *testing.T) {
	figures := []sidebyside.Figure[float64]{
		{Name: "value", Of: func(x float64) (float64, bool) { return x, x > 0 }},
		{Name: "missing", Of: func(float64) (float64, bool) { return 0, false }},
	}
	got, err := sidebyside.CompareAll(figures, []float64{1, 0, 1, 5}, []float64{3, 3, 3})
	if err != nil || len(got) != 1 || got[0].Name != "value" || got[0].Blocks != 2 || math.Abs(got[0].Ratio-3) > 1e-9 {
		t.Errorf("%+v (%v), want a ratio of 3 over the 2 blocks in which both have a value", got, err)
	}
}
