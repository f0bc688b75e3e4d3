package stats

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/stat"
)

// A Ratio is one score divided by another, with its interval.
type Ratio struct {
	N         int     // number of pairs, or of observations of the rarer cell
	Mean      float64 // geometric mean; 1.04 is 4 % faster
	Low, High float64 // Student-t bounds on the log scale; zero unless Bounded
	Bounded   bool    // whether there was spread to bound it with
}

// PairedRatio compares scores a with scores b of the same blocks, pair by
// pair: the geometric mean of a/b with a Student-t interval on the log ratios.
// (A percentile bootstrap over 6 blocks covers only 85 %.) With a single pair
// the ratio is not bounded.
func PairedRatio(a, b []float64, confidence float64) (Ratio, error) {
	logs, err := logRatios(a, b)
	if err != nil {
		return Ratio{}, err
	}
	if !(confidence > 0 && confidence < 1) {
		return Ratio{}, fmt.Errorf("confidence %v is not between 0 and 1", confidence)
	}
	return boundRatio(logs, confidence), nil
}

// logRatios returns the logarithm of a/b for every pair.
func logRatios(a, b []float64) ([]float64, error) {
	if len(a) != len(b) || len(a) == 0 {
		return nil, fmt.Errorf("%d scores cannot be paired with %d", len(a), len(b))
	}
	logs := make([]float64, len(a))
	for i := range a {
		logs[i] = math.Log(a[i] / b[i])
		if !(a[i] > 0 && b[i] > 0) || math.IsNaN(logs[i]) || math.IsInf(logs[i], 0) {
			return nil, fmt.Errorf("pair %d: scores %v and %v are not both positive numbers; leave failed blocks out", i, a[i], b[i])
		}
	}
	return logs, nil
}

// boundRatio is PairedRatio on log ratios that were checked.
func boundRatio(logs []float64, confidence float64) Ratio {
	n := len(logs)
	if n == 1 {
		return Ratio{N: 1, Mean: math.Exp(logs[0])}
	}
	mean, sd := stat.MeanStdDev(logs, nil)
	half := studentT(confidence, float64(n-1)) * stat.StdErr(sd, float64(n))
	return Ratio{
		N:       n,
		Mean:    math.Exp(mean),
		Low:     math.Exp(mean - half),
		High:    math.Exp(mean + half),
		Bounded: true,
	}
}

// An Outcome is what confirmation blocks decided.
type Outcome string

const (
	// Better means that the lower bound of the ratio is above 1.
	Better Outcome = "better"
	// Worse means that the upper bound of the ratio is below 1: the opposite
	// of what the search suggested is as certain.
	Worse Outcome = "worse"
	// Equivalent means that the ratio lies within the margin for certain.
	Equivalent Outcome = "equivalent"
	// Undecided means that none of the others is certain yet.
	Undecided Outcome = "undecided"
)

// A Rule is how confirmation blocks are judged. It must be fixed before they
// are run.
type Rule struct {
	// Margin is the relative difference that does not matter; 0 means 0.05.
	Margin float64
	// Looks is how often the scores may be judged: 1, or 2 when one extension
	// is allowed. Every look spends its share of the error, so that looking
	// twice does not make false winners; 0 means 1.
	Looks int
}

// DefaultMargin is the relative difference that does not matter to most.
const DefaultMargin = 0.05

// A Verdict is the judgement of a candidate against the control.
type Verdict struct {
	Outcome Outcome
	// Ratio is candidate over control; the interval has the level that
	// decides Better and Worse: 95 % with one look, 97.5 % with two.
	Ratio Ratio
	// Equivalence is the same ratio at the level of the two one-sided tests
	// that decide Equivalent: 90 % with one look, 95 % with two.
	Equivalence Ratio
	Margin      float64
	// MoreBlocks is, when Undecided, about how many further blocks would
	// decide if mean and spread stay as they are; 0 when that is unknown or
	// beyond reason.
	MoreBlocks int
}

