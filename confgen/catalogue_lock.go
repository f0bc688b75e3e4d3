package confgen

// lockSettings are the rows about the lock table and the other tables in
// shared memory.
func lockSettings() []Setting {
	var (
		least = int64(256 << 10)
		// Too small a table crashes the first attach (issue 8885); how small
		// depends on the slots, see LockTableNeeds. Less than a byte never works.
		some   = Bounds{Int32: true, Min: 1, Low: Fatal}
		slots  = Bounds{Min: 101, Max: 65521, Low: Clamped, High: Clamped}
		wraps  = Bounds{Modulo: 1 << 16, Min: 101, Max: 65521, Low: Clamped, High: Clamped}
		raised = Bounds{Int32: true, Min: least, Low: Clamped}
	)
	return []Setting{
		{
			Name: LockMemSize, Type: Integer, Unit: UnitBytes,
			Effect:  "Initial size of a database's lock table in shared memory, and the step by which it grows.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByConnect}, Memory: MemoryLockTable,
			Source: "50:src/lock/lock.cpp:146,192-199; issue 7545 (minimum); issue 6994 (2 GB); measured on Debian's 3.0.11: 2G, 4G, 1, -1 crash, 5000000000 is 672 MiB; on 4.0.5: 2G, 3G, 5000000000 attach, 4G does not",
			Eras: []Era{
				{From: v25, Default: same("1048576"), Scope: ServerScope, Bounds: some},
				{From: v30, Default: same("1048576"), Scope: DatabaseScope, Bounds: some},
				// The release of 3.0.11 has the minimum, Debian's build of it has not.
				{From: Version{3, 0, 12}, Default: same("1048576"), Scope: DatabaseScope, Bounds: raised},
				{From: v40, Default: same("1048576"), Scope: DatabaseScope, Use: Bounds{Uint32: true, Min: 1, Low: Fatal}},
				{From: Version{4, 0, 3}, Default: same("1048576"), Scope: DatabaseScope,
					Bounds: Bounds{Min: least, Low: Clamped}, Use: Bounds{Uint32: true, Min: 1, Low: Fatal}},
				// Raised to what slots and history need: 80 KB with the default slots.
				{From: Version{5, 0, 4}, Default: same("1048576"), Scope: DatabaseScope,
					Bounds: Bounds{Min: least, Low: Clamped}, Use: Bounds{Uint32: true, Min: 80 << 10, Low: Clamped}},
			},
		},
		{
			Name: LockHashSlots, Type: Integer, Unit: UnitSlots,
			Effect:  "Width of the lock table's hash; more slots make shorter chains to walk while the table is held.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByConnect}, Memory: MemoryLockTable,
			Source: "30:src/lock/lock.cpp:142; 50:src/lock/lock_proto.h:501 (an unsigned short from 5.0.4 on); measured on 5.0.4 (65536 -> 101)",
			Eras: []Era{
				{From: v25, Default: same("1009"), Scope: ServerScope, Use: slots},
				{From: v30, Default: same("8191"), Scope: DatabaseScope, Use: slots},
				{From: Version{5, 0, 4}, Default: same("8191"), Scope: DatabaseScope, Use: wraps},
			},
		},
		{
			Name: LockAcquireSpins, Type: Integer, Unit: UnitTries,
			Effect:  "Tries to take the lock table before waiting for it; of use only with more than one process or lock table owner, in SuperClassic and Classic.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP},
			Source: "50:src/lock/lock.cpp:1064-1080",
			Eras:   serverThenDatabase(same("0"), ByMode{}, Bounds{}),
		},
		{
			Name: "LockGrantOrder", Type: Boolean,
			Effect:  "Whether locks are granted in the order they were asked for.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Source: "25:src/lock/lock.cpp:2498",
			Eras:   only25("true", Bounds{}),
		},
		{
			Name: DeadlockTimeout, Type: Integer, Unit: UnitSeconds,
			Effect:  "Time a waiting lock request takes before deadlocks are looked for.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP},
			Source: "50:src/lock/lock.cpp:2328",
			Eras:   serverThenDatabase(same("10"), ByMode{}, Bounds{}),
		},
		{
			Name: "EventMemSize", Type: Integer, Unit: UnitBytes,
			Effect:  "Size of a database's table of events in shared memory, and the step by which it grows.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByConnect}, Memory: MemoryShared,
			Source: "50:src/jrd/event.cpp:133",
			Eras: []Era{
				{From: v25, Default: same("65536"), Scope: ServerScope, Bounds: int32Only},
				{From: v30, Default: same("65536"), Scope: DatabaseScope, Use: int32Only}, // RDB$CONFIG prints it whole
			},
		},
		{
			Name: "SnapshotsMemSize", Type: Integer, Unit: UnitBytes,
			Effect:  "First size of the table of active snapshots in shared memory, 16 bytes each.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByConnect}, Memory: MemoryShared,
			Source: "50:src/jrd/tpc.cpp:865; 50:src/common/config/config.cpp checkValues",
			Eras:   since(v40, DatabaseScope, "65536", tableBytes),
		},
		{
			Name: "TipCacheBlockSize", Type: Integer, Unit: UnitBytes,
			Effect:  "Size of a block of transaction states in shared memory, 8 bytes a transaction, one file a block.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP}, Memory: MemoryShared,
			Source: "40:src/jrd/tpc.cpp:69; 50:src/common/config/config.cpp checkValues",
			Eras:   since(v40, DatabaseScope, "4194304", tableBytes),
		},
	}
}
