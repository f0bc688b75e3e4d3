package space

import (
	"math"
	"slices"

	"github.com/fbtune/fbtune/confgen"
)

// absent is the coordinate of a dimension that a point's architecture does not
// have.
const absent = 0.5

// Encode returns a point as coordinates in [0, 1], one for each dimension:
// where its value lies on the ladder of its architecture, and one half for Off.
func (s *Space) Encode(p Point) []float64 {
	x := make([]float64, len(p))
	for i := range p {
		x[i] = absent
		if ladder, ok := s.Ladder(i, p); ok {
			x[i] = ladder.At[p[i]]
		}
	}
	return x
}

// Bin returns where in [0, 1) the rungs of a dimension lie when each has the
// same share of it, which is what samplers of numbers are told: the middle of
// rung's share among n.
func Bin(rung, n int) float64 { return (float64(rung) + 0.5) / float64(n) }

// Unbin returns the rung in whose share x lies; x may be any number.
func Unbin(x float64, n int) int {
	if math.IsNaN(x) {
		return 0
	}
	return int(min(max(math.Floor(x*float64(n)), 0), float64(n-1)))
}

// Bins returns a point as Bin of each dimension, one half for Off.
func (s *Space) Bins(p Point) []float64 {
	x := make([]float64, len(p))
	for i := range p {
		x[i] = absent
		if ladder, ok := s.Ladder(i, p); ok {
			x[i] = Bin(p[i], len(ladder.Values))
		}
	}
	return x
}

// At returns the point in whose shares the coordinates lie, one for each
// dimension. It may be infeasible.
func (s *Space) At(bins []float64) Point {
	mode := s.Modes[0]
	if s.choosesMode() {
		mode = s.Modes[Unbin(bins[0], len(s.Modes))]
	}
	p := s.Default(mode)
	for i, d := range s.Dimensions {
		if ladder, ok := s.Ladder(i, p); ok && d.Name != confgen.ServerMode {
			p[i] = Unbin(bins[i], len(ladder.Values))
		}
	}
	return p
}

// Distance returns how far apart two points are: the Euclidean distance of
// their coordinates, where different words, and a dimension that only one of
// them has, count 1.
func (s *Space) Distance(p, q Point) float64 {
	sum := 0.0
	for i := range s.Dimensions {
		gap := s.Gap(i, p, q)
		sum += gap * gap
	}
	return math.Sqrt(sum)
}

// Gap is the part of Distance in dimension i.
func (s *Space) Gap(i int, p, q Point) float64 {
	a, inP := s.Ladder(i, p)
	b, inQ := s.Ladder(i, q)
	switch {
	case !inP && !inQ:
		return 0
	case inP != inQ:
		return 1
	case s.Dimensions[i].Words:
		if a.Values[p[i]] != b.Values[q[i]] {
			return 1
		}
		return 0
	}
	return math.Abs(a.At[p[i]] - b.At[q[i]])
}

// Neighbours returns the feasible points one step away: the next rung down and
// up of every ladder, every other word, and in every other architecture the
// point with the nearest values.
func (s *Space) Neighbours(p Point) []Point {
	var near []Point
	add := func(q Point) {
		if s.Fits(q) {
			near = append(near, q)
		}
	}
	for i, d := range s.Dimensions {
		ladder, ok := s.Ladder(i, p)
		if !ok {
			continue
		}
		for rung := range ladder.Values {
			step := rung - p[i]
			if step == 0 || !d.Words && step*step > 1 {
				continue
			}
			if d.Name == confgen.ServerMode {
				add(s.inMode(p, s.Modes[rung]))
				continue
			}
			q := slices.Clone(p)
			q[i] = rung
			add(q)
		}
	}
	return near
}

// inMode returns the point of another architecture whose rungs lie nearest to
// those of p.
func (s *Space) inMode(p Point, mode confgen.Mode) Point {
	q := s.Default(mode)
	for i, d := range s.Dimensions {
		from, inP := s.Ladder(i, p)
		to, inQ := d.Ladder(mode)
		if !inP || !inQ || d.Name == confgen.ServerMode {
			continue
		}
		if d.Words {
			if at := slices.Index(to.Values, from.Values[p[i]]); at >= 0 {
				q[i] = at
			}
			continue
		}
		best := 0
		for rung := range to.At {
			if math.Abs(to.At[rung]-from.At[p[i]]) < math.Abs(to.At[best]-from.At[p[i]]) {
				best = rung
			}
		}
		q[i] = best
	}
	return q
}
