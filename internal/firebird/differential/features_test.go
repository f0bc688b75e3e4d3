package differential

import (
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// feature is a part of the grammar, and how texts about it are made.
type feature struct {
	name string
	// fresh writes a text from scratch.
	fresh func(d dice) input
	// mutate changes the text of a probe so that it has to do with the feature.
	mutate func(d dice, text string) string
	// probes is the kind of file whose probes are mutated; nil stands for all.
	probes *fbconf.Kind
}

var inConf, inDatabases = new(fbconf.FirebirdConf), new(fbconf.DatabasesConf)

// features are the parts of the grammar.
var features = [...]feature{
	{"comments", freshComment, mutateComment, nil},
	{"quotes", freshQuotes, mutateQuotes, nil},
	{"blanks", freshBlanks, mutateBlanks, nil},
	{"suffixes", freshSuffix, mutateSuffix, nil},
	{"numbers", freshNumber, mutateNumber, nil},
	{"booleans", freshBoolean, mutateBoolean, inConf},
	{"words", freshWord, mutateWord, inConf},
	{"bounds", freshBound, mutateBound, inConf},
	{"macros", freshMacro, mutateMacro, nil},
	{"include", freshInclude, mutateInclude, nil},
	{"include with wildcards", freshWildcard, mutateWildcard, nil},
	{"duplicates", freshDuplicate, mutateDuplicate, nil},
	{"no equals sign", freshNoEquals, mutateNoEquals, nil},
	{"empty values", freshEmpty, mutateEmpty, nil},
	{"keys", freshKey, mutateKey, nil},
	{"braces in firebird.conf", freshBrace, mutateBrace, inConf},
	{"blocks", freshBlock, mutateBlock, inDatabases},
	{"traps of blocks", freshTrap, mutateTrap, inDatabases},
	{"aliases", freshAlias, mutateAlias, inDatabases},
	{"byte order mark and foreign bytes", freshForeign, mutateForeign, nil},
	{"NUL and UTF-16", freshNUL, mutateNUL, nil},
	{"carriage returns and ends of lines", freshReturn, mutateReturn, nil},
}

// origin is where a text is from.
type origin string

const (
	fresh   origin = "fresh"
	mutated origin = "mutated"
)

// generator makes inputs, none of them twice.
type generator struct {
	seed   uint64
	probes []input
	seen   map[input]bool
}

func newGenerator(seed uint64, probes []input) *generator {
	g := &generator{seed: seed, probes: probes, seen: map[input]bool{}}
	for _, p := range probes {
		g.seen[p] = true // what is recorded is not asked again
	}
	return g
}

// tries is how often a generator may repeat itself before it is poor.
const tries = 2000

// inputs are those of a feature, without end. It panics when the feature has no
// more than it gave.
func (g *generator) inputs(f feature, o origin) iter.Seq[input] {
	d := throw(g.seed, fmt.Sprintf("%s %s", o, f.name))
	probes := slices.DeleteFunc(slices.Clone(g.probes), func(p input) bool { return f.probes != nil && p.kind != *f.probes })
	return func(yield func(input) bool) {
		for repeated := 0; repeated < tries; repeated++ {
			var in input
			if o == fresh {
				in = f.fresh(d)
			} else {
				probe := probes[d.IntN(len(probes))]
				in = probe.with(f.mutate(d, probe.text))
			}
			if g.seen[in] {
				continue
			}
			g.seen[in] = true
			repeated = -1
			if !yield(in) {
				return
			}
		}
		panic(fmt.Sprintf("no more %s inputs about %s", o, f.name))
	}
}

// TestGenerators: a feature has inputs enough for the long form, none twice and
// none that is a probe, and they are the same for the same seed.
func TestGenerators(t *testing.T) {
	probes := readProbes(t)
	draw := func(seed uint64) (all []input) {
		g := newGenerator(seed, probes)
		for _, f := range features {
			for _, o := range []origin{fresh, mutated} {
				n := 0
				for in := range g.inputs(f, o) {
					all = append(all, in)
					if n++; n == 2*longEach {
						break
					}
				}
			}
		}
		return all
	}
	first := draw(1)
	seen := map[input]bool{}
	for _, p := range probes {
		seen[p] = true
	}
	for _, in := range first {
		if seen[in] {
			t.Errorf("%v comes twice", in)
		}
		seen[in] = true
	}
	if !slices.Equal(first, draw(1)) {
		t.Error("the same seed gives other inputs")
	}
	if slices.Equal(first, draw(2)) {
		t.Error("another seed gives the same inputs")
	}
}
