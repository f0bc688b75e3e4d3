// Package search chooses which configuration of a space to try next, given the
// ones that were tried.
//
// The samplers are goptuna's, or ours handed to goptuna through its interfaces.
// A [Searcher] keeps a goptuna study in memory beside the study that is stored:
// it is made anew from what is told, so that a search goes on from any record.
package search

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// ErrExhausted is returned by Ask when every feasible point was tried.
var ErrExhausted = errors.New("every configuration of the search space was tried")

// A Trial is what is known of one configuration that was tried, or is being
// tried.
type Trial struct {
	Point  space.Point
	Status study.Status
	Score  float64 // of an OK trial, above 0
	// Noise is the standard deviation of the logarithm of the score, from
	// calibration; 0 is not known.
	Noise float64
}

// check returns why a trial cannot be told.
func (t Trial) check(s *space.Space) error {
	if len(t.Point) != len(s.Dimensions) {
		return fmt.Errorf("a point of %d dimensions in a space of %d", len(t.Point), len(s.Dimensions))
	}
	for i, rung := range t.Point {
		ladder, ok := s.Ladder(i, t.Point)
		if ok && (rung < 0 || rung >= len(ladder.Values)) || !ok && rung != space.Off {
			return fmt.Errorf("rung %d of %s is not in its ladder", rung, s.Dimensions[i].Name)
		}
	}
	if t.Status == study.OK && (!(t.Score > 0) || math.IsInf(t.Score, 1)) {
		return fmt.Errorf("score %v is not a positive number; a trial without one is failed", t.Score)
	}
	if !(t.Noise >= 0) || math.IsInf(t.Noise, 1) {
		return fmt.Errorf("noise %v is not a standard deviation", t.Noise)
	}
	return nil
}

// A Searcher proposes points. It is for one goroutine.
type Searcher struct {
	space   *space.Space
	seed    uint64
	method  method
	sampler *samplers // nil until it is needed

	trials  []Trial
	tried   map[string]bool // by space.Key
	asked   *proposal       // what Ask returned last, until it is told
	answers map[int]proposal
}

// New returns a searcher with the sampler of that name. Equal seeds and equal
// trials give equal points, except with goptuna's TPE, whose source of chance
// cannot be seeded.
func New(name string, s *space.Space, seed uint64) (*Searcher, error) {
	i := slices.IndexFunc(methods(), func(m method) bool { return m.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("sampler %q is not known; choose one of %q", name, Names())
	}
	m := methods()[i]
	if m.unfit != nil {
		if err := m.unfit(s); err != nil {
			return nil, fmt.Errorf("sampler %s: %w", name, err)
		}
	}
	return &Searcher{space: s, seed: seed, method: m, tried: map[string]bool{}, answers: map[int]proposal{}}, nil
}

// Tell reports a trial. Trials of before a resume are told in their order; a
// trial that has begun and not ended may be told as running, so that its point
// is not proposed to another worker, and is told again when it ends. An
// interrupted trial says nothing: its point may be proposed again.
func (s *Searcher) Tell(t Trial) error {
	if err := t.check(s.space); err != nil {
		return fmt.Errorf("tell the sampler: %w", err)
	}
	key := s.space.Key(t.Point)
	running := slices.IndexFunc(s.trials, func(o Trial) bool {
		return o.Status == study.Running && s.space.Key(o.Point) == key
	})
	at := running
	switch {
	case t.Status == study.Interrupted && running < 0:
		s.forget(key)
		return nil
	case t.Status == study.Interrupted:
		s.trials[running] = t
		delete(s.tried, key)
		s.forget(key)
		return nil
	case t.Status != study.OK && t.Status != study.Failed && t.Status != study.Running:
		return fmt.Errorf("tell the sampler: %q is not the status of a trial", t.Status)
	case running >= 0:
		s.trials[running] = t
	default:
		at = len(s.trials)
		s.trials = append(s.trials, t)
	}
	s.tried[key] = true
	if s.asked != nil && s.space.Key(s.asked.point) == key {
		s.answers[at] = *s.asked
		s.asked = nil
	}
	return nil
}

// forget makes the next Ask propose anew when it is this point that was
// proposed.
func (s *Searcher) forget(key string) {
	if s.asked != nil && s.space.Key(s.asked.point) == key {
		s.asked = nil
	}
}

// Ask returns the point to try next: feasible and not tried before, as long as
// there is one. Without a Tell between, it returns the same point again.
func (s *Searcher) Ask() (space.Point, error) {
	if s.asked == nil {
		p, err := s.propose()
		if err != nil {
			return nil, err
		}
		s.asked = p
	}
	return slices.Clone(s.asked.point), nil
}

// Best returns the index among the told trials of the one that the sampler
// would announce as the best, and false while none is OK: the highest score, or
// with a sampler that knows noise the one it expects to be the best.
func (s *Searcher) Best() (int, bool) {
	if s.method.announces {
		s.prepare()
		return s.sampler.best(s.trials)
	}
	return highest(s.trials)
}

// Trials returns what was told.
func (s *Searcher) Trials() []Trial { return slices.Clone(s.trials) }

// highest returns the index of the trial with the highest score.
func highest(trials []Trial) (best int, ok bool) {
	for i, t := range trials {
		if t.Status == study.OK && (!ok || t.Score > trials[best].Score) {
			best, ok = i, true
		}
	}
	return best, ok
}
