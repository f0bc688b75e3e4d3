package stats

import (
	"maps"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"
)

// A Comparison is the verdict on the winner of a race against one of its
// references, from confirmation blocks alone.
type Comparison struct {
	Reference int `json:"reference"` // cell
	// Look is the look that decided, from 0, or the last one taken.
	Look int `json:"look"`
	// Verdict has no ratio (N is 0) when no block has a score of both.
	Verdict Verdict `json:"verdict"`
	// Announced says that the winner may be called one: it is Better, it was
	// seen to gain no less than Standing.Limit, and it has not failed.
	Announced bool `json:"announced"`
}

// confirm asks for the confirmation blocks and reports whether they are over.
func (r *replay) confirm() (bool, error) {
	winner := r.step.Race.Winner
	compared := r.lineup.compared(winner)
	if len(compared) == 0 {
		return true, nil
	}
	r.step.Stage, r.step.Round = StageConfirmation, 0
	cells := append([]int{winner}, compared...)
	first := r.firstBlock(len(r.Rounds))
	observations, err := r.blocks(first, r.Confirm, cells)
	if err != nil || len(r.step.Next) > 0 {
		return false, err
	}
	for _, reference := range compared {
		c, err := r.compare(observations, reference, 0)
		if err != nil {
			return false, err
		}
		r.step.Comparisons = append(r.step.Comparisons, c)
	}
	if r.Extension == 0 || r.out[winner] || r.step.Comparisons[0].Verdict.Outcome != Undecided {
		return true, nil
	}
	r.step.Round = 1
	more, err := r.blocks(first+r.Confirm, r.Extension, cells)
	if err != nil || len(r.step.Next) > 0 {
		return false, err
	}
	observations = append(observations, more...)
	for i, c := range r.step.Comparisons {
		if c.Verdict.Outcome != Undecided {
			continue // what a look decided stays
		}
		if r.step.Comparisons[i], err = r.compare(observations, c.Reference, 1); err != nil {
			return false, err
		}
	}
	return true, nil
}

// compare judges the winner against a reference, by the blocks that have a
// score of both.
func (r *replay) compare(observations []Observation, reference, look int) (Comparison, error) {
	c := Comparison{Reference: reference, Look: look, Verdict: Verdict{Outcome: Undecided, Margin: r.Rule().Margin}}
	winner := r.step.Race.Winner
	ours, theirs := pairs(observations, winner, reference)
	if len(ours) == 0 {
		return c, nil
	}
	var err error
	if c.Verdict, err = Judge(ours, theirs, r.Rule()); err != nil {
		return c, err
	}
	gain := c.Verdict.Ratio.Mean - 1
	c.Announced = c.Verdict.Outcome == Better && gain >= r.step.Race.Limit && !r.out[winner]
	return c, nil
}

// pairs returns the scores of two cells in the blocks that have both, in the
// order of the blocks. Where a cell ran twice it is the geometric mean.
func pairs(observations []Observation, a, b int) (as, bs []float64) {
	byBlock := map[int]map[int][]float64{}
	for _, o := range observations {
		if byBlock[o.Block] == nil {
			byBlock[o.Block] = map[int][]float64{}
		}
		byBlock[o.Block][o.Cell] = append(byBlock[o.Block][o.Cell], o.Score)
	}
	for _, block := range slices.Sorted(maps.Keys(byBlock)) {
		ofA, ofB := byBlock[block][a], byBlock[block][b]
		if len(ofA) > 0 && len(ofB) > 0 {
			as = append(as, stat.GeometricMean(ofA, nil))
			bs = append(bs, stat.GeometricMean(ofB, nil))
		}
	}
	return as, bs
}

// reach is the smallest gain over the control, as a logarithm and for a spread
// of 1, that the confirmation finds when it takes all of its blocks.
func (p Protocol) reach() float64 {
	return p.Rule().reach(p.Confirm + p.Extension)
}

// A Forecast is what a confirmation will take, told before it begins.
type Forecast struct {
	Sigma float64 `json:"sigma"` // spread of one run that it assumes
	Runs  int     `json:"runs"`  // trials a block

	Blocks int           `json:"blocks"` // before the first look
	Time   time.Duration `json:"time_ns"`
	// MostBlocks counts the extension too.
	MostBlocks int           `json:"most_blocks"`
	MostTime   time.Duration `json:"most_time_ns"`
	// Limit is the smallest gain that all of these blocks find with 80 %
	// power.
	Limit float64 `json:"detection_limit"`

	// NeededBlocks is how many blocks would show the winner to be within the
	// margin of the control if it truly is as good as it; 0 when that is
	// beyond reason.
	NeededBlocks int           `json:"needed_blocks"`
	NeededTime   time.Duration `json:"needed_time_ns"`
}

// Forecast says how long the confirmation of a winner takes when one run varies
// by sigma and takes a time, and how long the margin needs. The spread is best
// taken from Standing.Sigma, before the race from Calibration.CV.
func (p Protocol) Forecast(l Lineup, winner int, sigma float64, run time.Duration) Forecast {
	f := Forecast{
		Sigma:        sigma,
		Runs:         p.confirmRuns(l, winner),
		Blocks:       p.Confirm,
		MostBlocks:   p.Confirm + p.Extension,
		Limit:        math.Expm1(p.reach() * sigma),
		NeededBlocks: p.Rule().NeededBlocks(sigma),
	}
	block := time.Duration(f.Runs) * run
	f.Time = time.Duration(f.Blocks) * block
	f.MostTime = time.Duration(f.MostBlocks) * block
	f.NeededTime = time.Duration(f.NeededBlocks) * block
	return f
}
