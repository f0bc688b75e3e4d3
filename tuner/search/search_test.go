package search

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/c-bata/goptuna"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/tuner/study"
)

// small is a space of a few dozen points, of every kind: architectures, numbers,
// words that only one architecture has.
func small(t testing.TB) *space.Space {
	t.Helper()
	return build(t, space.Options{
		Modes: []confgen.Mode{confgen.Super, confgen.Classic},
		Only:  []string{"GCPolicy"}, Ranges: []string{"DefaultDbCachePages=256..2048"},
	})
}

func build(t testing.TB, o space.Options) *space.Space {
	t.Helper()
	o.Version, o.Cap = confgen.Version{Major: 3, Patch: confgen.AnyPatch}, 4*confgen.GiB
	o.Load = space.Load{Connections: 20, PageSize: 8 * confgen.KiB}
	s, err := space.Build(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func feasible(s *space.Space) []space.Point { return slices.Collect(s.Points()) }

func newSearcher(t testing.TB, name string, s *space.Space, seed uint64) *Searcher {
	t.Helper()
	searcher, err := New(name, s, seed)
	if err != nil {
		t.Fatal(err)
	}
	return searcher
}

func tell(t testing.TB, s *Searcher, trial Trial) {
	t.Helper()
	if err := s.Tell(trial); err != nil {
		t.Fatal(err)
	}
}

func ask(t testing.TB, s *Searcher) space.Point {
	t.Helper()
	p, err := s.Ask()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// score is a surface with its best at the end of the ladder of Classic.
func score(s *space.Space, p space.Point) float64 {
	x := s.Encode(p)
	return 100 * math.Exp(x[0]+x[1])
}

func TestEveryPointIsProposedOnceAndThenNone(t *testing.T) {
	s := small(t)
	all := feasible(s)
	for _, name := range Names() {
		searcher := newSearcher(t, name, s, 1)
		seen := map[string]bool{}
		for i := range all {
			p := ask(t, searcher)
			if again := ask(t, searcher); !slices.Equal(p, again) {
				t.Fatalf("%s: asked twice, proposes %v and %v", name, p, again)
			}
			if key := s.Key(p); seen[key] || !s.Fits(p) {
				t.Fatalf("%s: proposal %d, %s: seen %v, fits %v", name, i, key, seen[key], s.Fits(p))
			}
			seen[s.Key(p)] = true
			trial := Trial{Point: p, Status: study.OK, Score: score(s, p), Noise: 0.03}
			if i%5 == 4 {
				trial = Trial{Point: p, Status: study.Failed}
			}
			tell(t, searcher, trial)
		}
		if _, err := searcher.Ask(); !errors.Is(err, ErrExhausted) {
			t.Errorf("%s: after all %d points: %v", name, len(all), err)
		}
	}
}

func TestEqualSeedsAndTrialsGiveEqualPoints(t *testing.T) {
	s := small(t)
	run := func(name string, seed uint64) string {
		searcher := newSearcher(t, name, s, seed)
		list := ""
		for range 12 {
			p := ask(t, searcher)
			list += s.Key(p) + "\n"
			tell(t, searcher, Trial{Point: p, Status: study.OK, Score: score(s, p)})
		}
		return list
	}
	for _, name := range Names() {
		if name == TPE {
			continue // goptuna draws from the process's own source
		}
		if a, b := run(name, 7), run(name, 7); a != b {
			t.Errorf("%s: the same seed gives\n%s\nand\n%s", name, a, b)
		}
	}
	if run(Random, 7) == run(Random, 8) {
		t.Error("the seed has no effect")
	}
}

// A search that goes on from a record proposes what it would have proposed.
func TestResumeGoesOnFromWhatIsTold(t *testing.T) {
	s := small(t)
	for _, name := range []string{Grid, Random, Gaussian} {
		first := newSearcher(t, name, s, 3)
		for range 9 {
			p := ask(t, first)
			tell(t, first, Trial{Point: p, Status: study.OK, Score: score(s, p)})
		}
		second := newSearcher(t, name, s, 3)
		for _, trial := range first.Trials() {
			tell(t, second, trial)
		}
		if a, b := ask(t, first), ask(t, second); !slices.Equal(a, b) {
			t.Errorf("%s: goes on with %s, after a resume with %s", name, s.Key(a), s.Key(b))
		}
	}
}

func TestStatuses(t *testing.T) {
	s := small(t)
	for _, name := range Names() {
		searcher := newSearcher(t, name, s, 1)
		p := ask(t, searcher)
		tell(t, searcher, Trial{Point: p, Status: study.Running})
		if q := ask(t, searcher); slices.Equal(p, q) {
			t.Errorf("%s: proposes what is running", name)
		}
		tell(t, searcher, Trial{Point: p, Status: study.OK, Score: 10})
		if n := len(searcher.Trials()); n != 1 {
			t.Errorf("%s: %d trials for one that ran and ended", name, n)
		}
		for _, q := range feasible(s) {
			if !slices.Equal(p, q) {
				tell(t, searcher, Trial{Point: q, Status: study.Failed})
			}
		}
		if best, ok := searcher.Best(); !ok || !slices.Equal(searcher.Trials()[best].Point, p) {
			t.Errorf("%s: announces %d, %v, and only one trial is OK", name, best, ok)
		}
	}
	searcher := newSearcher(t, Gaussian, s, 1)
	p := ask(t, searcher)
	tell(t, searcher, Trial{Point: p, Status: study.Running})
	tell(t, searcher, Trial{Point: p, Status: study.Interrupted})
	left := len(feasible(s))
	for range left {
		tell(t, searcher, Trial{Point: ask(t, searcher), Status: study.OK, Score: 1})
	}
	if _, err := searcher.Ask(); !errors.Is(err, ErrExhausted) {
		t.Errorf("an interrupted point is not proposed again: %v", err)
	}
}

func TestBadTrialsAreRefused(t *testing.T) {
	s := small(t)
	searcher := newSearcher(t, Random, s, 1)
	good := s.Default(confgen.Super)
	for _, trial := range []Trial{
		{Point: good, Status: study.OK, Score: math.NaN()},
		{Point: good, Status: study.OK, Score: math.Inf(1)},
		{Point: good, Status: study.OK},
		{Point: good, Status: study.OK, Score: -1},
		{Point: good, Status: study.OK, Score: 1, Noise: math.NaN()},
		{Point: good, Status: study.OK, Score: 1, Noise: -1},
		{Point: good, Status: "lost", Score: 1},
		{Point: good[:1], Status: study.OK, Score: 1},
		{Point: space.Point{0, 99, 0}, Status: study.OK, Score: 1},
	} {
		if err := searcher.Tell(trial); err == nil {
			t.Errorf("%+v is taken", trial)
		}
	}
	if len(searcher.Trials()) > 0 {
		t.Errorf("kept %v", searcher.Trials())
	}
	if _, err := New("best", s, 1); err == nil {
		t.Error("a sampler of any name is made")
	}
	if _, err := New(CMAES, build(t, space.Options{Only: []string{"LockHashSlots"}}), 1); err == nil {
		t.Error("CMA-ES is made for one dimension")
	}
}

// Whatever scores come, nothing but points of the space gets out.
func TestHostileScores(t *testing.T) {
	s := small(t)
	rng := rand.New(rand.NewPCG(5, 5))
	for _, name := range Names() {
		for kind, next := range map[string]func() float64{
			"equal": func() float64 { return 1 },
			"huge":  func() float64 { return math.MaxFloat64 },
			"tiny":  func() float64 { return math.SmallestNonzeroFloat64 },
			"wild":  func() float64 { return math.Exp(1400*rng.Float64() - 700) },
		} {
			searcher := newSearcher(t, name, s, 1)
			for range 9 {
				p := ask(t, searcher)
				if !s.Fits(p) {
					t.Fatalf("%s, %s scores: %v", name, kind, p)
				}
				tell(t, searcher, Trial{Point: p, Status: study.OK, Score: next(), Noise: 0.01})
			}
			if _, ok := searcher.Best(); !ok {
				t.Errorf("%s, %s scores: nothing to announce", name, kind)
			}
		}
	}
}

// In a space too large to list, points are still feasible, new and found soon.
func TestLargeSpace(t *testing.T) {
	s := build(t, space.Options{})
	if s.Size() <= fewPoints {
		t.Fatalf("%d points are not many", s.Size())
	}
	for _, name := range Names() {
		searcher := newSearcher(t, name, s, 1)
		seen := map[string]bool{}
		for range 7 {
			p := ask(t, searcher)
			if seen[s.Key(p)] || !s.Fits(p) {
				t.Fatalf("%s: %s again or infeasible", name, s.Key(p))
			}
			seen[s.Key(p)] = true
			tell(t, searcher, Trial{Point: p, Status: study.OK, Score: 100 + float64(p[1]), Noise: 0.02})
		}
	}
}

// Ours is a sampler of goptuna: it works in a study that goptuna runs.
func TestGPInGoptunasOwnLoop(t *testing.T) {
	s := small(t)
	searcher := newSearcher(t, Gaussian, s, 1)
	distributions := searcher.distributions()
	st, err := goptuna.CreateStudy("own", goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionRelativeSampler(NewGP(s, 1)), goptuna.StudyOptionDefineSearchSpace(distributions))
	if err != nil {
		t.Fatal(err)
	}
	best, seen := math.Inf(1), map[string]bool{}
	err = st.Optimize(func(trial goptuna.Trial) (float64, error) {
		bins := make([]float64, len(s.Dimensions))
		for i, d := range s.Dimensions {
			if bins[i], err = trial.SuggestFloat(d.Name, 0, 1); err != nil {
				return 0, err
			}
		}
		p := s.At(bins)
		if seen[s.Key(p)] {
			return 0, fmt.Errorf("%s again", s.Key(p))
		}
		seen[s.Key(p)] = true
		loss := -math.Log(score(s, p))
		best = min(best, loss)
		return loss, nil
	}, 12)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for _, p := range feasible(s) {
		want = max(want, score(s, p))
	}
	if got := math.Exp(-best); got < want*(1-1e-9) {
		t.Errorf("12 trials of %d found %g of %g", len(feasible(s)), got, want)
	}
}

// The incumbent that ours announces is not the luckiest trial.
func TestGPAnnouncesWhatItExpects(t *testing.T) {
	s := build(t, space.Options{Ranges: []string{"DefaultDbCachePages=256..65535"}, Only: []string{"DefaultDbCachePages"}})
	searcher := newSearcher(t, Gaussian, s, 1)
	all := feasible(s)
	lucky := 1
	for i, p := range all {
		score := 100 * math.Exp(0.1*float64(i))
		if i == lucky {
			score = 100 * math.Exp(0.1*float64(len(all))) // one draw of much noise, far from where it fits
		}
		tell(t, searcher, Trial{Point: p, Status: study.OK, Score: score, Noise: 0.4})
	}
	if best, _ := searcher.Best(); best == lucky {
		t.Errorf("announces trial %d, which was lucky", best)
	}
	if best, _ := highest(searcher.Trials()); best != lucky {
		t.Errorf("the highest score is that of trial %d", best)
	}
}

func TestFailedTrialsAreToldWorseThanTheWorst(t *testing.T) {
	trials := []Trial{{Status: study.OK, Score: 50}, {Status: study.Failed}, {Status: study.OK, Score: 200}}
	if got, want := math.Exp(-lossOfFailed(trials)), 45.0; math.Abs(got-want) > 1e-9 {
		t.Errorf("a failed trial is told as %g, want %g", got, want)
	}
	if got := lossOfFailed([]Trial{{Status: study.Failed}}); got != 0 {
		t.Errorf("without a score a failed trial is told as %g", got)
	}
}
