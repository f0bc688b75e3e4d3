package stats

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Terms names the nuisance effects fitted beside the cells.
type Terms string

// The sets of terms, richest first. Estimate takes the first whose effects can
// all be estimated and which leaves minDF residual degrees of freedom; the last
// two only need to be estimable. The choice depends on which cell ran when,
// never on a score: choosing by fit would make intervals too narrow.
const (
	// TermsSlopes fits a level and a linear drift of its own to every block.
	TermsSlopes Terms = "block, drift of each block"
	// TermsSlope fits a level to every block and one drift to all.
	TermsSlope Terms = "block, common drift"
	// TermsBlocks fits a level to every block.
	TermsBlocks Terms = "block"
	// TermsNone fits the cells alone. It is taken when so many trials failed
	// that cells of different blocks share no third cell.
	TermsNone Terms = "none"
)

// minDF is the number of residual degrees of freedom that drift terms must
// leave: the 95 % Student-t factor is 2.78 at 4 and grows fast below (3.18 at
// 3, 4.30 at 2, 12.7 at 1), which costs more than drift does.
const minDF = 4

// rankTolerance is the smallest singular value, relative to the largest, that
// counts. Columns are indicators and positions, so that true ones are far
// above it.
const rankTolerance = 1e-6

// termsInOrder lists the sets of terms, with the residual degrees of freedom
// each must leave to be taken.
var termsInOrder = []struct {
	terms Terms
	minDF int
}{
	{TermsSlopes, minDF},
	{TermsSlope, minDF},
	{TermsBlocks, 0},
	{TermsNone, 0},
}

// A design is the matrix of a least squares problem, factorised. Columns are
// the observed cells, then the blocks but one, then the slopes. Block effects
// sum to zero and positions are centred, so that a cell's coefficient is its
// log score at the average block in the middle of a block.
type design struct {
	terms  Terms
	cells  []int // index of the cell of each cell column
	blocks []int // indices of the blocks with observations
	x      *mat.Dense
	svd    mat.SVD
	cov    *mat.SymDense // inverse of X'X
}

// chooseDesign builds the richest design the observations support.
func chooseDesign(obs []Observation) *design {
	for _, c := range termsInOrder {
		d := newDesign(obs, c.terms)
		if d.df() >= c.minDF && d.factorize() {
			return d
		}
	}
	panic("stats: cells alone are always estimable")
}

// newDesign fills the matrix for a set of terms.
func newDesign(obs []Observation, terms Terms) *design {
	d := &design{
		terms:  terms,
		cells:  indices(obs, func(o Observation) int { return o.Cell }),
		blocks: indices(obs, func(o Observation) int { return o.Block }),
	}
	d.x = mat.NewDense(len(obs), d.firstSlope()+d.slopes(), nil)
	for row, o := range obs {
		d.x.Set(row, slices.Index(d.cells, o.Cell), 1)
		block := slices.Index(d.blocks, o.Block)
		if terms != TermsNone {
			d.setBlock(row, block)
		}
		if d.slopes() > 0 {
			d.x.Set(row, d.slopeColumn(block), o.Position-0.5)
		}
	}
	return d
}

// indices returns the distinct values of a field, ascending.
func indices(obs []Observation, field func(Observation) int) []int {
	set := map[int]bool{}
	for _, o := range obs {
		set[field(o)] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// setBlock writes the sum-to-zero code of a block: the last one is minus the
// sum of the others.
func (d *design) setBlock(row, block int) {
	last := len(d.blocks) - 1
	if block < last {
		d.x.Set(row, len(d.cells)+block, 1)
		return
	}
	for b := range last {
		d.x.Set(row, len(d.cells)+b, -1)
	}
}

// firstSlope is the number of columns before the slopes.
func (d *design) firstSlope() int {
	if d.terms == TermsNone {
		return len(d.cells)
	}
	return len(d.cells) + len(d.blocks) - 1
}

// slopes is the number of slope columns.
func (d *design) slopes() int {
	switch d.terms {
	case TermsSlopes:
		return len(d.blocks)
	case TermsSlope:
		return 1
	}
	return 0
}

// slopeColumn is the column with the drift of a block.
func (d *design) slopeColumn(block int) int {
	if d.terms == TermsSlope {
		block = 0
	}
	return d.firstSlope() + block
}

// df is the number of residual degrees of freedom, negative when there are
// more columns than observations.
func (d *design) df() int {
	rows, columns := d.x.Dims()
	return rows - columns
}

// factorize decomposes the matrix and reports whether every effect can be
// estimated from it.
func (d *design) factorize() bool {
	if d.df() < 0 || !d.svd.Factorize(d.x, mat.SVDThin) {
		return false
	}
	_, columns := d.x.Dims()
	if d.svd.Rank(rankTolerance) < columns {
		return false
	}
	values := d.svd.Values(nil)
	var v mat.Dense
	d.svd.VTo(&v)
	v.Apply(func(_, j int, x float64) float64 { return x / values[j] }, &v)
	d.cov = mat.NewSymDense(columns, nil)
	d.cov.SymOuterK(1, &v)
	return true
}

// solve returns the coefficients for the log scores and the residual sum of
// squares.
func (d *design) solve(obs []Observation) (beta *mat.VecDense, rss float64) {
	rows, columns := d.x.Dims()
	y := mat.NewVecDense(rows, nil)
	for i, o := range obs {
		y.SetVec(i, math.Log(o.Score))
	}
	beta = mat.NewVecDense(columns, nil)
	d.svd.SolveVecTo(beta, y, columns)
	var residual mat.VecDense
	residual.MulVec(d.x, beta)
	residual.SubVec(y, &residual)
	return beta, mat.Dot(&residual, &residual)
}

// drift returns the fitted change over each block as a fraction, by block
// index, or nil when none was fitted.
func (d *design) drift(beta *mat.VecDense) []float64 {
	if d.slopes() == 0 {
		return nil
	}
	drift := make([]float64, d.blocks[len(d.blocks)-1]+1)
	for i, block := range d.blocks {
		drift[block] = math.Expm1(beta.AtVec(d.slopeColumn(i)))
	}
	return drift
}
