package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/space"
)

// A Surface is a grid with a truth: what each cell is worth, and how trials of
// it spread.
type Surface struct {
	Name   string
	Space  *space.Space
	Points []space.Point
	Keys   map[string]int // of Space.Key, to the index of a point
	Truth  []float64      // score of each point in the long run; 0 where every trial failed
	Noise  []float64      // what is left over of log scores; a trial draws one of them
	// Smoothing is the weight of the penalty that was chosen, 0 for a surface
	// that was not fitted.
	Smoothing float64
}

// Sigma returns the standard deviation of the noise.
func (s *Surface) Sigma() float64 {
	sum := 0.0
	for _, e := range s.Noise {
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(s.Noise)))
}

// Best returns the largest truth.
func (s *Surface) Best() float64 { return slices.Max(s.Truth) }

// Share returns the part of the cells whose truth is within a fraction of the
// best.
func (s *Surface) Share(within float64) float64 {
	good := 0
	for _, truth := range s.Truth {
		if truth >= s.Best()*(1-within) {
			good++
		}
	}
	return float64(good) / float64(len(s.Truth))
}

// Fit makes the surface of the records of one size.
func Fit(name string, v confgen.Version, records []Record) (*Surface, error) {
	var cells []map[string]string
	for _, r := range records {
		if !slices.ContainsFunc(cells, func(c map[string]string) bool {
			return identity(Record{Settings: c}) == identity(Record{Settings: r.Settings})
		}) {
			cells = append(cells, r.Settings)
		}
	}
	sp, err := space.Of(v, cells)
	if err != nil {
		return nil, fmt.Errorf("fit the surface of %s: %w", name, err)
	}
	s := newSurface(name, sp)
	data, err := s.collect(records)
	if err != nil {
		return nil, fmt.Errorf("fit the surface of %s: %w", name, err)
	}
	smooth, err := s.smooth(data)
	if err != nil {
		return nil, fmt.Errorf("fit the surface of %s: %w", name, err)
	}
	for i, n := range data.count {
		if n > 0 {
			s.Truth[i] = math.Exp(smooth.AtVec(i))
		}
	}
	s.Noise = data.residuals()
	return s, nil
}

// newSurface lists the points of a space.
func newSurface(name string, sp *space.Space) *Surface {
	s := &Surface{Name: name, Space: sp, Keys: map[string]int{}}
	for p := range sp.Points() {
		s.Keys[sp.Key(p)] = len(s.Points)
		s.Points = append(s.Points, p)
	}
	s.Truth = make([]float64, len(s.Points))
	return s
}

// cells are log scores by cell and block, blocks made comparable.
type cells struct {
	log   [][]float64 // by block and cell; NaN where there is none
	count []int       // of successful trials by cell
	mean  []float64   // by cell, over its trials, less the blocks' effects
}

// collect arranges records and takes the blocks' effects out of them, by
// alternating between means of cells and of blocks until both rest.
func (s *Surface) collect(records []Record) (cells, error) {
	blocks := 0
	for _, r := range records {
		blocks = max(blocks, r.Block)
	}
	d := cells{log: make([][]float64, blocks), count: make([]int, len(s.Points)), mean: make([]float64, len(s.Points))}
	for b := range d.log {
		d.log[b] = slices.Repeat([]float64{math.NaN()}, len(s.Points))
	}
	for _, r := range records {
		p, _, err := s.Space.Point(r.Settings)
		if err != nil {
			return cells{}, err
		}
		i := s.Keys[s.Space.Key(p)]
		if !math.IsNaN(d.log[r.Block-1][i]) {
			return cells{}, fmt.Errorf("%v has two trials in block %d", r.Settings, r.Block)
		}
		if r.OpsPerSecond > 0 {
			d.log[r.Block-1][i] = math.Log(r.OpsPerSecond)
			d.count[i]++
		}
	}
	d.average()
	const turns = 100 // each brings both means nearer by the share of missing trials, few as a rule
	for range turns {
		for _, block := range d.log {
			shift(block, d.mean)
		}
		d.average()
	}
	if slices.Max(d.count) < 2 {
		return cells{}, errors.New("no cell was measured twice: the noise cannot be known")
	}
	return d, nil
}

// shift moves the scores of a block so that on the average they are the cells'
// means.
func shift(block, mean []float64) {
	sum, n := 0.0, 0
	for i, y := range block {
		if !math.IsNaN(y) {
			sum, n = sum+y-mean[i], n+1
		}
	}
	if n == 0 {
		return
	}
	for i := range block {
		block[i] -= sum / float64(n)
	}
}

