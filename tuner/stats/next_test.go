package stats

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// tenLineup is the ten configurations as a ladder with the best in the middle,
// stock at its foot, and two references.
func tenLineup() (Lineup, []float64) {
	truth := []float64{.80, .88, .93, .96, .99, 1.00, .98, .95, .90, .85}
	l := Lineup{Candidates: make([]Candidate, len(truth)), Control: 1, References: []int{3, 8}}
	for i := range l.Candidates {
		for _, n := range []int{i - 1, i + 1} {
			if n >= 0 && n < len(truth) {
				l.Candidates[i].Neighbours = append(l.Candidates[i].Neighbours, n)
			}
		}
	}
	return l, truth
}

// A run is a protocol followed to its end.
type run struct {
	trials []Trial
	steps  []Step // the last one is done
}

// last is where the study ended.
func (r run) last() Step { return r.steps[len(r.steps)-1] }

// cells are the cells that ran in a stage, by block in their order.
func (r run) cells(from, to int) [][]int {
	var blocks [][]int
	for b := from; b < to; b++ {
		var cells []int
		for _, t := range r.trials {
			if t.Block == b {
				cells = append(cells, t.Cell)
			}
		}
		if len(cells) > 0 {
			blocks = append(blocks, cells)
		}
	}
	return blocks
}

// follow runs a protocol round by round. Fails says which slots give no score;
// with it, the protocol is asked anew after each slot.
func follow(t *testing.T, p Protocol, l Lineup, score func(Slot) float64, fails func(Slot) bool) run {
	t.Helper()
	var r run
	for {
		step, err := p.Next(l, r.trials)
		if err != nil {
			t.Fatalf("after %d trials: %v", len(r.trials), err)
		}
		r.steps = append(r.steps, step)
		if len(step.Next) == 0 {
			if step.Stage != StageDone {
				t.Fatalf("nothing to run in %s", step.Stage)
			}
			return r
		}
		todo := step.Next
		if fails != nil {
			todo = todo[:1]
		}
		for _, slot := range todo {
			next := Trial{Slot: slot}
			if next.Failed = fails != nil && fails(slot); !next.Failed {
				next.Score = score(slot)
			}
			r.trials = append(r.trials, next)
		}
		if len(r.trials) > p.MostRuns(l) {
			t.Fatalf("more than %d trials", p.MostRuns(l))
		}
	}
}

// measured gives scores of a machine with noise and drift.
func measured(truth []float64, seed uint64, sigma, drift float64) func(Slot) float64 {
	m := noise.NewDrifting(seed, sigma, drift)
	return func(s Slot) float64 { return m.Run(truth[s.Cell]) }
}

func TestProtocolStages(t *testing.T) {
	l, truth := tenLineup()
	p := DefaultProtocol()
	for seed := range uint64(5) {
		p.Seed = seed
		r := follow(t, p, l, measured(truth, seed, 0.03, 0.05), nil)
		confirmation := p.firstBlock(len(p.Rounds))

		calibration := r.cells(0, 1)
		if !reflect.DeepEqual(calibration, [][]int{slices.Repeat([]int{l.Control}, p.Calibration)}) {
			t.Errorf("seed %d: calibration ran %v", seed, calibration)
		}
		race := r.cells(1, confirmation)
		for i, block := range race {
			inner := block[1 : len(block)-1]
			if block[0] != l.Control || block[len(block)-1] != l.Control || slices.Contains(inner, l.Control) {
				t.Errorf("seed %d: block %v does not run the control first and last", seed, block)
			}
			if i < 2 && len(inner) != len(truth)-1 {
				t.Errorf("seed %d: block %v is not over all cells", seed, block)
			}
			if i >= 2 && len(inner) > 5 {
				t.Errorf("seed %d: block %v keeps the hopeless", seed, block)
			}
		}
		if slices.Equal(race[0], race[1]) {
			t.Errorf("seed %d: both blocks ran in the order %v", seed, race[0])
		}

		last := r.last()
		winner := last.Race.Winner
		blocks := r.cells(confirmation, math.MaxInt16)
		if n := len(blocks); n != p.Confirm && n != p.Confirm+p.Extension {
			t.Errorf("seed %d: %d confirmation blocks", seed, n)
		}
		want := slices.Compact(slices.Sorted(slices.Values([]int{winner, l.Control, 3, 8})))
		for _, block := range blocks {
			if got := slices.Compact(slices.Sorted(slices.Values(block))); !slices.Equal(got, want) {
				t.Errorf("seed %d: confirmation ran %v, want the winner, the control and both references", seed, block)
			}
		}
		for _, c := range last.Comparisons {
			if c.Verdict.Ratio.N != p.Confirm*(1+c.Look) {
				t.Errorf("seed %d: %+v counts other than confirmation blocks", seed, c)
			}
		}
	}
}

