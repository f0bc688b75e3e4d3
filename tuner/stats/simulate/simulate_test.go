package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// long reports whether the full counts are asked for.
func long() bool { return os.Getenv("FBTUNE_LONG") != "" }

// studies is how many studies a figure is held by.
func studies(short int) int {
	if long() {
		return fullStudies
	}
	return short
}

// slack is how far a share of n studies may lie from a probability of p before
// it speaks against it with 99.8 % confidence. In the full counts figures must
// keep their bounds without it.
func slack(p float64, n int) float64 {
	if long() {
		return 0
	}
	return 3.1 * math.Sqrt(p*(1-p)/float64(n))
}

// planNamed finds a plan.
func planNamed(t *testing.T, name string) plan {
	t.Helper()
	i := slices.IndexFunc(plans, func(p plan) bool { return p.name == name })
	if i < 0 {
		t.Fatalf("no plan %q", name)
	}
	return plans[i]
}

// TestRegretIsHalved holds that the configuration picked is, in the mean, at
// most half as bad as that of repeating each back to back: the race with no
// more runs than 4 repeats of each (in the mean, and within a budget in every
// study), and the whole protocol with no more runs than 8 repeats.
func TestRegretIsHalved(t *testing.T) {
	const fourRepeats, eightRepeats = "4 runs each, back to back", "8 runs each, back to back"
	tests := []struct {
		plan, than string
		every      bool // no study takes more runs, not only the mean
	}{
		{"race", fourRepeats, false},
		{"race, at most 40 runs", fourRepeats, true},
		{"whole protocol", eightRepeats, false},
	}
	for _, tt := range tests {
		// Repeats take no estimates, so they can afford all studies.
		repeats, err := simulatePlan(planNamed(t, tt.than), usual, fullStudies)
		if err != nil {
			t.Fatal(err)
		}
		got, err := simulatePlan(planNamed(t, tt.plan), usual, studies(120))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: regret %.2f %% in %.1f runs (at most %d); %s: %.2f %% in %.0f",
			tt.plan, 100*got.regret, got.runs, got.mostRuns, tt.than, 100*repeats.regret, repeats.runs)
		allowed := repeats.regret / 2
		if !long() {
			allowed += 3.1 * got.stdErr
		}
		if got.regret > allowed {
			t.Errorf("%s: regret %.2f %%, more than half of %.2f %%", tt.plan, 100*got.regret, 100*repeats.regret)
		}
		if got.runs > repeats.runs || tt.every && got.mostRuns > repeats.mostRuns {
			t.Errorf("%s takes %.1f runs, at most %d; %s takes %.0f", tt.plan, got.runs, got.mostRuns, tt.than, repeats.runs)
		}
	}
}

// holdVerdicts holds whole studies to their promises on a kind of machine.
func holdVerdicts(t *testing.T, in []world, perWorld int, machineOf func(uint64) machine) {
	t.Helper()
	covered, all := 0, 0
	for _, w := range in {
		v, err := simulateVerdicts(w, perWorld, machineOf)
		if err != nil {
			t.Fatal(err)
		}
		covered += v.covered
		all += v.studies
		any := float64(v.announcedAny) / float64(perWorld)
		t.Logf("%s: %.1f %% covered; announced in %.1f %%, against any in %.1f %%; %v", w.name, 100*v.coverage(), 100*v.share(v.announced), 100*any, v.outcomes)
		wide := slack(.05, v.studies)
		if c := v.coverage(); c < .93-wide || c > .97+wide {
			t.Errorf("%s: the 95 %% interval covers the truth in %.1f %% of %d studies", w.name, 100*c, v.studies)
		}
		if w.name != worlds[0].name {
			continue
		}
		if any > .05+wide {
			t.Errorf("A/A: a winner is announced in %.1f %% of %d studies", 100*any, perWorld)
		}
		// Each look spends half of 2.5 %, before the detection limit counts.
		if better := v.share(v.outcomes[stats.Better]); better > .025+slack(.025, v.studies)+.01 {
			t.Errorf("A/A: the winner is called better in %.1f %% of %d studies", 100*better, v.studies)
		}
	}
	if share, wide := float64(covered)/float64(all), slack(.05, all); share < .93-wide || share > .97+wide {
		t.Errorf("the 95 %% intervals cover the truth in %.1f %% of %d studies", 100*share, all)
	}
}

