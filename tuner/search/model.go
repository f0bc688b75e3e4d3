package search

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// A model is a Gaussian process over the log scores of trials. Two points are
// the more alike the nearer their rungs: c[i], the correlation in dimension i,
// is Matérn's of order 5/2 over their distance on the ladder; words are 0 or 1
// apart. Most effects add up, and may differ between architectures:
//
//	size² x (1 + c[architecture] x (additive x mean of c[i] + (1 - additive) x product of c[i]))
type model struct {
	space        *space.Space
	architecture int // the dimension ServerMode, or -1
	trials       []Trial
	y            []float64 // log scores, less their mean, in units
	unit         float64   // the standard deviation of log scores

	fits []fitted // the likeliest shapes, the first one above all
}

// fitted is a model of one shape.
type fitted struct {
	shape  shape
	log    float64       // how likely it is, up to a constant
	share  float64       // of the belief, 1 over all of a model's
	chol   mat.Cholesky  // of the covariance of y
	weight *mat.VecDense // its inverse times y
}

// A shape is what is fitted: indices into the tables below.
type shape struct {
	length                []int // of each dimension
	size, additive, sigma int
}

// A scale is the values that a part of a shape may have. Finer ones change
// nothing that 30 trials could tell. Before there is data the expected one is
// the likeliest, normal over the indices with the given spread.
type scale struct {
	values   []float64
	expected int
	spread   float64
}

// Scales of the parts of a shape.
var (
	ladderLengths = scale{[]float64{0.1, 0.2, 0.4, 0.8, 1.6}, 2, 1}
	wordLengths   = scale{[]float64{0.4, 0.8, 1.6, 3.2, 6.4}, 2, 1}
	sizes         = scale{[]float64{0.5, 1, 2}, 1, 1}
	additives     = scale{[]float64{0.2, 0.5, 0.8, 0.95}, 1, 2}
	sigmas        = scale{[]float64{0.01, 0.02, 0.04, 0.08}, 2, 1} // noise of log scores, of trials that do not say theirs
)

// log returns the logarithm of the prior of a value.
func (s scale) log(index int) float64 {
	z := float64(index-s.expected) / s.spread
	return -z * z / 2
}

// rounds are how often all parts of a shape are fitted, one after the other.
const rounds = 2

// leastUnit keeps a model of equal scores from dividing by nothing.
const leastUnit = 1e-3

// Shapes beside the likeliest one: few trials leave several possible, and one
// alone would be too sure of itself.
const (
	mostShapes  = 12
	leastBelief = 0.1 // relative to the likeliest
)

// fit makes the model of those trials that are OK or running, of which at least
// one is OK.
func fit(s *space.Space, trials []Trial) *model {
	m := newModel(s, trials, study.OK, study.Running)
	var known []float64
	for _, t := range m.trials {
		if t.Status == study.OK {
			known = append(known, math.Log(t.Score))
		}
	}
	mean, unit := stat.MeanStdDev(known, nil)
	if m.unit = unit; !(unit > leastUnit) { // NaN for one score, and by rounding for equal ones
		m.unit = leastUnit
	}
	for i, t := range m.trials {
		if t.Status == study.OK { // what runs is taken for average, so that its surroundings are less tempting
			m.y[i] = (math.Log(t.Score) - mean) / m.unit
		}
	}
	m.choose(newTables(m))
	return m
}

// newModel returns a model of the trials with these statuses, not yet fitted.
func newModel(s *space.Space, trials []Trial, statuses ...study.Status) *model {
	m := &model{
		space: s, unit: 1,
		architecture: slices.IndexFunc(s.Dimensions, func(d space.Dimension) bool { return d.Name == confgen.ServerMode }),
	}
	for _, t := range trials {
		if slices.Contains(statuses, t.Status) {
			m.trials = append(m.trials, t)
		}
	}
	m.y = make([]float64, len(m.trials))
	return m
}

// expectedShape is the likeliest shape before there is data.
func (m *model) expectedShape() shape {
	s := shape{length: make([]int, len(m.space.Dimensions)), size: sizes.expected, additive: additives.expected, sigma: sigmas.expected}
	for i := range s.length {
		s.length[i] = m.lengths(i).expected
	}
	return s
}

// choose finds the likeliest shape, one part after the other, keeps it and the
// likely ones that differ from it in one part, and makes the model ready to
// predict.
func (m *model) choose(t *tables) {
	best := m.expectedShape()
	log := t.factorise(best).log
	var beside []fitted
	try := func(part *int, s scale) {
		kept := *part
		for index := range s.values {
			*part = index
			f := t.factorise(best)
			f.shape.length = slices.Clone(best.length)
			beside = append(beside, f)
			if f.log > log {
				log, kept = f.log, index
			}
		}
		*part = kept
	}
	for range rounds {
		beside = nil // of shapes that are no longer the best
		for i := range best.length {
			try(&best.length[i], m.lengths(i))
		}
		try(&best.size, sizes)
		try(&best.additive, additives)
		if t.unknownNoise {
			try(&best.sigma, sigmas)
		}
	}
	m.keep(t.factorise(best), beside)
}

