package replay

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// What samplers are judged by.
var (
	// Checkpoints are the numbers of trials after which the incumbent counts.
	Checkpoints = []int{10, 20, 30}
	// Targets are how near to the best the incumbent is to come.
	Targets = []float64{0.02, 0.05}
)

// Seeds are the searches of each sampler that a decision rests on.
const Seeds = 200

// given is how many first points all samplers get alike: stock, and two by
// chance that stand for what a user has and what is advised.
const given = 3

// An Outcome is how a sampler did on a surface, seed by seed.
type Outcome struct {
	Surface *Surface
	Sampler string
	Unfit   string // why the sampler cannot search this space; "" when it can

	// Value is the truth of the incumbent, as a part of the best, by seed and
	// checkpoint.
	Value [][]float64
	// Needed is the number of trials, the given ones included, after which the
	// incumbent was first within a target, by seed and target; one more than
	// there are cells when it never was.
	Needed [][]int
}

// Play runs a sampler on a surface, once for each seed. The same seed brings
// the same first points and the same luck to each cell, whatever the sampler.
func Play(s *Surface, sampler string, seeds int) (Outcome, error) {
	o := Outcome{Surface: s, Sampler: sampler, Value: make([][]float64, seeds), Needed: make([][]int, seeds)}
	if _, err := search.New(sampler, s.Space, 0); err != nil {
		o.Unfit = err.Error()
		return o, nil
	}
	var (
		wait  sync.WaitGroup
		errs  = make([]error, seeds)
		slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	for seed := range seeds {
		slots <- struct{}{}
		wait.Go(func() {
			o.Value[seed], o.Needed[seed], errs[seed] = s.play(sampler, uint64(seed))
			<-slots
		})
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return Outcome{}, fmt.Errorf("play %s on %s: %w", sampler, s.Name, err)
	}
	return o, nil
}

// play is one search, until it has passed the last checkpoint and met all
// targets, or has tried all cells.
func (s *Surface) play(sampler string, seed uint64) (value []float64, needed []int, err error) {
	searcher, err := search.New(sampler, s.Space, seed)
	if err != nil {
		return nil, nil, err
	}
	luck := s.luck(seed)
	first := s.first(seed)
	value, needed = make([]float64, len(Checkpoints)), make([]int, len(Targets))
	met := 0
	for n := 1; n <= Checkpoints[len(Checkpoints)-1] || met < len(Targets); n++ {
		var p space.Point
		if n <= len(first) {
			p = first[n-1]
		} else if p, err = searcher.Ask(); errors.Is(err, search.ErrExhausted) {
			break
		} else if err != nil {
			return nil, nil, err
		}
		if err := searcher.Tell(s.trial(p, luck)); err != nil {
			return nil, nil, err
		}
		reached := s.announced(searcher)
		for i, checkpoint := range Checkpoints {
			if n <= checkpoint { // a search that ends before keeps what it has
				value[i] = reached
			}
		}
		for i, target := range Targets {
			if needed[i] == 0 && reached >= 1-target {
				needed[i] = n
				met++
			}
		}
	}
	for i := range needed {
		if needed[i] == 0 {
			needed[i] = len(s.Points) + 1
		}
	}
	return value, needed, nil
}

// luck returns the noise of each cell's trial.
func (s *Surface) luck(seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	luck := make([]float64, len(s.Points))
	for i := range luck {
		luck[i] = s.Noise[rng.IntN(len(s.Noise))]
	}
	return luck
}

// first returns the points that all samplers get.
func (s *Surface) first(seed uint64) []space.Point {
	var first []space.Point
	if stock, _, err := s.Space.Point(nil); err == nil && s.Space.Fits(stock) {
		first = append(first, stock)
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, i := range rng.Perm(len(s.Points)) {
		if len(first) == min(given, len(s.Points)) {
			break
		}
		if len(first) == 0 || s.Space.Key(s.Points[i]) != s.Space.Key(first[0]) {
			first = append(first, s.Points[i])
		}
	}
	return first
}

// trial measures a point.
func (s *Surface) trial(p space.Point, luck []float64) search.Trial {
	i := s.Keys[s.Space.Key(p)]
	if s.Truth[i] == 0 {
		return search.Trial{Point: p, Status: study.Failed}
	}
	return search.Trial{Point: p, Status: study.OK, Score: s.Truth[i] * math.Exp(luck[i]), Noise: s.Sigma()}
}

// announced is the truth of the searcher's incumbent as a part of the best.
func (s *Surface) announced(searcher *search.Searcher) float64 {
	best, ok := searcher.Best()
	if !ok {
		return 0
	}
	return s.Truth[s.Keys[s.Space.Key(searcher.Trials()[best].Point)]] / s.Best()
}
