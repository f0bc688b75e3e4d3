package replay

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/space"
)

var firebird30 = confgen.Version{Major: 3, Patch: confgen.AnyPatch}

func TestPlansHave96FeasibleCells(t *testing.T) {
	for _, plan := range Plans() {
		cells := plan.Cells()
		if len(cells) != 96 || plan.Blocks != 3 {
			t.Errorf("%s: %d cells in %d blocks", plan.Size, len(cells), plan.Blocks)
		}
		if err := plan.Scale.Validate(); err != nil {
			t.Error(err)
		}
		sp, err := space.Of(firebird30, cells)
		if err != nil {
			t.Fatal(err)
		}
		sp.Load = space.Load{Connections: plan.Connections, PageSize: plan.PageSize}
		if stock, exact, err := sp.Point(nil); err != nil || !sp.Fits(stock) {
			t.Errorf("%s: stock is not in the grid: %v, %v, %v", plan.Size, stock, exact, err)
		}
		for _, cell := range cells {
			c := sp.Candidate(must(sp.Point(cell)))
			if err := confgen.Fits(c, 4*confgen.GiB); err != nil {
				t.Errorf("%s: %v: %v", plan.Size, cell, err)
			}
			mode := confgen.EngineMode(cell[confgen.ServerMode])
			for name, text := range cell {
				setting, _ := confgen.Lookup(name)
				if err := setting.CheckValue(firebird30, text); err != nil {
					t.Error(err)
				}
				if !slices.Contains(setting.FeltBy, confgen.FeltByOLTP) {
					t.Errorf("%s is not felt by OLTP", name)
				}
				def, _ := setting.Default(firebird30, mode)
				chosen := setting.Name == confgen.ServerMode || setting.Name == confgen.FileSystemCacheThreshold
				if !chosen && !hasValue(cells, mode, name, def) {
					t.Errorf("%s: no cell of %s has the default %s of %s", plan.Size, mode, def, name)
				}
			}
		}
	}
}

func must(p space.Point, exact bool, err error) space.Point {
	if err != nil || !exact {
		panic(fmt.Sprint(p, exact, err))
	}
	return p
}

func hasValue(cells []map[string]string, mode confgen.Mode, name, text string) bool {
	return slices.ContainsFunc(cells, func(c map[string]string) bool {
		return confgen.EngineMode(c[confgen.ServerMode]) == mode && c[name] == text
	})
}

func TestRecordsSurviveTheCSV(t *testing.T) {
	plan := Plans()[0]
	records := machines()["cliff"].record(plan, 1)
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	header := Header(plan.Cells())
	lines := [][]string{header}
	for _, r := range records {
		lines = append(lines, r.Row(header))
	}
	if err := w.WriteAll(lines); err != nil {
		t.Fatal(err)
	}
	back, err := Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(records, back, func(a, b Record) bool {
		return a.Size == b.Size && a.Block == b.Block && a.OpsPerSecond == b.OpsPerSecond && maps.Equal(a.Settings, b.Settings)
	}) {
		t.Error("what is read is not what was written")
	}
	if got := Sizes(back); !slices.Equal(got, []string{plan.Size}) {
		t.Errorf("sizes %q", got)
	}
	if rest := plan.Missing(back); len(rest) > 0 {
		t.Errorf("%d trials are missing of a whole grid", len(rest))
	}
	if rest := plan.Missing(back[:100]); len(rest) != len(records)-100 {
		t.Errorf("%d trials are missing after 100 of %d", len(rest), len(records))
	}
}

