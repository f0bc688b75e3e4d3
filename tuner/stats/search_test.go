package stats

import (
	"math"
	"testing"
)

// TestRelateCancelsDrift has a machine slow down steadily: without noise the
// ratios between two runs of the control are exact.
func TestRelateCancelsDrift(t *testing.T) {
	var singles []Single
	truth := []float64{1.1, 0.9, 1.2, 1.0, 0.7, 1.05}
	at := 0
	machine := func() float64 { at++; return 1000 * math.Exp(-0.02*float64(at)) }
	var want []float64
	for _, value := range truth {
		if ControlDue(singles) {
			singles = append(singles, Single{Control: true, Score: machine()})
			want = append(want, 1)
		}
		singles = append(singles, Single{Score: value * machine()})
		want = append(want, value)
	}
	related, err := Relate(singles)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range related {
		before := i <= 5 // the second and last run of the control
		if r.Settled != before {
			t.Errorf("trial %d: settled is %v", i, r.Settled)
		}
		if before && !near(r.Ratio, want[i]) {
			t.Errorf("trial %d: %v, want %v", i, r.Ratio, want[i])
		}
		if !before && near(r.Ratio, want[i]) {
			t.Errorf("trial %d: %v is exact before the control ran again", i, r.Ratio)
		}
	}
	singles = append(singles, Single{Control: true, Score: machine()})
	if related, err = Relate(singles); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if r := related[i]; !r.Settled || !near(r.Ratio, w) {
			t.Errorf("trial %d: %+v at the end, want %v", i, r, w)
		}
	}
	// Halfway, two controls each add a quarter of their variance.
	if got := related[len(related)-2].Spread; got < math.Sqrt(1.5) || got > math.Sqrt(2) {
		t.Errorf("spread = %v", got)
	}
}

func TestRelateFailures(t *testing.T) {
	singles := []Single{
		{Score: 90}, {Control: true, Failed: true}, {Control: true, Score: 100}, {Failed: true}, {Score: 110},
	}
	related, err := Relate(singles)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.9, 0, 1, 0, 1.1} {
		if !near(related[i].Ratio, want) {
			t.Errorf("trial %d: %v, want %v", i, related[i].Ratio, want)
		}
	}
	if related[0].Settled || related[4].Settled {
		t.Errorf("settled outside the control's runs: %+v", related)
	}
	if related, err := Relate([]Single{{Score: 1}}); err != nil || related[0] != (Relative{}) {
		t.Errorf("without a control: %v, %v", related, err)
	}
	for _, score := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := Relate([]Single{{Score: score}}); err == nil {
			t.Errorf("score %v was accepted", score)
		}
	}
}

func TestControlDue(t *testing.T) {
	var singles []Single
	controls := 0
	for range 20 {
		if ControlDue(singles) {
			singles = append(singles, Single{Control: true, Score: 1})
			controls++
			if ControlDue(singles) {
				t.Fatal("the control is due right after it ran")
			}
		}
		singles = append(singles, Single{Failed: true})
	}
	if controls != 20/SearchEvery {
		t.Errorf("%d runs of the control in 20 trials", controls)
	}
	if !ControlDue([]Single{{Control: true, Failed: true}}) {
		t.Error("a control that failed is not repeated")
	}
}
