package tuner

import (
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// calibration makes runs of a machine with a spread from run to run and one
// from second to second.
func calibration(between, within float64, seconds int) []Trial {
	random := rand.New(rand.NewPCG(1, 2))
	var runs []Trial
	for range 40 { // many, so that chance does not decide
		level := 500 * (1 + between*random.NormFloat64())
		r := workload.Result{Warmup: 2300 * time.Millisecond, Window: time.Duration(seconds) * time.Second}
		noise := make([]float64, seconds)
		for i := range noise {
			noise[i] = within * random.NormFloat64()
		}
		center := 0.0
		if between < 0.01 {
			center = stat.Mean(noise, nil) // so that runs do not differ by what seconds do
		}
		sum := 0.0
		for _, x := range noise {
			ops := level * (1 + x - center)
			r.Seconds = append(r.Seconds, int64(ops))
			sum += ops
		}
		runs = append(runs, Trial{
			Slot: Slot{Stage: StageCalibration}, Status: study.OK, OpsPerSecond: sum / float64(seconds), Result: &r,
			Overhead: Overhead{Start: 1.2},
		})
	}
	return runs
}

func TestCalibratedWindow(t *testing.T) {
	for _, test := range []struct {
		name            string
		between, within float64
		least, most     time.Duration
	}{
		{"runs differ, seconds do not", 0.05, 0.01, 3 * time.Second, 3 * time.Second},
		{"seconds differ, runs do not", 0.001, 0.20, 15 * time.Second, 30 * time.Second},
		{"both", 0.05, 0.10, 3 * time.Second, 10 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			load := Load{Auto: true, Duration: 10 * time.Second}.calibrated(calibration(test.between, test.within, 10))
			if load.Duration < test.least || load.Duration > test.most {
				t.Errorf("window %s, want %s to %s", load.Duration, test.least, test.most)
			}
			if load.Warmup != 2500*time.Millisecond {
				t.Errorf("warm-up %s, want the longest seen, rounded up", load.Warmup)
			}
		})
	}
}

func TestCalibratedKeepsWhatWasGiven(t *testing.T) {
	given := Load{Warmup: time.Second, Duration: 7 * time.Second}
	if got := given.calibrated(calibration(0.01, 0.2, 10)); got != given {
		t.Errorf("%+v became %+v", given, got)
	}
	auto := Load{Auto: true, Duration: 10 * time.Second}
	if got := auto.calibrated(nil); got != auto {
		t.Errorf("without a calibration %+v became %+v", auto, got)
	}
}

func TestAffordableWindow(t *testing.T) {
	for most, want := range map[time.Duration]time.Duration{
		0: 3 * time.Second, 4 * time.Second: 3 * time.Second, 10 * time.Second: 10 * time.Second, time.Hour: 30 * time.Second,
	} {
		if got := affordable(most); got != want {
			t.Errorf("of %s: %s, want %s", most, got, want)
		}
	}
}