func TestBadTablesAreRefused(t *testing.T) {
	const head = "size,ServerMode,block,ops_per_second\n"
	for text, want := range map[string]string{
		"": "EOF", "a,b\n": "no column size",
		"size,Pages,block,ops_per_second\n":      "not the name of a setting",
		"size,servermode,block,ops_per_second\n": "not the name of a setting",
		head + "1G,Super,0,10\n":                 "blocks start at 1",
		head + "1G,Super,1,NaN\n":                "write a rate",
		head + "1G,Super,1,-3\n":                 "write a rate",
		head + "1G,Super,1\n":                    "fields",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The surface is nearer to what the machine truly does than the means of the
// raw cells are, and the noise is as large as it was.
func TestSurfaceIsNearerToTheTruthThanRawCells(t *testing.T) {
	plan := Plans()[1]
	for _, name := range []string{"cliff", "narrow, noisy", "small database"} {
		m := machines()[name]
		var fitted, raw, sigma, best float64
		const grids = 2
		for seed := range uint64(grids) {
			records := m.record(plan, seed)
			s, err := Fit(name, firebird30, records)
			if err != nil {
				t.Fatal(err)
			}
			means := rawMeans(s, records)
			var all []float64
			for i, p := range s.Points {
				settings := s.Space.Settings(p)
				if m.crashes(settings) != (s.Truth[i] == 0) {
					t.Fatalf("%s: %v crashes %v, truth %g", name, settings, m.crashes(settings), s.Truth[i])
				}
				if s.Truth[i] > 0 {
					all = append(all, m.value(settings))
					fitted += square(math.Log(s.Truth[i]) - m.value(settings) - .1) // the blocks' mean level
					raw += square(means[i] - m.value(settings) - .1)
				}
			}
			best += math.Log(s.Best()) - slices.Max(all) - .1
			sigma += s.Sigma()
		}
		if fitted >= raw {
			t.Errorf("%s: squares of errors %.4f after the fit, %.4f before", name, fitted, raw)
		}
		if got := sigma / grids; math.Abs(got-m.sigma) > 0.15*m.sigma {
			t.Errorf("%s: noise %.4f, want %.4f", name, got, m.sigma)
		}
		if math.Abs(best/grids) > m.sigma {
			t.Errorf("%s: the best is off by %.3f with a noise of %.3f", name, best/grids, m.sigma)
		}
	}
}

func square(x float64) float64 { return x * x }

// rawMeans are the cells' means with nothing done to them.
func rawMeans(s *Surface, records []Record) []float64 {
	sum, n := make([]float64, len(s.Points)), make([]float64, len(s.Points))
	for _, r := range records {
		if r.OpsPerSecond > 0 {
			i := s.Keys[s.Space.Key(must(s.Space.Point(r.Settings)))]
			sum[i] += math.Log(r.OpsPerSecond)
			n[i]++
		}
	}
	for i := range sum {
		sum[i] /= max(n[i], 1)
	}
	return sum
}

// Blocks of different levels with trials missing in some must not look like
// differences between cells.
func TestBlocksDoNotCountAsCells(t *testing.T) {
	plan := Plans()[0]
	var records []Record
	for i, r := range plan.Missing(nil) {
		r.OpsPerSecond = 100 * math.Exp(float64(r.Block)) // all cells alike
		if i%7 == 3 {
			r.OpsPerSecond = 0
		}
		records = append(records, r)
	}
	s, err := Fit("alike", firebird30, records)
	if err != nil {
		t.Fatal(err)
	}
	if share := s.Share(0.001); share != 1 {
		t.Errorf("%.3f of equal cells are equal", share)
	}
	if s.Sigma() > 1e-6 {
		t.Errorf("noise %g where there is none", s.Sigma())
	}
}

func TestAllSamplersGetTheSameStart(t *testing.T) {
	s := machines()["narrow"].surface("narrow", Plans()[0])
	for seed := range uint64(20) {
		first := s.first(seed)
		if len(first) != given || s.Space.Key(first[0]) != s.Space.Key(s.Space.Default(confgen.Super)) {
			t.Fatalf("seed %d starts with %v", seed, first)
		}
		for i, p := range first {
			for _, q := range first[:i] {
				if slices.Equal(p, q) {
					t.Fatalf("seed %d starts with %v twice", seed, p)
				}
			}
		}
	}
}

func TestDecide(t *testing.T) {
	s := &Surface{Name: "s", Points: make([]space.Point, 96), Truth: slices.Repeat([]float64{1}, 96), Noise: []float64{0}}
	s.Truth[0] = 2
	outcome := func(name string, value float64, needed int) Outcome {
		o := Outcome{Surface: s, Sampler: name}
		for range 3 {
			o.Value = append(o.Value, []float64{value, value, value})
			o.Needed = append(o.Needed, []int{needed, needed})
		}
		return o
	}
	for _, test := range []struct {
		name          string
		ours, tpe, ra Outcome
		plateau       bool
		want          string
	}{
		{"ours is twice as fast", outcome(search.Gaussian, .99, 10), outcome(search.TPE, .9, 15), outcome(search.Random, .8, 20), false, search.Gaussian},
		{"ours is not twice as fast", outcome(search.Gaussian, .99, 11), outcome(search.TPE, .9, 15), outcome(search.Random, .8, 20), false, search.TPE},
		{"ours has worse incumbents", outcome(search.Gaussian, .89, 10), outcome(search.TPE, .9, 15), outcome(search.Random, .8, 20), false, search.TPE},
		{"ours needs more trials", outcome(search.Gaussian, .99, 10), outcome(search.TPE, .9, 9), outcome(search.Random, .8, 20), false, search.TPE},
		{"random is the better", outcome(search.Gaussian, .99, 11), outcome(search.TPE, .7, 15), outcome(search.Random, .8, 20), false, search.Random},
		{"nothing is rare", outcome(search.Gaussian, .99, 1), outcome(search.TPE, .9, 15), outcome(search.Random, .8, 20), true, search.TPE},
	} {
		truth := slices.Clone(s.Truth)
		if test.plateau {
			s.Truth[1], s.Truth[2], s.Truth[3], s.Truth[4] = 2, 2, 2, 2
		}
		d, err := Decide([]Outcome{test.ours, test.tpe, test.ra})
		if err != nil || d.Sampler != test.want {
			t.Errorf("%s: %s, %v, want %s\n%s", test.name, d.Sampler, err, test.want, strings.Join(d.Reasons, "\n"))
		}
		s.Truth = truth
	}
	if _, err := Decide([]Outcome{outcome(search.Gaussian, 1, 1)}); err == nil {
		t.Error("decides without random search")
	}
}

// The table on synthetic machines; its figures are printed with -v. With
// FBTUNE_LONG it takes the seeds that the real decision takes. It holds what
// must be true of any grid, not who wins.
func TestSamplersOnSyntheticMachines(t *testing.T) {
	seeds, names := 2, []string{"cliff", "narrow"}
	if firebirdtest.Long() {
		seeds, names = Seeds, slices.Sorted(maps.Keys(machines()))
	}
	var all []Outcome
	for _, name := range names {
		s := machines()[name].surface(name, Plans()[1])
		for _, sampler := range search.Names() {
			o, err := Play(s, sampler, seeds)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range seeds {
				for i, value := range o.Value[seed] {
					if !(value >= 0 && value <= 1) {
						t.Errorf("%s on %s: the incumbent after %d trials is worth %g", sampler, name, Checkpoints[i], value)
					}
				}
				if needed := o.Needed[seed]; needed[0] < needed[1] || needed[1] < 1 || needed[0] > len(s.Points)+1 {
					t.Errorf("%s on %s: %v trials to %v", sampler, name, needed, Targets)
				}
			}
			all = append(all, o)
		}
	}
	d, err := Decide(all)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := Print(&table, all, d); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d seeds\n%s", seeds, table.String())
}

// Ours is better than chance over machines that nobody chose.
func TestOursBeatsChanceOnRandomMachines(t *testing.T) {
	count, seeds, samplers := uint64(3), 2, []string{search.Random, search.Gaussian}
	if firebirdtest.Long() {
		count, seeds, samplers = 20, 5, search.Names()
	}
	mean := map[string]float64{}
	for i := range count {
		s := randomMachine(1000+i).surface(fmt.Sprint("machine ", i), Plans()[i%2])
		for _, sampler := range samplers {
			o, err := Play(s, sampler, seeds)
			if err != nil {
				t.Fatal(err)
			}
			mean[sampler] += o.Mean(1) / float64(count)
		}
	}
	t.Logf("%% of the best after %d trials on %d random machines, %d seeds each: %.4v", Checkpoints[1], count, seeds, mean)
	if mean[search.Gaussian] <= mean[search.Random] {
		t.Errorf("incumbents after %d trials: %v", Checkpoints[1], mean)
	}
}

// BenchmarkPlay is the time of one search of the replay, by sampler.
func BenchmarkPlay(b *testing.B) {
	s := machines()["narrow"].surface("narrow", Plans()[0])
	for _, sampler := range search.Names() {
		b.Run(sampler, func(b *testing.B) {
			for b.Loop() {
				if _, err := Play(s, sampler, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
