package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// A machine is a drifting one that runs cells in an order of its own.
type machine struct {
	*noise.Drifting
	rng *rand.Rand
}

func newMachine(seed uint64, sigma, drift float64) machine {
	return machine{noise.NewDrifting(seed, sigma, drift), rand.New(rand.NewPCG(seed, 3))}
}

// sweep measures cells in randomised blocks. Cell 0 is the control, which runs
// first and last; trend is a linear change of the log score over each block.
func (m machine) sweep(truth []float64, blocks int, trend float64) []Observation {
	var obs []Observation
	for b := range blocks {
		order := []int{0}
		for _, c := range m.rng.Perm(len(truth) - 1) {
			order = append(order, c+1)
		}
		order = append(order, 0)
		for i, c := range order {
			at := float64(i) / float64(len(order)-1)
			score := m.Run(truth[c]) * math.Exp(trend*at)
			obs = append(obs, Observation{Cell: c, Block: b, Position: at, Score: score})
		}
	}
	return obs
}

// ten are the true values of ten configurations, the best one first.
var ten = []float64{1.00, .99, .98, .96, .95, .93, .90, .88, .85, .80}

// withControl puts a control that nobody would choose before the cells.
func withControl(truth []float64) []float64 { return slices.Concat([]float64{0.7}, truth) }

// effectsOf is the part of Estimate that all of its answers are read from.
// Reading only the answer under test lets a test afford more sweeps; that
// Estimate gives the same is held by TestEstimateReadsTheEffects.
func effectsOf(obs []Observation) effects { return fitEffects(obs, DefaultConfidence) }

// atLeast is the smallest count out of n that is no evidence against a
// probability of p.
func atLeast(p float64, n int) int { return int(math.Floor((p - slack(p, n)) * float64(n))) }

func TestTrulyBestIsMarked(t *testing.T) {
	equal := slices.Repeat([]float64{1}, 11)
	tests := []struct {
		name         string
		truth        []float64
		best         int
		noise, drift float64
		blocks       int
		promised     float64
		atMost       float64 // share of sweeps, to hold that the marks are not too generous
	}{
		{"ten configurations", withControl(ten), 1, 0.03, 0.05, 4, 0.95, 1},
		{"demo length", withControl(ten), 1, 0.02, 0.02, 3, 0.95, 1},
		// The least favourable case, where the promise is kept exactly: all
		// are equally good, and any may be called the best.
		{"all equal, noise only", equal, 5, 0.03, 0, 4, 0.95, 0.975},
		{"all equal, drifting", equal, 5, 0.03, 0.03, 4, 0.95, 0.985},
		{"control is one of equals", equal, 0, 0.03, 0, 4, 0.95, 0.975},
	}
	sweeps := counted(100, 400)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			marked := 0
			for seed := range uint64(sweeps) {
				e := effectsOf(newMachine(seed, tt.noise, tt.drift).sweep(tt.truth, tt.blocks, 0))
				if e.sameAsBest(tt.best) {
					marked++
				}
			}
			t.Logf("marked in %.1f %% of %d sweeps", 100*float64(marked)/float64(sweeps), sweeps)
			if marked < atLeast(tt.promised, sweeps) || float64(marked) > (tt.atMost+shortSlack(tt.promised, sweeps))*float64(sweeps) {
				t.Errorf("the truly best cell is marked in %d of %d sweeps", marked, sweeps)
			}
		})
	}
}

func TestClearlyWorseIsNotMarked(t *testing.T) {
	// The limit is taken from the design, so a first sweep tells it.
	t.Parallel()
	const noise, blocks = 0.03, 4
	sweeps := counted(150, 400)
	limit := effectsOf(newMachine(0, noise, 0).sweep(withControl(ten), blocks, 0)).detectionLimit()
	truth := slices.Repeat([]float64{1}, 11)
	truth[3] = 1 / (1 + 3*limit)
	marked, found := 0, 0
	for seed := range uint64(sweeps) {
		e := effectsOf(newMachine(seed, noise, 0.03).sweep(truth, blocks, 0))
		if e.sameAsBest(3) {
			marked++
		}
		if e.ratio(3, 0).High < 1 {
			found++
		}
	}
	t.Logf("3 times the detection limit of %.1f %%: marked %d times in %d", 100*limit, marked, sweeps)
	if marked > sweeps/100 {
		t.Errorf("a cell worse by %.0f %% is marked as the best %d times in %d", 300*limit, marked, sweeps)
	}
	if found < sweeps*99/100 {
		t.Errorf("it is found worse than the control in only %d of %d", found, sweeps)
	}
}

