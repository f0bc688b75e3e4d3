package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/c-bata/goptuna"

	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// Goptuna minimises what it is told here, the negative logarithm of the score:
// its CMA-ES minimises whatever the direction of the study is. It is told each
// dimension as a uniform distribution over [0, 1), in which every rung has the
// same share, or words as a category: the top of its integer ranges is never
// drawn.

// samplers are what a method hands to goptuna; one is always set.
type samplers struct {
	one goptuna.Sampler         // asked for one parameter after the other
	all goptuna.RelativeSampler // asked for all parameters at once

	best func([]Trial) (index int, ok bool) // Searcher.Best, of a method that announces
}

// A proposal is a point with how goptuna came to it.
type proposal struct {
	point  space.Point
	params map[string]float64 // as goptuna drew them
	attrs  map[string]string  // the sampler's own attributes of the trial
}

// attributes of goptuna's trials, for samplers that know them.
const (
	statusAttr = "fbtune:status"
	noiseAttr  = "fbtune:noise"
)

// unit is the distribution of a dimension that is told as a number.
var unit = goptuna.UniformDistribution{Low: 0, High: 1}

// distributions returns the search space as goptuna is told it.
func (s *Searcher) distributions() map[string]any {
	all := make(map[string]any, len(s.space.Dimensions))
	for i, d := range s.space.Dimensions {
		all[d.Name] = s.distribution(i)
	}
	return all
}

// distribution is that of one dimension. A word that not every architecture has
// is a category over the ladder of the first that has it.
func (s *Searcher) distribution(i int) any {
	d := s.space.Dimensions[i]
	if !s.method.categories || !d.Words {
		return unit
	}
	for _, mode := range s.space.Modes {
		if ladder, ok := d.Ladder(mode); ok {
			return goptuna.CategoricalDistribution{Choices: ladder.Values}
		}
	}
	return unit
}

// internal is what goptuna keeps of a rung.
func internal(distribution any, rung, n int) float64 {
	if _, category := distribution.(goptuna.CategoricalDistribution); category {
		return float64(rung)
	}
	return space.Bin(rung, n)
}

// study returns a goptuna study of what was told.
func (s *Searcher) study() (*goptuna.Study, error) {
	storage := goptuna.NewInMemoryStorage()
	st, err := goptuna.CreateStudy("search",
		goptuna.StudyOptionStorage(storage),
		goptuna.StudyOptionDirection(goptuna.StudyDirectionMinimize),
		goptuna.StudyOptionLogger(nil), // it would write to stdout
		goptuna.StudyOptionSampler(s.sampler.one),
		goptuna.StudyOptionRelativeSampler(s.sampler.all),
		// Without it goptuna compares distributions, and panics on categories.
		goptuna.StudyOptionDefineSearchSpace(s.distributions()),
	)
	if err != nil {
		return nil, err
	}
	failed := lossOfFailed(s.trials)
	for i, t := range s.trials {
		frozen := s.frozen(i)
		switch t.Status {
		case study.Interrupted:
			continue
		case study.OK:
			frozen.State, frozen.Value = goptuna.TrialStateComplete, -math.Log(t.Score)
		case study.Failed: // a failed state would be invisible to samplers
			frozen.State, frozen.Value = goptuna.TrialStateComplete, failed
		}
		if _, err := storage.CloneTrial(st.ID, frozen); err != nil {
			return nil, err
		}
	}
	return st, nil
}

// failedMargin is by how much a failed trial is told to be worse than the worst
// that did not fail, as the stored study tells it too.
const failedMargin = 0.1

// lossOfFailed returns what is told of a failed trial.
func lossOfFailed(trials []Trial) float64 {
	worst, scored := math.Inf(-1), false
	for _, t := range trials {
		if t.Status == study.OK {
			worst, scored = max(worst, -math.Log(t.Score)), true
		}
	}
	if !scored {
		return 0 // nothing to compare with yet
	}
	return worst - math.Log(1-failedMargin)
}

// frozen is trial i as goptuna keeps it, still running. A trial that a sampler
// proposed keeps the very parameters it drew, as long as they mean the point
// that was tried.
func (s *Searcher) frozen(i int) goptuna.FrozenTrial {
	t, answer := s.trials[i], s.answers[i]
	now := time.Now()
	f := goptuna.FrozenTrial{
		State: goptuna.TrialStateRunning, DatetimeStart: now, DatetimeComplete: now,
		InternalParams: map[string]float64{}, Params: map[string]any{}, Distributions: map[string]any{},
		IntermediateValues: map[int]float64{},
		UserAttrs: map[string]string{
			statusAttr: string(t.Status),
			noiseAttr:  strconv.FormatFloat(t.Noise, 'g', -1, 64),
		},
		SystemAttrs: answer.attrs,
	}
	if f.SystemAttrs == nil {
		f.SystemAttrs = map[string]string{}
	}
	bins := s.space.Bins(t.Point)
	for j, d := range s.space.Dimensions {
		ladder, ok := s.space.Ladder(j, t.Point)
		if !ok && s.sampler.all == nil {
			continue // never asked for
		}
		distribution := s.distribution(j)
		value := bins[j]
		if ok {
			value = internal(distribution, t.Point[j], len(ladder.Values))
		}
		if drawn, kept := answer.params[d.Name]; kept {
			value = drawn
		}
		f.Distributions[d.Name], f.InternalParams[d.Name] = distribution, value
		f.Params[d.Name] = fmt.Sprint(value)
	}
	return f
}

