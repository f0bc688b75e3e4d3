package stats

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Factor is a setting whose influence is asked for.
type Factor struct {
	Levels  int  // number of values it can have
	Default int  // level that others are compared with
	Ordered bool // whether levels are steps of a ladder, not categories such as ServerMode
}

// NotApplicable is the level of a factor in a trial in which it does not exist,
// such as a setting of another architecture. It counts as the default.
const NotApplicable = -1

// A FactorTrial is the score of one successful trial with the level of every
// factor. Trials of all stages can be given, runs of the control among them;
// trials of a search that lie between two runs of the control are a block.
type FactorTrial struct {
	Block    int
	Position float64 // when within its block, 0 to 1
	Levels   []int   // by factor
	Score    float64 // operations per second, above 0
}

// Form is how the levels of an ordered factor enter a model of influence.
type Form string

const (
	// FormLevels gives every level an effect of its own.
	FormLevels Form = "levels"
	// FormSteps gives every step of a ladder the same effect, so that a factor
	// takes one degree of freedom. It cannot show an optimum in the middle.
	FormSteps Form = "steps"
)

// An Effect is the influence of one factor, all others held.
type Effect struct {
	Factor int `json:"factor"`
	// The effect is that of Level against Default.
	Level   int `json:"level"`
	Default int `json:"default"`
	// PerStep says that the effect is that of any one step up the ladder.
	PerStep bool `json:"per_step"`
	// Ratio is the change of the score, with an interval of its own. Its N is
	// the number of trials at the level (in FormSteps: not at the default).
	// It is zero unless Estimable.
	Ratio Ratio `json:"ratio"`
	// Estimable says that the trials can tell this effect from all others.
	Estimable bool `json:"estimable"`
	// Confounded lists the other factors that always changed together with
	// this one, so that neither is estimable. Without any, the level was not
	// run, or nothing else was within its blocks.
	Confounded []int `json:"confounded,omitempty"`
}

// An Influence is the main effects of all factors.
type Influence struct {
	Effects []Effect `json:"effects"` // by factor and level, without the defaults
	Form    Form     `json:"form"`
	// Sigma is the standard deviation of the log score around the model, on DF
	// degrees of freedom; what factors do only together is in it.
	Sigma      float64  `json:"sigma"`
	DF         int      `json:"df"`
	Confidence float64  `json:"confidence"`
	Warnings   []string `json:"warnings,omitempty"` // doubts to be shown beside the numbers
}

// Influences fits log(score) = block + drift within blocks + the main effect of
// every factor by least squares. It is called influence, not proof: trials of
// a search are not drawn at random, and what two factors do only together goes
// into Sigma.
//
// Ordered factors enter by levels where that leaves as many residual degrees of
// freedom as there are effects, and no fewer than minDF; else by steps. The choice depends on what was run only, never on
// scores. Effects that the trials cannot tell apart are marked so; the others
// keep their estimates.
func Influences(factors []Factor, trials []FactorTrial) (Influence, error) {
	if err := checkFactors(factors, trials); err != nil {
		return Influence{}, err
	}
	m := newInfluenceModel(factors, trials, FormLevels)
	if m.df < max(minDF, len(m.effects)) {
		m = newInfluenceModel(factors, trials, FormSteps)
	}
	return m.influence(), nil
}

// checkFactors refuses trials that do not fit their factors.
func checkFactors(factors []Factor, trials []FactorTrial) error {
	if len(trials) == 0 {
		return fmt.Errorf("no trials: none has succeeded")
	}
	for i, f := range factors {
		if f.Levels < 1 || f.Default < 0 || f.Default >= f.Levels {
			return fmt.Errorf("factor %d: default %d is not one of %d levels", i, f.Default, f.Levels)
		}
	}
	for i, t := range trials {
		switch {
		case !(t.Score > 0) || math.IsInf(t.Score, 1):
			return fmt.Errorf("trial %d: score %v is not a positive number; leave failed trials out", i, t.Score)
		case !(t.Position >= 0 && t.Position <= 1) || t.Block < 0:
			return fmt.Errorf("trial %d: block %d, position %v: blocks start at 0, positions lie between 0 and 1", i, t.Block, t.Position)
		case len(t.Levels) != len(factors):
			return fmt.Errorf("trial %d: %d levels for %d factors", i, len(t.Levels), len(factors))
		}
		for f, level := range t.Levels {
			if level != NotApplicable && (level < 0 || level >= factors[f].Levels) {
				return fmt.Errorf("trial %d: factor %d has no level %d", i, f, level)
			}
		}
	}
	return nil
}

// influenceModel is the least squares problem, factorised. Columns are the
// blocks, the drift common to all, then the effects.
type influenceModel struct {
	trials  []FactorTrial
	form    Form
	effects []Effect
	first   int // column of the first effect
	x       *mat.Dense
	svd     mat.SVD
	v       mat.Dense // right singular vectors
	rank    int
	df      int
}

