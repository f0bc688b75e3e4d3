package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// threeFactors are an architecture and two ladders.
var threeFactors = []Factor{
	{Levels: 3, Default: 0},
	{Levels: 5, Default: 2, Ordered: true},
	{Levels: 4, Default: 1, Ordered: true},
}

// threeEffects are the true effects of threeFactors by level.
var threeEffects = [][]float64{
	{1, 1.10, 0.95},
	{0.90, 0.97, 1, 1.04, 1.01},
	{0.99, 1, 1.02, 1.02},
}

// searchTrials draws levels at random and measures them, with the default first
// and last in each block.
func searchTrials(factors []Factor, effects [][]float64, blocks, each int, seed uint64, sigma float64) []FactorTrial {
	rng := rand.New(rand.NewPCG(seed, 5))
	m := noise.NewDrifting(seed, sigma, 0)
	var trials []FactorTrial
	for b := range blocks {
		for i := range each + 2 {
			levels := make([]int, len(factors))
			value := 1000.0 + 50*float64(b)
			for f := range factors {
				levels[f] = factors[f].Default
				if i > 0 && i <= each {
					levels[f] = rng.IntN(factors[f].Levels)
				}
				value *= effects[f][levels[f]]
			}
			trials = append(trials, FactorTrial{Block: b, Position: float64(i) / float64(each+1), Levels: levels, Score: m.Run(value)})
		}
	}
	return trials
}

