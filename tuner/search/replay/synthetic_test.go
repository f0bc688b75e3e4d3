package replay

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/space"
)

// A machine makes synthetic truths over the cells of a plan the way servers do:
// a level for each architecture, pages that saturate at a number of their own
// and cost something beyond it, chains in the lock table that grow with pages
// and shrink with slots, the system's cache that helps where Firebird's misses,
// and a policy of garbage collection that costs more the faster the server is.
type machine struct {
	level      map[confgen.Mode]float64 // log score, relative
	gain       map[confgen.Mode]float64 // log score from the smallest to an infinite cache
	half       map[confgen.Mode]float64 // log2 of the pages that give half of the gain
	burden     map[confgen.Mode]float64 // log score lost for each doubling beyond 2^(half+2)
	chains     float64                  // log score lost for each doubling of a chain longer than one
	system     float64                  // log score lost without the system's cache, where all reads miss
	policy     float64                  // log score won by cooperative collection, at full speed
	crashAbove int                      // pages of a connection from which Classic fails; 0 is none
	sigma      float64                  // of the log score of a trial
}

// value returns the log score of a cell.
func (m machine) value(cell map[string]string) float64 {
	mode := confgen.Mode(cell[confgen.ServerMode])
	pages := math.Log2(number(cell[confgen.DefaultDbCachePages]))
	hit := 1 / (1 + math.Exp2(m.half[mode]-pages))
	y := m.level[mode] + m.gain[mode]*hit - m.burden[mode]*math.Max(0, pages-m.half[mode]-2)
	if slots := cell[confgen.LockHashSlots]; slots != "" {
		chain := 20 * math.Exp2(pages) / number(slots)
		y -= m.chains * math.Max(0, math.Log2(chain))
	}
	if cell[confgen.FileSystemCacheThreshold] == "0" {
		y -= m.system * (1 - hit)
	}
	if cell[confgen.GCPolicy] == "cooperative" {
		y += m.policy * hit
	}
	return y
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // of the plan
	}
	return n
}

// modes makes a table by architecture.
func modes(super, superClassic, classic float64) map[confgen.Mode]float64 {
	return map[confgen.Mode]float64{confgen.Super: super, confgen.SuperClassic: superClassic, confgen.Classic: classic}
}

// machines are the synthetic servers: what workload.md measured at 1 GB, and
// others on which the best lies elsewhere.
func machines() map[string]machine {
	return map[string]machine{
		// Super wins by its large cache; O_DIRECT costs where it misses.
		"large cache": {
			level: modes(6.0, 6.1, 5.9), gain: modes(1.0, .5, .4), half: modes(12, 8, 8), burden: modes(0, .02, .04),
			chains: .04, system: .2, policy: .03, sigma: .03,
		},
		// A small database: the caches of connections do as well, and a few
		// cells of SuperClassic are the best.
		"small database": {
			level: modes(6.3, 6.2, 6.0), gain: modes(.5, .8, .7), half: modes(9, 7.5, 8), burden: modes(.02, .09, .1),
			chains: .06, system: .1, policy: -.02, sigma: .05,
		},
		// The best is a narrow place of Classic.
		"narrow": {
			level: modes(6.0, 5.9, 6.0), gain: modes(.4, .4, 1.1), half: modes(10, 9, 9.5), burden: modes(.05, .1, .35),
			chains: .12, system: .15, policy: .02, sigma: .03,
		},
		// The same, on a machine with much noise.
		"narrow, noisy": {
			level: modes(6.0, 5.9, 6.0), gain: modes(.4, .4, 1.1), half: modes(10, 9, 9.5), burden: modes(.05, .1, .35),
			chains: .12, system: .15, policy: .02, sigma: .1,
		},
		// The larger the faster, until the server dies.
		"cliff": {
			level: modes(5.8, 5.9, 6.0), gain: modes(.6, .6, 1.2), half: modes(12, 9, 10), burden: modes(0, 0, 0),
			chains: .02, system: .1, policy: .03, crashAbove: 1024, sigma: .03,
		},
	}
}

// surface is a machine's own truth over the cells of a plan, with normal noise.
func (m machine) surface(name string, plan Plan) *Surface {
	sp, err := space.Of(confgen.Version{Major: 3, Patch: confgen.AnyPatch}, plan.Cells())
	if err != nil {
		panic(err)
	}
	s := newSurface(name, sp)
	for i, p := range s.Points {
		settings := sp.Settings(p)
		if m.crashes(settings) {
			continue
		}
		s.Truth[i] = math.Exp(m.value(settings))
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(name))))
	for range 3 * len(s.Points) {
		s.Noise = append(s.Noise, m.sigma*rng.NormFloat64())
	}
	return s
}

// crashes reports whether a cell brings the server down.
func (m machine) crashes(cell map[string]string) bool {
	return m.crashAbove > 0 && confgen.Mode(cell[confgen.ServerMode]) == confgen.Classic && number(cell[confgen.DefaultDbCachePages]) > float64(m.crashAbove)
}

// record makes the records of a plan, as a recorder would: blocks of their own
// level, noise, crashes.
func (m machine) record(plan Plan, seed uint64) []Record {
	rng := rand.New(rand.NewPCG(seed, 3))
	var records []Record
	for _, r := range plan.Missing(nil) {
		if !m.crashes(r.Settings) {
			r.OpsPerSecond = math.Exp(m.value(r.Settings) + .05*float64(r.Block) + m.sigma*rng.NormFloat64())
		}
		records = append(records, r)
	}
	return records
}
