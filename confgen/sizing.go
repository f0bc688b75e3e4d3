package confgen

import (
	"fmt"
	"slices"
	"strconv"
)

// Rules of thumb. Published figures are collected in docs; a sweep replaces
// them by measurements.
const (
	// cacheShare is the part of the memory for the page cache: of Super's one
	// cache as IBSurgeon's calculator sizes it (eight published outputs are
	// 25 % of RAM exactly), of all connections' caches together as practice
	// has it (30 % / connections / page size).
	cacheShareSuper  = 0.25
	cacheShareOthers = 0.30

	// mostPerConnection is the largest cache of a connection that practice
	// recommends (oltp-emul: at most 2048 pages in Classic and SuperClassic).
	mostPerConnection Pages = 2048

	// roomToGrow is how much larger than its database a cache is made, so that
	// it still holds it after the database has grown.
	roomToGrow = 1.25

	// pageStep is the multiple to which page counts are rounded down.
	pageStep Pages = 64

	// leastTemp is the smallest TempCacheLimit advised, one TempBlockSize;
	// mostTempPerConnection the largest where each connection has its own.
	leastTemp             = MiB
	mostTempPerConnection = 64 * MiB

	// lockHeadroom is by how much the first size of the lock table exceeds the
	// estimate of its use, which depends on the metadata.
	lockHeadroom = 1.5

	// mostLockMemory bounds LockMemSize, which is also the step of growth; the
	// engine crashes when the table passes 2 GiB (issue 6994).
	mostLockMemory = 256 * MiB
	mostLockTable  = GiB

	// systemPart is the part of the memory left to the operating system
	// whatever else is tight, and leastSystem its least.
	systemPart  = 0.10
	leastSystem = 128 * MiB
)

// tempShare is the part of the memory for sorts, 8 to 15 % in published
// configurations of Super.
var tempShare = map[Workload]float64{OLTP: 0.08, Mixed: 0.125, Reporting: 0.15}

// slotLadder are the primes from which LockHashSlots is chosen where pages are
// locked: the first that practice uses, up to the engine's most.
var slotLadder = []int64{30011, 49999, 65521}

// longestChain is the average length of a hash chain from which the table
// should be widened (A. Harrison, firebird-support 2005).
const longestChain = 10

// sizing is a set of values under construction, for given facts.
type sizing struct {
	facts
	mode      Mode
	limit     Bytes // what the whole server may need in the worst case
	databases []Database
	temp      Bytes
	block     Bytes
	slots     int64
	lock      Bytes
	threshold Pages // FileSystemCacheThreshold
}

// newSizing returns the smallest values that are advised at all.
func newSizing(f facts, mode Mode) sizing {
	s := sizing{facts: f, mode: mode, limit: f.memory - system(f.memory), temp: leastTemp}
	s.databases = Candidate{Databases: f.Databases}.databases()
	s.share(0)
	return s
}

// system returns the memory left to the operating system.
func system(memory Bytes) Bytes {
	return max(leastSystem, Bytes(float64(memory)*systemPart))
}

// size chooses the largest page cache up to its share that fits beside the
// smallest sort memory, then the largest sort memory up to its share. It
// returns false when not even the smallest values fit.
func (s *sizing) size() bool {
	if !s.fits() {
		return false
	}
	cache := largest(0, int64(s.cacheTarget()/MiB), func(mebibytes int64) bool {
		s.share(Bytes(mebibytes) * MiB)
		return s.fits()
	})
	s.share(Bytes(cache) * MiB)
	temp := largest(int64(leastTemp/MiB), int64(s.tempTarget()/MiB), func(mebibytes int64) bool {
		s.temp = Bytes(mebibytes) * MiB
		return s.fits()
	})
	s.temp = Bytes(temp) * MiB
	s.block = s.blockStep()
	s.threshold = s.aboveCache()
	return true
}

// cacheTarget is the memory for all page caches.
func (s *sizing) cacheTarget() Bytes {
	if s.mode == Super {
		return Bytes(float64(s.memory) * cacheShareSuper)
	}
	return Bytes(float64(s.memory) * cacheShareOthers)
}

// tempTarget is TempCacheLimit as far as it fits: its share of the memory,
// divided by the connections where each has its own, else at least the
// default.
func (s *sizing) tempTarget() Bytes {
	share := Bytes(float64(s.memory) * tempShare[s.Workload])
	if tempScopeOf(s.Version, s.mode) == perConnection {
		return min(max(share/Bytes(s.Connections), leastTemp), mostTempPerConnection)
	}
	return max(share, s.defaultNumber(TempCacheLimit))
}

// defaultNumber returns the default of a size.
func (s *sizing) defaultNumber(name string) Bytes {
	text, _ := Default(name, s.Version, s.mode) // every setting of the rules is in the catalogue
	return Bytes(ParseSize(text))
}

// share gives the page caches a part of the memory, at least the default to
// each, and sizes the lock table for it. More memory never makes a cache
// smaller.
func (s *sizing) share(memory Bytes) {
	least := Pages(s.defaultNumber(DefaultDbCachePages))
	weights := weights(s.databases)
	for i := range s.databases {
		d := &s.databases[i]
		pages := Pages(float64(memory) * weights[i] / float64(d.PageSize+pageDescriptor))
		if s.mode != Super {
			each := memory / Bytes(s.Connections)
			pages = min(Pages(each/(d.PageSize+pageDescriptor)), mostPerConnection)
		}
		if d.Size > 0 {
			pages = min(pages, Pages(float64(d.Size)*roomToGrow/float64(d.PageSize)))
		}
		d.Pages = min(max(pages/pageStep*pageStep, least), maxPages/pageStep*pageStep)
	}
	s.lockTable()
}

