package confgen

// sortSettings are the rows about sorts and temporary data.
func sortSettings() []Setting {
	return []Setting{
		{
			Name: TempCacheLimit, Type: Integer, Unit: UnitBytes,
			Effect:  "Memory that sorts and other temporary data may use before they go to files in TempDirectories.",
			Restart: RestartServer, FeltBy: []Load{FeltBySort}, Memory: MemorySort,
			Source: "50:src/common/config/config.cpp:362; 30:src/jrd/TempSpace.cpp:282; 50:src/jrd/Database.h:329-339; issue 7928 (scope by patch level)",
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
			Eras: []Era{{From: v25, Default: same("1048576"), Scope: ServerScope,
				Use: Bounds{Int32: true, Min: 64 << 10, Low: Clamped, Multiple: 64 << 10}}},
		},
		{
			Name: TempDirectories, Type: Text,
			Effect:  "Where sorts and other temporary data go that do not fit in TempCacheLimit, directories separated by ; and used in this order; without it FIREBIRD_TMP, TMP, /tmp.",
			Restart: RestartServer, FeltBy: []Load{FeltBySort},
			Source: "50:src/jrd/TempSpace.cpp:504-549",
			Eras:   always(ServerScope, "", Bounds{}),
		},
		{
			Name: "TempTableDirectory", Type: Text,
			Effect:  "Where global temporary tables and temporary blobs lie; without it, or when it cannot be used, where TempDirectories would be by default.",
			Restart: RestartDatabase, FeltBy: []Load{FeltBySort, FeltByOLTP},
			Source: "50:src/jrd/pag.cpp:2599-2613",
			Eras:   since(v40, DatabaseScope, "", Bounds{}),
		},
		{
			Name: InlineSortThreshold, Type: Integer, Unit: UnitBytes,
			Effect:  "Sort records larger than this hold only the keys, and the other fields are read again after the sort; 0 does that always.",
			Restart: RestartDatabase, FeltBy: []Load{FeltBySort}, Memory: MemorySort,
			Source: "50:src/jrd/optimizer/Optimizer.cpp:1519-1538",
			Eras:   since(v40, DatabaseScope, "1000", fromZero),
		},
		{
			Name: MaxStatementCacheSize, Type: Integer, Unit: UnitBytes,
			Effect:  "Memory in which each connection keeps compiled statements that are not in use; 0 keeps none.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP}, Memory: MemoryStatements,
			Source: "50:src/dsql/DsqlStatementCache.cpp:38-45",
			Eras:   since(v50, DatabaseScope, "2097152", fromZero),
		},
	}
}
