package confgen

import (
	"fmt"
	"math"
	"strconv"
)

// rule decides one setting. What a rule says is about the values as sized,
// before present ones that are as good are kept.
type rule struct {
	name  string
	group string
	value func(*sizing) string // as written in the file
	why   func(*sizing) string // with the formula and its numbers
	risk  string               // what can go wrong; empty when nothing

	// good reports whether the present number n is as good as the sized one;
	// adopt takes it. Both are nil for a word.
	good  func(s *sizing, n int64) bool
	adopt func(s *sizing, n int64)
}

// Groups of settings in a file, in the order written.
const (
	groupServer     = "Architecture"
	groupCache      = "Page cache"
	groupFileSystem = "File system cache"
	groupSort       = "Sorts and temporary data"
	groupLock       = "Lock table"
)

// tolerance is the relative difference below which a present value is kept.
const tolerance = 0.05

// near reports whether two numbers differ by no more than the tolerance.
func near(a, b int64) bool {
	return math.Abs(float64(a-b)) <= tolerance*math.Abs(float64(b))
}

// rules returns the rules of advice, in the order of the file.
func rules() []rule {
	return []rule{
		{
			name: ServerMode, group: groupServer,
			value: func(s *sizing) string { return string(s.mode) },
			why:   whyMode,
			risk:  "needs a restart; connections by embedded engine to the same database stop working beside Super",
		},
		{
			name: DefaultDbCachePages, group: groupCache,
			value: func(s *sizing) string { return strconv.FormatInt(int64(s.serverPages()), 10) },
			why:   whyServerPages,
			risk:  "takes memory only as it fills: too much of it fails hours after the start, not at the start",
			good:  func(s *sizing, n int64) bool { return near(n, int64(s.serverPages())) },
			adopt: func(s *sizing, n int64) {
				if len(s.Databases) == 0 {
					s.databases[0].Pages = Pages(n)
					s.threshold = s.aboveCache()
				}
			},
		},
		{
			name: FileSystemCacheThreshold, group: groupFileSystem,
			value: func(s *sizing) string { return strconv.FormatInt(int64(s.threshold), 10) },
			why:   whyThreshold,
			good:  func(s *sizing, n int64) bool { return n > int64(s.largestCache()) },
			adopt: func(s *sizing, n int64) { s.threshold = Pages(n) },
		},
		{
			name: TempCacheLimit, group: groupSort,
			value: func(s *sizing) string { return FormatSize(s.temp, s.Version) },
			why:   whyTemp,
			risk:  "sorts that need more go to files in TempDirectories, which need free space",
			good:  func(s *sizing, n int64) bool { return near(n, int64(s.temp)) },
			adopt: func(s *sizing, n int64) { s.temp = Bytes(n) },
		},
		{
			name: TempBlockSize, group: groupSort,
			value: func(s *sizing) string { return FormatSize(s.block, s.Version) },
			why:   whyBlock,
			good:  func(s *sizing, n int64) bool { return n >= int64(s.block) && Bytes(n) <= s.temp/16 },
			adopt: func(s *sizing, n int64) { s.block = Bytes(n) },
		},
		{
			name: LockMemSize, group: groupLock,
			value: func(s *sizing) string { return FormatSize(s.lock, s.Version) },
			why:   whyLockMemory,
			risk:  "less than 8 bytes a slot and 16 KB crashes the server at the first attach (issue 8885)",
			// A larger table than needed costs only address space until used.
			good: func(s *sizing, n int64) bool {
				return n >= int64(s.lock) && Bytes(n) <= mostLockMemory || near(n, int64(s.lock))
			},
			adopt: func(s *sizing, n int64) { s.lock = Bytes(n) },
		},
		{
			name: LockHashSlots, group: groupLock,
			value: func(s *sizing) string { return strconv.FormatInt(s.slots, 10) },
			why:   whySlots,
			good:  func(s *sizing, n int64) bool { return n >= s.slots || near(n, s.slots) },
			adopt: func(s *sizing, n int64) { s.slots = n },
		},
	}
}

// whyMode gives the reason for the architecture.
func whyMode(s *sizing) string {
	switch {
	case s.Mode != "":
		return "as asked for"
	case s.mode == Classic:
		return "isolation was asked for: each connection is a process of its own, and its crash ends no other; it costs a page cache and metadata per connection"
	}
	cpus := "all CPUs"
	if s.cpus.Known() {
		cpus = fmt.Sprintf("all %d usable CPUs", s.cpus.Value)
	}
	return fmt.Sprintf("one page cache for all %d connections, no page locks, and from 3.0 on it uses %s; choose Classic when one connection's crash must not end the others (rule of thumb: measure with fbtune sweep)",
		s.Connections, cpus)
}

