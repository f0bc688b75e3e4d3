package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Ratio is one score divided by another, with its interval.
type Ratio struct {
	N       int     `json:"n"`    // number of pairs, or of observations of the rarer cell
	Mean    float64 `json:"mean"` // geometric mean; 1.04 is 4 % faster
	Low     float64 `json:"low"`  // Student-t bounds on the log scale; zero unless Bounded
	High    float64 `json:"high"`
	Bounded bool    `json:"bounded"` // whether there was spread to bound it with
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
	Outcome Outcome `json:"outcome"`
	// Ratio is candidate over control; the interval has the level that
	// decides Better and Worse: 95 % with one look, 97.5 % with two.
	Ratio Ratio `json:"ratio"`
	// Equivalence is the same ratio at the level of the two one-sided tests
	// that decide Equivalent: 90 % with one look, 95 % with two.
	Equivalence Ratio `json:"equivalence"`
	// Interval is the same ratio with the interval to show: it covers the truth
	// in 95 % of studies, those included that stop at their first look.
	Interval Ratio   `json:"interval"`
	Margin   float64 `json:"margin"`
	// MoreBlocks is, when Undecided, about how many further blocks would
	// decide if mean and spread stay as they are; 0 when that is unknown or
	// beyond reason.
	MoreBlocks int `json:"more_blocks"`
}

// Judge compares the scores of a candidate with those of the control in fresh
// confirmation blocks, paired by block. The candidate is Better or Worse when
// the interval of the ratio excludes 1, else Equivalent when the wider-error
// interval lies between 1/(1+margin) and 1+margin, which is symmetric on the
// log scale, else Undecided.
func Judge(candidate, control []float64, rule Rule) (Verdict, error) {
	rule, err := rule.check()
	if err != nil {
		return Verdict{}, err
	}
	logs, err := logRatios(candidate, control)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{
		Ratio:       boundRatio(logs, rule.differLevel()),
		Equivalence: boundRatio(logs, rule.sameLevel()),
		Interval:    boundRatio(logs, rule.shownLevel()),
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

// check fills in defaults and refuses what cannot be judged by.
func (r Rule) check() (Rule, error) {
	if r.Margin == 0 {
		r.Margin = DefaultMargin
	}
	if r.Looks == 0 {
		r.Looks = 1
	}
	if !(r.Margin > 0) || math.IsInf(r.Margin, 1) || r.Looks < 0 {
		return r, fmt.Errorf("margin %v and %d looks are not both positive", r.Margin, r.Looks)
	}
	return r, nil
}

// differLevel is the confidence of the interval that must exclude 1.
func (r Rule) differLevel() float64 { return 1 - 0.05/float64(r.Looks) }

// sameLevel is the confidence of the interval that must lie in the margin.
func (r Rule) sameLevel() float64 { return 1 - 0.10/float64(r.Looks) }

// extendedLevel is the confidence at which an interval must be taken to cover
// the truth in 95 % of studies that end at one of two looks. A study ends at
// its first look when the scores happen to look decided, so that a plain
// interval of 95 % covers less often, and one of 97.5 % more often than need
// be. The level was chosen so that the worst world of docs/simulations.md comes
// to 95 %.
const extendedLevel = 0.965

// shownLevel is the confidence of Verdict.Interval.
func (r Rule) shownLevel() float64 {
	switch r.Looks {
	case 1:
		return DefaultConfidence
	case 2:
		return extendedLevel
	}
	return r.differLevel()
}

// maxBlocks is the number of blocks beyond which waiting is no advice.
const maxBlocks = 10_000

// moreBlocks returns how many blocks are missing to a decision.
func (r Rule) moreBlocks(logs []float64) int {
	mean, sd := stat.MeanStdDev(logs, nil)
	distance := math.Abs(mean)
	differ := blocksFor(sd, r.differLevel(), distance)
	same := blocksFor(sd, r.sameLevel(), math.Log1p(r.Margin)-distance)
	need := min(differ, same)
	if need == 0 { // one of them is out of reach
		need = max(differ, same)
	}
	return max(0, need-len(logs))
}

// blocksFor returns the smallest number of blocks, from 2, whose interval is no
// wider than room on either side, or 0 if maxBlocks do not do. It walks up from
// the number that the normal distribution needs, which is a few too small.
func blocksFor(sd, confidence, room float64) int {
	if !(room > 0) {
		return 0
	}
	z := distuv.UnitNormal.Quantile(0.5 + confidence/2)
	few := math.Pow(z*sd/room, 2)
	if !(few <= maxBlocks) {
		return 0
	}
	n := max(2, int(few))
	for halfWidth(sd, n, confidence) > room {
		if n++; n > maxBlocks {
			return 0
		}
	}
	return n
}

// halfWidth is half the width of a Student-t interval of n values.
func halfWidth(sd float64, n int, confidence float64) float64 {
	return studentT(confidence, float64(n-1)) * stat.StdErr(sd, float64(n))
}