// TestNextIsResumable holds that a study can be told from its trials alone,
// whatever order they are given in, and that looking at half a round changes
// nothing.
func TestNextIsResumable(t *testing.T) {
	l, truth := tenLineup()
	p := DefaultProtocol()
	never := func(Slot) bool { return false } // fails, but is asked after each slot
	r := follow(t, p, l, measured(truth, 1, 0.03, 0.05), never)
	whole := follow(t, p, l, measured(truth, 1, 0.03, 0.05), nil)
	if !reflect.DeepEqual(r.trials, whole.trials) || !reflect.DeepEqual(r.last(), whole.last()) {
		t.Error("slot by slot the study ends otherwise than round by round")
	}
	random := rand.New(rand.NewPCG(1, 1))
	for n := 0; n <= len(r.trials); n += 3 {
		shuffled := slices.Clone(r.trials[:n])
		random.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		step, err := p.Next(l, shuffled)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(step, r.steps[n]) {
			t.Fatalf("after %d trials: %+v, then %+v", n, r.steps[n], step)
		}
		if n < len(r.trials) && step.Next[0] != r.trials[n].Slot {
			t.Fatalf("after %d trials %+v is next, but %+v was run", n, step.Next[0], r.trials[n].Slot)
		}
	}
}

func TestNextRefusesForeignTrials(t *testing.T) {
	l, truth := tenLineup()
	p := DefaultProtocol()
	r := follow(t, p, l, measured(truth, 1, 0.03, 0.05), nil)
	other := p
	other.Seed = 99
	tests := []struct {
		name     string
		protocol Protocol
		trials   []Trial
		want     string
	}{
		{"other seed", other, r.trials, "was its plan or its seed changed"},
		{"twice", p, append(slices.Clone(r.trials), r.trials[3]), "run twice"},
		{"beyond the end", p, append(slices.Clone(r.trials), Trial{Slot: Slot{Block: 999}, Score: 1}), "does not ask for"},
		{"no score", p, []Trial{{Slot: Slot{Cell: l.Control}}}, "not a positive number"},
		{"NaN", p, []Trial{{Slot: Slot{Cell: l.Control}, Score: math.NaN()}}, "not a positive number"},
	}
	for _, tt := range tests {
		_, err := tt.protocol.Next(l, tt.trials)
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "were its", "was its"), tt.want) {
			t.Errorf("%s: error = %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestProtocolRefuses(t *testing.T) {
	l, _ := tenLineup()
	change := func(f func(*Protocol)) Protocol {
		p := DefaultProtocol()
		f(&p)
		return p
	}
	tests := []struct {
		name string
		p    Protocol
		want string
	}{
		{"zero", Protocol{}, "give at least 6"},
		{"few blocks", change(func(p *Protocol) { p.Confirm = 5 }), "give at least 6"},
		{"one calibration run", change(func(p *Protocol) { p.Calibration = 1 }), "at least 2"},
		{"negative extension", change(func(p *Protocol) { p.Extension = -1 }), "extension"},
		{"negative budget", change(func(p *Protocol) { p.Budget = -1 }), "budget"},
		{"negative margin", change(func(p *Protocol) { p.Margin = -1 }), "margin"},
		{"NaN margin", change(func(p *Protocol) { p.Margin = math.NaN() }), "margin"},
		{"no rounds", change(func(p *Protocol) { p.Rounds = nil }), "without rounds"},
		{"one block", change(func(p *Protocol) { p.Rounds = []Round{{Blocks: 1}} }), "no spread"},
		{"empty round", change(func(p *Protocol) { p.Rounds = []Round{{Blocks: 2}, {}} }), "round 1"},
		{"small budget", change(func(p *Protocol) { p.Budget, p.Calibration = 20, 0 }), "do not pay"},
	}
	for _, tt := range tests {
		if _, err := tt.p.Next(l, nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error = %v, want %q", tt.name, err, tt.want)
		}
	}
	for _, l := range []Lineup{{}, {Candidates: make([]Candidate, 2), Control: 2}, {Candidates: make([]Candidate, 2), References: []int{-1}}} {
		if _, err := DefaultProtocol().Next(l, nil); err == nil {
			t.Errorf("lineup %+v was accepted", l)
		}
	}
}

// TestExtensionIsTakenOnce walks the looks of a confirmation.
func TestExtensionIsTakenOnce(t *testing.T) {
	l, truth := tenLineup()
	extended := 0
	for seed := range uint64(30) {
		p := DefaultProtocol()
		p.Seed = seed
		r := follow(t, p, l, measured(truth, seed, 0.05, 0.05), nil)
		first := Step{}
		for _, s := range r.steps {
			if s.Stage == StageConfirmation && s.Round == 1 {
				first = s
				break
			}
		}
		last := r.last()
		if first.Stage == "" {
			if o := last.Comparisons[0].Verdict.Outcome; last.Comparisons[0].Look != 0 || o == Undecided {
				t.Errorf("seed %d: no extension, yet %+v", seed, last.Comparisons[0])
			}
			continue
		}
		extended++
		if first.Comparisons[0].Verdict.Outcome != Undecided {
			t.Errorf("seed %d: extended although %+v", seed, first.Comparisons[0])
		}
		for i, c := range first.Comparisons {
			if c.Verdict.Outcome != Undecided && !reflect.DeepEqual(c, last.Comparisons[i]) {
				t.Errorf("seed %d: what the first look decided changed from %+v to %+v", seed, c, last.Comparisons[i])
			}
		}
	}
	if extended == 0 || extended == 30 {
		t.Errorf("%d of 30 studies were extended", extended)
	}
}

func TestOnlyTheControl(t *testing.T) {
	l := Lineup{Candidates: make([]Candidate, 1)}
	last := follow(t, DefaultProtocol(), l, measured([]float64{1000}, 1, 0.03, 0), nil).last()
	if last.Race.Winner != 0 || len(last.Comparisons) != 0 || last.Race.GainLeft != 0 {
		t.Errorf("%+v, %+v", last.Race, last)
	}
}