// whyCache gives the derivation of one database's page cache.
func whyCache(s *sizing, d Database) string {
	unit := d.PageSize + pageDescriptor
	switch {
	case s.mode == Super:
		text := fmt.Sprintf("%g %% of %s for page cache = %s / (%d B a page + %d B to manage it, measured) = %d pages",
			cacheShareSuper*100, s.memory, s.cacheTarget(), d.PageSize, pageDescriptor, s.cacheTarget()/unit)
		if len(s.databases) > 1 {
			text += fmt.Sprintf(", shared out among %d databases by size", len(s.databases))
		}
		return text + limitedBy(s, d) + "; 25 % is a rule of thumb (the published calculator's), the rest is for sorts, connections and the file system's cache"
	}
	return fmt.Sprintf("%g %% of %s for page caches / %d connections / (%d B a page + %d B to manage it, measured) = %d pages%s; a connection has %d to %d (rule of thumb)",
		cacheShareOthers*100, s.memory, s.Connections, d.PageSize, pageDescriptor,
		s.cacheTarget()/Bytes(s.Connections)/unit, limitedBy(s, d), s.defaultNumber(DefaultDbCachePages), mostPerConnection)
}

// limitedBy says what decided a page cache's size besides its share.
func limitedBy(s *sizing, d Database) string {
	most := Pages(float64(d.Size) * roomToGrow / float64(d.PageSize))
	switch {
	case int64(d.Pages) == int64(s.defaultNumber(DefaultDbCachePages)):
		return fmt.Sprintf(", at least the default of %d", d.Pages)
	case d.Size > 0 && d.Pages == most/pageStep*pageStep:
		return fmt.Sprintf(", no more than the %s of the database and a quarter to grow", d.Size)
	case s.mode != Super && d.Pages == mostPerConnection:
		return fmt.Sprintf(", no more than %d", mostPerConnection)
	}
	return fmt.Sprintf(", rounded down to a multiple of %d and to what fits", pageStep)
}

// whyServerPages gives the reason for firebird.conf's page cache.
func whyServerPages(s *sizing) string {
	switch {
	case len(s.Databases) == 0:
		return whyCache(s, s.databases[0])
	case s.mode == Super:
		return "the default, for databases that are not named in databases.conf: in Super each open database has a cache of its own, and one opened by chance must not take the memory of the named ones"
	}
	return "the smallest of the named databases' caches, for those that are not named in databases.conf"
}

// whyThreshold gives the reason for FileSystemCacheThreshold.
func whyThreshold(s *sizing) string {
	cache := s.largestCache()
	if cache < Pages(s.defaultNumber(FileSystemCacheThreshold)) {
		return fmt.Sprintf("the largest cache, %d pages, is below it, so that the system caches the files as well", cache)
	}
	return fmt.Sprintf("the next power of two above 2 x %d pages, the largest cache: at or below the cache's pages the files would be opened with O_DIRECT (measured), and only Firebird's own cache would remain", cache)
}

// whyTemp gives the reason for TempCacheLimit.
func whyTemp(s *sizing) string {
	share := tempShare[s.Workload]
	text := fmt.Sprintf("%g %% of %s for sorts (%s; published: 8 to 15 %%)", share*100, s.memory, s.Workload)
	if tempScopeOf(s.Version, s.mode) == perConnection {
		return fmt.Sprintf("%s / %d connections = %s, each having its own in %s; from %s to %s, rounded down to what fits",
			text, s.Connections, Bytes(float64(s.memory)*share)/Bytes(s.Connections), s.mode, leastTemp, mostTempPerConnection)
	}
	return fmt.Sprintf("%s = %s, one for the whole %s server in %s; at least the default of %s as far as it fits",
		text, Bytes(float64(s.memory)*share), s.mode, s.Version, s.defaultNumber(TempCacheLimit))
}

// whyBlock gives the reason for TempBlockSize.
func whyBlock(s *sizing) string {
	if s.block == s.defaultNumber(TempBlockSize) {
		return fmt.Sprintf("the default suits a TempCacheLimit of %s", s.temp)
	}
	return fmt.Sprintf("TempCacheLimit is %s: larger steps take it with fewer allocations (published practice, no measured gain)", s.temp)
}

// whyLockMemory gives the reason for LockMemSize.
func whyLockMemory(s *sizing) string {
	text := fmt.Sprintf("%d slots x %d B + %s + %d connections x %s %s", s.slots, lockSlot, lockHeader, s.Connections, lockPerConnection, metadataNote)
	if s.mode != Super {
		text += fmt.Sprintf(" + %d connections x %d pages x %d B, every cached page being locked", s.Connections, s.largestCache(), lockPerPage)
	}
	return fmt.Sprintf("%s = %s, and half as much again, from %s to %s: a table that need not grow stops nobody while it is remapped",
		text, s.lockUse(), s.defaultNumber(LockMemSize), mostLockMemory)
}

// whySlots gives the reason for LockHashSlots.
func whySlots(s *sizing) string {
	if s.mode == Super {
		return "the default: Super locks no pages, and its table stays small (0.9 MB measured with 11 connections); published files write 30011 here too, with little gain to expect"
	}
	return fmt.Sprintf("up to %d pages locked at once / %d slots = chains of %.1f; practice writes a prime of 30011 or more, and chains over %d are too long (A. Harrison)",
		s.lockedPages(), s.slots, float64(s.lockedPages())/float64(s.slots), longestChain)
}
