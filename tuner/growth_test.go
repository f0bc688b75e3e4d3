package tuner

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// fakeSizes is a bench whose loads and scores are known: the larger, the slower.
type fakeSizes struct {
	fake
	loads, ensured []workload.Scale
	rate           float64 // bytes loaded per second
	sha            string
	cut            error // what the second load ends with
}

func (f *fakeSizes) LoadAfresh(_ context.Context, scale workload.Scale, sink Sink) (Loading, error) {
	if f.cut != nil && len(f.loads) == 1 {
		return Loading{}, f.cut
	}
	f.loads = append(f.loads, scale)
	sink.emit(Event{Kind: EventLoad, Phase: "data", Done: 1, Total: 2})
	took := seconds(float64(scale.EstimatedBytes()) / f.rate)
	return Loading{
		Load:  workload.LoadResult{Rows: 1000, Bytes: scale.EstimatedBytes(), Load: took / 2, Index: took / 4, Check: time.Hour},
		Flush: took / 4, SHA256: f.sha,
	}, nil
}

func (f *fakeSizes) Ensure(_ context.Context, scale workload.Scale, _ Sink) (golden.Copy, error) {
	f.ensured = append(f.ensured, scale)
	return golden.Copy{SHA256: f.sha}, nil
}

// sizesPlan is a growth of three sizes on the given paths.
func sizesPlan(paths ...string) Growth {
	g := Growth{
		Paths: paths, Mode: confgen.Super, Settings: map[string]string{confgen.ServerMode: "Super"}, Blocks: 3, Seed: 7, Cap: 256 * confgen.MiB,
		Load: Load{Scale: workload.Quick(), Connections: 20, Warmup: 3 * time.Second, Duration: 5 * time.Second, PageSize: 8192},
	}
	for name, cardinality := range map[string]float64{"100M": 0.1, "250M": 0.25, "500M": 0.5} {
		g.Sizes = append(g.Sizes, Size{Name: name, Scale: workload.Scale{Warehouses: 10, Cardinality: cardinality, Seed: 1}})
	}
	slices.SortFunc(g.Sizes, func(a, b Size) int { return strings.Compare(a.Name, b.Name) })
	return g
}

// shrinking are scores that fall with the size and rise by 20 % on the second path.
func shrinking(c Cell, run int) (float64, string) {
	base := map[string]float64{"100M": 900, "250M": 600, "500M": 300}[c.Value]
	if c.Other == "/b" {
		base *= 1.2
	}
	return base * (1 + 0.01*math.Sin(float64(run*run))), ""
}

func fakeSize() *fakeSizes {
	return &fakeSizes{fake: fake{score: shrinking}, rate: 20e6, sha: "a"}
}

