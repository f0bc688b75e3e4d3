package noise

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// series returns the logarithms of n runs of a configuration worth 1.
func series(n int, run func(float64) float64) []float64 {
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = math.Log(run(1))
	}
	return logs
}

// lagged is the correlation of a series with itself, one run later.
func lagged(logs []float64) float64 {
	return stat.Correlation(logs[:len(logs)-1], logs[1:], nil)
}

func TestDriftingIsWhatItIsAskedFor(t *testing.T) {
	const runs = 200_000
	tests := []struct{ noise, drift, spread, lagged float64 }{
		{0.03, 0, 0.03, 0},
		{0, 0.05, 0.05, Memory},
		{0.03, 0.04, 0.05, Memory * 16 / 25},
	}
	for _, tt := range tests {
		logs := series(runs, NewDrifting(1, tt.noise, tt.drift).Run)
		if got := stat.StdDev(logs, nil); math.Abs(got/tt.spread-1) > 0.03 {
			t.Errorf("noise %v, drift %v: spread %v, want %v", tt.noise, tt.drift, got, tt.spread)
		}
		if got := lagged(logs); math.Abs(got-tt.lagged) > 0.02 {
			t.Errorf("noise %v, drift %v: correlation %v, want %v", tt.noise, tt.drift, got, tt.lagged)
		}
	}
	a, b := NewDrifting(7, 0.03, 0.05), NewDrifting(7, 0.03, 0.05)
	if a.Run(1000) != b.Run(1000) {
		t.Error("the same seed gives other scores")
	}
}

func TestResampledKeepsSpreadAndDrift(t *testing.T) {
	const trials, runs = 200, 100_000
	var scores []float64
	m := NewDrifting(3, 0.02, 0.04)
	for range trials {
		scores = append(scores, m.Run(700))
	}
	record, err := NewRecord(scores)
	if err != nil {
		t.Fatal(err)
	}
	logs := series(runs, NewResampled(1, record).Run)
	if got, want := stat.StdDev(logs, nil), record.Spread(); math.Abs(got/want-1) > 0.05 {
		t.Errorf("spread %v, of the record %v", got, want)
	}
	// One run in twelve jumps.
	if got, want := lagged(logs), lagged(record.logs)*11/12; math.Abs(got-want) > 0.05 {
		t.Errorf("correlation %v, want about %v", got, want)
	}
	for _, log := range logs[:100] {
		if !slices.ContainsFunc(record.logs, func(x float64) bool { return math.Abs(x-log) < 1e-12 }) {
			t.Fatalf("%v was never recorded", log)
		}
	}
	if got := NewResampled(1, record).Run(500) / NewResampled(1, record).Run(1); math.Abs(got-500) > 1e-9 {
		t.Errorf("a value of 500 gives %v times the score of 1", got)
	}
}

func TestNewRecordRefuses(t *testing.T) {
	good := slices.Repeat([]float64{1}, minRecord)
	if _, err := NewRecord(good); err != nil {
		t.Error(err)
	}
	if _, err := NewRecord(good[1:]); err == nil {
		t.Errorf("%d trials were accepted", minRecord-1)
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewRecord(append(slices.Clone(good), bad)); err == nil {
			t.Errorf("a score of %v was accepted", bad)
		}
	}
}