// keep makes the model of the best shape and the likeliest others.
func (m *model) keep(best fitted, beside []fitted) {
	slices.SortStableFunc(beside, func(a, b fitted) int { return cmp.Compare(b.log, a.log) })
	m.fits = []fitted{best}
	for _, f := range beside {
		if len(m.fits) == mostShapes || f.log < best.log+math.Log(leastBelief) {
			break
		}
		if !slices.ContainsFunc(m.fits, func(o fitted) bool { return o.shape.same(f.shape) }) {
			m.fits = append(m.fits, f)
		}
	}
	sum := 0.0
	for i := range m.fits {
		f := &m.fits[i]
		f.share = math.Exp(f.log - best.log)
		sum += f.share
		f.weight = f.solve(m.y)
	}
	for i := range m.fits {
		m.fits[i].share /= sum
	}
}

// same reports whether two shapes are equal.
func (s shape) same(o shape) bool {
	return slices.Equal(s.length, o.length) && s.size == o.size && s.additive == o.additive && s.sigma == o.sigma
}

// lengths returns the scale of the correlation length of a dimension.
func (m *model) lengths(dimension int) scale {
	if m.space.Dimensions[dimension].Words {
		return wordLengths
	}
	return ladderLengths
}

// covariance returns the covariance of two points whose correlation in each
// dimension is c.
func (m *model) covariance(s shape, c []float64) float64 {
	architecture, sum, product, n := 1.0, 0.0, 1.0, 0
	for i, ci := range c {
		if i == m.architecture {
			architecture = ci
			continue
		}
		sum, product, n = sum+ci, product*ci, n+1
	}
	within := 1.0
	if n > 0 {
		additive := additives.values[s.additive]
		within = additive*sum/float64(n) + (1-additive)*product
	}
	size := sizes.values[s.size]
	return size * size * (1 + architecture*within)
}

// matern is Matérn's correlation of order 5/2 at a distance in lengths.
func matern(distance float64) float64 {
	if distance == 0 {
		return 1
	}
	a := math.Sqrt(5) * distance
	return (1 + a + a*a/3) * math.Exp(-a)
}

// solve returns the inverse covariance times b.
func (f *fitted) solve(b []float64) *mat.VecDense {
	x := mat.NewVecDense(len(b), nil)
	if err := f.chol.SolveVecTo(x, mat.NewVecDense(len(b), b)); err != nil {
		x.Zero() // then the trials say nothing
	}
	return x
}

// predict returns, for each of the model's shapes, the mean of the log score of
// a point, less that of all trials, and its standard deviation, without the
// noise of a trial, in units.
func (m *model) predict(p space.Point) []prediction {
	all := make([]prediction, len(m.fits))
	gaps := m.gaps(p)
	for i := range m.fits {
		f := &m.fits[i]
		k := m.toTrials(f, gaps)
		v := mat.NewVecDense(len(k), k)
		own := m.alike(f, make([]float64, len(f.shape.length)))
		all[i] = prediction{share: f.share, mean: mat.Dot(v, f.weight), sd: math.Sqrt(max(own-mat.Dot(v, f.solve(k)), 0))}
	}
	return all
}

// gaps returns how far a point is from each trial in each dimension.
func (m *model) gaps(p space.Point) [][]float64 {
	all := make([][]float64, len(m.trials))
	for i, t := range m.trials {
		all[i] = m.apart(p, t.Point)
	}
	return all
}

// apart returns how far two points are apart in each dimension.
func (m *model) apart(p, q space.Point) []float64 {
	gaps := make([]float64, len(m.space.Dimensions))
	for d := range gaps {
		gaps[d] = m.space.Gap(d, p, q)
	}
	return gaps
}

// toTrials returns the covariances of a point and each of the trials.
func (m *model) toTrials(f *fitted, gaps [][]float64) []float64 {
	k := make([]float64, len(gaps))
	for i := range k {
		k[i] = m.alike(f, gaps[i])
	}
	return k
}

// alike returns the covariance of two points with these gaps.
func (m *model) alike(f *fitted, gaps []float64) float64 {
	c := make([]float64, len(gaps))
	for d, length := range f.shape.length {
		c[d] = matern(gaps[d] / m.lengths(d).values[length])
	}
	return m.covariance(f.shape, c)
}

// A prediction is what one shape of a model expects of a point.
type prediction struct{ share, mean, sd float64 }

// expected returns the mean over the shapes.
func expected(all []prediction) float64 {
	sum := 0.0
	for _, p := range all {
		sum += p.share * p.mean
	}
	return sum
}

// best returns the OK trial of which the model expects the most.
func (m *model) best() (best Trial, mean float64) {
	mean = math.Inf(-1)
	for _, t := range m.trials {
		if t.Status != study.OK {
			continue
		}
		if value := expected(m.predict(t.Point)); value > mean {
			best, mean = t, value
		}
	}
	return best, mean
}
