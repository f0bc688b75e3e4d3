package check

import (
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// lockRules are about the lock table.
func lockRules() []Rule {
	return []Rule{
		{
			ID: "lock-table", Severity: ServerDown, find: perView(lockTable),
			About:  "a lock table too small for its slots, which crashes the first attach",
			Source: "issues 8885 (fixed in 5.0.4), 7545; measured on 3.0.11 and 4.0.5: 31172 slots fit in 256 KiB, more do not",
		},
		{
			ID: "lock-table-growth", Severity: Warning, find: perView(lockGrowth),
			About:  "a lock table that soon passes 2 GiB, at which the server crashes",
			Source: "issues 6994, 7344; src/lock/lock.cpp:146",
		},
		{
			ID: "lock-spins", Severity: Note, find: perView(lockSpins),
			About:  "spins on a table that one process has for itself",
			Source: "50:src/lock/lock.cpp:1064-1080",
		},
	}
}

func lockTable(s *subject, v view) (Finding, bool) {
	memory, memoryIn, _ := v.number(confgen.LockMemSize)
	slots, slotsIn, _ := v.number(confgen.LockHashSlots)
	if !memoryIn.Attaches {
		return Finding{}, false // a rule of values
	}
	const room = 64 << 10 // for owners, which come with connections
	in := slotsIn
	if memoryIn.Set {
		in = memoryIn
	}
	least := int64(confgen.LockTableLeast(s.Version, slots))
	instead := fmt.Sprintf("write LockMemSize = %s or more", confgen.FormatSize(confgen.MiB*confgen.Bytes(1+(slots*8+room)>>20), s.Version))
	switch {
	case memory < least:
		return at(in).does(instead, "crashes at the first attach%s: %d slots need %d bytes, and LockMemSize is %d", v.of(), slots, least, memory), true
	case least > 0 && memory < slots*8+room || !s.Version.AtLeast(v30) && memory < slots*8+room:
		return at(in).does(instead, "has hardly room beside %d slots in a lock table of %d bytes%s", slots, memory, v.of()).as(Warning), true
	}
	return Finding{}, false
}

func lockGrowth(_ *subject, v view) (Finding, bool) {
	memory, in, _ := v.number(confgen.LockMemSize)
	const large = 512 << 20
	return at(in).does("write 256M or less", "starts with a lock table of %s%s and grows it by as much: at 2 GiB the server crashes", confgen.Bytes(memory), v.of()),
		in.Set && in.Attaches && memory >= large
}

func lockSpins(s *subject, v view) (Finding, bool) {
	spins, in, _ := v.number(confgen.LockAcquireSpins)
	return at(in).does("delete the line", "spins in vain%s: in Super one process has the lock table for itself", v.of()),
		in.Set && spins > 0 && s.modeKnown && s.mode == confgen.Super && s.Version.AtLeast(v30)
}