func TestDetectionLimitIsFoundWith80PercentPower(t *testing.T) {
	// Sigma differs from sweep to sweep, so the limit is averaged.
	t.Parallel()
	const noise, blocks = 0.03, 4
	sweeps := counted(250, 1000)
	sum := 0.0
	for seed := range uint64(sweeps) {
		sum += effectsOf(newMachine(seed, noise, 0).sweep(withControl(ten), blocks, 0)).detectionLimit()
	}
	limit := sum / float64(sweeps)
	truth := slices.Repeat([]float64{1}, 11)
	truth[1] = 1 + limit
	found := 0
	for seed := range uint64(sweeps) {
		// Cells 1 and 2 run once in each block, like the median pair.
		if effectsOf(newMachine(seed, noise, 0).sweep(truth, blocks, 0)).ratio(1, 2).Low > 1 {
			found++
		}
	}
	t.Logf("a difference of %.1f %% is found in %d of %d sweeps", 100*limit, found, sweeps)
	if found < atLeast(0.8, sweeps) || found > sweeps*9/10 {
		t.Errorf("a difference of the detection limit, %.1f %%, is found in %d of %d sweeps, want about 80 %%",
			100*limit, found, sweeps)
	}
}

func TestIntervalsCoverTheTruth(t *testing.T) {
	t.Parallel()
	const blocks = 4
	sweeps := counted(100, 300)
	for _, drift := range []float64{0, 0.03} {
		covered, total := 0, 0
		for seed := range uint64(sweeps) {
			truth := withControl(ten)
			e := effectsOf(newMachine(seed, 0.03, drift).sweep(truth, blocks, -0.05))
			for c := 1; c < len(truth); c++ {
				want := truth[c] / truth[0]
				if r := e.ratio(c, 0); r.Low <= want && want <= r.High {
					covered++
				}
				total++
			}
		}
		share := float64(covered) / float64(total)
		t.Logf("drift %v: %.1f %% of the intervals cover the truth", drift, 100*share)
		if wide := shortSlack(0.95, 3*sweeps); share < 0.93-wide || share > 0.97+wide {
			t.Errorf("drift %v: %.1f %% of the 95 %% intervals cover the truth", drift, 100*share)
		}
	}
}

// TestBlocksHalveTheRegret compares plans of the same number of runs of ten
// configurations: four runs back to back against four randomised blocks. The
// regret is how much worse the chosen one truly is.
func TestBlocksHalveTheRegret(t *testing.T) {
	t.Parallel()
	studies := counted(400, 2000)
	for _, tt := range []struct{ noise, drift float64 }{{0.02, 0.02}, {0.03, 0.05}, {0.05, 0.05}} {
		var backToBack, inBlocks float64
		for seed := range uint64(studies) {
			m := newMachine(seed, tt.noise, tt.drift)
			means := make([]float64, len(ten))
			for _, c := range m.rng.Perm(len(ten)) {
				for range 4 {
					means[c] += m.Run(ten[c])
				}
			}
			backToBack += 1 - ten[slices.Index(means, slices.Max(means))]

			e := effectsOf(newMachine(seed, tt.noise, tt.drift).sweep(withControl(ten), 4, 0))
			inBlocks += 1 - ten[e.best()-1]
		}
		t.Logf("noise %v, drift %v: mean regret %.2f %% back to back, %.2f %% in blocks",
			tt.noise, tt.drift, 100*backToBack/float64(studies), 100*inBlocks/float64(studies))
		if inBlocks > 0.7*backToBack {
			t.Errorf("noise %v, drift %v: regret in blocks is %.2f of that back to back, want about half",
				tt.noise, tt.drift, inBlocks/backToBack)
		}
	}
}

// TestAnEqualCandidateIsRarelyBetter holds the error of a verdict on six blocks
// in which candidate and control are the same.
func TestAnEqualCandidateIsRarelyBetter(t *testing.T) {
	t.Parallel()
	const blocks = 6
	studies := counted(800, 4000)
	counts := map[Outcome]int{}
	for seed := range uint64(studies) {
		m := newMachine(seed, 0.03, 0.03)
		var candidate, control []float64
		for range blocks {
			before := m.Run(1)
			candidate = append(candidate, m.Run(1))
			control = append(control, math.Sqrt(before*m.Run(1)))
		}
		v, err := Judge(candidate, control, Rule{})
		if err != nil {
			t.Fatal(err)
		}
		counts[v.Outcome]++
	}
	t.Logf("outcomes of %d A/A studies: %v", studies, counts)
	for _, wrong := range []Outcome{Better, Worse} {
		if float64(counts[wrong]) > (0.025+slack(0.025, studies))*float64(studies) {
			t.Errorf("an equal candidate is called %s in %d of %d studies", wrong, counts[wrong], studies)
		}
	}
}

func TestEstimateReadsTheEffects(t *testing.T) {
	for seed := range uint64(10) {
		obs := newMachine(seed, 0.02, 0.02).sweep(withControl(ten), 3, 0)
		fit, err := Estimate(obs, Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := effectsOf(obs)
		if fit.Best != e.best() || fit.DetectionLimit != e.detectionLimit() || !fit.Cells[fit.Best].SameAsBest {
			t.Errorf("sweep %d: %+v", seed, fit)
		}
		for c, got := range fit.Cells {
			r := e.ratio(c, 0)
			r.N = min(got.N, fit.Cells[0].N)
			if got.SameAsBest != e.sameAsBest(c) || got.RatioToControl != r {
				t.Errorf("sweep %d, cell %d: %+v", seed, c, got)
			}
		}
	}
}
