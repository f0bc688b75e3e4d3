package confgen

import (
	"slices"
	"strings"
)

// Names of the settings that rules and candidates refer to.
const (
	ServerMode               = "ServerMode"
	DefaultDbCachePages      = "DefaultDbCachePages"
	FileSystemCacheThreshold = "FileSystemCacheThreshold"
	UseFileSystemCache       = "UseFileSystemCache"
	FileSystemCacheSize      = "FileSystemCacheSize"
	TempCacheLimit           = "TempCacheLimit"
	TempBlockSize            = "TempBlockSize"
	LockMemSize              = "LockMemSize"
	LockHashSlots            = "LockHashSlots"
	LockAcquireSpins         = "LockAcquireSpins"
	DeadlockTimeout          = "DeadlockTimeout"
	GCPolicy                 = "GCPolicy"
	TcpRemoteBufferSize      = "TcpRemoteBufferSize"
	DatabaseGrowthIncrement  = "DatabaseGrowthIncrement"
	MaxUnflushedWrites       = "MaxUnflushedWrites"
	MaxUnflushedWriteTime    = "MaxUnflushedWriteTime"
	CpuAffinityMask          = "CpuAffinityMask"
)

// settings is the table, built once and never changed.
var settings = catalogue()

// catalogue returns the table of settings, a row each. All data is from
// Firebird's sources at the heads named in the Source column: 25, 30, 40, 50
// and 60 stand for the branches B2_5_Release, B3_0_Release, v4.0-release,
// v5.0-release and master.
func catalogue() []Setting {
	v25, v30, v40, v60 := Version{2, 5, 0}, Version{3, 0, 0}, Version{4, 0, 0}, Version{6, 0, 0}

	// What several eras of a setting share.
	const maxInt32 = 1<<31 - 1
	var (
		pageBuffers   = Bounds{Min: 50, Max: maxInt32 - 1, Negative: Defaulted, Low: Clamped, High: Clamped}
		pageBuffers30 = Bounds{Min: 50, Max: maxInt32 - 1, Negative: Defaulted, Low: Clamped, High: Clamped, Int32: true}
		hashSlots     = Bounds{Min: 101, Max: 65521, Low: Clamped, High: Clamped}
		hashSlots504  = Bounds{Min: 101, Max: 65521, Low: Clamped, High: Clamped, Modulo: 1 << 16}
		lockMemory    = Bounds{Min: 256 << 10, Max: maxInt32, Low: Clamped, High: Fatal}
		lockMemoryOld = Bounds{Max: maxInt32, High: Fatal}
		tempBlock     = Bounds{Min: 64 << 10, Low: Clamped, Multiple: 64 << 10}
		growth        = Bounds{Max: maxInt32, High: Zeroed}
		policies      = []string{"combined", "background", "cooperative"}
	)
	return []Setting{
		{
			Name: ServerMode, Type: Word,
			Effect:  "Chooses the architecture: Super has one process with a page cache shared by all connections, SuperClassic one process with a cache per connection, Classic a process and a cache per connection.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP, FeltBySort, FeltByLoad, FeltByConnect}, Memory: MemoryPageCache,
			Source: "50:src/common/config/config.cpp getServerMode",
			Eras:   []Era{{From: v30, Default: same("Super"), Scope: ServerScope, Words: serverModeWords(), Fold: true}},
		},
		{
			Name: DefaultDbCachePages, Type: Integer, Unit: UnitPages,
			Effect:  "Number of database pages kept in memory, per database in Super, per connection in SuperClassic and Classic; a value in the database header overrides it.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad}, Memory: MemoryPageCache,
			Source: "50:src/jrd/cch.h:69-73 MIN_PAGE_BUFFERS, MAX_PAGE_BUFFERS; 50:src/jrd/cch.cpp:1567-1576; measured on 3.0.11: 3000000000 -> 2048, 4294969296 -> 2000, 4G -> 50",
			Eras: []Era{
				{From: v25, Default: shared("2048", "75"), Scope: ServerScope, Bounds: pageBuffers},
				{From: v30, Default: shared("2048", "256"), Scope: DatabaseScope, Bounds: pageBuffers30},
				{From: v40, Default: shared("2048", "256"), Scope: DatabaseScope, Bounds: pageBuffers},
			},
		},
		{
			Name: FileSystemCacheThreshold, Type: Integer, Unit: UnitPages,
			Effect:  "The operating system caches the database file only while its page buffers are fewer than this; from there on the file is opened with O_DIRECT.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "50:src/jrd/pag.cpp:1171-1177; 30:src/jrd/pag.cpp:1192",
			Eras: []Era{
				{From: v25, Default: same("65536"), Scope: ServerScope, Bounds: Bounds{Negative: Zeroed}},
				{From: v30, Default: same("65536"), Scope: DatabaseScope, Bounds: Bounds{Negative: Zeroed}},
				{From: v40, Default: same("65536"), Scope: DatabaseScope, Bounds: Bounds{Negative: Defaulted}},
				{From: v60, Removed: true},
			},
		},
		{
			Name: UseFileSystemCache, Type: Boolean,
			Effect:  "Whether the operating system caches the database file; when written it overrides FileSystemCacheThreshold.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "50:src/jrd/pag.cpp:1170-1177",
			Eras:   []Era{{From: v40, Default: same("true"), Scope: DatabaseScope}},
		},
		{
			Name: FileSystemCacheSize, Type: Integer, Unit: UnitPercent, Platform: WindowsOnly,
			Effect:  "Limits the system's file cache on Windows, for every program; 0 leaves it alone.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Source: "50:src/jrd/os/win32/winnt.cpp:1008-1020",
			Eras: []Era{
				{From: v25, Default: same("0"), Scope: ServerScope},
				{From: v60, Removed: true},
			},
		},
		{
			Name: TempCacheLimit, Type: Integer, Unit: UnitBytes,
			Effect:  "Memory that sorts and other temporary data may use before they go to files in TempDirectories.",
			Restart: RestartServer, FeltBy: []Load{FeltBySort}, Memory: MemorySort,
			Source: "50:src/common/config/config.cpp:362; 30:src/jrd/TempSpace.cpp:282; 50:src/jrd/Database.h:329-339",
			Eras: []Era{
				{From: v25, Default: shared("67108864", "0"), Windows: shared("67108864", "8388608"), Scope: ServerScope, Bounds: Bounds{Negative: Zeroed}},
				{From: v30, Default: shared("67108864", "8388608"), Scope: ServerScope, Bounds: Bounds{Negative: Defaulted}},
				{From: v40, Default: shared("67108864", "8388608"), Scope: DatabaseScope, Bounds: Bounds{Negative: Defaulted}},
			},
		},
		{
			Name: TempBlockSize, Type: Integer, Unit: UnitBytes,
			Effect:  "The step by which temporary space is taken, in memory and in files.",
			Restart: RestartServer, FeltBy: []Load{FeltBySort}, Memory: MemorySort,
			Source: "50:src/jrd/TempSpace.cpp:47,215-221",
			Eras:   []Era{{From: v25, Default: same("1048576"), Scope: ServerScope, Bounds: tempBlock}},
		},
		{
			Name: LockMemSize, Type: Integer, Unit: UnitBytes,
			Effect:  "Initial size of a database's lock table in shared memory, and the step by which it grows.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByConnect}, Memory: MemoryLockTable,
			Source: "50:src/lock/lock.cpp:146,192-199; issue 7545 (minimum); issue 6994 (2 GB); measured on 3.0.11: 4G crashes at the first attach",
			Eras: []Era{
				{From: v25, Default: same("1048576"), Scope: ServerScope, Bounds: lockMemoryOld},
				{From: v30, Default: same("1048576"), Scope: DatabaseScope, Bounds: lockMemoryOld},
				{From: Version{3, 0, 11}, Default: same("1048576"), Scope: DatabaseScope, Bounds: lockMemory},
				{From: v40, Default: same("1048576"), Scope: DatabaseScope, Bounds: lockMemoryOld},
				{From: Version{4, 0, 3}, Default: same("1048576"), Scope: DatabaseScope, Bounds: lockMemory},
			},
		},
		{
			Name: LockHashSlots, Type: Integer, Unit: UnitSlots,
			Effect:  "Width of the lock table's hash; more slots make shorter chains to walk while the table is held.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByConnect}, Memory: MemoryLockTable,
			Source: "30:src/lock/lock.cpp:142; 50:src/lock/lock_proto.h:501; measured on 5.0.4 (65536 -> 101)",
			Eras: []Era{
				{From: v25, Default: same("1009"), Scope: ServerScope, Bounds: hashSlots},
				{From: v30, Default: same("8191"), Scope: DatabaseScope, Bounds: hashSlots},
				{From: Version{5, 0, 4}, Default: same("8191"), Scope: DatabaseScope, Bounds: hashSlots504},
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
			Name: DeadlockTimeout, Type: Integer, Unit: UnitSeconds,
			Effect:  "Time a waiting lock request takes before deadlocks are looked for.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP},
			Source: "50:src/common/config/config.h",
			Eras:   serverThenDatabase(same("10"), ByMode{}, Bounds{}),
		},
		{
			Name: GCPolicy, Type: Word,
			Effect:  "Who removes old record versions: the reader (cooperative), a thread (background) or both (combined); SuperClassic and Classic are always cooperative.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "30:src/common/config/config.cpp getGCPolicy (strcmp); 50:src/jrd/jrd.cpp:7511-7532",
			Eras: []Era{
				{From: v25, Default: shared("combined", "cooperative"), Scope: ServerScope, Words: policies},
				{From: v30, Default: shared("combined", "cooperative"), Scope: DatabaseScope, Words: policies},
				{From: v40, Default: shared("combined", "cooperative"), Scope: DatabaseScope, Words: policies, Fold: true},
			},
		},
		{
			Name: TcpRemoteBufferSize, Type: Integer, Unit: UnitBytes,
			Effect:  "Size of the packets that carry several rows of a result.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP, FeltBySort}, Memory: MemoryNetwork,
			Source: "50:src/common/config/config.cpp:364-365",
			Eras:   []Era{{From: v25, Default: same("8192"), Scope: ServerScope, Bounds: Bounds{Min: 1448, Max: 32767, Low: Clamped, High: Clamped}}},
		},
		{
			Name: DatabaseGrowthIncrement, Type: Integer, Unit: UnitBytes,
			Effect:  "Upper bound of the step by which a database file is extended in advance; less than 128 KiB switches that off.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByLoad},
			Source: "50:src/jrd/pag.cpp:120,2417-2450 (read as a 32-bit int up to 5.0: 2 GiB and more switch it off)",
			Eras: append(serverThenDatabase(same("134217728"), ByMode{}, growth),
				Era{From: v60, Default: same("134217728"), Scope: DatabaseScope}),
		},
		{
			Name: MaxUnflushedWrites, Type: Integer, Unit: UnitWrites, Durability: true,
			Effect:  "Page writes after which the file is flushed, when forced writes are off; negative is never.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "50:src/jrd/cch.cpp:1228-1262",
			Eras:   serverThenDatabase(same("-1"), same("100"), Bounds{}),
		},
		{
			Name: MaxUnflushedWriteTime, Type: Integer, Unit: UnitSeconds, Durability: true,
			Effect:  "Seconds after which the file is flushed, when forced writes are off; negative is never.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "50:src/jrd/cch.cpp:1228-1262",
			Eras:   serverThenDatabase(same("-1"), same("5"), Bounds{}),
		},
		{
			Name: CpuAffinityMask, Type: Integer, Unit: UnitMask, Platform: WindowsOnly,
			Effect:  "CPUs a server may run on, on Windows; elsewhere use taskset or CPUAffinity= of systemd.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP, FeltBySort, FeltByLoad},
			Source: "50:src/remote/server/os/win32/srvr_w32.cpp:220-224; 25:srvr_w32.cpp:211 (SuperServer only)",
			Eras: []Era{
				{From: v25, Default: same("1"), Scope: ServerScope},
				{From: v30, Default: same("0"), Scope: ServerScope},
			},
		},
	}
}

// serverThenDatabase returns the eras of a setting whose only change is that
// 3.0 made it a setting of the database.
func serverThenDatabase(def, windows ByMode, bounds Bounds) []Era {
	return []Era{
		{From: Version{2, 5, 0}, Default: def, Windows: windows, Scope: ServerScope, Bounds: bounds},
		{From: Version{3, 0, 0}, Default: def, Windows: windows, Scope: DatabaseScope, Bounds: bounds},
	}
}

// serverModeWords returns the words of ServerMode, aliases included.
func serverModeWords() []string {
	words := make([]string, 0, len(modeNames))
	for _, m := range modeNames {
		words = append(words, m.name)
	}
	return words
}

// All returns every setting known, in the order of the catalogue.
func All() []Setting { return slices.Clone(settings) }

// Lookup returns the setting of that name, in any case, as the engine from 3.0
// on compares names.
func Lookup(name string) (Setting, bool) {
	i := slices.IndexFunc(settings, func(s Setting) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return Setting{}, false
	}
	return settings[i], true
}

// Default returns the built-in value of a setting in a version and
// architecture on Linux, spelled in full, and false when it is not known
// there.
func Default(name string, v Version, mode Mode) (string, bool) {
	s, ok := Lookup(name)
	if !ok {
		return "", false
	}
	return s.Default(v, mode)
}