// TestVerdictsKeepTheirPromises holds coverage and false winners on drifting
// machines, the extension and early stops included.
func TestVerdictsKeepTheirPromises(t *testing.T) {
	holdVerdicts(t, worlds, studies(40), drifting)
}

// TestVerdictsOnRecordedNoise holds the same with the noise of trials resampled:
// of a record written and read again here, and of every record in testdata.
func TestVerdictsOnRecordedNoise(t *testing.T) {
	made := filepath.Join(t.TempDir(), "made.csv")
	var text strings.Builder
	fmt.Fprintln(&text, strings.Join(recordColumns, ","))
	m := noise.NewDrifting(1, .03, .03)
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%d,same,%.2f\n", i/6, i%6, m.Run(700))
	}
	if err := os.WriteFile(made, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	recorded, err := filepath.Glob("../testdata/*.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(recorded, made) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			record, err := readRecord(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d trials with a spread of %.1f %%", record.Len(), 100*record.Spread())
			holdVerdicts(t, []world{worlds[0], worlds[2]}, studies(40), resampled(record))
		})
	}
}

// TestStudentTBeatsTheBootstrap holds the interval of few blocks.
func TestStudentTBeatsTheBootstrap(t *testing.T) {
	n := studies(300)
	got, err := simulateIntervals(6, n)
	if err != nil {
		t.Fatal(err)
	}
	student, strap := float64(got.studentT)/float64(n), float64(got.bootstrap)/float64(n)
	if wide := slack(.05, n); student < .93-wide || student > .97+wide {
		t.Errorf("Student-t covers the truth in %.1f %%", 100*student)
	}
	if strap > .90 {
		t.Errorf("the percentile bootstrap covers the truth in %.1f %%: then it would do", 100*strap)
	}
	if wrong, wide := float64(got.falseStudent)/float64(n), slack(.025, n); wrong > .035+wide {
		t.Errorf("Student-t announces a false winner in %.1f %%", 100*wrong)
	}
}

// TestLooksSpendTheError holds that two looks make no more false winners than
// one, and that looking again and again does.
func TestLooksSpendTheError(t *testing.T) {
	n := studies(400)
	var shares []float64
	for _, l := range lookings {
		share, err := simulateLooks(l, n)
		if err != nil {
			t.Fatal(err)
		}
		shares = append(shares, share)
	}
	t.Logf("false winners: %v", shares)
	for _, share := range shares[:2] {
		if share > .025+3.1*math.Sqrt(.025*.975/float64(n)) {
			t.Errorf("%.1f %% false winners", 100*share)
		}
	}
	if shares[2] < .05 {
		t.Errorf("eight looks at full error make %.1f %% false winners: then they would do", 100*shares[2])
	}
}

func TestParseRecordRefuses(t *testing.T) {
	header := strings.Join(recordColumns, ",") + "\n"
	tests := []struct{ name, text, want string }{
		{"nothing", "", "first line"},
		{"other columns", "a,b,c,d\n", "first line"},
		{"no number", header + "0,0,a,fast\n", "line 2"},
		{"few trials", header + "0,0,a,700\n", "too few"},
	}
	for _, tt := range tests {
		if _, err := parseRecord(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error = %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestTablesAreThoseOfTheDocument prints all tables. The full counts must be
// those that docs/simulations.md shows.
func TestTablesAreThoseOfTheDocument(t *testing.T) {
	n := studies(3)
	var out bytes.Buffer
	if err := run(&out, n, ""); err != nil {
		t.Fatal(err)
	}
	tables := strings.Split(strings.TrimSpace(out.String()), "\n\n")
	if len(tables) != 8 {
		t.Fatalf("%d parts, want a title and a table four times:\n%s", len(tables), out.String())
	}
	document, err := os.ReadFile("../../../docs/simulations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range tables {
		if long() && !strings.Contains(string(document), part) {
			t.Errorf("docs/simulations.md does not show\n%s", part)
		}
		header, _, _ := strings.Cut(part, "\n")
		if strings.HasPrefix(part, "|") && !strings.Contains(squeezed(string(document)), squeezed(header)) {
			t.Errorf("docs/simulations.md has no table with the columns\n%s", header)
		}
	}
	if err := run(&out, 0, ""); err == nil {
		t.Error("no studies were accepted")
	}
}

// squeezed is text without the spaces that align it.
func squeezed(text string) string { return strings.ReplaceAll(text, " ", "") }
