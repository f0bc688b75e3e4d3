package confgen

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

	// statementShare is the part of the memory for all connections' caches of
	// compiled statements, mostStatements the most for one: fitted to
	// published outputs of IBSurgeon's calculator. leastStatements is the
	// smallest advised, and the step.
	statementShare  = 0.05
	mostStatements  = 32 * MiB
	leastStatements = 512 * KiB

	// lockHeadroom is by how much the first size of the lock table exceeds the
	// estimate of its use, which depends on the metadata.
	lockHeadroom = 1.5

	// mostLockMemory bounds LockMemSize, which is also the step of growth; the
	// engine crashes when the table passes 2 GiB (issue 6994).
	mostLockMemory = 256 * MiB
	mostLockTable  = GiB

	// systemPart is the part of the memory left to the operating system
	// whatever else is tight, and leastSystem its least: a server with 85 % of
	// RAM in use died every other day (issue 3587).
	systemPart  = 0.15
	leastSystem = 128 * MiB

	// mostOf32Bit is what a process of a 32-bit server can fill before its
	// address space is too torn for more (issue 7470), maxPages32 its most
	// page buffers (src/jrd/cch.h, MAX_PAGE_BUFFERS).
	mostOf32Bit       = 1280 * MiB
	maxPages32  Pages = 131072
)

// tempShare is the part of the memory for sorts, 8 to 15 % in published
// configurations of Super.
var tempShare = map[Workload]float64{OLTP: 0.08, Mixed: 0.125, Reporting: 0.15}

// slotLadder are the primes from which LockHashSlots is chosen where pages are
// locked: the first that practice uses, up to the engine's most.
var slotLadder = []int64{30011, 49999, 65521}

// leastSlots is the least LockHashSlots advised: the default from 3.0 on. That
// of 2.5, 1009, makes long chains.
const leastSlots = 8191

// LongChain is the average length of a hash chain from which the table
// should be widened (A. Harrison, firebird-support 2005).
const LongChain = 10

// cacheTarget is the memory for all page caches.
func (s *sizing) cacheTarget() Bytes {
	return Bytes(float64(s.memory) * s.cacheShare)
}

// tempTarget is TempCacheLimit as far as it fits: its share of the memory,
// divided by the connections or databases where each has its own; shared by
// all, at least the default.
func (s *sizing) tempTarget() Bytes {
	target, most := s.tempShare(), Bytes(float64(s.memory)*mostForSorts)
	if tempScopeOf(s.Version, s.mode) == perConnection {
		target, most = min(max(target, leastTemp), mostTempPerConnection), mostTempPerConnection
	} else {
		target = max(target, s.defaultNumber(TempCacheLimit))
	}
	if s.tempSeen > 0 {
		target = max(target, min(target+s.tempSeen, most))
	}
	if !s.Version.AtLeast(v30) {
		target = min(target, maxInt32/MiB*MiB) // 2.5 keeps it in 32 bits
	}
	return target
}

// tempShare is the part of the memory for sorts that one TempCacheLimit gets.
func (s *sizing) tempShare() Bytes {
	share := Bytes(float64(s.memory) * tempShare[s.Workload])
	switch tempScopeOf(s.Version, s.mode) {
	case perConnection:
		return share / Bytes(s.Connections)
	case perDatabase:
		return share / Bytes(len(s.databases))
	}
	return share
}

// statementTarget is MaxStatementCacheSize as far as it fits.
func (s *sizing) statementTarget() Bytes {
	share := Bytes(float64(s.memory)*statementShare) / Bytes(s.Connections)
	return min(max(share, s.defaultNumber(MaxStatementCacheSize)), mostStatements)
}

// workerTarget is MaxParallelWorkers as far as it fits: the CPUs, but 1 in
// Classic, where every connection's process may start as many.
func (s *sizing) workerTarget() int64 {
	if s.mode == Classic {
		return 1
	}
	return int64(min(max(s.cpus.Or(1), 1), mostWorkers))
}

// mostWorkers is the most the engine takes for MaxParallelWorkers.
const mostWorkers = 64

// blockStep is TempBlockSize: twice the default where sorts may be large.
func (s *sizing) blockStep() Bytes {
	const largeSorts = 256 * MiB
	if s.temp >= largeSorts {
		return 2 * MiB
	}
	return s.defaultNumber(TempBlockSize)
}

// aboveCache is FileSystemCacheThreshold: its default, or the next power of two
// above twice the largest cache, so that the system's cache stays in use when
// the cache is raised.
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

// thresholdInForce is FileSystemCacheThreshold as the present files set it.
func (s *sizing) thresholdInForce() Pages {
	setting, _ := Lookup(FileSystemCacheThreshold) // a row of the catalogue
	if current, ok := s.current(FileSystemCacheThreshold); ok {
		if n, err := setting.Number(s.Version, s.mode, current.Value); err == nil {
			return Pages(n)
		}
	}
	return Pages(s.defaultNumber(FileSystemCacheThreshold))
}
