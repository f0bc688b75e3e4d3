package search

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/c-bata/goptuna"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// A GP is a sampler for goptuna that models the logarithm of the score by a
// Gaussian process over the rungs of the ladders, and by another one where
// trials fail. It knows the noise of each trial, spreads its first points over
// the space and then takes the one with the largest expected improvement over
// what it believes to be the best so far, not over the luckiest trial. Equal
// seeds and trials give equal points.
type GP struct {
	space *space.Space
	seed  uint64

	of   []Trial // what last was made from
	last *model
}

var _ goptuna.RelativeSampler = (*GP)(nil)

// NewGP returns the sampler for a space.
func NewGP(s *space.Space, seed uint64) *GP { return &GP{space: s, seed: seed} }

// Sizes of what the sampler looks at.
const (
	// spreadTrials are the trials, those given included, from which on the
	// model chooses.
	spreadTrials = 6
	// poolPoints are drawn by chance in a space too large to look at all of it.
	poolPoints = 1024
	// poolBest are the trials whose neighbours are looked at beside these.
	poolBest = 3
	// tellingPoints are the most points that a first point is to tell of.
	tellingPoints = 128
	// margin is the improvement that counts as none, in standard deviations of
	// the scores: it keeps the search from polishing what noise cannot tell
	// apart while an architecture was hardly looked at.
	margin = 0.1
)

// SampleRelative returns the next point as the share of each rung in [0, 1).
func (g *GP) SampleRelative(st *goptuna.Study, _ goptuna.FrozenTrial, _ map[string]any) (map[string]float64, error) {
	frozen, err := st.GetTrials()
	if err != nil {
		return nil, fmt.Errorf("read the trials: %w", err)
	}
	trials, err := g.read(frozen)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(g.seed, uint64(len(trials))))
	candidates := g.candidates(trials, rng)
	if len(candidates) == 0 {
		return nil, ErrExhausted
	}
	if len(trials) == 0 {
		return params(g.space, g.nearestToStock(candidates)), nil
	}
	if _, scored := highest(trials); !scored || len(trials) < spreadTrials {
		return params(g.space, g.mostTelling(trials, candidates, rng)), nil
	}
	return params(g.space, g.model(trials).mostImproving(candidates, riskOf(g.space, trials))), nil
}

