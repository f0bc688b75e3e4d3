package differential

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

var (
	seed  = flag.Uint64("seed", 1, "of the generators")
	texts = flag.Int("texts", 0, "how many `texts` each engine is asked about (default 200, 2,000 when FBTUNE_LONG is set)")
)

// What make test and make test-long ask each engine.
const (
	shortTexts = 200
	longTexts  = 2000
	// longEach is the least a feature gets in the long form.
	longEach = 50
)

// quota is how many inputs of each origin a feature gets.
func quota() int {
	n := shortTexts
	if firebirdtest.Long() {
		n = longTexts
	}
	n = cmp.Or(*texts, n)
	return (n + 2*len(features) - 1) / (2 * len(features))
}

// TestDifferential asks every engine about every feature.
func TestDifferential(t *testing.T) {
	probes := readProbes(t)
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		t.Parallel()
		c := comparison{T: t, engine: newEngine(t, inst), fates: map[fate]int{}}
		g := newGenerator(*seed, probes)
		for _, f := range features {
			c.feature(f, g)
		}
		c.report()
	})
}

// mostReported is how many disagreements are shrunk and shown; one mistake
// makes many.
const mostReported = 8

// mostAsks is how often an engine is asked to shrink one of them.
const mostAsks = 400

// comparison is one engine's share of the test.
type comparison struct {
	*testing.T
	engine   *engine
	fates    map[fate]int
	asked    [2]int // fresh and mutated
	large    int
	differ   int
	reported []string
	table    []string
}

// feature compares the answers to a feature's quota of inputs.
func (c *comparison) feature(f feature, g *generator) {
	var asked [2]int
	differ := c.differ
	for i, o := range []origin{fresh, mutated} {
		for in := range g.inputs(f, o) {
			if c.compare(in) {
				asked[i]++
			}
			if asked[i] == quota() || c.Failed() && len(c.reported) == mostReported {
				break
			}
		}
		c.asked[i] += asked[i]
	}
	c.table = append(c.table, fmt.Sprintf("%-36s %6d %8d %13d", f.name, asked[0], asked[1], c.differ-differ))
}

// compare asks about an input and reports a disagreement. It is false when the
// input was too large to ask.
func (c *comparison) compare(in input) bool {
	_, answered, differences, err := c.difference(in)
	if errors.As(err, &tooLarge{}) {
		c.large++
		return false
	}
	if err != nil {
		c.Fatalf("%v: %v", in, err)
	}
	c.fates[answered.fate]++
	if len(differences) == 0 {
		return true
	}
	c.differ++
	if len(c.reported) == mostReported {
		return true
	}
	small := in.with(shrink(in.text, mostAsks, func(text string) bool {
		_, _, d, err := c.difference(in.with(text))
		return err == nil && len(d) > 0
	}))
	report := small.String()
	if slices.Contains(c.reported, report) {
		return true
	}
	c.reported = append(c.reported, report)
	_, _, differences, err = c.difference(small)
	c.Errorf("%v\n\t%s\n\tfound by %v (%v)", small, strings.Join(differences, "\n\t"), in, err)
	return true
}

// difference asks the engine about an input, and lists where its answer is not
// as foretold.
func (c *comparison) difference(in input) (foretold, answered answer, _ []string, err error) {
	if err := c.engine.write(in); err != nil {
		return foretold, answered, nil, err
	}
	if foretold, err = c.engine.foretell(in); err != nil {
		return foretold, answered, nil, err
	}
	answered, err = c.engine.ask(c.Context(), in)
	return foretold, answered, differences(foretold, answered), err
}

// report logs what was asked, and fails when that was less than promised.
func (c *comparison) report() {
	c.Logf("Firebird %s, seed %d\n%-36s %6s %8s %13s\n%s\n%-36s %6d %8d %13d\nfates: %v; too large to ask: %d",
		c.engine.inst.FullVersion(), *seed, "feature", fresh, mutated, "disagreements", strings.Join(c.table, "\n"),
		"together", c.asked[0], c.asked[1], c.differ, c.fates, c.large)
	if c.Failed() {
		return
	}
	total := c.asked[0] + c.asked[1]
	switch {
	case total < cmp.Or(*texts, shortTexts):
		c.Errorf("only %d texts were asked", total)
	case firebirdtest.Long() && *texts == 0 && (total < longTexts || 2*quota() < longEach):
		c.Errorf("%d texts, %d a feature; %d and %d are the full count", total, 2*quota(), longTexts, longEach)
	case 2*c.asked[1] < total:
		c.Errorf("%d of %d texts are mutations, half are promised", c.asked[1], total)
	}
	for _, f := range []fate{works, refuses, nowhere} {
		if c.fates[f] == 0 {
			c.Errorf("no text of which the attachment %s: the texts are too much alike", f)
		}
	}
}
