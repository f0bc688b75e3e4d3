package tuner

import (
	"cmp"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// windows are the lengths from which a calibration chooses.
var windows = []time.Duration{
	3 * time.Second, 5 * time.Second, 8 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second, 30 * time.Second,
}

// longestWindow bounds a window that is chosen.
func longestWindow() time.Duration { return windows[len(windows)-1] }

// affordable returns the longest window that is no longer than a time, or the
// shortest there is.
func affordable(most time.Duration) time.Duration {
	longest := windows[0]
	for _, w := range windows {
		if w <= most {
			longest = w
		}
	}
	return longest
}

// calibrated returns the load with which the trials after a calibration are
// driven: the longest warm-up that was seen where it is automatic, and the
// window with which a number of trials of a fixed time says the most where that
// is to be chosen. It is a function of the recorded trials alone.
func (l Load) calibrated(trials []Trial) Load {
	var runs []Trial
	for _, t := range trials {
		if t.Stage == StageCalibration && t.Status == study.OK && t.Result != nil {
			runs = append(runs, t)
		}
	}
	if len(runs) == 0 {
		return l
	}
	if l.Warmup == 0 {
		for _, t := range runs {
			l.Warmup = max(l.Warmup, t.Result.Warmup)
		}
		l.Warmup = (l.Warmup + warmupStep - 1).Truncate(warmupStep)
	}
	if l.Auto {
		l.Duration = bestWindow(runs, l.Warmup)
	}
	return l
}

// warmupStep is the multiple to which a warm-up is rounded up.
const warmupStep = 500 * time.Millisecond

// bestWindow returns the window for which the variance of a trial times the
// time it takes is the least. The variance has a part from run to run, which no
// window makes smaller, and one from within the window.
func bestWindow(runs []Trial, warmup time.Duration) time.Duration {
	var scores []float64
	overhead, length := 0.0, 0
	for _, t := range runs {
		scores = append(scores, t.score())
		overhead += t.Overhead.Total() / float64(len(runs))
		length = max(length, len(t.Result.Seconds))
	}
	calibration, err := stats.Calibrate(scores)
	if err != nil || length < 2 {
		return runs[0].Result.Window.Round(time.Second)
	}
	measured := withinVariance(runs, length)
	between := max(calibration.CV*calibration.CV-measured, 0)
	fixed := overhead + warmup.Seconds()
	cost := func(window time.Duration) float64 {
		return (between + withinVariance(runs, int(window/time.Second))) * (fixed + window.Seconds())
	}
	return slices.MinFunc(windows, func(a, b time.Duration) int { return cmp.Compare(cost(a), cost(b)) })
}

// batch is the length over which seconds of a run are averaged, in seconds: what
// a second has to do with the next one is then mostly within a batch.
const batch = 5

// withinVariance returns the variance of the logarithm of the mean over n
// seconds of a run, from the batches that runs have, as if these were
// independent.
func withinVariance(runs []Trial, n int) float64 {
	size := batch
	for _, t := range runs {
		size = min(size, len(t.Result.Seconds)/2)
	}
	size = max(size, 1)
	sum, count := 0.0, 0
	for _, t := range runs {
		var means []float64
		for seconds := range slices.Chunk(t.Result.Seconds, size) {
			if len(seconds) == size {
				means = append(means, mean(seconds))
			}
		}
		if m := stat.Mean(means, nil); len(means) > 1 && m > 0 {
			sum += stat.Variance(means, nil) / (m * m)
			count++
		}
	}
	if count == 0 {
		return 0
	}
	return sum / float64(count) * float64(size) / float64(n)
}

func mean(values []int64) float64 {
	sum := int64(0)
	for _, v := range values {
		sum += v
	}
	return float64(sum) / float64(len(values))
}