func growthStudy(t *testing.T, plan Growth) *study.Study {
	t.Helper()
	store, err := study.Open(t.Context(), filepath.Join(t.TempDir(), "studies.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	st, err := NewGrowth(t.Context(), store, "test", plan, Environment{})
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func TestGrowthLoadsOnceAndMeasuresInBlocks(t *testing.T) {
	plan, f := sizesPlan(""), fakeSize()
	st := growthStudy(t, plan)
	p, err := Grow(t.Context(), []SizeBench{f}, st, plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.loads) != 3 || len(f.ensured) != 0 || len(f.runs) != 9 || plan.Runs() != 9 {
		t.Fatalf("%d loads, %d copies looked for, %d trials; want 3, 0 and 9", len(f.loads), len(f.ensured), len(f.runs))
	}
	for block := range slices.Chunk(f.runs, 3) {
		if got := slices.Sorted(slices.Values(block)); !slices.Equal(got, []string{"100M", "250M", "500M"}) {
			t.Errorf("a block holds %v, want each size once", block)
		}
	}
	r := p.GrowthResult()
	if !r.Complete || !r.Bounded || len(r.Ratios) != 0 || len(r.Sizes) != 3 {
		t.Fatalf("complete %t, bounded %t, %d ratios, %d sizes", r.Complete, r.Bounded, len(r.Ratios), len(r.Sizes))
	}
	for i, want := range []float64{900, 600, 300} {
		s := r.Sizes[i]
		if s.N != 3 || !(s.Low < want && want < s.High) || s.Status != CellOK {
			t.Errorf("%s: n %d, %g in [%g, %g], want %g in it", s.Name, s.N, s.OpsPerSecond, s.Low, s.High, want)
		}
		if math.Abs(s.LoadBytesPerSecond/20e6-1) > 1e-6 || math.Abs(s.ToCap*float64(plan.Cap)-float64(s.Bytes())) > 1 {
			t.Errorf("%s: loaded at %g bytes/s, %g of the cap; the check of the content is no part of a load", s.Name, s.LoadBytesPerSecond, s.ToCap)
		}
	}
	folded, err := Fold(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if again := folded.GrowthResult(); !again.Complete || again.Sizes[2].LoadSeconds != r.Sizes[2].LoadSeconds || again.Sizes[2].Figure != r.Sizes[2].Figure {
		t.Errorf("the study read back has %+v, want %+v", again.Sizes[2], r.Sizes[2])
	}
}

// A killed growth goes on where it was: no load and no trial that ended is done
// again, and a size that is finished is not even looked for.
func TestGrowthResumes(t *testing.T) {
	plan := sizesPlan("")
	st := growthStudy(t, plan)
	cut := errors.New("power cut")
	first := fakeSize()
	first.cut = cut
	if p, err := Grow(t.Context(), []SizeBench{first}, st, plan, Environment{}, nil, nil); !errors.Is(err, cut) || len(p.Loadings) != 1 || p.GrowthResult().Complete {
		t.Fatalf("first run: %v with %d loads, want the cut after 1", err, len(p.Loadings))
	}
	second := fakeSize()
	last := plan.Order(2)[2] // of the whole growth
	second.stop = func(run int) error {
		if run == 8 {
			return cut
		}
		return nil
	}
	if _, err := Grow(t.Context(), []SizeBench{second}, st, plan, Environment{}, nil, nil); !errors.Is(err, cut) || len(second.loads) != 2 || len(second.ensured) != 1 {
		t.Fatalf("second run: %v after %d loads and %d copies looked for, want the cut after 2 and 1", err, len(second.loads), len(second.ensured))
	}
	third := fakeSize()
	p, err := Grow(t.Context(), []SizeBench{third}, st, plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(third.loads) != 0 || len(third.runs) != 1 || !slices.Equal(third.ensured, []workload.Scale{plan.Sizes[last].Scale}) {
		t.Errorf("third run: %d loads, trials %v, copies looked for %v; want the last trial of %s alone", len(third.loads), third.runs, third.ensured, plan.Sizes[last].Name)
	}
	if r := p.GrowthResult(); !r.Complete || len(r.Trials) != 9 || r.Sizes[0].N != 3 {
		t.Errorf("complete %t with %d trials", r.Complete, len(r.Trials))
	}
}

// Trials on another file than those before say nothing about it.
func TestGrowthRefusesAnotherGoldenCopy(t *testing.T) {
	plan := sizesPlan("")
	st := growthStudy(t, plan)
	cut := errors.New("power cut")
	first := fakeSize()
	first.stop = func(int) error { return cut }
	if _, err := Grow(t.Context(), []SizeBench{first}, st, plan, Environment{}, nil, nil); !errors.Is(err, cut) {
		t.Fatal(err)
	}
	second := fakeSize()
	second.sha = "b"
	if _, err := Grow(t.Context(), []SizeBench{second}, st, plan, Environment{}, nil, nil); err == nil || !strings.Contains(err.Error(), "start a new study") {
		t.Errorf("another golden copy: %v, want it refused", err)
	}
}

func TestGrowthComparesPaths(t *testing.T) {
	plan := sizesPlan("/a", "/b")
	a, b := fakeSize(), fakeSize()
	b.rate = 40e6
	p, err := Grow(t.Context(), []SizeBench{a, b}, growthStudy(t, plan), plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.loads) != 3 || len(b.loads) != 3 || len(a.runs) != 9 || len(b.runs) != 9 {
		t.Fatalf("%d and %d loads, %d and %d trials; want 3 and 9 on each path", len(a.loads), len(b.loads), len(a.runs), len(b.runs))
	}
	for i, c := range plan.Order(0) {
		if i%2 == 1 && c != plan.Order(0)[i-1]+1 {
			t.Errorf("order %v of the first block, want the paths of a size one after the other", plan.Order(0))
		}
	}
	if first, second := plan.Order(0)[0]%2, plan.Order(1)[0]%2; first != 0 || second != 1 {
		t.Errorf("the blocks begin with paths %d and %d, want one each", first, second)
	}
	r := p.GrowthResult()
	if len(r.Ratios) != 3 {
		t.Fatalf("%d ratios, want one for each size", len(r.Ratios))
	}
	for _, ratio := range r.Ratios {
		if ratio.Blocks != 3 || !ratio.Bounded || math.Abs(ratio.Ratio-1.2) > 0.05 || math.Abs(ratio.Load-2) > 1e-6 || !(ratio.Low <= ratio.Ratio && ratio.Ratio <= ratio.High) {
			t.Errorf("%+v, want 1.2 and loads of 2", ratio)
		}
	}
	if series := r.Charts[1].Series; len(series) != 2 || series[1].Name != "/b" || len(series[1].Points) != 3 {
		t.Errorf("throughput is drawn as %+v, want a line for each path", series)
	}
}

// A size that cannot run fails by itself.
func TestGrowthGoesOnAfterAFailure(t *testing.T) {
	plan, f := sizesPlan(""), fakeSize()
	f.score = func(c Cell, run int) (float64, string) {
		if c.Value == "250M" {
			return 0, "broke its memory cap"
		}
		return shrinking(c, run)
	}
	p, err := Grow(t.Context(), []SizeBench{f}, growthStudy(t, plan), plan, Environment{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := p.GrowthResult()
	if s := r.Sizes[1]; s.Status != CellFailed || s.Failed != maxFailures || s.Known() || s.Reason == "" || s.Loading == nil {
		t.Errorf("the failed size: %+v", s)
	}
	if s := r.Sizes[2]; s.Status != CellOK || s.N != 3 || len(r.Charts[1].Series[0].Points) != 2 || len(r.Charts[0].Series[0].Points) != 3 {
		t.Errorf("the one after: %+v, charts %+v", s, r.Charts)
	}
}

func TestGrowthCharts(t *testing.T) {
	plan := sizesPlan("")
	plan.WithPublished = true
	p := Progress{}
	environment := Environment{}
	environment.Host.Memory.Usable = probe.Given(24*probe.GiB, "test")
	p.Apply(Event{Kind: EventPlan, Growth: &plan, Environment: &environment})
	p.Apply(Event{Kind: EventResult, Trial: &Trial{Cell: "100M", Status: study.OK, OpsPerSecond: 500, Effective: []running.Effective{
		{Name: confgen.DefaultDbCachePages, Value: "2048"},
	}}})
	r := p.GrowthResult()
	var marks []string
	for _, m := range r.Charts[0].Marks {
		marks = append(marks, m.Name+" "+confgen.Bytes(m.X).String())
	}
	if want := []string{"page cache 16 MiB", "cap 256 MiB", "RAM 24 GiB"}; !slices.Equal(marks, want) {
		t.Errorf("marks %q, want %q", marks, want)
	}
	load, ops := r.Charts[0].Series, r.Charts[1].Series
	if len(load) != 2 || !load[1].Published || len(load[1].Points) != 2 || len(ops[1].Points) != 3 || ops[1].Points[2].Y != 169.33 {
		t.Errorf("series %+v and %+v, want the published ones beside ours", load, ops)
	}
	plan.Mode = confgen.Classic
	p.Apply(Event{Kind: EventPlan, Growth: &plan, Environment: &environment})
	if cache := p.GrowthResult().pageCache(); cache != 320*confgen.MiB {
		t.Errorf("20 connections of Classic have caches of %s, want 320 MiB", cache)
	}
}

func TestGrowthValidate(t *testing.T) {
	for want, change := range map[string]func(g *Growth){
		"give sizes":           func(g *Growth) { g.Sizes = nil },
		"100M is given twice":  func(g *Growth) { g.Sizes = append(g.Sizes, g.Sizes[0]) },
		"come to the same":     func(g *Growth) { g.Sizes = append(g.Sizes, Size{Name: "101M", Scale: g.Sizes[0].Scale}) },
		"give one, or two":     func(g *Growth) { g.Paths = []string{"/a", "/b", "/c"} },
		"--path /a is given":   func(g *Growth) { g.Paths = []string{"/a", "/a"} },
		"at least 1":           func(g *Growth) { g.Blocks = 0 },
		"window":               func(g *Growth) { g.Load.Duration = 0 },
		"leave the rate out":   func(g *Growth) { g.Load.Rate = 100 },
		"give a number from 1": func(g *Growth) { g.Sizes[1].Scale.Warehouses = 0 },
		"0 connections: give":  func(g *Growth) { g.Load.Connections = 0 },
	} {
		g := sizesPlan("/a")
		change(&g)
		if err := g.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
	if err := sizesPlan("/a", "/b").Validate(); err != nil {
		t.Errorf("a sound growth: %v", err)
	}
}

// The bound counts every load at the slowest published rate, and every trial with
// the copy of its database.
func TestGrowthBound(t *testing.T) {
	g := sizesPlan("")
	all, loading := g.Bound()
	if want := 255 * time.Second; loading < want || loading > want+20*time.Second {
		t.Errorf("loading is bounded by %s, want about 837 MiB at 3.28 MB/s", loading)
	}
	trials := all - loading
	if low, high := 9*11*time.Second, 9*30*time.Second; trials < low || trials > high {
		t.Errorf("9 trials are bounded by %s, want %s to %s", trials, low, high)
	}
	two := sizesPlan("/a", "/b")
	if twice, _ := two.Bound(); (twice - 2*all).Abs() > time.Second {
		t.Errorf("two paths are bounded by %s, want twice %s", twice, all)
	}
}

// What gives doubt about the figures stands beside them.
func TestGrowthWarnings(t *testing.T) {
	plan := sizesPlan("")
	plan.Sizes[1].Scale.Warehouses = 2
	environment := Environment{CacheMode: warm}
	var p Progress
	p.Apply(Event{Kind: EventPlan, Growth: &plan, Environment: &environment})
	for block, disturbed := range []string{"", "other programs took 0.96 processors (limit 0.30)"} {
		p.Apply(Event{Kind: EventResult, Trial: &Trial{
			Cell: "100M", Slot: Slot{Block: block}, Status: study.OK, OpsPerSecond: 500, Result: &workload.Result{Disturbed: disturbed},
		}})
	}
	all := strings.Join(p.GrowthResult().Warnings, "\n")
	for _, want := range []string{"fewer than 10 warehouses", "does not hold the file cache", "1 of 2 trials count although other load disturbed them (other programs took 0.96"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}
