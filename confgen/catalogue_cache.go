package confgen

// cacheSettings are the rows about the page cache and the database files.
func cacheSettings() []Setting {
	var (
		negative  = fromZero
		cache     = Bounds{Min: 50, Max: maxPages, Low: Clamped, High: Clamped}
		cacheLong = Bounds{Uint32: true, Min: 50, Max: maxPages, Low: Clamped, High: Clamped}
		growth    = Bounds{Max: maxInt32, High: Zeroed}
	)
	return []Setting{
		{
			Name: DefaultDbCachePages, Type: Integer, Unit: UnitPages,
			Effect:  "Number of database pages kept in memory, per database in Super, per connection in SuperClassic and Classic; a value in the database header overrides it.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad}, Memory: MemoryPageCache,
			Source: "50:src/jrd/cch.h:69-73 MIN_PAGE_BUFFERS, MAX_PAGE_BUFFERS; 50:src/jrd/cch.cpp:1567-1576; 30:src/common/config/config.cpp getDefaultDbCachePages (int); measured on 3.0.11: 3000000000 -> 2048, 4294969296 -> 2000, 4G -> 50",
			Eras: []Era{
				{From: v25, Default: shared("2048", "75"), Scope: ServerScope, Use: cacheLong},
				{From: v30, Default: shared("2048", "256"), Scope: DatabaseScope, Bounds: Bounds{Int32: true, Negative: Defaulted}, Use: cache},
				{From: v40, Default: shared("2048", "256"), Scope: DatabaseScope, Bounds: negative, Use: cacheLong},
			},
		},
		{
			Name: FileSystemCacheThreshold, Type: Integer, Unit: UnitPages,
			Effect:  "The operating system caches the database file only while its page buffers are fewer than this; from there on the file is opened with O_DIRECT.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "50:src/jrd/pag.cpp:1171-1177; 30:src/jrd/pag.cpp:1192; 25:src/jrd/pag.cpp:1370 (compared as unsigned); removed by pull request 7983",
			Eras: []Era{
				{From: v25, Default: same("65536"), Scope: ServerScope, Use: Bounds{Uint32: true}},
				{From: v30, Default: same("65536"), Scope: DatabaseScope, Bounds: Bounds{Int32: true, Negative: Zeroed}},
				{From: v40, Default: same("65536"), Scope: DatabaseScope, Bounds: negative, Use: Bounds{Uint32: true}},
				{From: v60, Removed: true},
			},
		},
		{
			Name: UseFileSystemCache, Type: Boolean,
			Effect:  "Whether the operating system caches the database file; when written it overrides FileSystemCacheThreshold.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "50:src/jrd/pag.cpp:1170-1177",
			Eras:   since(v40, DatabaseScope, "true", Bounds{}),
		},
		{
			Name: FileSystemCacheSize, Type: Integer, Unit: UnitPercent, Platform: WindowsOnly,
			Effect:  "Limits the system's file cache on Windows, for every program; 0 leaves it alone.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Source: "50:src/jrd/os/win32/winnt.cpp:1008-1020; removed by pull request 7984",
			Eras: until(v60, []Era{{From: v25, Default: same("0"), Scope: ServerScope,
				Use: Bounds{Min: 10, Max: 95, Zero: true, Negative: Replaced, Low: Replaced, High: Replaced, Instead: 30}}}),
		},
		{
			Name: DatabaseGrowthIncrement, Type: Integer, Unit: UnitBytes,
			Effect:  "Upper bound of the step by which a database file is extended in advance; less than 128 KiB switches that off.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByLoad},
			Source: "50:src/jrd/pag.cpp:120,2417-2450 (read as a 32-bit int up to 5.0: 2 GiB and more switch it off)",
			Eras: []Era{
				{From: v25, Default: same("134217728"), Scope: ServerScope, Use: growth},
				{From: v30, Default: same("134217728"), Scope: DatabaseScope, Use: growth},
				{From: v60, Default: same("134217728"), Scope: DatabaseScope},
			},
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
			Name: "RemoteFileOpenAbility", Type: Boolean, Durability: true,
			Effect:  "Whether databases on network file systems may be opened, which can corrupt them.",
			Restart: RestartServer,
			Source:  "issue jacobalberty/firebird-docker 1; 50:builds/install/misc/firebird.conf",
			Eras:    always(ServerScope, "false", Bounds{}),
		},
	}
}
