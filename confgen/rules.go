package confgen

import (
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

	only   func(*sizing) bool // whether the rule says anything here; nil is always
	stated func(*sizing) bool // whether the default counts only when a file states it; nil is never

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
	groupStatements = "Compiled statements"
	groupWorkers    = "Parallel workers"
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
			why:   func(s *sizing) string { return s.modeWhy },
			risk:  "needs a restart; connections by embedded engine to the same database stop working beside Super",
		},
		{
			name: DefaultDbCachePages, group: groupCache,
			value: func(s *sizing) string { return strconv.FormatInt(int64(s.serverPages()), 10) },
			why:   whyServerPages,
			risk:  "takes memory only as it fills: too much of it fails hours after the start, not at the start",
			good:  func(s *sizing, n int64) bool { return near(n, int64(s.serverPages())) },
			adopt: func(s *sizing, n int64) {
				if !s.inBlocks() {
					for i := range s.databases {
						s.databases[i].Pages = Pages(n)
					}
					s.threshold = s.aboveCache()
				}
			},
		},
		{
			name: FileSystemCacheThreshold, group: groupFileSystem,
			only:  func(s *sizing) bool { return !s.Version.AtLeast(v40) },
			value: func(s *sizing) string { return strconv.FormatInt(int64(s.threshold), 10) },
			why:   whyThreshold,
			good:  func(s *sizing, n int64) bool { return n > int64(s.largestCache()) },
			adopt: func(s *sizing, n int64) { s.threshold = Pages(n) },
		},
		{
			name: UseFileSystemCache, group: groupFileSystem,
			value: func(*sizing) string { return "true" },
			why:   whyFileCache,
			// Its default is no more than a word: not stated, the deprecated
			// FileSystemCacheThreshold decides (50:src/jrd/os/posix/unix.cpp via pag.cpp:1170).
			stated: func(s *sizing) bool { return s.largestCache() >= s.thresholdInForce() },
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
		{
			name: MaxStatementCacheSize, group: groupStatements,
			value: func(s *sizing) string { return FormatSize(s.statements, s.Version) },
			why:   whyStatements,
			good:  func(s *sizing, n int64) bool { return near(n, int64(s.statements)) },
			adopt: func(s *sizing, n int64) { s.statements = Bytes(n) },
		},
		{
			name: MaxParallelWorkers, group: groupWorkers,
			value: func(s *sizing) string { return strconv.FormatInt(s.workers, 10) },
			why:   whyMaxWorkers,
			risk:  "each worker is an attachment with metadata of its own, and a page cache in SuperClassic",
			good:  func(s *sizing, n int64) bool { return n >= s.workers && n <= max(s.workers, s.workerTarget()) },
			adopt: func(s *sizing, n int64) { s.workers = n },
		},
		{
			name: ParallelWorkers, group: groupWorkers,
			value: func(*sizing) string { return "1" },
			why:   whyWorkers,
			good:  func(s *sizing, n int64) bool { return n <= s.workers },
			adopt: func(*sizing, int64) {},
		},
	}
}
