package health

import (
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
)

// rule is a row of the table of rules.
type rule struct {
	id       string
	severity check.Severity // of findings that state none
	source   string
	find     func(*inspect.Database) []finding
}

// oldTransaction is the rule that check has too, without knowing who holds it.
const oldTransaction = "old-active-transaction"

// rules is the table, in order of gain. Limits of which no source is known are
// fbtune's own, and the source says so.
var rules = []rule{
	{
		id: oldTransaction, severity: check.Note, find: heldTransaction,
		source: "firebird-support 2012/3/117557 (Ann Harrison): a stuck oldest active transaction matters; 40:src/jrd/tra.cpp:3600-3720",
	},
	{
		id: "limbo", severity: check.Warning, find: inLimbo,
		source: "ibphoenix.com art-00000067; 50:src/jrd/tra.cpp:3760-3767: no sweep starts by itself while the oldest is in limbo",
	},
	{
		id: "version-chains", severity: check.Warning, find: versionChains,
		source: "src/utilities/gstat/dba.epp (analyze_versions); src/jrd/vio.cpp: a version is read by going back from the newest; the limits are fbtune's own",
	},
	{
		id: "temp-spill", severity: check.Warning, find: tempSpill,
		source: "50:src/jrd/TempSpace.cpp: what exceeds TempCacheLimit goes to files in TempDirectories",
	},
	{
		id: "hit-ratio", severity: check.Warning, find: hitRatio,
		source: "MON$IO_STATS: 1 - page reads / page fetches, of the watch; the limit is the one by which recommend --observed gives the cache more",
	},
	{
		id: "index-depth", severity: check.Warning, find: deepIndices,
		source: "firebird-support 2006-05/76096 (Ann Harrison): a depth above 3 asks for larger pages",
	},
	{
		id: "fragments", severity: check.Note, find: fragments,
		source: "src/utilities/gstat/dba.epp (analyze_fragments); the limit is fbtune's own",
	},
	{
		id: "lock-chains", severity: check.Warning, find: lockChains,
		source: "firebird-support 2005/1/53444 (Ann Harrison): widen the hash table when its chains are longer than 10 on average",
	},
	{
		id: "mutex-wait", severity: check.Note, find: mutexWait,
		source: "practice in SuperClassic and Classic: more hash slots when over 10 % of the acquires wait",
	},
	{
		id: "index-duplicates", severity: check.Note, find: duplicates,
		source: "selectivity is 1 / distinct keys (src/jrd/btr.cpp); the limits are fbtune's own",
	},
	{
		id: "fill", severity: check.Note, find: emptyPages,
		source: "src/utilities/gstat/dba.epp (average fill); the limits are fbtune's own",
	},
}
