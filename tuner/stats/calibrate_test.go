package stats

import (
	"math"
	"testing"
	"time"

	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// TestCalibrateKnownValues uses log scores 0, 2, 1, 3 %: successive differences
// 2, -1, 2 %, so a variance of 9/6 and 2(n-1)²/(3n-4) = 2.25 degrees of freedom;
// the line through them rises by 2.4 %.
func TestCalibrateKnownValues(t *testing.T) {
	var scores []float64
	for _, percent := range []float64{0, 2, 1, 3} {
		scores = append(scores, 1000*math.Exp(percent/100))
	}
	c, err := Calibrate(scores)
	if err != nil {
		t.Fatal(err)
	}
	if want := math.Sqrt(1.5) / 100; !near(c.CV, want) {
		t.Errorf("CV = %v, want %v", c.CV, want)
	}
	if !near(c.Mean, 1000*math.Exp(0.015)) || c.N != 4 {
		t.Errorf("%+v", c)
	}
	if !near(c.Drift.Mean, math.Exp(0.024)) || !c.Drift.Bounded || c.Drift.Low > 1 || c.Drift.High < 1.024 {
		t.Errorf("drift = %+v, want 2.4 %%", c.Drift)
	}
	if !(c.CVLow < c.CV && c.CV < c.CVHigh) || len(c.Warnings) != 1 {
		t.Errorf("%+v: four runs hardly tell the spread", c)
	}
	for _, bad := range [][]float64{nil, {1}, {1, 0}, {1, math.NaN()}, {1, math.Inf(1)}} {
		if c, err := Calibrate(bad); err == nil {
			t.Errorf("%v gave %+v", bad, c)
		}
	}
}

// TestCalibrationIsHonest holds that the interval of the CV covers the truth,
// also under a drift as large as the noise, and that a steady change is seen.
func TestCalibrationIsHonest(t *testing.T) {
	const studies, sigma = 2000, 0.03
	covered := 0
	for seed := range uint64(studies) {
		m := noise.NewDrifting(seed, sigma, 0)
		var scores []float64
		for range 8 {
			scores = append(scores, m.Run(1000))
		}
		c, err := Calibrate(scores)
		if err != nil {
			t.Fatal(err)
		}
		if c.CVLow <= sigma && sigma <= c.CVHigh {
			covered++
		}
	}
	if covered < studies*93/100 || covered > studies*97/100 {
		t.Errorf("the interval of the CV covers the truth in %d of %d", covered, studies)
	}
	var falling []float64
	for i := range 8 {
		falling = append(falling, 1000*math.Exp(-0.01*float64(i)+0.002*float64(i%2)))
	}
	c, err := Calibrate(falling)
	if err != nil {
		t.Fatal(err)
	}
	if c.Drift.High >= 1 || len(c.Warnings) != 1 {
		t.Errorf("%+v: a fall of 7 %% is not seen", c)
	}
}

// TestDetectionLimitOfARule holds the limit to its 80 % power by simulation.
func TestDetectionLimitOfARule(t *testing.T) {
	t.Parallel()
	const sigma = 0.03
	studies := counted(400, 2000)
	for _, rule := range []Rule{{Looks: 1}, {Looks: 2}} {
		const blocks = 8
		limit := rule.DetectionLimit(sigma, blocks)
		found := 0
		for seed := range uint64(studies) {
			m := noise.NewDrifting(seed, sigma, 0)
			var candidate, control []float64
			for range blocks {
				candidate = append(candidate, m.Run(1+limit))
				control = append(control, math.Sqrt(m.Run(1)*m.Run(1)))
			}
			v, err := Judge(candidate, control, rule)
			if err != nil {
				t.Fatal(err)
			}
			if v.Outcome == Better {
				found++
			}
		}
		if share := float64(found) / float64(studies); math.Abs(share-0.8) > slack(0.8, studies) {
			t.Errorf("%d looks: a gain of the limit, %.1f %%, is found in %d of %d, want 80 %%", rule.Looks, 100*limit, found, studies)
		}
	}
}

func TestForecast(t *testing.T) {
	l, _ := tenLineup()
	p := DefaultProtocol()
	f := p.Forecast(l, 5, 0.03, 20*time.Second)
	// The winner, two references, and the control twice.
	if f.Runs != 5 || f.Blocks != 6 || f.MostBlocks != 12 {
		t.Errorf("%+v", f)
	}
	if f.Time != 6*5*20*time.Second || f.MostTime != 12*5*20*time.Second || f.NeededTime != time.Duration(f.NeededBlocks)*5*20*time.Second {
		t.Errorf("%+v: times are not blocks times runs", f)
	}
	if f.NeededBlocks != p.Rule().NeededBlocks(0.03) || f.NeededBlocks < 5 || f.NeededBlocks > 8 {
		t.Errorf("%d blocks for a margin of 5 %% at 3 %% noise", f.NeededBlocks)
	}
	if got := p.Forecast(l, l.Control, 0.03, time.Second).Runs; got != 4 {
		t.Errorf("the control against two references takes %d runs a block, want 4", got)
	}
	if got := p.Forecast(l, 5, 0.10, time.Second); got.NeededBlocks <= f.NeededBlocks || got.Limit <= f.Limit {
		t.Errorf("more noise needs no more: %+v", got)
	}
}
