package space

import "github.com/fbtune/fbtune/confgen"

// A row is a setting of the table of ladders.
type row struct {
	name  string
	modes []confgen.Mode // in which it has an effect; nil is all

	// Numbers of an integer setting, lowest first; the engine's default is
	// added to them. Words need none: the catalogue has them.
	super, others []int64

	step  float64             // between the rungs of a range
	round func(n int64) int64 // what the rungs of a range are rounded to
}

// numbers returns the numbers of a row in an architecture.
func (r row) numbers(mode confgen.Mode) []int64 {
	if mode == confgen.Super || r.others == nil {
		return r.super
	}
	return r.others
}

// Sizes in bytes.
const (
	kib = int64(confgen.KiB)
	mib = int64(confgen.MiB)
	gib = int64(confgen.GiB)
)

// rows are the settings that a search may choose, in the order in which points
// hold them. Each ladder spans what practice uses and a step to either side;
// sizes rise by factors, since effects of caches go by the logarithm.
func rows() []row {
	exact := func(n int64) int64 { return n }
	return []row{
		{name: confgen.ServerMode},
		{
			// Super: one cache for all. The others: a cache for each connection,
			// of which practice recommends up to 2048 pages.
			name:  confgen.DefaultDbCachePages,
			super: powers(256, 1<<20, 2), others: powers(64, 8192, 2), step: 2, round: exact,
		},
		{
			// The default of 2.5, that of 3.0, primes of practice, the most the
			// engine takes.
			name:  confgen.LockHashSlots,
			super: []int64{1009, 8191, 16381, 30011, 65521}, step: 2, round: prime,
		},
		{name: confgen.LockMemSize, super: powers(mib, 64*mib, 4), step: 4, round: multipleOf(kib)},
		{
			name:  confgen.TempCacheLimit,
			super: powers(4*mib, 4*gib, 4), others: powers(2*mib, 128*mib, 4), step: 4, round: multipleOf(kib),
		},
		{name: confgen.TempBlockSize, super: powers(256*kib, 16*mib, 4), step: 4, round: multipleOf(64 * kib)},
		{name: confgen.GCPolicy, modes: []confgen.Mode{confgen.Super}},
		{name: confgen.InlineSortThreshold, super: []int64{0, 250, 4000, 16384, 65536}, step: 4, round: exact},
		{name: confgen.UseFileSystemCache},
		{name: confgen.FileSystemCacheThreshold},
		{name: confgen.TcpRemoteBufferSize, super: []int64{1448, 4096, 16384, 32767}, step: 2, round: exact},
		{name: confgen.MaxStatementCacheSize, super: []int64{0, 512 * kib, 8 * mib, 32 * mib}, step: 4, round: multipleOf(kib)},
		{name: "OptimizeForFirstRows"},
		{name: confgen.ParallelWorkers, super: powers(1, 64, 2), step: 2, round: exact},
		{name: confgen.MaxParallelWorkers, super: powers(1, 64, 2), step: 2, round: exact},
		{name: confgen.DatabaseGrowthIncrement, super: []int64{0, 32 * mib, 512 * mib}, step: 4, round: multipleOf(kib)},
		{name: confgen.MaxUnflushedWrites, super: []int64{-1, 100, 1000, 10000}, step: 10, round: exact},
		{name: confgen.MaxUnflushedWriteTime, super: []int64{-1, 5, 50}, step: 10, round: exact},
	}
}

// powers returns low, low*factor and so on up to high.
func powers(low, high, factor int64) []int64 {
	var list []int64
	for n := low; n <= high; n *= factor {
		list = append(list, n)
	}
	return list
}

// rowOf returns the row of a setting; for one that the table does not have, a
// row of whatever the catalogue or a range gives.
func rowOf(name string) row {
	for _, r := range rows() {
		if r.name == name {
			return r
		}
	}
	return row{name: name, step: 2, round: func(n int64) int64 { return n }}
}

// A partner is a setting without which another has no effect.
type partner struct{ of, name string }

// partners are held at their highest value while they are not exercised
// themselves and the other one is.
var partners = []partner{{of: confgen.ParallelWorkers, name: confgen.MaxParallelWorkers}}
