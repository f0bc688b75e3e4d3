package confgen

import (
	"fmt"
	"math"
)

// Observed is what a running server showed under its own load. What is zero was
// not seen.
type Observed struct {
	PeakAttachments int     `json:"peak_attachments"` // at the same time
	HitRatio        float64 `json:"cache_hit_ratio"`  // 1 - page reads / page fetches, of deltas, 0 to 1
	HashSlots       int64   `json:"lock_hash_slots"`  // of fb_lock_print, as are the next four
	AverageChain    float64 `json:"lock_chain_average"`
	LongestChain    int     `json:"lock_chain_longest"`
	MutexWait       float64 `json:"lock_mutex_wait"` // part of the acquires that had to wait, 0 to 1
	LockUsed        Bytes   `json:"lock_used_bytes"`
	TempSpilled     Bytes   `json:"temp_spilled_bytes"` // most of temporary data that was in files at the same time
}

// What makes an observation move a value, and how far.
const (
	// roomForConnections is how many more connections than the peak seen are
	// advised for.
	roomForConnections = 1.25

	// PoorHitRatio is the cache hit ratio below which the page cache of Super
	// gets more than its usual share: cacheSharePoor, between the published
	// 25 % (safe) and 50 % of RAM.
	PoorHitRatio   = 0.95
	cacheSharePoor = 0.40

	// LongWait is the part of acquires that wait for the lock table from which
	// wider hashes are the practice in SuperClassic and Classic.
	LongWait = 0.10

	// mostForSorts is the part of the memory that sorts get at most, however
	// much was seen in files.
	mostForSorts = 0.25
)

// check refuses observations that no server can have made.
func (o Observed) check() error {
	fail := func(what string, value any) error {
		return fmt.Errorf("observed %s of %v: this cannot be; observe it again", what, value)
	}
	part := func(x float64) bool { return x >= 0 && x <= 1 } // false for NaN
	switch {
	case o.PeakAttachments < 0:
		return fail("peak attachments", o.PeakAttachments)
	case !part(o.HitRatio):
		return fail("cache hit ratio", o.HitRatio)
	case !part(o.MutexWait):
		return fail("mutex wait", o.MutexWait)
	case o.HashSlots < 0 || !(o.AverageChain >= 0) || math.IsInf(o.AverageChain, 0) || o.LongestChain < 0:
		return fail("hash slots and chains", fmt.Sprintf("%d, %g, %d", o.HashSlots, o.AverageChain, o.LongestChain))
	case o.LockUsed < 0:
		return fail("use of the lock table", int64(o.LockUsed))
	case o.TempSpilled < 0:
		return fail("temporary files", int64(o.TempSpilled))
	}
	return nil
}

// connections returns how many connections the peak seen asks for.
func (o Observed) connections() int {
	return int(math.Ceil(float64(o.PeakAttachments) * roomForConnections))
}

// observe lets what was seen move the sizing's targets, and says which.
func (s *sizing) observe() {
	o := s.Observed
	moved := func(format string, args ...any) { s.moved = append(s.moved, fmt.Sprintf(format, args...)) }
	if s.connectionsSeen {
		moved("connections: %d, the peak of %d attachments and a quarter more", s.Connections, o.PeakAttachments)
	}
	if s.mode == Super && o.HitRatio > 0 && o.HitRatio < PoorHitRatio {
		s.cacheShare = cacheSharePoor
		moved("%s: %g %% of the memory instead of %g %%, because only %.1f %% of page fetches hit the cache (good: %g %% and more)",
			DefaultDbCachePages, cacheSharePoor*100, cacheShareSuper*100, o.HitRatio*100, PoorHitRatio*100)
	}
	if o.AverageChain > LongChain || o.MutexWait > LongWait && s.mode != Super {
		for _, slots := range slotLadder {
			if s.leastSlots = slots; slots > o.HashSlots {
				break
			}
		}
		moved("%s: at least %d, because chains of %.0f on average (good: up to %d) and waits at %.0f %% of the acquires were seen with %d slots",
			LockHashSlots, s.leastSlots, o.AverageChain, LongChain, o.MutexWait*100, o.HashSlots)
	}
	if use := lockUse(s.mode, s.slots, int64(s.Connections), s.largestCache()); o.LockUsed > use {
		s.lockSeen = o.LockUsed
		moved("%s: for the %s of the lock table that were in use, more than the model's %s", LockMemSize, o.LockUsed, use)
	}
	if o.TempSpilled > 0 {
		s.tempSeen = o.TempSpilled
		moved("%s: %s more, which sorts were seen to keep in files, up to %g %% of the memory", TempCacheLimit, o.TempSpilled, mostForSorts*100)
	}
}
