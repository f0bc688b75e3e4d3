package confgen

import "fmt"

// whyCache gives the derivation of one database's page cache.
func whyCache(s *sizing, d Database) string {
	unit := d.PageSize + pageDescriptor
	switch {
	case s.mode == Super:
		text := fmt.Sprintf("%g %% of %s for page cache = %s / (%d B a page + %d B to manage it, measured) = %d pages",
			s.cacheShare*100, s.memory, s.cacheTarget(), d.PageSize, pageDescriptor, s.cacheTarget()/unit)
		switch {
		case !s.Version.AtLeast(v30):
			text += fmt.Sprintf(", the same number for each of %d databases and the security database, for 2.5 has one number for all", len(s.databases))
		case len(s.databases) > 1:
			text += fmt.Sprintf(", shared out among %d databases by size", len(s.databases))
		}
		return text + limitedBy(s, d) + "; the share is a rule of thumb (the published calculator's: 25 %), the rest is for sorts, connections and the file system's cache"
	}
	return fmt.Sprintf("%g %% of %s for page caches / %d connections / (%d B a page + %d B to manage it, measured) = %d pages%s; a connection has %d to %d (rule of thumb)",
		s.cacheShare*100, s.memory, s.Connections, d.PageSize, pageDescriptor,
		s.cacheTarget()/Bytes(s.Connections)/unit, limitedBy(s, d), s.defaultNumber(DefaultDbCachePages), mostPerConnection)
}

// limitedBy says what decided a page cache's size besides its share.
func limitedBy(s *sizing, d Database) string {
	switch {
	case s.Bits == 32 && d.Pages >= maxPages32:
		return fmt.Sprintf(", no more than the %d of a 32-bit server", maxPages32)
	case int64(d.Pages) == int64(s.defaultNumber(DefaultDbCachePages)):
		return fmt.Sprintf(", at least the default of %d", d.Pages)
	case d.Size > 0 && d.Pages == s.useful(d)/pageStep*pageStep:
		return fmt.Sprintf(", no more than the %s of the database and a quarter to grow", d.Size)
	case s.mode != Super && d.Pages == mostPerConnection:
		return fmt.Sprintf(", no more than %d", mostPerConnection)
	}
	return fmt.Sprintf(", rounded down to a multiple of %d and to what fits", pageStep)
}

// whyServerPages gives the reason for firebird.conf's page cache.
func whyServerPages(s *sizing) string {
	switch {
	case !s.inBlocks():
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

// whyFileCache gives the reason for UseFileSystemCache.
func whyFileCache(s *sizing) string {
	if cache := s.largestCache(); cache >= s.thresholdInForce() {
		return fmt.Sprintf("it must be stated: where no file does, databases with %d pages or more of cache (FileSystemCacheThreshold) are opened with O_DIRECT (measured), and the largest here has %d", s.thresholdInForce(), cache)
	}
	return fmt.Sprintf("the largest cache, %d pages, is below FileSystemCacheThreshold, so that the system caches the files as well", s.largestCache())
}

// whyTemp gives the reason for TempCacheLimit.
func whyTemp(s *sizing) string {
	share := tempShare[s.Workload]
	text := fmt.Sprintf("%g %% of %s for sorts (%s; published: 8 to 15 %%)", share*100, s.memory, s.Workload)
	if tempScopeOf(s.Version, s.mode) == perConnection {
		return fmt.Sprintf("%s / %d connections = %s, each having its own in %s; from %s to %s, rounded down to what fits",
			text, s.Connections, Bytes(float64(s.memory)*share)/Bytes(s.Connections), s.mode, leastTemp, mostTempPerConnection)
	}
	owner := fmt.Sprintf("one for the whole %s server in %s", s.mode, s.Version)
	if tempScopeOf(s.Version, s.mode) == perDatabase {
		owner = fmt.Sprintf("one for each database in %s of %s (%d here)", s.mode, s.Version, len(s.databases))
	}
	return fmt.Sprintf("%s = %s, %s; at least the default of %s as far as it fits", text, s.tempShare(), owner, s.defaultNumber(TempCacheLimit))
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
	switch {
	case s.slots == s.leastSlots:
		return fmt.Sprintf("chains of %.0f on average and waits at %.0f %% of the acquires were observed with %d slots; the next prime above that practice uses",
			s.Observed.AverageChain, s.Observed.MutexWait*100, s.Observed.HashSlots)
	case s.mode == Super && s.Version.AtLeast(v30):
		return "the default: Super locks no pages, and its table stays small (0.9 MB measured with 11 connections); published files write 30011 here too, with little gain to expect"
	case s.mode == Super:
		return fmt.Sprintf("the default of 3.0 and later: Super locks no pages, but 2.5's own default of %d makes long chains", s.defaultNumber(LockHashSlots))
	}
	return fmt.Sprintf("up to %d pages locked at once / %d slots = chains of %.1f; practice writes a prime of 30011 or more, and chains over %d are too long (A. Harrison)",
		s.lockedPages(), s.slots, float64(s.lockedPages())/float64(s.slots), LongChain)
}

// whyStatements gives the reason for MaxStatementCacheSize.
func whyStatements(s *sizing) string {
	return fmt.Sprintf("%g %% of %s for compiled statements / %d connections = %s, from the default of %s as far as it fits to %s (fitted to the published calculator's outputs; not measured)",
		statementShare*100, s.memory, s.Connections, Bytes(float64(s.memory)*statementShare)/Bytes(s.Connections), s.defaultNumber(MaxStatementCacheSize), mostStatements)
}

// whyMaxWorkers gives the reason for MaxParallelWorkers.
func whyMaxWorkers(s *sizing) string {
	switch {
	case s.mode == Classic:
		return fmt.Sprintf("every connection is a process of its own and may start as many, which %d connections would multiply; raise it for a restore or an index build, and put it back", s.Connections)
	case !s.cpus.Known():
		return "the number of CPUs is not known"
	}
	return fmt.Sprintf("the %d usable CPUs, at most %d, as far as their memory fits: gbak -par, index builds and sweeps may use so many when they ask (issue 7552: with the default of 1 they are refused more)", s.cpus.Value, mostWorkers)
}

// whyWorkers gives the reason for ParallelWorkers.
func whyWorkers(s *sizing) string {
	return fmt.Sprintf("a connection uses one thread unless it asks for more (gbak -par, up to %d): workers by default would take the CPUs from the other connections (load: %s)", s.workers, s.Workload)
}
