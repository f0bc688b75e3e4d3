package stats

import (
	"fmt"
	"math"
)

// SearchEvery is how many single trials of a search run between two runs of the
// control.
const SearchEvery = 4

// A Single is one trial of a search, in which every candidate runs once and the
// control again and again.
type Single struct {
	Control bool
	Score   float64 // operations per second, above 0; not read when Failed
	Failed  bool
}

// ControlDue reports whether the control must run next: first of all, and when
// SearchEvery trials have run since. At the end of a search it runs once more.
func ControlDue(singles []Single) bool {
	since := 0
	for i := len(singles) - 1; i >= 0; i-- {
		if singles[i].Control && !singles[i].Failed {
			return since >= SearchEvery
		}
		since++
	}
	return true
}

// A Relative is the score of a single trial divided by what the control would
// have scored in its place.
type Relative struct {
	// Ratio is 0 when the trial failed, or no run of the control succeeded.
	Ratio float64
	// Spread is the standard deviation of the logarithm of Ratio divided by
	// that of one run: the noise of the control adds to that of the trial.
	Spread float64
	// Settled says that the control has run before and after: Ratio will not
	// change any more.
	Settled bool
}

// Relate divides the scores of a search, in the order the trials ran, by the
// control's, interpolated on the log scale between the runs of the control
// around each trial. Outside them the nearest one is taken. Failed runs of the
// control count as if they had not been one. Trials are taken to last equally
// long.
func Relate(singles []Single) ([]Relative, error) {
	var controls []int
	for i, s := range singles {
		switch {
		case s.Failed:
		case !(s.Score > 0) || math.IsInf(s.Score, 1):
			return nil, fmt.Errorf("trial %d: score %v is not a positive number; mark failed trials as failed", i, s.Score)
		case s.Control:
			controls = append(controls, i)
		}
	}
	related := make([]Relative, len(singles))
	if len(controls) == 0 {
		return related, nil
	}
	next := 0 // first control not before the trial
	for i, s := range singles {
		for next < len(controls) && controls[next] < i {
			next++
		}
		if s.Failed {
			continue
		}
		before, after := controls[max(0, next-1)], controls[min(next, len(controls)-1)]
		weight := 0.0 // of the control after
		if after > before {
			weight = min(1, max(0, float64(i-before)/float64(after-before)))
		}
		level := (1-weight)*math.Log(singles[before].Score) + weight*math.Log(singles[after].Score)
		related[i] = Relative{
			Ratio:   math.Exp(math.Log(s.Score) - level),
			Spread:  math.Sqrt(1 + weight*weight + (1-weight)*(1-weight)),
			Settled: before <= i && i <= after,
		}
	}
	return related, nil
}
