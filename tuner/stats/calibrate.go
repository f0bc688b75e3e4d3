package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Calibration is what runs of one and the same configuration say about the
// machine (A/A).
type Calibration struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"` // geometric mean, operations per second
	// CV is the standard deviation of the log score from run to run (0.03 is
	// 3 %), with its 95 % interval. It is taken from the differences of
	// consecutive runs, so that slow drift does not count, as it does not in
	// blocks.
	CV     float64 `json:"cv"`
	CVLow  float64 `json:"cv_low"`
	CVHigh float64 `json:"cv_high"`
	// Drift is the last run divided by the first, on a straight line through
	// all, with its 95 % interval. It is not bounded below 3 runs.
	Drift Ratio `json:"drift"`
	// Limit is the smallest gain over the control that the confirmation, all
	// of its blocks taken, finds with 80 % power at this CV. It is 0 outside a
	// protocol.
	Limit float64 `json:"detection_limit"`
	// Warnings are doubts to be shown beside the numbers.
	Warnings []string `json:"warnings,omitempty"`
}

// fewCalibration is the number of runs below which a CV is hardly known: its
// upper bound is then more than 3 times the estimate.
const fewCalibration = 5

// Calibrate judges the scores of one configuration, in the order they ran.
//
// The variance is half of the mean square of successive differences: J. von
// Neumann, "Distribution of the ratio of the mean square successive difference
// to the variance", Annals of Mathematical Statistics 12 (1941). Its interval
// is that of a chi-square with as many degrees of freedom as give the same
// variance, 2(n-1)²/(3n-4).
func Calibrate(scores []float64) (Calibration, error) {
	n := len(scores)
	if n < 2 {
		return Calibration{}, fmt.Errorf("%d successful runs show no spread: run the same configuration at least twice, better 6 times", n)
	}
	logs := make([]float64, n)
	for i, score := range scores {
		if !(score > 0) || math.IsInf(score, 1) {
			return Calibration{}, fmt.Errorf("run %d: score %v is not a positive number; leave failed runs out", i, score)
		}
		logs[i] = math.Log(score)
	}
	squares := 0.0
	for i := range n - 1 {
		squares += (logs[i+1] - logs[i]) * (logs[i+1] - logs[i])
	}
	variance := squares / 2 / float64(n-1)
	df := 2 * float64((n-1)*(n-1)) / float64(3*n-4)
	chi := distuv.ChiSquared{K: df}
	tail := (1 - DefaultConfidence) / 2
	c := Calibration{
		N:      n,
		Mean:   math.Exp(stat.Mean(logs, nil)),
		CV:     math.Sqrt(variance),
		CVLow:  math.Sqrt(variance * df / chi.Quantile(1-tail)),
		CVHigh: math.Sqrt(variance * df / chi.Quantile(tail)),
		Drift:  lineDrift(logs),
	}
	if n < fewCalibration {
		c.Warnings = append(c.Warnings, fmt.Sprintf("the spread rests on %d runs: it may be %.1f times as large", n, c.CVHigh/c.CV))
	}
	if c.Drift.Bounded && (c.Drift.Low > 1 || c.Drift.High < 1) {
		c.Warnings = append(c.Warnings, fmt.Sprintf(
			"the same configuration changed by %+.1f %% while it was calibrated: blocks cancel that, but look for what causes it", 100*(c.Drift.Mean-1)))
	}
	return c, nil
}

// lineDrift fits a straight line and returns what it changes from the first
// value to the last, as a ratio.
func lineDrift(logs []float64) Ratio {
	n := len(logs)
	at := floats.Span(make([]float64, n), 0, 1)
	intercept, slope := stat.LinearRegression(at, logs, nil, false)
	r := Ratio{N: n, Mean: math.Exp(slope)}
	if n < 3 {
		return r
	}
	rss := 0.0
	for i, x := range at {
		d := logs[i] - intercept - slope*x
		rss += d * d
	}
	df := float64(n - 2)
	sxx := stat.Variance(at, nil) * float64(n-1)
	half := studentT(DefaultConfidence, df) * math.Sqrt(rss/df/sxx)
	r.Low, r.High, r.Bounded = math.Exp(slope-half), math.Exp(slope+half), true
	return r
}
