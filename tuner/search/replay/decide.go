package replay

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/fbtune/fbtune/tuner/search"
)

// Mean returns the mean truth of the incumbent at a checkpoint, as a part of
// the best.
func (o Outcome) Mean(checkpoint int) float64 { return stat.Mean(o.column(checkpoint), nil) }

// column returns the values of all seeds at a checkpoint.
func (o Outcome) column(checkpoint int) []float64 {
	list := make([]float64, len(o.Value))
	for i, row := range o.Value {
		list[i] = row[checkpoint]
	}
	return list
}

// Median returns the median number of trials to come within a target, the
// larger of the middle two.
func (o Outcome) Median(target int) int {
	list := make([]int, len(o.Needed))
	for i, row := range o.Needed {
		list[i] = row[target]
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// rare is the largest part of the cells that may be within a target for the
// target to test a search.
const rare = 0.05

// A Decision is which sampler is the default, and why.
type Decision struct {
	Sampler string
	Reasons []string // ours: what it holds or fails, and the figures
}

// Decide applies the rule: ours is the default only if it needs at most half
// the trials of random search wherever at most 5 % of the cells are within the
// target, and is nowhere worse than goptuna's TPE; otherwise the better of the
// others is. A rule that no surface can test is not held.
func Decide(outcomes []Outcome) (Decision, error) {
	var d Decision
	tested, holds := 0, true
	for _, s := range surfaces(outcomes) {
		ours, random, tpe, err := pick(outcomes, s)
		if err != nil {
			return Decision{}, err
		}
		for i, target := range Targets {
			if s.Share(target) > rare {
				continue
			}
			tested++
			ok := 2*ours.Median(i) <= random.Median(i)
			holds = holds && ok
			d.Reasons = append(d.Reasons, fmt.Sprintf("%s, within %g %% (%.1f %% of the cells): %s needs %d trials, random %d: at most half %s",
				s.Name, 100*target, 100*s.Share(target), search.Gaussian, ours.Median(i), random.Median(i), verdict(ok)))
		}
		for _, worse := range worseThan(ours, tpe) {
			holds = false
			d.Reasons = append(d.Reasons, s.Name+", "+worse)
		}
	}
	if tested == 0 {
		holds = false
		d.Reasons = append(d.Reasons, "no target is rare on any surface: nothing shows that a search finds what chance does not")
	}
	if holds {
		d.Sampler = search.Gaussian
		d.Reasons = append(d.Reasons, fmt.Sprintf("%s is nowhere worse than %s", search.Gaussian, search.TPE))
		return d, nil
	}
	d.Sampler = better(outcomes)
	return d, nil
}

func verdict(ok bool) string {
	if ok {
		return "holds"
	}
	return "fails"
}

// surfaces returns the surfaces of outcomes in their order.
func surfaces(outcomes []Outcome) []*Surface {
	var all []*Surface
	for _, o := range outcomes {
		if !slices.Contains(all, o.Surface) {
			all = append(all, o.Surface)
		}
	}
	return all
}

// pick returns the outcomes that the rule compares.
func pick(outcomes []Outcome, s *Surface) (ours, random, tpe Outcome, err error) {
	for name, into := range map[string]*Outcome{search.Gaussian: &ours, search.Random: &random, search.TPE: &tpe} {
		i := slices.IndexFunc(outcomes, func(o Outcome) bool { return o.Surface == s && o.Sampler == name && o.Unfit == "" })
		if i < 0 {
			return ours, random, tpe, fmt.Errorf("decide between samplers: %s was not played on %s", name, s.Name)
		}
		*into = outcomes[i]
	}
	return ours, random, tpe, nil
}

// worseThan lists where an outcome is worse than another on the same surface:
// a mean truth lower by more than chance makes of it (two standard errors over
// the seeds, which both share), or a larger median of trials.
func worseThan(o, other Outcome) []string {
	var worse []string
	for i, checkpoint := range Checkpoints {
		gaps := make([]float64, len(o.Value))
		for seed := range gaps {
			gaps[seed] = o.Value[seed][i] - other.Value[seed][i]
		}
		mean, deviation := stat.MeanStdDev(gaps, nil)
		if mean < -2*stat.StdErr(deviation, float64(len(gaps))) {
			worse = append(worse, fmt.Sprintf("after %d trials: %s has %.2f %% of the best, %s %.2f %%",
				checkpoint, o.Sampler, 100*o.Mean(i), other.Sampler, 100*other.Mean(i)))
		}
	}
	for i, target := range Targets {
		if o.Median(i) > other.Median(i) {
			worse = append(worse, fmt.Sprintf("within %g %%: %s needs %d trials, %s %d",
				100*target, o.Sampler, o.Median(i), other.Sampler, other.Median(i)))
		}
	}
	return worse
}

// better returns the sampler beside ours whose incumbents are the best on the
// average over surfaces and checkpoints, among those that fit every surface.
func better(outcomes []Outcome) string {
	sum, unfit := map[string]float64{}, map[string]bool{}
	for _, o := range outcomes {
		if o.Unfit != "" {
			unfit[o.Sampler] = true
			continue
		}
		for i := range Checkpoints {
			sum[o.Sampler] += o.Mean(i)
		}
	}
	best, most := "", math.Inf(-1)
	for _, name := range search.Names() {
		if total, played := sum[name]; played && !unfit[name] && name != search.Gaussian && total > most {
			best, most = name, total
		}
	}
	return best
}
