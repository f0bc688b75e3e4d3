package replay

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/tuner/search"
)

// recorded reads the grids that were measured.
func recorded(t *testing.T) []Record {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "grids.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestRecordedGridsAreWhole(t *testing.T) {
	records := recorded(t)
	for _, plan := range Plans() {
		if missing := plan.Missing(records); len(missing) > 0 || len(plan.Cells()) != 96 {
			t.Errorf("%s: %d of %d cells x %d blocks are missing", plan.Size, len(missing), len(plan.Cells()), plan.Blocks)
		}
	}
}

// The default sampler is the one that the rule gives for the recorded grids.
// Without FBTUNE_LONG two of the samplers are played, by a few seeds, to see that
// the grids can be searched.
func TestRecordedGridsDecideTheDefault(t *testing.T) {
	seeds, samplers := 2, []string{search.Random, search.TPE}
	if firebirdtest.Long() {
		seeds, samplers = Seeds, search.Names()
	}
	records := recorded(t)
	var all []Outcome
	for _, size := range Sizes(records) {
		of := slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Size != size })
		s, err := Fit(size, confgen.Version{Major: 3, Patch: confgen.AnyPatch}, of)
		if err != nil {
			t.Fatal(err)
		}
		if s.Sigma() < 0.02 || s.Sigma() > 0.3 {
			t.Errorf("%s: the noise of a trial is %.3f", size, s.Sigma())
		}
		for _, name := range samplers {
			o, err := Play(s, name, seeds)
			if err != nil {
				t.Fatal(err)
			}
			if value := o.Mean(len(Checkpoints) - 1); value < 0.6 || value > 1 {
				t.Errorf("%s, %s: %.2f of the best after %d trials", size, name, value, Checkpoints[len(Checkpoints)-1])
			}
			all = append(all, o)
		}
	}
	if !firebirdtest.Long() {
		return
	}
	if d, err := Decide(all); err != nil || d.Sampler != search.Default {
		t.Errorf("the rule gives %q, %v; the default is %s", d.Sampler, err, search.Default)
	}
}
