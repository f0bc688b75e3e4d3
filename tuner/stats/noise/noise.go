// Package noise makes up the scores a machine would measure: true values under
// noise and drift that are either drawn or taken from recorded trials.
//
// It is the generator behind the simulations that hold package stats to its
// promises; docs/simulations.md shows what they print.
package noise

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"
)

// Memory is the coefficient of the autoregressive drift of [Drifting]: how much
// of the drift of one run is left in the next.
const Memory = 0.9

// Drifting is a machine whose speed wanders: true values, noise from run to
// run, and a drift that forgets slowly (autoregressive of order 1).
type Drifting struct {
	rng   *rand.Rand
	noise float64 // standard deviation of the log score of a run
	drift float64 // standard deviation of the drift over all time
	state float64
}

// NewDrifting returns a machine in a state it may be in at any time. Noise and
// drift are standard deviations of the log score: 0.03 is 3 %.
func NewDrifting(seed uint64, noise, drift float64) *Drifting {
	m := &Drifting{rng: rand.New(rand.NewPCG(seed, 1)), noise: noise, drift: drift}
	m.state = drift * m.rng.NormFloat64()
	return m
}

// Run returns the score of one run of a configuration with that true value.
func (m *Drifting) Run(truth float64) float64 {
	m.state = Memory*m.state + m.drift*math.Sqrt(1-Memory*Memory)*m.rng.NormFloat64()
	return truth * math.Exp(m.state+m.noise*m.rng.NormFloat64())
}

// A Record is the noise of trials of one configuration, in the order they ran.
type Record struct {
	logs []float64 // log scores minus their mean
}

// minRecord is the number of trials from which noise can be resampled: fewer
// would repeat the same stretches in every study.
const minRecord = 40

// NewRecord takes the noise from the scores of trials that all measured the
// same configuration, in the order they ran.
func NewRecord(scores []float64) (Record, error) {
	if len(scores) < minRecord {
		return Record{}, fmt.Errorf("%d trials are too few to resample: record at least %d of one configuration", len(scores), minRecord)
	}
	logs := make([]float64, len(scores))
	for i, score := range scores {
		if !(score > 0) || math.IsInf(score, 1) {
			return Record{}, fmt.Errorf("trial %d: score %v is not a positive number; leave failed trials out", i, score)
		}
		logs[i] = math.Log(score)
	}
	mean := stat.Mean(logs, nil)
	for i := range logs {
		logs[i] -= mean
	}
	return Record{logs: logs}, nil
}

// Len is the number of trials.
func (r Record) Len() int { return len(r.logs) }

// Spread is the standard deviation of the recorded log scores, drift included.
func (r Record) Spread() float64 { return stat.StdDev(r.logs, nil) }

// stretch is the mean number of consecutive trials that [Resampled] takes from
// a record before it jumps: as long as a block of the race, so that drift
// within blocks stays what it was.
const stretch = 12

// Resampled is a machine with the noise and the drift of a record, put together
// anew from stretches of it: the stationary bootstrap of D. N. Politis and
// J. P. Romano, Journal of the American Statistical Association 89 (1994).
type Resampled struct {
	record Record
	rng    *rand.Rand
	at     int
}

// NewResampled returns a machine that begins anywhere in the record.
func NewResampled(seed uint64, record Record) *Resampled {
	rng := rand.New(rand.NewPCG(seed, 2))
	return &Resampled{record: record, rng: rng, at: rng.IntN(record.Len())}
}

// Run returns the score of one run of a configuration with that true value.
func (m *Resampled) Run(truth float64) float64 {
	log := m.record.logs[m.at]
	m.at = (m.at + 1) % m.record.Len()
	if m.rng.IntN(stretch) == 0 {
		m.at = m.rng.IntN(m.record.Len())
	}
	return truth * math.Exp(log)
}
