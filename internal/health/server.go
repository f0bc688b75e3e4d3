package health

import (
	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
)

// byObserved is how an advice takes in what this inspection saw.
const byObserved = "fbtune inspect --connect ... --watch 5m --json -o seen.json, then fbtune recommend --observed seen.json"

func tempSpill(d *inspect.Database) []finding {
	if d.Temp == nil || d.Temp.Bytes == 0 {
		return nil
	}
	return []finding{about(confgen.TempCacheLimit, "%s in %d temporary files", d.Temp.Bytes, d.Temp.Files).
		does("writes temporary data beyond TempCacheLimit to files, and reads it again").
		instead("raise TempCacheLimit as the advice says, and see that queries sort no more than they need: %s", byObserved)}
}

func hitRatio(d *inspect.Database) []finding {
	if d.Activity == nil || d.Activity.Watched == 0 {
		return nil
	}
	io := d.Activity.IO
	ratio, known := io.HitRatio()
	if !known || ratio >= confgen.PoorHitRatio {
		return nil
	}
	return []finding{about(confgen.DefaultDbCachePages, "%d reads for %d fetches", io.Reads, io.Fetches).
		does("found %.1f %% of the pages it needed in its cache of %d pages; %.0f %% and more is good", 100*ratio, d.Activity.PageBuffers, 100*confgen.PoorHitRatio).
		instead("a larger page cache, as the advice says: %s", byObserved)}
}

func lockChains(d *inspect.Database) []finding {
	if d.Locks == nil || d.Locks.AverageChain <= confgen.LongChain {
		return nil
	}
	return []finding{about(confgen.LockHashSlots, "chains of %.1f on average, %d at most, in %d slots", d.Locks.AverageChain, d.Locks.LongestChain, d.Locks.HashSlots).
		does("goes through a chain of locks for each lock it looks for").
		instead("more LockHashSlots and LockMemSize, as the advice says: %s", byObserved)}
}

// fewAcquires is below how many acquires of the lock table their waits say
// nothing.
const fewAcquires = 10_000

func mutexWait(d *inspect.Database) []finding {
	if d.Locks == nil || d.Locks.Acquires < fewAcquires || d.Locks.MutexWait() <= confgen.LongWait {
		return nil
	}
	return []finding{about(confgen.LockHashSlots, "%d of %d acquires waited", d.Locks.AcquireBlocks, d.Locks.Acquires).
		does("waits for the lock table at %.1f %% of the acquires", 100*d.Locks.MutexWait()).
		instead("in SuperClassic and Classic more LockHashSlots, as the advice says; in Super this is rare, and no setting helps: %s", byObserved)}
}
