package tuner_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// sizesOn is a growth of two tiny sizes that an installation is to measure.
func sizesOn(t *testing.T, inst firebird.Installation) (tuner.Growth, tuner.Setup) {
	t.Helper()
	home := firebirdtest.Dir(t)
	host, err := probe.Read(t.Context(), probe.Live(), home)
	if err != nil {
		t.Fatal(err)
	}
	load := tuner.Load{Connections: 4, Warmup: 500 * time.Millisecond, Duration: time.Second, PageSize: 8192}
	plan := tuner.Growth{
		Paths: []string{""}, Mode: confgen.Super, Settings: map[string]string{confgen.ServerMode: string(confgen.Super)}, Blocks: 1, Cap: firebirdtest.Cap,
	}
	for _, s := range []struct {
		name       string
		warehouses int
	}{{"small", 2}, {"large", 6}} {
		plan.Sizes = append(plan.Sizes, tuner.Size{Name: s.name, Scale: workload.Scale{Warehouses: s.warehouses, Cardinality: 0.02, Seed: 1}})
	}
	load.Scale = plan.Sizes[0].Scale
	plan.Load = load
	return plan, tuner.Setup{Version: "test", Firebird: inst, Host: host, Home: home, Cap: firebirdtest.Cap, CapFiles: true, Load: load}
}

func TestGrowthOnARealServer(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		plan, setup := sizesOn(t, inst)
		b, err := tuner.OpenBench(t.Context(), setup, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := b.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		store, err := study.Open(t.Context(), filepath.Join(setup.Home, "studies.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		st, err := tuner.NewGrowth(t.Context(), store, "test", plan, b.Environment())
		if err != nil {
			t.Fatal(err)
		}
		p, err := tuner.Grow(t.Context(), []tuner.SizeBench{b}, st, plan, b.Environment(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := p.GrowthResult()
		for _, s := range r.Sizes {
			if s.Status != tuner.CellOK || s.Loading == nil {
				t.Fatalf("%s: %s %s, loaded %v", s.Name, s.Status, s.Reason, s.Loading)
			}
			l := s.Loading
			if l.Load.Load <= 0 || l.Load.Index <= 0 || l.Flush <= 0 || l.Load.Rows == 0 || s.N != 1 {
				t.Errorf("%s: loading %+v", s.Name, l)
			}
		}
		if left, err := filepath.Glob(filepath.Join(setup.Home, "data", "golden", "*.fdb")); err != nil || len(left) != 2 {
			t.Errorf("golden copies %v (%v), want one of each size", left, err)
		}

		// Loaded once more, it is a true load, and the golden copy stays.
		before := r.Sizes[0].Loading
		again, err := b.LoadAfresh(t.Context(), plan.Sizes[0].Scale, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again.SHA256 != before.SHA256 || again.Load.Checksum != before.Load.Checksum || again.Load.Load <= 0 || again.Load.Load == before.Load.Load {
			t.Errorf("loaded again: %+v, the first time %+v", again, before)
		}
	})
}

// What does not fit on the disk, or into the cap, is refused before anything is
// loaded.
func TestGrowthIsCheckedFirst(t *testing.T) {
	plan, setup := sizesOn(t, firebirdtest.Installation(t))
	small, large := plan.Sizes[0].Bytes(), plan.Sizes[1].Bytes()
	need := small + large + 2*large
	for _, test := range []struct {
		free probe.Bytes
		fits bool
	}{{need, true}, {need - 1, false}} {
		setup.Host.Disk.Free = probe.Given(test.free, "test")
		b, err := tuner.OpenBench(t.Context(), setup, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Check([]*tuner.Bench{b}); (err == nil) != test.fits {
			t.Errorf("%s free of %s needed: %v", test.free, need, err)
		}
		var refused *confgen.DoesNotFit
		little := plan
		little.Cap = 64 * confgen.MiB
		if err := little.Check([]*tuner.Bench{b}); !errors.As(err, &refused) {
			t.Errorf("below 64 MiB: %v, want the configuration refused", err)
		}
		// Two paths on one disk share its room.
		if err := plan.Check([]*tuner.Bench{b, b}); err == nil {
			t.Error("room for one path is enough for two")
		}
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
