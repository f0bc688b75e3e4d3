package search

import (
	"fmt"
	"math/rand/v2"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/cmaes"
	"github.com/c-bata/goptuna/tpe"

	"github.com/fbtune/fbtune/tuner/space"
)

// Default is the sampler of a tuning that names none. The benchmark over recorded
// grids decided it, see docs/samplers.md.
const Default = TPE

// Names of samplers.
const (
	Grid     = "grid"
	Random   = "random"
	TPE      = "tpe"
	CMAES    = "cma-es"
	Gaussian = "gp"
)

// A method is a way to choose points.
type method struct {
	Name  string
	About string // one sentence

	make       func(s *Searcher, seed uint64) samplers
	categories bool // whether words are told to goptuna as categories
	keeps      bool // whether the sampler has a state beside the trials
	announces  bool // whether it says which trial is the best; else the highest score is

	unfit func(*space.Space) error // why a space is not for it; nil: every space is
}

// methods is the table of samplers.
func methods() []method {
	return []method{
		{
			Name: Grid, About: "every configuration, in the order of the ladders",
			make: func(s *Searcher, _ uint64) samplers {
				return samplers{one: goptuna.NewRandomSampler(), all: inOrder{s}}
			},
		},
		{
			Name: Random, About: "configurations by chance (goptuna's random sampler)",
			make: func(_ *Searcher, seed uint64) samplers {
				return samplers{one: goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(mix(seed)))}
			},
		},
		{
			Name: TPE, About: "values that good trials had more often than bad ones (goptuna's TPE)",
			// Its source of chance is the process's own, whatever the seed.
			make: func(_ *Searcher, seed uint64) samplers {
				return samplers{one: tpe.NewSampler(tpe.SamplerOptionSeed(mix(seed)))}
			},
			categories: true,
		},
		{
			Name: CMAES, About: "a cloud of points that moves to better ones (goptuna's CMA-ES)",
			// The space is given up front, words as numbers: it panics on
			// categories that it finds by itself.
			make: func(s *Searcher, seed uint64) samplers {
				return samplers{one: goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(mix(seed))), all: cmaes.NewSampler(s.cmaOptions(seed)...)}
			},
			keeps: true,
			unfit: func(s *space.Space) error {
				if len(s.Dimensions) < 2 {
					return fmt.Errorf("it needs two settings to choose, and there is one; choose another")
				}
				return nil
			},
		},
		{
			Name: Gaussian, About: "where a Gaussian process over the ladders expects the most improvement (ours)",
			make: func(s *Searcher, _ uint64) samplers {
				gp := NewGP(s.space, s.seed)
				return samplers{one: goptuna.NewRandomSampler(), all: gp, best: gp.Best}
			},
			keeps: true, announces: true, // it keeps the model, which the trials give again
		},
	}
}

// Names returns the names of all samplers.
func Names() []string {
	var names []string
	for _, m := range methods() {
		names = append(names, m.Name)
	}
	return names
}

// About returns what a sampler does, in one line, "" for a name that none has.
func About(name string) string {
	for _, m := range methods() {
		if m.Name == name {
			return m.About
		}
	}
	return ""
}

// mix makes a seed for goptuna's samplers, whose sources give similar numbers
// for similar seeds.
func mix(seed uint64) int64 { return int64(rand.NewPCG(seed, 0x9e3779b97f4a7c15).Uint64() >> 1) }

// cmaOptions starts CMA-ES at the best of what was told before it.
func (s *Searcher) cmaOptions(seed uint64) []cmaes.SamplerOption {
	options := []cmaes.SamplerOption{cmaes.SamplerOptionSeed(mix(seed)), cmaes.SamplerOptionInitialSigma(0.25)}
	if best, ok := highest(s.trials); ok {
		mean := map[string]float64{}
		for i, x := range s.space.Bins(s.trials[best].Point) {
			mean[s.space.Dimensions[i].Name] = x
		}
		options = append(options, cmaes.SamplerOptionInitialMean(mean))
	}
	return options
}

// inOrder is the grid as goptuna's relative sampler.
type inOrder struct{ s *Searcher }

// SampleRelative returns the first point that was not tried.
func (g inOrder) SampleRelative(*goptuna.Study, goptuna.FrozenTrial, map[string]any) (map[string]float64, error) {
	for p := range g.s.space.All() {
		if g.s.free(p) {
			return params(g.s.space, p), nil
		}
	}
	return nil, ErrExhausted
}

// params returns a point as goptuna's parameters.
func params(s *space.Space, p space.Point) map[string]float64 {
	values := make(map[string]float64, len(p))
	for i, x := range s.Bins(p) {
		values[s.Dimensions[i].Name] = x
	}
	return values
}
