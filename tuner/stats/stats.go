// Package stats compares configurations that were measured in blocks and says
// how sure the comparison is.
//
// Every function is pure: the same observations give the same answer on every
// machine. Scores are compared on the log scale, so effects are ratios, and a
// mean is a geometric mean.
package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// DefaultConfidence is the level of every interval and of the marks on the
// cells when Options does not say otherwise.
const DefaultConfidence = 0.95

// minSigma is the smallest spread of log scores that is believed. Below it lie
// only rounding errors of the least squares, which must not separate cells.
const minSigma = 1e-9

// An Observation is the score of one successful trial. A failed trial has no
// score and is simply left out; Estimate adjusts for what is missing.
type Observation struct {
	Cell     int     // which configuration, 0 or more
	Block    int     // which block, 0 or more
	Position float64 // when within its block, 0 (start) to 1 (end)
	Score    float64 // operations per second, above 0
}

// Options says what to compare. The zero value compares with cell 0 at
// DefaultConfidence.
type Options struct {
	Cells      int     // number of cells; 0 means as many as the observations name
	Control    int     // the cell others are compared with in RatioToControl
	Confidence float64 // level of intervals and marks, 0 means DefaultConfidence
}

// A Cell is what is known about one configuration after all blocks.
type Cell struct {
	// N is the number of observations. With N = 0 (every trial failed or none
	// has run) all other fields are zero.
	N int
	// Mean is the score at the average block and in the middle of a block:
	// exp of the adjusted cell effect, in operations per second.
	Mean float64
	// Low and High bound Mean at the level asked for: Student-t on the log
	// scale with the variance pooled over all cells. They hold for the blocks
	// that were run, and are zero unless Fit.Bounded.
	Low, High float64
	// RatioToControl is Mean divided by the control's, with its own interval.
	// It is for one comparison at a time; between many cells use SameAsBest.
	// Its N is the smaller of both counts, and 0 without a control.
	RatioToControl Ratio
	// SameAsBest says that the cell cannot be told from the best one: the set
	// of marked cells holds the truly best with at least the confidence asked
	// for. The best cell itself is always marked.
	SameAsBest bool
}

// A Fit is the joint estimate of all cells.
type Fit struct {
	Cells []Cell // by cell index
	Best  int    // index of the cell with the highest mean

	// Bounded says whether spread could be estimated, hence whether intervals
	// and DetectionLimit mean anything. Without it every observed cell is
	// SameAsBest, because nothing is known that would separate them.
	Bounded bool

	// Sigma is the pooled standard deviation of the log score from run to
	// run: for the small values seen here the coefficient of variation (0.03
	// is 3 %). It is 0 when DF is 0.
	Sigma float64
	// DF is the number of residual degrees of freedom behind Sigma.
	DF int
	// Confidence is the level of the intervals and marks.
	Confidence float64

	// Terms says which nuisance effects were fitted beside the cells.
	Terms Terms
	// Drift is the fitted change of the score from the start to the end of
	// each block, as a fraction (-0.02 is 2 % slower), by block index; 0 for a
	// block without observations. It is nil unless Terms has a slope.
	Drift []float64

	// DetectionLimit is the smallest true relative difference between two
	// cells (0.04 is 4 %) that this design finds with 80 % power at Sigma: a
	// two-sided test at Confidence of the median pair of cells.
	DetectionLimit float64

	Warnings []string // doubts to be shown beside the numbers
}

// Estimate fits log(score) = cell + block + drift within the block by least
// squares. Because every cell is adjusted for its blocks and positions at
// once, drift of the machine cancels and the noise of the control is not added
// to every cell. Terms documents which drift is fitted.
//
// An error means that the observations themselves are unusable; doubt about
// the result is said in Fit.Warnings.
func Estimate(obs []Observation, opts Options) (Fit, error) {
	opts, err := opts.check(obs)
	if err != nil {
		return Fit{}, err
	}
	e := fitEffects(obs, opts.Confidence)
	fit := Fit{
		Cells:      make([]Cell, opts.Cells),
		Best:       e.cells[e.best()],
		Bounded:    e.bounded(),
		Sigma:      e.spread,
		DF:         e.df(),
		Confidence: opts.Confidence,
		Terms:      e.terms,
		Drift:      e.drift(e.beta),
	}
	for _, o := range obs {
		fit.Cells[o.Cell].N++
	}
	control := slices.Index(e.cells, opts.Control)
	for i, index := range e.cells {
		cell := &fit.Cells[index]
		cell.Mean = math.Exp(e.beta.AtVec(i))
		cell.SameAsBest = true
		if fit.Bounded {
			cell.Low, cell.High = e.interval(e.beta.AtVec(i), e.variance(i))
			cell.SameAsBest = e.sameAsBest(i)
		}
		if control >= 0 {
			cell.RatioToControl = e.ratio(i, control)
			cell.RatioToControl.N = min(cell.N, fit.Cells[opts.Control].N)
		}
	}
	if fit.Bounded {
		fit.DetectionLimit = e.detectionLimit()
	}
	fit.Warnings = warnings(fit, e, opts)
	return fit, nil
}