// draws are how often a sampler is asked before the nearest point that was not
// tried is taken instead.
const draws = 8

// prepare makes the sampler, for every proposal anew unless it keeps a state:
// then the trials alone decide what it proposes, also after a resume.
func (s *Searcher) prepare() {
	if s.sampler == nil || !s.method.keeps {
		made := s.method.make(s, s.seed+uint64(len(s.trials)))
		s.sampler = &made
	}
}

// propose asks the sampler for a point that is feasible and was not tried.
func (s *Searcher) propose() (*proposal, error) {
	s.prepare()
	st, err := s.study()
	if err != nil {
		return nil, fmt.Errorf("make goptuna's study: %w", err)
	}
	var last *proposal
	for range draws {
		if last, err = s.draw(st); err != nil {
			return nil, err
		}
		if s.free(last.point) {
			return last, nil
		}
	}
	point, err := s.nearestFree(last.point)
	if err != nil {
		return nil, err
	}
	return &proposal{point: point, attrs: last.attrs}, nil
}

// draw lets goptuna draw one point.
func (s *Searcher) draw(st *goptuna.Study) (*proposal, error) {
	id, err := st.Storage.CreateNewTrial(st.ID)
	if err != nil {
		return nil, fmt.Errorf("begin goptuna's trial: %w", err)
	}
	trial := goptuna.Trial{Study: st, ID: id}
	if err := trial.CallRelativeSampler(); err != nil {
		return nil, fmt.Errorf("ask sampler %s: %w", s.method.Name, err)
	}
	p := &proposal{params: map[string]float64{}}
	bins := make([]float64, len(s.space.Dimensions))
	p.point = s.space.At(bins)
	for i, d := range s.space.Dimensions { // ServerMode is the first: the others depend on it
		if _, ok := s.space.Ladder(i, p.point); !ok && s.sampler.all == nil {
			continue
		}
		value, share, err := suggest(&trial, d.Name, s.distribution(i))
		if err != nil {
			return nil, fmt.Errorf("ask sampler %s for %s: %w", s.method.Name, d.Name, err)
		}
		if math.IsNaN(share) || math.IsInf(share, 0) {
			share = 0.5
		} else {
			p.params[d.Name] = value
		}
		bins[i] = min(max(share, 0), math.Nextafter(1, 0))
		p.point = s.space.At(bins)
	}
	frozen, err := st.Storage.GetTrial(id)
	if err != nil {
		return nil, err
	}
	p.attrs = frozen.SystemAttrs
	// A draw that is not used must not stay: nothing is known of it.
	return p, st.Storage.SetTrialState(id, goptuna.TrialStateFail)
}

// suggest asks for one parameter and returns what goptuna keeps of it, and in
// which share of [0, 1) it lies.
func suggest(t *goptuna.Trial, name string, distribution any) (value, share float64, err error) {
	category, ok := distribution.(goptuna.CategoricalDistribution)
	if !ok {
		value, err = t.SuggestFloat(name, unit.Low, unit.High)
		return value, value, err
	}
	word, err := t.SuggestCategorical(name, category.Choices)
	if err != nil {
		return 0, 0, err
	}
	for rung, choice := range category.Choices {
		if choice == word {
			return float64(rung), space.Bin(rung, len(category.Choices)), nil
		}
	}
	return 0, 0, fmt.Errorf("%q is not among %q", word, category.Choices)
}

// free reports whether a point may be proposed.
func (s *Searcher) free(p space.Point) bool { return !s.tried[s.space.Key(p)] && s.space.Fits(p) }

// fewPoints is the size up to which all points of a space are looked at.
const fewPoints = 4096

// nearestFree returns the free point nearest to p, by chance among equals, or
// ErrExhausted. In a large space it goes outwards from p by neighbours.
func (s *Searcher) nearestFree(p space.Point) (space.Point, error) {
	rng := rand.New(rand.NewPCG(s.seed, uint64(len(s.trials))))
	var found space.Point
	nearest, ties := math.Inf(1), 0
	offer := func(q space.Point) {
		d := s.space.Distance(p, q)
		if d > nearest {
			return
		}
		if d < nearest {
			nearest, ties = d, 0
		}
		if ties++; rng.IntN(ties) == 0 {
			found = q
		}
	}
	if s.space.Size() > fewPoints {
		for q := range s.outwards(p) {
			if s.free(q) {
				return q, nil
			}
		}
	}
	for q := range s.space.All() {
		if s.free(q) {
			offer(q)
		}
	}
	if found == nil {
		return nil, ErrExhausted
	}
	return found, nil
}

// outwards returns points around p, ring by ring of neighbours, fewPoints at
// most.
func (s *Searcher) outwards(p space.Point) func(yield func(space.Point) bool) {
	return func(yield func(space.Point) bool) {
		seen := map[string]bool{s.space.Key(p): true}
		ring := []space.Point{p}
		for len(ring) > 0 && len(seen) < fewPoints {
			var next []space.Point
			for _, q := range ring {
				for _, r := range s.space.Neighbours(q) {
					if key := s.space.Key(r); !seen[key] {
						seen[key] = true
						next = append(next, r)
						if !yield(r) {
							return
						}
					}
				}
			}
			ring = next
		}
	}
}