func TestInfluencesAreExactWithoutNoise(t *testing.T) {
	got, err := Influences(threeFactors, searchTrials(threeFactors, threeEffects, 10, 4, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if got.Form != FormLevels || len(got.Effects) != 2+4+3 {
		t.Fatalf("%+v", got)
	}
	for _, e := range got.Effects {
		if want := threeEffects[e.Factor][e.Level]; !e.Estimable || math.Abs(e.Ratio.Mean-want) > 1e-9 {
			t.Errorf("%+v, want %v", e, want)
		}
		if r, ok := got.Of(e.Factor, e.Level); !ok || r != e.Ratio {
			t.Errorf("Of(%d, %d) = %+v, %v", e.Factor, e.Level, r, ok)
		}
	}
	if r, ok := got.Of(1, threeFactors[1].Default); ok {
		t.Errorf("the default has an influence of %+v on itself", r)
	}
}

// TestInfluenceIntervalsCover holds the intervals to their level, and the
// trials of a short search to an effect a step.
func TestInfluenceIntervalsCover(t *testing.T) {
	steps := [][]float64{{1, 1.10, 0.95}, {0.81, 0.9, 1, 1 / 0.9, 1 / 0.81}, {1, 1, 1, 1}}
	tests := []struct {
		blocks  int
		effects [][]float64
		form    Form
	}{
		{10, threeEffects, FormLevels},
		{3, steps, FormSteps},
	}
	t.Parallel()
	studies := counted(100, 500)
	for _, tt := range tests {
		covered, total := 0, 0
		for seed := range uint64(studies) {
			got, err := Influences(threeFactors, searchTrials(threeFactors, tt.effects, tt.blocks, 4, seed, 0.03))
			if err != nil {
				t.Fatal(err)
			}
			if got.Form != tt.form {
				t.Fatalf("%d blocks: %s on %d degrees of freedom, want %s", tt.blocks, got.Form, got.DF, tt.form)
			}
			for _, e := range got.Effects {
				if !e.Estimable {
					continue
				}
				total++
				if want := tt.effects[e.Factor][e.Level]; e.Ratio.Low <= want && want <= e.Ratio.High {
					covered++
				}
			}
		}
		if share := float64(covered) / float64(total); math.Abs(share-0.95) > slack(0.95, 2*studies) {
			t.Errorf("%s: %.1f %% of %d intervals cover the truth", tt.form, 100*share, total)
		}
	}
}

func TestInfluencesThatCannotBeTold(t *testing.T) {
	// Factor 1 always changes with factor 0; factor 2 alone; factor 3 never;
	// factor 4 does not exist when factor 0 changes.
	factors := []Factor{{Levels: 2}, {Levels: 2}, {Levels: 2}, {Levels: 2}, {Levels: 3}}
	levels := [][]int{
		{0, 0, 0, 0, 0}, {1, 1, 0, 0, NotApplicable}, {0, 0, 1, 0, 1}, {1, 1, 1, 0, NotApplicable}, {0, 0, 0, 0, 1}, {0, 0, 1, 0, 0},
	}
	var trials []FactorTrial
	for b := range 3 {
		for i, l := range levels {
			score := 100.0
			for _, level := range l {
				score *= 1 + 0.1*float64(max(level, 0))
			}
			at := float64((i+2*b)%len(levels)) / float64(len(levels)-1)
			trials = append(trials, FactorTrial{Block: b, Position: at, Levels: l, Score: score})
		}
	}
	got, err := Influences(factors, trials)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		factor, level int
		estimable     bool
		confounded    []int
	}{
		{0, 1, false, []int{1}}, {1, 1, false, []int{0}}, {2, 1, true, nil}, {3, 1, false, nil}, {4, 1, true, nil}, {4, 2, false, nil},
	}
	for i, w := range want {
		e := got.Effects[i]
		if e.Factor != w.factor || e.Level != w.level || e.Estimable != w.estimable || !slices.Equal(e.Confounded, w.confounded) {
			t.Errorf("effect %d = %+v, want %+v", i, e, w)
		}
		if e.Estimable && math.Abs(e.Ratio.Mean-1.1) > 1e-9 {
			t.Errorf("effect %d = %v, want 1.1", i, e.Ratio.Mean)
		}
		if !e.Estimable && e.Ratio != (Ratio{}) {
			t.Errorf("effect %d has a ratio though it cannot be told: %+v", i, e)
		}
		if _, ok := got.Of(e.Factor, e.Level); ok != e.Estimable {
			t.Errorf("Of(%d, %d) is told: %v", e.Factor, e.Level, ok)
		}
	}
}

func TestInfluencesFormDependsOnTheDesignOnly(t *testing.T) {
	trials := searchTrials(threeFactors, threeEffects, 3, 4, 1, 0.03)
	first, err := Influences(threeFactors, trials)
	if err != nil {
		t.Fatal(err)
	}
	for i := range trials {
		trials[i].Score = 500 + float64(i*i%7)
	}
	second, err := Influences(threeFactors, trials)
	if err != nil {
		t.Fatal(err)
	}
	if first.Form != FormSteps || second.Form != first.Form || second.DF != first.DF {
		t.Errorf("%s on %d, then %s on %d", first.Form, first.DF, second.Form, second.DF)
	}
	if !slices.ContainsFunc(first.Warnings, func(w string) bool { return strings.Contains(w, "optimum") }) {
		t.Errorf("warnings %q do not say what steps hide", first.Warnings)
	}
	up, _ := first.Of(1, 3)
	down, ok := first.Of(1, 1)
	if !ok || !near(up.Mean*down.Mean, 1) || !near(up.Low*down.High, 1) || !near(up.High*down.Low, 1) {
		t.Errorf("a step up is %+v, a step down %+v", up, down)
	}
	if two, _ := first.Of(1, 4); !near(two.Mean, up.Mean*up.Mean) {
		t.Errorf("two steps are %+v, one %+v", two, up)
	}
}

func TestInfluencesRefuse(t *testing.T) {
	factors := []Factor{{Levels: 2}}
	good := FactorTrial{Levels: []int{0}, Score: 1}
	tests := []struct {
		name    string
		factors []Factor
		trials  []FactorTrial
		want    string
	}{
		{"nothing", factors, nil, "none has succeeded"},
		{"no levels", []Factor{{}}, []FactorTrial{good}, "not one of 0 levels"},
		{"score", factors, []FactorTrial{{Levels: []int{0}}}, "not a positive number"},
		{"position", factors, []FactorTrial{{Levels: []int{0}, Score: 1, Position: 2}}, "between 0 and 1"},
		{"factors", factors, []FactorTrial{{Score: 1}}, "0 levels for 1 factors"},
		{"level", factors, []FactorTrial{{Levels: []int{2}, Score: 1}}, "has no level 2"},
	}
	for _, tt := range tests {
		if _, err := Influences(tt.factors, tt.trials); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error = %v, want %q", tt.name, err, tt.want)
		}
	}
	one, err := Influences(factors, []FactorTrial{good})
	if err != nil || one.DF != 0 || len(one.Warnings) == 0 || one.Effects[0].Estimable {
		t.Errorf("one trial: %+v, %v", one, err)
	}
}
