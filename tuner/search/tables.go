package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// tables hold what the likelihoods of all shapes have in common.
type tables struct {
	m            *model
	corr         [][][]float64 // by dimension, length and pair of trials
	noise        []float64     // variance of each trial in units, 0 where it is not known
	unknownNoise bool
}

// leastNoise is the smallest noise that is believed, in units. It also keeps
// covariances far from singular.
const leastNoise = 1e-3

// variance returns the variance, in units, of noise in log scores.
func (m *model) variance(noise float64) float64 { return math.Pow(max(noise/m.unit, leastNoise), 2) }

// newTables computes the correlations of all pairs of trials.
func newTables(m *model) *tables {
	n := len(m.trials)
	t := &tables{m: m, corr: make([][][]float64, len(m.space.Dimensions)), noise: make([]float64, n)}
	for i, trial := range m.trials {
		if trial.Noise > 0 {
			t.noise[i] = m.variance(trial.Noise)
		} else {
			t.unknownNoise = true
		}
	}
	for d := range t.corr {
		t.corr[d] = make([][]float64, len(m.lengths(d).values))
		for l, length := range m.lengths(d).values {
			pairs := make([]float64, n*n)
			for i := range n {
				for j := range i + 1 {
					pairs[i*n+j] = matern(m.space.Gap(d, m.trials[i].Point, m.trials[j].Point) / length)
				}
			}
			t.corr[d][l] = pairs
		}
	}
	return t
}

// factorise returns the model of a shape with how likely it is; -Inf when its
// covariance cannot be factorised.
func (t *tables) factorise(s shape) fitted {
	n := len(t.noise)
	f := fitted{shape: s, log: math.Inf(-1)}
	k := mat.NewSymDense(n, nil)
	c := make([]float64, len(s.length))
	for i := range n {
		for j := range i + 1 {
			for d, length := range s.length {
				c[d] = t.corr[d][length][i*n+j]
			}
			k.SetSym(i, j, t.m.covariance(s, c))
		}
		noise := t.noise[i]
		if noise == 0 {
			noise = t.m.variance(sigmas.values[s.sigma])
		}
		k.SetSym(i, i, k.At(i, i)+noise)
	}
	if !f.chol.Factorize(k) {
		return f
	}
	f.log = -f.chol.LogDet()/2 - mat.Dot(mat.NewVecDense(n, t.m.y), f.solve(t.m.y))/2
	for d, l := range s.length {
		f.log += t.m.lengths(d).log(l)
	}
	f.log += sizes.log(s.size) + additives.log(s.additive) + sigmas.log(s.sigma)
	return f
}