// average sets the cells' means.
func (d *cells) average() {
	for i := range d.mean {
		sum := 0.0
		for _, block := range d.log {
			if !math.IsNaN(block[i]) {
				sum += block[i]
			}
		}
		if d.count[i] > 0 {
			d.mean[i] = sum / float64(d.count[i])
		}
	}
}

// residuals returns what is left of the scores beside cells and blocks,
// stretched so that it spreads as much as the trials did: fitted means take
// their share of it.
func (d *cells) residuals() []float64 {
	var left []float64
	cells := 0
	for i, n := range d.count {
		if n > 0 {
			cells++
		}
		for _, block := range d.log {
			if !math.IsNaN(block[i]) {
				left = append(left, block[i]-d.mean[i])
			}
		}
	}
	free := len(left) - cells - (len(d.log) - 1)
	stretch := math.Sqrt(float64(len(left)) / float64(max(free, 1)))
	for i := range left {
		left[i] *= stretch
	}
	return left
}

// smoothings are the penalties that are tried.
var smoothings = func() []float64 {
	var list []float64
	for e := -3.0; e <= 3; e += 0.5 {
		list = append(list, math.Pow(10, e))
	}
	return list
}()

// smooth returns the surface that follows the cells' means as far as its bends
// allow (Whittaker's graduation): the sum of squares of what it misses, each
// weighted by the trials behind it, plus a penalty on the second difference at
// every three neighbouring rungs of a ladder, everything else equal. The
// penalty's weight is the one that predicts left-out cells best (generalised
// cross-validation). Nothing in it knows of samplers.
func (s *Surface) smooth(d cells) (*mat.VecDense, error) {
	n := len(s.Points)
	bends := s.bends()
	penalty := mat.NewDense(n, n, nil)
	if bends != nil {
		penalty.Mul(bends.T(), bends)
	}
	wy := mat.NewVecDense(n, nil)
	for i := range n {
		wy.SetVec(i, float64(d.count[i])*d.mean[i])
	}
	var best *mat.VecDense
	least := math.Inf(1)
	for _, weight := range smoothings {
		system := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				system.SetSym(i, j, weight*penalty.At(i, j))
			}
			// A cell without a trial takes what its neighbours say.
			system.SetSym(i, i, system.At(i, i)+float64(d.count[i])+1e-9)
		}
		var chol mat.Cholesky
		if !chol.Factorize(system) {
			continue
		}
		var hat mat.SymDense
		fitted := mat.NewVecDense(n, nil)
		if chol.InverseTo(&hat) != nil || chol.SolveVecTo(fitted, wy) != nil {
			continue // too stiff for the numbers of the machine
		}
		missed, taken, cells := 0.0, 0.0, 0.0
		for i, count := range d.count {
			if count == 0 {
				continue
			}
			w := float64(count)
			missed += w * math.Pow(d.mean[i]-fitted.AtVec(i), 2)
			taken += w * hat.At(i, i)
			cells++
		}
		if free := 1 - taken/cells; free > 0 {
			if score := missed / (free * free); score < least {
				best, least, s.Smoothing = fitted, score, weight
			}
		}
	}
	if best == nil {
		return nil, errors.New("no smooth surface follows the cells")
	}
	return best, nil
}

// bends returns a row for every three neighbouring rungs: the second difference
// of the surface there, for rungs as far apart as they are.
func (s *Surface) bends() *mat.Dense {
	n := len(s.Points)
	var rows []float64
	for i, p := range s.Points {
		for d, dimension := range s.Space.Dimensions {
			ladder, ok := s.Space.Ladder(d, p)
			if !ok || dimension.Words {
				continue
			}
			below, hasBelow := s.along(p, d, -1)
			above, hasAbove := s.along(p, d, +1)
			if !hasBelow || !hasAbove {
				continue
			}
			step := 1 / float64(len(ladder.Values)-1) // evenly spaced rungs have weights 1, -2, 1
			left := (ladder.At[p[d]] - ladder.At[s.Points[below][d]]) / step
			right := (ladder.At[s.Points[above][d]] - ladder.At[p[d]]) / step
			row := make([]float64, n)
			row[below] = 2 / (left * (left + right))
			row[above] = 2 / (right * (left + right))
			row[i] = -2 / (left * right)
			rows = append(rows, row...)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return mat.NewDense(len(rows)/n, n, rows)
}

// along returns the index of the next point on a ladder, everything else equal.
func (s *Surface) along(p space.Point, dimension, step int) (int, bool) {
	ladder, _ := s.Space.Ladder(dimension, p)
	q := slices.Clone(p)
	for q[dimension] += step; q[dimension] >= 0 && q[dimension] < len(ladder.Values); q[dimension] += step {
		if i, ok := s.Keys[s.Space.Key(q)]; ok {
			return i, true
		}
	}
	return 0, false
}
