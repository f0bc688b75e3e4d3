package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// grown is a growth of four sizes on the given paths, of which the last failed.
func grown(paths ...string) *tuner.Progress {
	e := environment()
	plan := tuner.Growth{
		Paths: paths, Mode: confgen.Super, Settings: map[string]string{confgen.ServerMode: "Super", confgen.DefaultDbCachePages: "4096"},
		Blocks: 3, Cap: 256 * confgen.MiB, Load: e.Load,
	}
	speeds := []struct {
		name        string
		cardinality float64
		ops, rate   float64
	}{{"128M", 0.129, 980, 31e6}, {"256M", 0.259, 910, 30e6}, {"512M", 0.52, 430, 21e6}, {"1G", 1, 0, 12e6}}
	for _, s := range speeds {
		plan.Sizes = append(plan.Sizes, tuner.Size{Name: s.name, Scale: workload.Scale{Warehouses: 10, Cardinality: s.cardinality, Seed: 1}})
	}
	p := new(tuner.Progress)
	p.Apply(tuner.Event{Kind: tuner.EventPlan, Growth: &plan, Environment: &e})
	for i, c := range plan.Cells() {
		s := speeds[i/len(paths)]
		bytes := plan.Sizes[i/len(paths)].Scale.EstimatedBytes()
		took := time.Duration(float64(bytes) / s.rate / (1 + float64(i%len(paths))) * 1e9)
		p.Apply(tuner.Event{Kind: tuner.EventLoaded, Cell: c.Name, Loading: &tuner.Loading{
			Load: workload.LoadResult{Rows: bytes / 205, Bytes: bytes, Load: took / 4 * 3, Index: took / 8}, Flush: took / 8,
		}})
	}
	for block := range plan.Blocks {
		for order, i := range plan.Order(block) {
			c := plan.Cells()[i]
			t := tuner.Trial{
				Cell: c.Name, Mode: c.Mode, Slot: tuner.Slot{Block: block, Order: order}, Status: study.OK,
				OpsPerSecond: speeds[i/len(paths)].ops * (1 + 0.02*float64(block) + 0.01*float64(order%2) + 0.3*float64(i%len(paths))),
				Effective:    []running.Effective{{Name: confgen.DefaultDbCachePages, Value: "4096"}},
				Overhead:     tuner.Overhead{Reset: 0.4, Start: 0.1},
			}
			if t.OpsPerSecond == 0 {
				t.Status, t.Reason = study.Failed, "after the load: the server broke its memory cap of 256 MiB (cgroup v1): lower DefaultDbCachePages, or raise --cap"
			}
			p.Apply(tuner.Event{Kind: tuner.EventResult, Trial: &t})
		}
	}
	p.Apply(tuner.Event{Kind: tuner.EventEnd})
	return p
}

func TestGrowthText(t *testing.T) {
	var b bytes.Buffer
	if err := Growth(&b, grown("").GrowthResult()); err != nil {
		t.Fatal(err)
	}
	golden(t, "growth.txt", b.String())
}

func TestGrowthOnTwoPaths(t *testing.T) {
	var b bytes.Buffer
	if err := Growth(&b, grown("/mnt/old", "/mnt/new").GrowthResult()); err != nil {
		t.Fatal(err)
	}
	golden(t, "growth_paths.txt", b.String())
}

func TestGrowthWithPublished(t *testing.T) {
	p := grown("")
	p.Growth.WithPublished = true
	p.Cause = "interrupted"
	var b bytes.Buffer
	if err := Growth(&b, p.GrowthResult()); err != nil {
		t.Fatal(err)
	}
	golden(t, "growth_published.txt", b.String())
}

// Before anything was measured there is a table, and no chart of nothing.
func TestGrowthOfNothing(t *testing.T) {
	p := grown("")
	p.Loadings, p.Trials = nil, nil
	r := p.GrowthResult()
	for _, c := range r.Charts {
		if got := drawn(c); got != "" {
			t.Errorf("a chart without a point is\n%s", got)
		}
	}
	if table := GrowthTable(r); strings.Count(table, "\n") != 6 {
		t.Errorf("the table of four sizes is\n%s", table)
	}
}

func TestSizeTick(t *testing.T) {
	for v, want := range map[float64]string{27: "128 MiB", 27.5: "181 MiB", 30: "1 GiB", 30.5: "1.4 GiB", 34: "16 GiB"} {
		if got := sizeTick(0, v); got != want {
			t.Errorf("2^%g is %q, want %q", v, got, want)
		}
	}
}