// Judge compares the scores of a candidate with those of the control in fresh
// confirmation blocks, paired by block. The candidate is Better or Worse when
// the interval of the ratio excludes 1, else Equivalent when the wider-error
// interval lies between 1/(1+margin) and 1+margin, which is symmetric on the
// log scale, else Undecided.
func Judge(candidate, control []float64, rule Rule) (Verdict, error) {
	if rule.Margin == 0 {
		rule.Margin = DefaultMargin
	}
	if rule.Looks == 0 {
		rule.Looks = 1
	}
	if !(rule.Margin > 0) || math.IsInf(rule.Margin, 1) || rule.Looks < 0 {
		return Verdict{}, fmt.Errorf("margin %v and %d looks are not both positive", rule.Margin, rule.Looks)
	}
	logs, err := logRatios(candidate, control)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{
		Ratio:       boundRatio(logs, rule.differLevel()),
		Equivalence: boundRatio(logs, rule.sameLevel()),
		Margin:      rule.Margin,
	}
	switch {
	case !v.Ratio.Bounded:
		v.Outcome = Undecided
	case v.Ratio.Low > 1:
		v.Outcome = Better
	case v.Ratio.High < 1:
		v.Outcome = Worse
	case v.Equivalence.Low >= 1/(1+rule.Margin) && v.Equivalence.High <= 1+rule.Margin:
		v.Outcome = Equivalent
	default:
		v.Outcome = Undecided
		v.MoreBlocks = rule.moreBlocks(logs)
	}
	return v, nil
}

// differLevel is the confidence of the interval that must exclude 1.
func (r Rule) differLevel() float64 { return 1 - 0.05/float64(r.Looks) }

// sameLevel is the confidence of the interval that must lie in the margin.
func (r Rule) sameLevel() float64 { return 1 - 0.10/float64(r.Looks) }

// maxBlocks is the number of blocks beyond which waiting is no advice.
const maxBlocks = 10_000

// moreBlocks returns how many blocks are missing to a decision.
func (r Rule) moreBlocks(logs []float64) int {
	mean, sd := stat.MeanStdDev(logs, nil)
	distance := math.Abs(mean)
	room := math.Log1p(r.Margin) - distance
	return max(0, fewestBlocks(func(n int) bool {
		return halfWidth(sd, n, r.differLevel()) < distance || halfWidth(sd, n, r.sameLevel()) <= room
	})-len(logs))
}

// fewestBlocks returns the smallest number of blocks, from 2, that is enough,
// or 0 if maxBlocks is not. If some number is enough, so must be all above it.
func fewestBlocks(enough func(blocks int) bool) int {
	const least = 2
	blocks := least + sort.Search(maxBlocks-least+1, func(i int) bool { return enough(least + i) })
	if blocks > maxBlocks {
		return 0
	}
	return blocks
}

// halfWidth is half the width of a Student-t interval of n values.
func halfWidth(sd float64, n int, confidence float64) float64 {
	return studentT(confidence, float64(n-1)) * stat.StdErr(sd, float64(n))
}

// pairSpread is the standard deviation of a block's log ratio divided by that
// of one run: the candidate runs once and the control twice, first and last,
// hence the square root of 1 + 1/2.
const pairSpread = 1.224744871391589

// NeededBlocks returns how many confirmation blocks (candidate once, control
// twice) bring the 90 % half-width of the log ratio down to the margin, when
// one run varies by sigma: what to tell before confirming. It returns at least
// 2, and 0 when the margin is not positive or needs more than 10,000 blocks.
func NeededBlocks(sigma, margin float64) int {
	room := math.Log1p(margin)
	if !(room > 0) {
		return 0
	}
	level := Rule{Looks: 1}.sameLevel()
	return fewestBlocks(func(n int) bool { return halfWidth(pairSpread*sigma, n, level) <= room })
}
