package replay

import (
	"math/rand/v2"

	"github.com/fbtune/fbtune/confgen"
)

// randomMachine draws a machine, none of them on purpose.
func randomMachine(seed uint64) machine {
	rng := rand.New(rand.NewPCG(seed, 4))
	between := func(low, high float64) float64 { return low + (high-low)*rng.Float64() }
	each := func(low, high float64) map[confgen.Mode]float64 {
		return modes(between(low, high), between(low, high), between(low, high))
	}
	m := machine{
		level: each(5.8, 6.2), gain: each(.2, 1.2), burden: each(0, .2),
		half:   modes(between(8, 14), between(6.5, 10.5), between(6.5, 10.5)),
		chains: between(0, .12), system: between(0, .3), policy: between(-.05, .05),
		sigma: []float64{.02, .03, .05, .08}[rng.IntN(4)],
	}
	if rng.IntN(4) == 0 {
		m.crashAbove = 256 << rng.IntN(4)
	}
	return m
}