// weights returns each database's part of Super's page cache: by size, those
// of unknown size counting as the largest.
func weights(databases []Database) []float64 {
	largest := Bytes(1)
	for _, d := range databases {
		largest = max(largest, d.Size)
	}
	parts, sum := make([]float64, len(databases)), 0.0
	for i, d := range databases {
		parts[i] = float64(largest)
		if d.Size > 0 {
			parts[i] = float64(d.Size)
		}
		sum += parts[i]
	}
	for i := range parts {
		parts[i] /= sum
	}
	return parts
}

// lockTable sizes the lock table for the page caches.
func (s *sizing) lockTable() {
	s.slots = int64(s.defaultNumber(LockHashSlots))
	if s.mode != Super {
		s.slots = slotLadder[len(slotLadder)-1]
		for _, slots := range slotLadder {
			if s.lockedPages()/slots < longestChain {
				s.slots = slots
				break
			}
		}
	}
	use := Bytes(float64(s.lockUse()) * lockHeadroom)
	s.lock = min(max(roundUp(use, MiB), s.defaultNumber(LockMemSize)), mostLockMemory)
}

// lockUse returns the estimate of the lock table's use.
func (s *sizing) lockUse() Bytes {
	return lockUse(s.mode, s.slots, int64(s.Connections), s.largestCache())
}

// lockedPages returns the most pages that can be locked at once, each a lock
// of its own: all that the connections cache, or all of the database.
func (s *sizing) lockedPages() int64 {
	most := int64(0)
	for _, d := range s.databases {
		pages := int64(s.Connections) * int64(d.Pages)
		if d.Size > 0 {
			pages = min(pages, int64(d.Size/d.PageSize))
		}
		most = max(most, pages)
	}
	return most
}

// largestCache returns the page buffers of the largest cache.
func (s *sizing) largestCache() Pages {
	return slices.MaxFunc(s.databases, func(a, b Database) int { return int(a.Pages - b.Pages) }).Pages
}

// serverPages is DefaultDbCachePages of firebird.conf. With named databases it
// is only for those that are not named: in Super the default, so that a
// database opened by chance does not take another's share; elsewhere the
// smallest of the named ones'.
func (s *sizing) serverPages() Pages {
	switch {
	case len(s.Databases) == 0:
		return s.databases[0].Pages
	case s.mode == Super:
		return Pages(s.defaultNumber(DefaultDbCachePages))
	}
	return slices.MinFunc(s.databases, func(a, b Database) int { return int(a.Pages - b.Pages) }).Pages
}

// blockStep is TempBlockSize: twice the default where sorts may be large.
func (s *sizing) blockStep() Bytes {
	const largeSorts = 256 * MiB
	if s.temp >= largeSorts {
		return 2 * MiB
	}
	return s.defaultNumber(TempBlockSize)
}

// aboveCache is FileSystemCacheThreshold: its default, or the next power of two
// above twice the largest cache, so that the system's cache stays in use.
func (s *sizing) aboveCache() Pages {
	threshold := Pages(s.defaultNumber(FileSystemCacheThreshold))
	if s.largestCache() < threshold {
		return threshold
	}
	for threshold <= 2*s.largestCache() {
		threshold *= 2
	}
	return threshold
}

// candidate returns the values as a configuration.
func (s *sizing) candidate() Candidate {
	return Candidate{
		Version: s.Version, Mode: s.mode, Connections: s.Connections, Databases: s.databases,
		Settings: map[string]string{
			DefaultDbCachePages: strconv.FormatInt(int64(s.serverPages()), 10),
			TempCacheLimit:      FormatSize(s.temp, s.Version),
			LockMemSize:         FormatSize(s.lock, s.Version),
			LockHashSlots:       strconv.FormatInt(s.slots, 10),
		},
	}
}

// fits reports whether the worst case of the values is within the limit, and
// the lock table stays far from the size at which the engine crashes.
func (s *sizing) fits() bool {
	need, err := Required(s.candidate())
	return err == nil && need <= s.limit && s.lockUse() <= mostLockTable
}

// roundUp returns b rounded up to a multiple of unit.
func roundUp(b, unit Bytes) Bytes { return (b + unit - 1) / unit * unit }

// Infeasible is the error of an Input whose connections do not fit in the
// memory, even with the smallest values that are advised.
type Infeasible struct {
	Memory      Bytes
	Mode        Mode
	Connections int
	Largest     int   // the largest number of connections that is feasible; 0 when there is none
	Needs       Bytes // what the smallest values need for the connections asked for, in the worst case
}

// Error ends with what to do.
func (e *Infeasible) Error() string {
	advice := "no connection fits; give more memory or fewer databases"
	if e.Largest > 0 {
		advice = fmt.Sprintf("the largest feasible number is %d; give fewer connections, more memory or another mode", e.Largest)
	}
	return fmt.Sprintf("advise: %d connections in %s need at least %s, and %s (%s less what the system needs) are there: %s",
		e.Connections, e.Mode, e.Needs, e.Memory-system(e.Memory), e.Memory, advice)
}

// infeasible returns the error for facts that do not fit.
func infeasible(f facts, mode Mode) error {
	smallest := newSizing(f, mode)
	needs, err := Required(smallest.candidate())
	if err != nil {
		return err
	}
	fits := func(connections int64) bool {
		fewer := f
		fewer.Connections = int(connections)
		s := newSizing(fewer, mode)
		return s.fits()
	}
	return &Infeasible{
		Memory: f.memory, Mode: mode, Connections: f.Connections, Needs: needs,
		Largest: int(largest(1, int64(f.Connections), fits)),
	}
}
