package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// near reports whether two numbers agree to a relative 1e-9.
func near(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*math.Max(1, math.Abs(want))
}

// paired is a Student-t interval of logarithms, worked out step by step from
// the textbook rather than by the code under test.
func paired(logs []float64, confidence float64) (mean, low, high float64) {
	for _, x := range logs {
		mean += x / float64(len(logs))
	}
	ss := 0.0
	for _, x := range logs {
		ss += (x - mean) * (x - mean)
	}
	se := math.Sqrt(ss / float64(len(logs)-1) / float64(len(logs)))
	t := distuv.StudentsT{Sigma: 1, Nu: float64(len(logs) - 1)}.Quantile((1 + confidence) / 2)
	return math.Exp(mean), math.Exp(mean - t*se), math.Exp(mean + t*se)
}

// The scores of a control (first and last) and of a cell between, by block.
var (
	first = []float64{100, 104, 98, 101, 95, 103}
	cell  = []float64{108, 109, 107, 104, 106, 111}
	last  = []float64{102, 101, 99, 97, 98, 100}
)

func TestTwoCellsEqualThePairedTest(t *testing.T) {
	var obs []Observation
	var logs []float64
	for b := range first {
		// The same position: no drift can be told from the block's level.
		obs = append(obs,
			Observation{Cell: 0, Block: b, Position: 0.5, Score: first[b]},
			Observation{Cell: 1, Block: b, Position: 0.5, Score: cell[b]})
		logs = append(logs, math.Log(cell[b])-math.Log(first[b]))
	}
	fit, err := Estimate(obs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	mean, low, high := paired(logs, 0.95)
	got := fit.Cells[1].RatioToControl
	if !got.Bounded || !near(got.Mean, mean) || !near(got.Low, low) || !near(got.High, high) {
		t.Errorf("ratio = %+v, want %v (%v to %v)", got, mean, low, high)
	}
	if fit.Terms != TermsBlocks || fit.DF != 5 || fit.Drift != nil {
		t.Errorf("terms %q with %d degrees of freedom, drift %v", fit.Terms, fit.DF, fit.Drift)
	}
	if want := stat.GeometricMean(cell, nil); !near(fit.Cells[1].Mean, want) {
		t.Errorf("mean = %v, want the geometric mean %v", fit.Cells[1].Mean, want)
	}
	if want := stat.StdDev(logs, nil) / math.Sqrt2; !near(fit.Sigma, want) {
		t.Errorf("sigma = %v, want %v", fit.Sigma, want)
	}
}

func TestControlFirstAndLastEqualsThePairedTest(t *testing.T) {
	// With a drift of its own in each block, a block says exactly one thing:
	// the cell against the mean of the controls around it.
	var obs []Observation
	var logs []float64
	for b := range first {
		obs = append(obs,
			Observation{Cell: 0, Block: b, Position: 0, Score: first[b]},
			Observation{Cell: 1, Block: b, Position: 0.5, Score: cell[b]},
			Observation{Cell: 0, Block: b, Position: 1, Score: last[b]})
		logs = append(logs, math.Log(cell[b])-(math.Log(first[b])+math.Log(last[b]))/2)
	}
	fit, err := Estimate(obs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	mean, low, high := paired(logs, 0.95)
	got := fit.Cells[1].RatioToControl
	if !near(got.Mean, mean) || !near(got.Low, low) || !near(got.High, high) {
		t.Errorf("ratio = %+v, want %v (%v to %v)", got, mean, low, high)
	}
	if fit.Terms != TermsSlopes || fit.DF != len(first)-1 {
		t.Errorf("terms %q with %d degrees of freedom", fit.Terms, fit.DF)
	}
	for b := range first {
		if want := last[b]/first[b] - 1; !near(fit.Drift[b], want) {
			t.Errorf("drift of block %d = %v, want %v", b, fit.Drift[b], want)
		}
	}
	if fit.Best != 1 || !fit.Cells[1].SameAsBest {
		t.Errorf("best = %d, marked %v", fit.Best, fit.Cells[1].SameAsBest)
	}
}

func TestNoiselessDriftCancels(t *testing.T) {
	// Three cells in other orders, the machine slower by a factor in each
	// block and by another from start to end: without noise, the estimate is
	// exact and a plain mean is not.
	truth := []float64{1000, 1100, 900}
	orders := [][]int{{0, 1, 2, 0}, {0, 2, 1, 0}, {0, 1, 2, 0}, {0, 1, 2, 0}}
	level := []float64{1, 0.9, 1.05, 0.97}
	drift := []float64{-0.10, 0.05, -0.20, 0}
	var obs []Observation
	naive := make([][]float64, len(truth))
	for b, order := range orders {
		for i, c := range order {
			at := float64(i) / float64(len(order)-1)
			score := truth[c] * level[b] * math.Pow(1+drift[b], at)
			obs = append(obs, Observation{Cell: c, Block: b, Position: at, Score: score})
			naive[c] = append(naive[c], score)
		}
	}
	fit, err := Estimate(obs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range truth {
		if got := fit.Cells[c].RatioToControl.Mean; !near(got, want/truth[0]) {
			t.Errorf("cell %d is %v of the control, want %v", c, got, want/truth[0])
		}
	}
	for b, want := range drift {
		if !near(fit.Drift[b], want) {
			t.Errorf("drift of block %d = %v, want %v", b, fit.Drift[b], want)
		}
	}
	biased := stat.GeometricMean(naive[1], nil) / stat.GeometricMean(naive[0], nil)
	if math.Abs(biased-1.1) < 0.005 {
		t.Errorf("plain ratio %v is right too: the test does not show anything", biased)
	}
	if fit.Cells[1].SameAsBest != true || fit.Cells[0].SameAsBest || fit.Cells[2].SameAsBest {
		t.Errorf("marks = %+v", fit.Cells)
	}
	if !slices.ContainsFunc(fit.Warnings, func(w string) bool { return strings.Contains(w, "no spread") }) {
		t.Errorf("warnings %q do not doubt scores without spread", fit.Warnings)
	}
}

// inBlocks returns scores of a control, cell 0, and n cells in blocks, each
// block with the control first and last.
func inBlocks(blocks, n int) []Observation {
	var obs []Observation
	for b := range blocks {
		for i := range n + 2 {
			c := i
			switch {
			case i == n+1:
				c = 0
			case i > 0: // rotate
				c = 1 + (i-1+b)%n
			}
			// A deterministic scatter of up to 2 %.
			score := 1000 * (1 + 0.02*math.Sin(float64(37*b+11*i)))
			obs = append(obs, Observation{Cell: c, Block: b, Position: float64(i) / float64(n+1), Score: score})
		}
	}
	return obs
}

// without removes the observations of a cell from a block.
func without(obs []Observation, cell, block int) []Observation {
	return slices.DeleteFunc(slices.Clone(obs), func(o Observation) bool {
		return o.Cell == cell && o.Block == block
	})
}

func TestTermsDependOnTheDesignOnly(t *testing.T) {
	tests := []struct {
		name    string
		obs     []Observation
		terms   Terms
		df      int
		bounded bool
		warning string // part of one, "" for none at all
	}{
		{"demo: 12 cells, 3 blocks", inBlocks(3, 12), TermsSlopes, 42 - 13 - 2 - 3, true, ""},
		{"1 cell, 6 blocks", inBlocks(6, 1), TermsSlopes, 5, true, ""},
		{"1 cell, 3 blocks", inBlocks(3, 1), TermsSlope, 4, true, ""},
		{"1 cell, 2 blocks", inBlocks(2, 1), TermsBlocks, 3, true, "3 degrees of freedom"},
		{"one block", inBlocks(1, 12), TermsBlocks, 1, false, "one block"},
		{"one trial", inBlocks(1, 12)[:1], TermsBlocks, 0, false, "one block"},
		{"failed once", without(inBlocks(3, 12), 5, 1), TermsSlopes, 23, true, ""},
		{"nothing in common", []Observation{
			{Cell: 0, Block: 0, Score: 10}, {Cell: 0, Block: 0, Score: 11},
			{Cell: 1, Block: 1, Score: 10}, {Cell: 1, Block: 1, Score: 11},
		}, TermsNone, 2, true, "differences between blocks count as noise"},
		{"two observations", []Observation{
			{Cell: 0, Block: 0, Score: 10}, {Cell: 0, Block: 1, Score: 11},
		}, TermsBlocks, 0, false, "no residual degrees of freedom"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fit, err := Estimate(tt.obs, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if fit.Terms != tt.terms || fit.DF != tt.df || fit.Bounded != tt.bounded {
				t.Errorf("terms %q, DF %d, bounded %v, want %q, %d, %v",
					fit.Terms, fit.DF, fit.Bounded, tt.terms, tt.df, tt.bounded)
			}
			switch warnings := strings.Join(fit.Warnings, "; "); {
			case tt.warning == "" && warnings != "":
				t.Errorf("warnings %q, want none", warnings)
			case !strings.Contains(warnings, tt.warning):
				t.Errorf("warnings %q, want %q", warnings, tt.warning)
			}
			// Other scores at the same places choose the same terms.
			for i := range tt.obs {
				tt.obs[i].Score = 500 + 100*float64(i*i%7)
			}
			other, err := Estimate(tt.obs, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if other.Terms != fit.Terms || other.DF != fit.DF {
				t.Errorf("other scores: terms %q, DF %d", other.Terms, other.DF)
			}
			checkFinite(t, fit)
			checkFinite(t, other)
		})
	}
}

// checkFinite holds that no number of a fit is NaN or infinite, so that it can
// be written as JSON, and that what is not known is zero.
func checkFinite(t *testing.T, fit Fit) {
	t.Helper()
	numbers := slices.Concat(fit.Drift, []float64{fit.Sigma, fit.DetectionLimit})
	for _, c := range fit.Cells {
		r := c.RatioToControl
		numbers = append(numbers, c.Mean, c.Low, c.High, r.Mean, r.Low, r.High)
		if !fit.Bounded && (c.Low != 0 || c.High != 0 || r.Bounded || r.Low != 0 || r.High != 0) {
			t.Errorf("bounds without spread: %+v", c)
		}
		if !fit.Bounded && c.N > 0 && !c.SameAsBest {
			t.Errorf("told from the best without spread: %+v", c)
		}
		if fit.Bounded && c.N > 0 && !(c.Low <= c.Mean && c.Mean <= c.High) {
			t.Errorf("mean outside its bounds: %+v", c)
		}
	}
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%v in %+v", x, fit)
		}
	}
}

func TestCellsWithoutObservations(t *testing.T) {
	obs := inBlocks(3, 4)
	for b := range 3 {
		obs = without(obs, 0, b)
		obs = without(obs, 2, b)
	}
	fit, err := Estimate(obs, Options{Cells: 7})
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range []int{0, 3, 0, 3, 3, 0, 0} {
		got := fit.Cells[c]
		if got.N != want {
			t.Errorf("cell %d has n = %d, want %d", c, got.N, want)
		}
		if want == 0 && got != (Cell{}) {
			t.Errorf("cell %d without trials = %+v", c, got)
		}
		if got.RatioToControl != (Ratio{}) {
			t.Errorf("cell %d is compared with a control that never ran: %+v", c, got.RatioToControl)
		}
	}
	warnings := strings.Join(fit.Warnings, "; ")
	for _, want := range []string{"cell 2 has no", "cell 6 has no", "the control has no"} {
		if !strings.Contains(warnings, want) {
			t.Errorf("warnings %q do not say %q", warnings, want)
		}
	}
	checkFinite(t, fit)
}

func TestEstimateRefuses(t *testing.T) {
	good := Observation{Score: 1}
	tests := []struct {
		name string
		obs  []Observation
		opts Options
		want string
	}{
		{"nothing", nil, Options{}, "no trial has succeeded"},
		{"zero score", []Observation{{}}, Options{}, "not a positive number"},
		{"NaN score", []Observation{{Score: math.NaN()}}, Options{}, "not a positive number"},
		{"infinite score", []Observation{{Score: math.Inf(1)}}, Options{}, "not a positive number"},
		{"negative cell", []Observation{{Cell: -1, Score: 1}}, Options{}, "indices start at 0"},
		{"negative block", []Observation{{Block: -1, Score: 1}}, Options{}, "indices start at 0"},
		{"position", []Observation{{Position: 1.5, Score: 1}}, Options{}, "between 0 and 1"},
		{"NaN position", []Observation{{Position: math.NaN(), Score: 1}}, Options{}, "between 0 and 1"},
		{"confidence", []Observation{good}, Options{Confidence: 95}, "between 0 and 1"},
		{"control", []Observation{good}, Options{Cells: 2, Control: 2}, "there are 2 cells"},
		{"negative control", []Observation{good}, Options{Control: -1}, "there are 1 cells"},
		{"cell", []Observation{good, {Cell: 3, Score: 1}}, Options{Cells: 2}, "cell 3 named"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Estimate(tt.obs, tt.opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}