// check fills in defaults and refuses observations that cannot be compared.
func (o Options) check(obs []Observation) (Options, error) {
	if len(obs) == 0 {
		return o, fmt.Errorf("no observations: no trial has succeeded")
	}
	if o.Confidence == 0 {
		o.Confidence = DefaultConfidence
	}
	if !(o.Confidence > 0 && o.Confidence < 1) {
		return o, fmt.Errorf("confidence %v is not between 0 and 1", o.Confidence)
	}
	named := o.Control
	for i, x := range obs {
		switch {
		case x.Cell < 0 || x.Block < 0:
			return o, fmt.Errorf("observation %d: cell %d, block %d: indices start at 0", i, x.Cell, x.Block)
		case !(x.Score > 0) || math.IsInf(x.Score, 1):
			return o, fmt.Errorf("observation %d: score %v is not a positive number; leave failed trials out", i, x.Score)
		case !(x.Position >= 0 && x.Position <= 1):
			return o, fmt.Errorf("observation %d: position %v is not between 0 and 1", i, x.Position)
		}
		named = max(named, x.Cell)
	}
	if o.Cells == 0 {
		o.Cells = named + 1
	}
	if o.Control < 0 || named >= o.Cells {
		return o, fmt.Errorf("cell %d named, but there are %d cells", max(named, o.Control), o.Cells)
	}
	return o, nil
}

// effects holds the estimates with what is needed to bound and compare them.
// Positions i and j count the observed cells, in the order of design.cells.
type effects struct {
	*design
	beta   *mat.VecDense // log scores of the cells, then the nuisance effects
	spread float64       // standard deviation of a log score, 0 if not known
	level  float64       // confidence of intervals and marks
}

// fitEffects solves the least squares problem of the observations.
func fitEffects(obs []Observation, level float64) effects {
	e := effects{design: chooseDesign(obs), level: level}
	var rss float64
	e.beta, rss = e.solve(obs)
	if e.df() > 0 {
		e.spread = math.Sqrt(rss / float64(e.df()))
	}
	return e
}

// bounded reports whether the spread is known well enough for intervals.
func (e effects) bounded() bool { return e.df() > 0 && len(e.blocks) > 1 }

// se returns the standard error of an effect whose variance is v times that of
// one observation.
func (e effects) se(v float64) float64 { return math.Max(e.spread, minSigma) * math.Sqrt(v) }

// best returns the position of the highest estimate, the first one of equals.
func (e effects) best() int {
	at := 0
	for i := range e.cells {
		if e.beta.AtVec(i) > e.beta.AtVec(at) {
			at = i
		}
	}
	return at
}

// variance returns the variance of the estimate at position i divided by that
// of one observation.
func (e effects) variance(i int) float64 { return e.cov.At(i, i) }

// pairVariance is variance for the difference of the estimates at i and j.
func (e effects) pairVariance(i, j int) float64 {
	return e.cov.At(i, i) + e.cov.At(j, j) - 2*e.cov.At(i, j)
}

// interval returns the Student-t bounds around a log effect whose variance is
// v times that of one observation, as ratios or scores.
func (e effects) interval(effect, v float64) (low, high float64) {
	half := studentT(e.level, float64(e.df())) * e.se(v)
	return math.Exp(effect - half), math.Exp(effect + half)
}

// ratio compares the cells at two positions.
func (e effects) ratio(i, j int) Ratio {
	effect := e.beta.AtVec(i) - e.beta.AtVec(j)
	r := Ratio{Mean: math.Exp(effect), Bounded: e.bounded()}
	if r.Bounded {
		r.Low, r.High = e.interval(effect, e.pairVariance(i, j))
	}
	return r
}

// studentT returns the two-sided Student-t critical value at a confidence.
func studentT(confidence, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(0.5 + confidence/2)
}

// warnings lists the doubts a reader of the fit must know.
func warnings(fit Fit, e effects, opts Options) []string {
	var w []string
	for index, cell := range fit.Cells {
		if cell.N == 0 {
			w = append(w, fmt.Sprintf("cell %d has no successful trial", index))
		}
	}
	if fit.Cells[opts.Control].N == 0 {
		w = append(w, "the control has no successful trial: nothing is compared with it")
	}
	switch {
	case len(e.blocks) == 1:
		w = append(w, "one block cannot show the spread between blocks: no intervals; run at least 2 blocks, better 4")
	case fit.DF == 0:
		w = append(w, "no residual degrees of freedom: no intervals; run more blocks")
	case fit.DF < minDF:
		w = append(w, fmt.Sprintf("the spread rests on %d degrees of freedom: intervals are wide; run more blocks", fit.DF))
	}
	if fit.Terms == TermsNone && len(e.blocks) > 1 {
		w = append(w, "too many trials failed to link the blocks: differences between blocks count as noise")
	}
	if fit.Bounded && fit.Sigma < minSigma {
		w = append(w, "the scores show no spread at all: were they measured?")
	}
	return w
}