// read returns goptuna's trials as ours. The trial that is being sampled has no
// parameters yet, and draws that were not used are failed.
func (g *GP) read(frozen []goptuna.FrozenTrial) ([]Trial, error) {
	var trials []Trial
	for _, f := range frozen {
		if len(f.InternalParams) == 0 || f.State == goptuna.TrialStateFail {
			continue
		}
		bins := make([]float64, len(g.space.Dimensions))
		for i, d := range g.space.Dimensions {
			bins[i] = f.InternalParams[d.Name]
		}
		t := Trial{Point: g.space.At(bins), Status: study.Status(f.UserAttrs[statusAttr])}
		switch {
		case f.State == goptuna.TrialStateRunning:
			t.Status = study.Running
		case t.Status == "": // a study of goptuna's own
			t.Status = study.OK
		}
		if t.Status == study.OK {
			t.Score = math.Exp(-f.Value)
		}
		if text := f.UserAttrs[noiseAttr]; text != "" {
			noise, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return nil, fmt.Errorf("read the noise of trial %d: %w", f.Number, err)
			}
			t.Noise = noise
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// candidates returns the feasible points that were not tried: all of a small
// space; of a large one a sample, and the neighbours of the best trials.
func (g *GP) candidates(trials []Trial, rng *rand.Rand) []space.Point {
	seen := make(map[string]bool, len(trials))
	for _, t := range trials {
		seen[g.space.Key(t.Point)] = true
	}
	var points []space.Point
	add := func(p space.Point) {
		if key := g.space.Key(p); !seen[key] && g.space.Fits(p) {
			seen[key] = true
			points = append(points, p)
		}
	}
	if g.space.Size() <= fewPoints {
		for p := range g.space.All() {
			add(p)
		}
		return points
	}
	bins := make([]float64, len(g.space.Dimensions))
	for range poolPoints {
		for i := range bins {
			bins[i] = rng.Float64()
		}
		add(g.space.At(bins))
	}
	order := slices.Clone(trials)
	slices.SortStableFunc(order, func(a, b Trial) int { return cmp.Compare(b.Score, a.Score) })
	for _, t := range order[:min(poolBest, len(order))] {
		for _, p := range g.space.Neighbours(t.Point) {
			add(p)
			for _, q := range g.space.Neighbours(p) {
				add(q)
			}
		}
	}
	return points
}

// nearestToStock returns the candidate nearest to the engine's defaults.
func (g *GP) nearestToStock(candidates []space.Point) space.Point {
	stock := g.space.Default(g.space.Modes[0])
	return slices.MinFunc(candidates, func(a, b space.Point) int {
		return cmp.Compare(g.space.Distance(a, stock), g.space.Distance(b, stock))
	})
}

// mostTelling returns the candidate whose trial, before any score is looked at,
// would leave the least doubt about the others: it lies amid many of them and
// away from what was tried. (Points as far apart as possible would be corners,
// where servers do badly.)
func (g *GP) mostTelling(trials []Trial, candidates []space.Point, rng *rand.Rand) space.Point {
	m := newModel(g.space, trials, study.OK, study.Failed, study.Running)
	m.keep(newTables(m).factorise(m.expectedShape()), nil)
	f := &m.fits[0]
	others := slices.Clone(candidates)
	rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	others = others[:min(tellingPoints, len(others))]
	solved := make([]*mat.VecDense, len(others))
	for i, q := range others {
		solved[i] = f.solve(m.toTrials(f, m.gaps(q)))
	}
	var best space.Point
	most := math.Inf(-1)
	for _, p := range candidates {
		k := mat.NewVecDense(len(m.trials), m.toTrials(f, m.gaps(p)))
		doubt := m.variance(0) + m.alike(f, m.apart(p, p)) - mat.Dot(k, f.solve(k.RawVector().Data))
		told := 0.0
		for i, q := range others {
			told += math.Pow(m.alike(f, m.apart(p, q))-mat.Dot(k, solved[i]), 2)
		}
		if told /= doubt; told > most {
			best, most = p, told
		}
	}
	return best
}

// mostImproving returns the point with the largest expected improvement over
// the best of the trials as the model sees them, times the chance that it does
// not fail.
func (m *model) mostImproving(points []space.Point, risk func(space.Point) float64) space.Point {
	_, reached := m.best()
	var best space.Point
	most, reach := math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		gain, optimistic := 0.0, 0.0
		for _, f := range m.predict(p) {
			gain += f.share * improvement(f.mean-reached-margin, f.sd)
			optimistic += f.share * (f.mean + f.sd)
		}
		gain *= 1 - risk(p)
		if gain > most || gain == most && optimistic > reach {
			best, most, reach = p, gain, optimistic
		}
	}
	return best
}

// mostRisk is the largest chance of failure that a point near failed ones is
// given: failures may have other reasons than their neighbourhood.
const mostRisk = 0.95

// riskOf returns the chance that a point fails: how like it is to the trials
// that failed and to those that did not. A cliff, in a model of its own, does
// not bend the surface of the scores on the side that works.
func riskOf(s *space.Space, trials []Trial) func(space.Point) float64 {
	m := newModel(s, trials, study.OK, study.Failed)
	failed := false
	for i, t := range m.trials {
		m.trials[i].Noise = doubt
		if t.Status == study.Failed {
			m.y[i], failed = 1, true
		}
	}
	if !failed {
		return func(space.Point) float64 { return 0 }
	}
	near := m.expectedShape()
	for i := range near.length {
		near.length[i]-- // an edge is felt less far than an effect
	}
	near.additive = 0
	m.keep(newTables(m).factorise(near), nil)
	return func(p space.Point) float64 { return min(max(expected(m.predict(p)), 0), mostRisk) }
}

// doubt is the noise of the statuses: how far a trial may have failed, or not,
// for reasons of its own.
const doubt = 0.2

// improvement is the expected value of what a normal variable has above 0.
func improvement(mean, sd float64) float64 {
	if !(sd > 0) {
		return max(mean, 0)
	}
	z := mean / sd
	return mean*distuv.UnitNormal.CDF(z) + sd*distuv.UnitNormal.Prob(z)
}

// model fits the trials, unless they are those of last time.
func (g *GP) model(trials []Trial) *model {
	same := func(a, b Trial) bool {
		return a.Status == b.Status && a.Score == b.Score && a.Noise == b.Noise && slices.Equal(a.Point, b.Point)
	}
	if g.last == nil || !slices.EqualFunc(trials, g.of, same) {
		g.of, g.last = slices.Clone(trials), fit(g.space, trials)
	}
	return g.last
}

// Best returns the index of the trial of which the model expects the most, and
// false while none is OK; while there are too few for the model, the highest.
func (g *GP) Best(trials []Trial) (int, bool) {
	if index, ok := highest(trials); !ok || len(trials) < spreadTrials {
		return index, ok
	}
	known := slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return t.Status == study.Interrupted })
	for i := range known { // as goptuna gives them back, so that the model is the same
		known[i].Score = math.Exp(math.Log(known[i].Score))
	}
	best, _ := g.model(known).best()
	return slices.IndexFunc(trials, func(t Trial) bool {
		return t.Status == study.OK && slices.Equal(t.Point, best.Point)
	}), true
}
