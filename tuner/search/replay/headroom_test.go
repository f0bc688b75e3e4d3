package replay

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/stats"
)

// A search that ends because nothing above the detection limit seems to be left
// has, in 19 of 20 cases, found what is within the limit of the best.
func TestSearchEndsWithNothingLeftToGain(t *testing.T) {
	seeds := 2
	if firebirdtest.Long() {
		seeds = 40
	}
	p := stats.DefaultProtocol()
	ended, wrong, spared, played := 0, 0, 0, 0
	all := machines()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name].surface(name, Plans()[1])
		limit := p.Rule().DetectionLimit(s.Sigma(), p.Confirm)
		for seed := range seeds {
			n, value := s.untilNothingIsLeft(t, uint64(seed), limit)
			played++
			if n == 0 {
				continue
			}
			ended++
			spared += mostTrials - n
			if 1/value-1 > limit {
				wrong++
				t.Logf("%s, seed %d: ended after %d trials with %.1f %% of the best, limit %.1f %%", name, seed, n, 100*value, 100*limit)
			}
		}
	}
	t.Logf("%d of %d searches ended early, %d of them too early, %d trials spared of %d", ended, played, wrong, spared, played*mostTrials)
	if ended == 0 || wrong*20 > played {
		t.Errorf("%d of %d searches ended early, %d of them too early: want some, and at most 1 in 20 searches too early", ended, played, wrong)
	}
}

// mostTrials is how long a search goes on at most.
const mostTrials = 60

// untilNothingIsLeft searches until less than a limit seems to be left to gain,
// and returns after how many trials that was, 0 when it never was, and the truth
// of what was the best then, as a part of the best of all.
func (s *Surface) untilNothingIsLeft(t *testing.T, seed uint64, limit float64) (n int, value float64) {
	t.Helper()
	searcher, err := search.New(search.Gaussian, s.Space, seed)
	if err != nil {
		t.Fatal(err)
	}
	luck := s.luck(seed)
	for n := range mostTrials {
		if gain, known := searcher.Headroom(); known && gain < limit {
			return n, s.announced(searcher)
		}
		p, err := searcher.Ask()
		if errors.Is(err, search.ErrExhausted) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := searcher.Tell(s.trial(p, luck)); err != nil {
			t.Fatal(err)
		}
	}
	return 0, 0
}
