package confgen

import (
	"cmp"
	"slices"
	"strconv"
)

// sizing is a set of values under construction, for given facts.
type sizing struct {
	facts
	mode      Mode
	modeWhy   string
	limit     Bytes // what the whole server may need in the worst case
	databases []Database

	temp       Bytes
	block      Bytes
	slots      int64
	lock       Bytes
	threshold  Pages // FileSystemCacheThreshold
	statements Bytes // MaxStatementCacheSize; 0 before 5.0
	workers    int64 // MaxParallelWorkers; 0 before 5.0

	// Targets, which observations move.
	cacheShare float64
	leastSlots int64
	lockSeen   Bytes
	tempSeen   Bytes
	moved      []string // which of them, and why
}

// newSizing returns the smallest values that are advised at all.
func newSizing(f facts, mode Mode) sizing {
	s := sizing{facts: f, mode: mode, limit: f.memory - system(f.memory), temp: leastTemp, cacheShare: cacheShareOthers}
	if mode == Super {
		s.cacheShare = cacheShareSuper
	}
	if f.Bits == 32 && mode != Classic {
		s.limit = min(s.limit, mostOf32Bit)
	}
	if f.Version.AtLeast(v50) {
		s.statements, s.workers = leastStatements, 1
	}
	s.databases = Candidate{Version: f.Version, Databases: f.Databases}.databases()
	s.share(0)
	s.observe()
	s.share(0)
	return s
}

// system returns the memory left to the operating system.
func system(memory Bytes) Bytes {
	return max(leastSystem, Bytes(float64(memory)*systemPart))
}

// size chooses the largest page cache up to its share that fits beside the
// smallest of all else, then so the memory for sorts, the statement cache and
// the parallel workers. It returns false when not even the smallest values fit.
func (s *sizing) size() bool {
	if !s.fits() {
		return false
	}
	cache := s.most(0, int64(s.cacheTarget()/MiB), func(mebibytes int64) { s.share(Bytes(mebibytes) * MiB) })
	s.share(Bytes(cache) * MiB)
	temp := s.most(int64(leastTemp/MiB), int64(s.tempTarget()/MiB), func(mebibytes int64) { s.temp = Bytes(mebibytes) * MiB })
	s.temp = Bytes(temp) * MiB
	if s.Version.AtLeast(v50) {
		steps := s.most(1, int64(s.statementTarget()/leastStatements), func(steps int64) { s.statements = Bytes(steps) * leastStatements })
		s.statements = Bytes(steps) * leastStatements
		s.workers = s.most(1, s.workerTarget(), func(workers int64) { s.workers = workers })
	}
	s.block = s.blockStep()
	s.threshold = s.aboveCache()
	return true
}

// most returns the largest number in [low, high] with which the values fit
// once set has set it; low is known to fit.
func (s *sizing) most(low, high int64, set func(int64)) int64 {
	return largest(low, max(low, high), func(n int64) bool {
		set(n)
		return s.fits()
	})
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
	weights := s.weights()
	for i := range s.databases {
		d := &s.databases[i]
		pages := Pages(float64(memory) * weights[i] / float64(d.PageSize+pageDescriptor))
		if s.mode != Super {
			each := memory / Bytes(s.Connections)
			pages = min(Pages(each/(d.PageSize+pageDescriptor)), mostPerConnection)
		}
		pages = min(pages, s.useful(*d))
		d.Pages = min(max(pages/pageStep*pageStep, least), s.maxPages())
	}
	if !s.Version.AtLeast(v30) {
		s.shareEqually()
	}
	s.lockTable()
}

// shareEqually gives every database the cache of the one with the fewest
// pages, for 2.5 has one DefaultDbCachePages for all.
func (s *sizing) shareEqually() {
	pages := s.smallestCache()
	for i := range s.databases {
		s.databases[i].Pages = pages
	}
}

// maxPages returns the most page buffers of a cache that are advised.
func (s *sizing) maxPages() Pages {
	if s.Bits == 32 {
		return maxPages32
	}
	return maxPages / pageStep * pageStep
}

