package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// equicorrelated is a correlation matrix with the same value off the diagonal.
func equicorrelated(n int, rho float64) *mat.SymDense {
	r := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			r.SetSym(i, j, rho)
		}
		r.SetSym(i, i, 1)
	}
	return r
}

// TestJointTMatchesDunnettsTable compares with the one-sided 5 % points of
// C. W. Dunnett, Journal of the American Statistical Association 50 (1955),
// table 1a. They are rounded to 0.01, which moves the probability by 0.0014 at
// most.
func TestJointTMatchesDunnettsTable(t *testing.T) {
	points := map[float64][]float64{ // by degrees of freedom, 1 to 9 comparisons
		10: {1.81, 2.15, 2.34, 2.47, 2.56, 2.64, 2.70, 2.76, 2.81},
		20: {1.72, 2.03, 2.19, 2.30, 2.39, 2.46, 2.51, 2.56, 2.60},
	}
	for df, row := range points {
		for i, point := range row {
			got := jointT(point, equicorrelated(i+1, 0.5), df)
			if math.Abs(got-0.95) > 0.0015 {
				t.Errorf("%v degrees of freedom, %d comparisons: probability %.4f at %v", df, i+1, got, point)
			}
		}
	}
}

// TestJointTMatchesIntegration compares with the double integral to which the
// probability falls when all correlations are equal.
func TestJointTMatchesIntegration(t *testing.T) {
	tests := []struct {
		n      int
		rho    float64
		df, at float64
	}{
		{2, 0.5, 3, 1.5}, {6, 0.5, 5, 2.4}, {12, 0.5, 24, 2.5}, {12, 0.2, 24, 2.5}, {12, 0.9, 8, 1}, {30, 0.5, 60, 2.7},
	}
	for _, tt := range tests {
		got := jointT(tt.at, equicorrelated(tt.n, tt.rho), tt.df)
		if want := equalJointT(tt.at, tt.n, tt.rho, tt.df); math.Abs(got-want) > 0.001 {
			t.Errorf("%d comparisons, correlation %v, %v degrees of freedom: P(all <= %v) = %.5f, want %.5f",
				tt.n, tt.rho, tt.df, tt.at, got, want)
		}
	}
}

// equalJointT integrates over the common part of equally correlated normals and
// over the estimated spread.
func equalJointT(t float64, n int, rho, df float64) float64 {
	chi := distuv.ChiSquared{K: df}
	return quad.Fixed(func(u float64) float64 {
		s := math.Sqrt(chi.Quantile(u) / df)
		return quad.Fixed(func(z float64) float64 {
			arg := (t*s - math.Sqrt(rho)*z) / math.Sqrt(1-rho)
			return distuv.UnitNormal.Prob(z) * math.Pow(distuv.UnitNormal.CDF(arg), float64(n))
		}, -8, 8, 80, quad.Legendre{}, 0)
	}, 0, 1, 80, quad.Legendre{}, 0)
}
