package stats

import (
	"math"
	"strings"
	"testing"
)

// TestPairedRatioKnownValues uses the log ratios 0.01, 0.02, ..., 0.06: mean
// 0.035, standard deviation 0.0187083, standard error 0.00763763, and from any
// table of Student's t with 5 degrees of freedom 2.570582 (95 %) and 2.015048
// (90 %).
func TestPairedRatioKnownValues(t *testing.T) {
	var a, b []float64
	for i := 1; i <= 6; i++ {
		base := 100 * float64(i) // the level of a block cancels
		a = append(a, base*math.Exp(float64(i)/100))
		b = append(b, base)
	}
	tests := []struct{ confidence, half float64 }{
		{0.95, 2.570582 * 0.00763763},
		{0.90, 2.015048 * 0.00763763},
	}
	for _, tt := range tests {
		got, err := PairedRatio(a, b, tt.confidence)
		if err != nil {
			t.Fatal(err)
		}
		want := Ratio{N: 6, Mean: math.Exp(0.035), Low: math.Exp(0.035 - tt.half), High: math.Exp(0.035 + tt.half)}
		for _, pair := range [][2]float64{{got.Mean, want.Mean}, {got.Low, want.Low}, {got.High, want.High}} {
			if math.Abs(pair[0]-pair[1]) > 1e-7 {
				t.Errorf("at %v: %+v, want %+v", tt.confidence, got, want)
				break
			}
		}
		if got.N != 6 || !got.Bounded {
			t.Errorf("at %v: %+v", tt.confidence, got)
		}
	}
	one, err := PairedRatio([]float64{110}, []float64{100}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if one.Bounded || one.N != 1 || !near(one.Mean, 1.1) || one.Low != 0 || one.High != 0 {
		t.Errorf("one pair: %+v", one)
	}
}

func TestPairedRatioRefuses(t *testing.T) {
	tests := []struct {
		name       string
		a, b       []float64
		confidence float64
	}{
		{"nothing", nil, nil, 0.95},
		{"unpaired", []float64{1, 2}, []float64{1}, 0.95},
		{"zero", []float64{0}, []float64{1}, 0.95},
		{"both negative", []float64{-1}, []float64{-1}, 0.95},
		{"NaN", []float64{math.NaN()}, []float64{1}, 0.95},
		{"infinite", []float64{1}, []float64{math.Inf(1)}, 0.95},
		{"confidence", []float64{1}, []float64{1}, 95},
	}
	for _, tt := range tests {
		if got, err := PairedRatio(tt.a, tt.b, tt.confidence); err == nil {
			t.Errorf("%s: got %+v, want an error", tt.name, got)
		}
	}
}

// scoresAround returns n scores for candidate and control whose log ratios have
// the given mean and, in turn, plus and minus the given scatter.
func scoresAround(mean, scatter float64, n int) (candidate, control []float64) {
	for i := range n {
		sign := float64(1 - 2*(i%2))
		candidate = append(candidate, 1000*math.Exp(mean+sign*scatter))
		control = append(control, 1000)
	}
	return candidate, control
}

func TestJudge(t *testing.T) {
	tests := []struct {
		name          string
		mean, scatter float64
		n             int
		rule          Rule
		want          Outcome
	}{
		{"clear gain", 0.10, 0.02, 6, Rule{}, Better},
		{"gain inside the margin", 0.02, 0.002, 6, Rule{}, Better},
		{"clear loss", -0.10, 0.02, 6, Rule{}, Worse},
		{"no difference", 0.001, 0.02, 6, Rule{}, Equivalent},
		{"no difference, narrow margin", 0.001, 0.02, 6, Rule{Margin: 0.01}, Undecided},
		{"wide scatter", 0.03, 0.10, 6, Rule{}, Undecided},
		{"one block", 0.50, 0, 1, Rule{}, Undecided},
		// Half-width 0.0210 at 95 % and 0.0247 at 97.5 % (Student-t of 5).
		{"one look", 0.022, 0.0183, 6, Rule{Looks: 1}, Better},
		{"the same with two looks", 0.022, 0.0183, 6, Rule{Looks: 2}, Equivalent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			candidate, control := scoresAround(tt.mean, tt.scatter, tt.n)
			got, err := Judge(candidate, control, tt.rule)
			if err != nil {
				t.Fatal(err)
			}
			if got.Outcome != tt.want {
				t.Errorf("outcome = %+v, want %s", got, tt.want)
			}
			if got.Outcome != Undecided && got.MoreBlocks != 0 {
				t.Errorf("decided, yet wants %d more blocks", got.MoreBlocks)
			}
		})
	}
	for _, rule := range []Rule{{Margin: -1}, {Margin: math.NaN()}, {Margin: math.Inf(1)}, {Looks: -1}} {
		if got, err := Judge([]float64{1, 2}, []float64{1, 2}, rule); err == nil {
			t.Errorf("rule %+v was accepted: %+v", rule, got)
		}
	}
	if _, err := Judge([]float64{1}, nil, Rule{}); err == nil || !strings.Contains(err.Error(), "cannot be paired") {
		t.Errorf("unpaired scores: %v", err)
	}
}