// weights returns each database's part of Super's page cache: by size, those
// of unknown size counting as the largest. In 2.5, where all have the same
// number of pages, it is by what a page takes, and the security database
// counts.
func (s *sizing) weights() []float64 {
	parts, sum := make([]float64, len(s.databases)), 0.0
	largest := slices.MaxFunc(s.databases, func(a, b Database) int { return cmp.Compare(a.Size, b.Size) }).Size
	for i, d := range s.databases {
		switch {
		case !s.Version.AtLeast(v30):
			parts[i] = float64(d.PageSize + pageDescriptor)
		case d.Size > 0:
			parts[i] = float64(d.Size)
		default:
			parts[i] = float64(max(largest, 1))
		}
		sum += parts[i]
	}
	if !s.Version.AtLeast(v30) {
		sum += float64(DefaultPageSize(s.Version) + pageDescriptor)
	}
	for i := range parts {
		parts[i] /= sum
	}
	return parts
}

// useful returns the most page buffers that a database can make use of. In
// 2.5 the largest database decides for all.
func (s *sizing) useful(d Database) Pages {
	deciding := []Database{d}
	if !s.Version.AtLeast(v30) {
		deciding = s.databases
	}
	most := Pages(0)
	for _, d := range deciding {
		if d.Size == 0 {
			return s.maxPages()
		}
		most = max(most, Pages(float64(d.Size)*roomToGrow/float64(d.PageSize)))
	}
	return most
}

// lockTable sizes the lock table for the page caches.
func (s *sizing) lockTable() {
	s.slots = max(int64(s.defaultNumber(LockHashSlots)), leastSlots)
	if s.mode != Super {
		s.slots = slotLadder[len(slotLadder)-1]
		for _, slots := range slotLadder {
			if s.lockedPages()/slots < LongChain {
				s.slots = slots
				break
			}
		}
	}
	s.slots = max(s.slots, s.leastSlots)
	use := Bytes(float64(max(s.lockUse(), s.lockSeen)) * lockHeadroom)
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

// smallestCache returns the page buffers of the smallest cache.
func (s *sizing) smallestCache() Pages {
	return slices.MinFunc(s.databases, func(a, b Database) int { return int(a.Pages - b.Pages) }).Pages
}

// serverPages is DefaultDbCachePages of firebird.conf. With named databases it
// is only for those that are not named: in Super the default, so that a
// database opened by chance does not take another's share; elsewhere the
// smallest of the named ones'.
func (s *sizing) serverPages() Pages {
	if s.mode == Super && s.inBlocks() {
		return Pages(s.defaultNumber(DefaultDbCachePages))
	}
	return s.smallestCache()
}

// inBlocks reports whether databases.conf has a block for each database, which
// there is from 3.0 on.
func (s *sizing) inBlocks() bool { return len(s.Databases) > 0 && s.Version.AtLeast(v30) }

// candidate returns the values as a configuration.
func (s *sizing) candidate() Candidate {
	c := Candidate{
		Version: s.Version, Mode: s.mode, Connections: s.Connections, Databases: s.databases,
		Settings: map[string]string{
			DefaultDbCachePages: strconv.FormatInt(int64(s.serverPages()), 10),
			TempCacheLimit:      FormatSize(s.temp, s.Version),
			LockMemSize:         FormatSize(s.lock, s.Version),
			LockHashSlots:       strconv.FormatInt(s.slots, 10),
		},
	}
	if s.Version.AtLeast(v50) {
		c.Settings[MaxStatementCacheSize] = FormatSize(s.statements, s.Version)
		c.Settings[MaxParallelWorkers] = strconv.FormatInt(s.workers, 10)
	}
	return c
}

// fits reports whether the worst case of the values is within the limit, and
// the lock table stays far from the size at which the engine crashes.
func (s *sizing) fits() bool {
	need, err := Required(s.candidate())
	return err == nil && need <= s.limit && s.lockUse() <= mostLockTable
}

// roundUp returns b rounded up to a multiple of unit.
func roundUp(b, unit Bytes) Bytes { return (b + unit - 1) / unit * unit }
