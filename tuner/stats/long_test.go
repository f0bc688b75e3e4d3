package stats

import (
	"math"
	"os"
)

// long reports whether the full counts are asked for. Package firebirdtest says
// the same; this one knows nothing of Firebird.
func long() bool { return os.Getenv("FBTUNE_LONG") != "" }

// counted is how many studies a figure is held by.
func counted(short, full int) int {
	if long() {
		return full
	}
	return short
}

// slack is how far a share of n studies may lie from a probability of p before
// that is, with 99.9 % confidence, evidence against it.
func slack(p float64, n int) float64 { return 3.1 * math.Sqrt(p*(1-p)/float64(n)) }

// shortSlack is the slack of the short counts. The full counts are large enough
// for bounds without one.
func shortSlack(p float64, n int) float64 {
	if long() {
		return 0
	}
	return slack(p, n)
}