// TestMoreBlocksDecide repeats the same scores for as many blocks as asked for
// and expects a decision then, and none two thirds on the way.
func TestMoreBlocksDecide(t *testing.T) {
	for _, mean := range []float64{0, 0.01, 0.03, 0.08, -0.06} {
		candidate, control := scoresAround(mean, 0.10, 6)
		v, err := Judge(candidate, control, Rule{})
		if err != nil {
			t.Fatal(err)
		}
		if v.Outcome != Undecided || v.MoreBlocks == 0 {
			t.Fatalf("mean %v: %+v, want to be undecided", mean, v)
		}
		// The scatter's standard deviation is a little larger at few blocks.
		enough, err := judgeScatter(mean, 6+v.MoreBlocks)
		if err != nil || enough == Undecided {
			t.Errorf("mean %v: %s after %d more blocks, %v", mean, enough, v.MoreBlocks, err)
		}
		early, err := judgeScatter(mean, 6+v.MoreBlocks*2/3)
		if err != nil || early != Undecided {
			t.Errorf("mean %v: %s after two thirds of %d more blocks, %v", mean, early, v.MoreBlocks, err)
		}
	}
}

// judgeScatter judges n blocks of the scatter of TestMoreBlocksDecide.
func judgeScatter(mean float64, n int) (Outcome, error) {
	candidate, control := scoresAround(mean, 0.10, n)
	v, err := Judge(candidate, control, Rule{})
	return v.Outcome, err
}

// TestNeededBlocks holds the planning to the half-widths at 6 blocks measured
// by an independent simulation: 3.0, 5.0 and 10.1 % at a variation of 3, 5 and
// 10 %.
func TestNeededBlocks(t *testing.T) {
	for sigma, half := range map[float64]float64{0.03: 0.030, 0.05: 0.050, 0.10: 0.101} {
		if got := halfWidth(controlSpread*sigma, 6, 0.90); math.Abs(got-half) > 0.0006 {
			t.Errorf("half-width at %v = %.4f, want %v", sigma, got, half)
		}
		if got := (Rule{Margin: math.Expm1(half + 0.0006)}).NeededBlocks(sigma); got != 6 {
			t.Errorf("at %v %d blocks are needed, want 6", sigma, got)
		}
	}
	if got := (Rule{Margin: 0.05}).NeededBlocks(0); got != 2 {
		t.Errorf("without spread %d blocks are needed, want 2", got)
	}
	for _, margin := range []float64{-0.1, math.NaN(), 1e-6} {
		if got := (Rule{Margin: margin}).NeededBlocks(0.05); got != 0 {
			t.Errorf("a margin of %v needs %d blocks, want 0 for never", margin, got)
		}
	}
}

// TestPairedDetectionLimit compares with a simulated table in steps of 0.5 %:
// smallest true difference found with 80 % power. Its differences are
// logarithms, which tells from percent only in the first column (0.15 is
// 16.2 %).
func TestPairedDetectionLimit(t *testing.T) {
	blocks := []int{4, 6, 8, 10, 12, 16, 20}
	table := map[float64][]float64{
		0.02: {6.0, 4.5, 3.5, 3.0, 3.0, 2.5, 2.0},
		0.03: {9.0, 6.5, 5.0, 4.5, 4.0, 3.5, 3.0},
		0.05: {15.0, 10.5, 8.5, 7.5, 6.5, 5.5, 5.0},
	}
	for sigma, row := range table {
		for i, want := range row {
			got := 100 * math.Log1p(PairedDetectionLimit(sigma, blocks[i]))
			if math.Abs(got-want) > 0.5 {
				t.Errorf("sigma %v, %d blocks: %.2f, want %v", sigma, blocks[i], got, want)
			}
		}
	}
	if got := PairedDetectionLimit(0.02, 1); !math.IsInf(got, 1) {
		t.Errorf("one block finds %v", got)
	}
}
