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
	return math.Expm1(sigma * pairedReach(math.Sqrt2, DefaultConfidence, blocks))
}

// pairedReach returns the smallest difference, as a logarithm, that a paired
// Student-t test at a confidence finds with the fixed power, when the log ratio
// of a block varies by spread.
func pairedReach(spread, confidence float64, blocks int) float64 {
	if blocks < 2 {
		return math.Inf(1)
	}
	return spread / math.Sqrt(float64(blocks)) * noncentrality(confidence, float64(blocks-1))
}

// controlSpread is the standard deviation of a block's log ratio of a candidate
// to the control, divided by that of one run: the candidate runs once and the
// control twice, first and last, hence the square root of 1 + 1/2.
const controlSpread = 1.224744871391589

// DetectionLimit returns the smallest true relative difference from the control
// (candidate once and control twice in a block) that the last look of the rule
// finds with 80 % power, when one run varies by sigma. It is +Inf below 2
// blocks.
func (r Rule) DetectionLimit(sigma float64, blocks int) float64 {
	return math.Expm1(sigma * r.reach(blocks))
}

// reach is the logarithm of DetectionLimit for a spread of 1.
func (r Rule) reach(blocks int) float64 {
	r.Looks = max(r.Looks, 1)
	return pairedReach(controlSpread, r.differLevel(), blocks)
}

// NeededBlocks returns how many confirmation blocks (candidate once, control
// twice) bring the interval that decides [Equivalent] down to a half-width of
// the margin, when one run varies by sigma: what to tell before confirming. It
// returns at least 2, and 0 when the margin is not positive or needs more than
// 10,000 blocks.
func (r Rule) NeededBlocks(sigma float64) int {
	r, err := r.check()
	if err != nil {
		return 0
	}
	return blocksFor(controlSpread*sigma, r.sameLevel(), math.Log1p(r.Margin))
}

// noncentrality returns the true difference, in standard errors, that a
// two-sided Student-t test finds with the fixed power. It solves for the
// noncentral t distribution's parameter by false position (the Illinois
// variant, which keeps the root between its bounds); the chance of a
// significant difference in the wrong direction is far below rounding.
func noncentrality(confidence, df float64) float64 {
	critical := studentT(confidence, df)
	lacking := func(mu float64) float64 {
		return power - 1 + distuv.NoncentralT{Nu: df, Mu: mu}.CDF(critical)
	}
	low, high := 0.0, 2*critical+5
	atLow, atHigh := lacking(low), lacking(high)
	for high-low > 1e-9*high {
		mid := (low*atHigh - high*atLow) / (atHigh - atLow)
		at := lacking(mid)
		switch {
		case at == 0:
			return mid
		case at > 0: // too small to be found
			low, atLow = mid, at
			atHigh /= 2
		default:
			high, atHigh = mid, at
			atLow /= 2
		}
		if math.Abs(at) < 1e-10 {
			return mid
		}
	}
	return high
}
