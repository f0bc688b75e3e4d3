package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// power is the probability with which a difference of the size of the
// detection limit is found.
const power = 0.8

// detectionLimit returns the limit documented at Fit.DetectionLimit.
func (e effects) detectionLimit() float64 {
	var pairs []float64
	for i := range e.cells {
		for j := range i {
			pairs = append(pairs, e.pairVariance(i, j))
		}
	}
	if len(pairs) == 0 {
		return 0
	}
	slices.Sort(pairs)
	return math.Expm1(e.se(pairs[len(pairs)/2]) * noncentrality(e.level, float64(e.df())))
}

// PairedDetectionLimit returns the smallest true relative difference between
// two configurations, each run once in every block, that a paired Student-t
// test at DefaultConfidence finds with 80 % power. Sigma is the run-to-run
// coefficient of variation. It is for planning; Fit.DetectionLimit is the limit
// of what was measured. With fewer than 2 blocks no difference is found and it
// returns +Inf.
func PairedDetectionLimit(sigma float64, blocks int) float64 {
	if blocks < 2 {
		return math.Inf(1)
	}
	se := sigma * math.Sqrt(2/float64(blocks))
	return math.Expm1(se * noncentrality(DefaultConfidence, float64(blocks-1)))
}

// noncentrality returns the true difference, in standard errors, that a
// two-sided Student-t test finds with the fixed power. It solves for the
// noncentral t distribution's parameter by bisection; the chance of a
// significant difference in the wrong direction is far below rounding.
func noncentrality(confidence, df float64) float64 {
	critical := studentT(confidence, df)
	low, high := 0.0, 2*critical+5
	for high-low > 1e-9*high {
		mid := (low + high) / 2
		found := 1 - distuv.NoncentralT{Nu: df, Mu: mid}.CDF(critical)
		if found < power {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