// newInfluenceModel fills and factorises the matrix.
func newInfluenceModel(factors []Factor, trials []FactorTrial, form Form) *influenceModel {
	m := &influenceModel{trials: trials, form: form, effects: effectsIn(factors, form)}
	var blocks []int
	for _, t := range trials {
		if !slices.Contains(blocks, t.Block) {
			blocks = append(blocks, t.Block)
		}
	}
	m.first = len(blocks) + 1
	m.x = mat.NewDense(len(trials), m.first+len(m.effects), nil)
	for row, t := range trials {
		m.x.Set(row, slices.Index(blocks, t.Block), 1)
		m.x.Set(row, m.first-1, t.Position-0.5)
		for i, e := range m.effects {
			m.x.Set(row, m.first+i, m.value(e, t))
		}
	}
	if !m.svd.Factorize(m.x, mat.SVDThin) {
		panic("stats: the singular values of a finite matrix exist")
	}
	m.svd.VTo(&m.v)
	m.rank = m.svd.Rank(rankTolerance)
	m.df = len(trials) - m.rank
	return m
}

// effectsIn lists the effects of a form.
func effectsIn(factors []Factor, form Form) []Effect {
	var list []Effect
	for i, f := range factors {
		if f.Ordered && form == FormSteps {
			if f.Levels > 1 {
				list = append(list, Effect{Factor: i, Level: f.Default + 1, Default: f.Default, PerStep: true})
			}
			continue
		}
		for level := range f.Levels {
			if level != f.Default {
				list = append(list, Effect{Factor: i, Level: level, Default: f.Default})
			}
		}
	}
	return list
}

// value is how much of an effect a trial carries.
func (m *influenceModel) value(e Effect, t FactorTrial) float64 {
	level := t.Levels[e.Factor]
	switch {
	case level == NotApplicable:
		return 0
	case e.PerStep:
		return float64(level - e.Default)
	case level == e.Level:
		return 1
	}
	return 0
}

// influence solves for the scores.
func (m *influenceModel) influence() Influence {
	y := mat.NewVecDense(len(m.trials), nil)
	for i, t := range m.trials {
		y.SetVec(i, math.Log(t.Score))
	}
	_, columns := m.x.Dims()
	beta := mat.NewVecDense(columns, nil)
	m.svd.SolveVecTo(beta, y, m.rank)
	var residual mat.VecDense
	residual.MulVec(m.x, beta)
	residual.SubVec(y, &residual)

	result := Influence{Effects: m.effects, Form: m.form, DF: m.df, Confidence: DefaultConfidence}
	if m.df > 0 {
		result.Sigma = math.Sqrt(mat.Dot(&residual, &residual) / float64(m.df))
	} else {
		result.Warnings = append(result.Warnings, "no residual degrees of freedom: no intervals; run more trials")
	}
	if m.form == FormSteps {
		result.Warnings = append(result.Warnings, "too few trials for an effect of every value: one effect a step of the ladder, which cannot show an optimum in the middle")
	}
	for i := range result.Effects {
		m.fill(&result.Effects[i], i, beta.AtVec(m.first+i), result.Sigma)
	}
	return result
}

// fill completes the effect in a column.
func (m *influenceModel) fill(e *Effect, column int, effect, sigma float64) {
	at := m.first + column
	e.Estimable = m.lost(at, at) < rankTolerance
	if !e.Estimable {
		for i, other := range m.effects {
			if other.Factor != e.Factor && math.Abs(m.lost(at, m.first+i)) > rankTolerance && !slices.Contains(e.Confounded, other.Factor) {
				e.Confounded = append(e.Confounded, other.Factor)
			}
		}
		return
	}
	e.Ratio = Ratio{Mean: math.Exp(effect), Bounded: m.df > 0}
	for _, t := range m.trials {
		if m.value(*e, t) != 0 {
			e.Ratio.N++
		}
	}
	if e.Ratio.Bounded {
		half := studentT(DefaultConfidence, float64(m.df)) * max(sigma, minSigma) * math.Sqrt(m.variance(at))
		e.Ratio.Low, e.Ratio.High = math.Exp(effect-half), math.Exp(effect+half)
	}
}

// lost is the element of the projection on what the trials cannot see: zero on
// the diagonal for a coefficient that is estimable, and zero for two that can
// be told apart.
func (m *influenceModel) lost(i, j int) float64 {
	seen := 0.0
	for k := range m.rank {
		seen += m.v.At(i, k) * m.v.At(j, k)
	}
	if i == j {
		return 1 - seen
	}
	return -seen
}

// variance is the variance of a coefficient divided by that of one observation.
func (m *influenceModel) variance(i int) float64 {
	values := m.svd.Values(nil)
	sum := 0.0
	for k := range m.rank {
		ratio := m.v.At(i, k) / values[k]
		sum += ratio * ratio
	}
	return sum
}

// Of returns the change of the score when a factor goes from its default to a
// level, and false when that is not estimable or the level is its default.
func (f Influence) Of(factor, level int) (Ratio, bool) {
	for _, e := range f.Effects {
		if e.Factor != factor || !e.Estimable || !e.PerStep && e.Level != level {
			continue
		}
		if !e.PerStep {
			return e.Ratio, true
		}
		return e.Ratio.power(level - e.Default), true
	}
	return Ratio{}, false
}

// power is the ratio of so many equal steps; a negative number goes down.
func (r Ratio) power(steps int) Ratio {
	n := float64(steps)
	low, high := math.Pow(r.Low, n), math.Pow(r.High, n)
	if steps < 0 {
		low, high = high, low
	}
	if !r.Bounded {
		low, high = 0, 0
	}
	return Ratio{N: r.N, Mean: math.Pow(r.Mean, n), Low: low, High: high, Bounded: r.Bounded}
}
