package search

import (
	"math"
	"math/rand/v2"

	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// leastForHeadroom are the trials with a score below which the model says nothing
// about what is left to gain: three times those that only spread over the space.
const leastForHeadroom = 3 * spreadTrials

// simultaneous is how many standard deviations above its mean the model is taken
// to reach. The largest of about a hundred points that were not tried counts, so
// it is the two-sided 95 % of one point, divided among them.
const simultaneous = 3.5

// Headroom returns how much better than the best of the trials a configuration
// that was not tried may still be, as a fraction: the largest upper end of the 95 %
// intervals that the model of [GP] gives for all of them together, whichever
// sampler chose the trials. It is
// false while there are too few trials, and 0 when every point was tried.
func (s *Searcher) Headroom() (gain float64, ok bool) {
	scored := 0
	for _, t := range s.trials {
		if t.Status == study.OK {
			scored++
		}
	}
	if scored < leastForHeadroom {
		return 0, false
	}
	candidates := NewGP(s.space, s.seed).candidates(s.trials, rand.New(rand.NewPCG(s.seed, uint64(len(s.trials)))))
	return max(fit(s.space, s.trials).headroom(candidates), 0), true
}

// headroom is the largest gain over the best of the trials that the model thinks
// possible at any of the points.
func (m *model) headroom(points []space.Point) float64 {
	_, reached := m.best()
	most := math.Inf(-1)
	for _, p := range points {
		reach := 0.0
		for _, f := range m.predict(p) {
			reach += f.share * (f.mean + simultaneous*f.sd)
		}
		most = max(most, reach)
	}
	return math.Expm1((most - reached) * m.unit)
}
