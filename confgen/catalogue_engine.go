package confgen

// engineSettings are the rows about how the engine works through statements.
func engineSettings() []Setting {
	policies := []string{"combined", "background", "cooperative"}
	workers := Bounds{Min: 1, Max: 64, Low: Defaulted, High: Clamped}
	return []Setting{
		{
			Name: GCPolicy, Type: Word,
			Effect:  "Who removes old record versions: the reader (cooperative), a thread (background) or both (combined); SuperClassic and Classic are always cooperative.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltByLoad},
			Source: "25:src/jrd/jrd.cpp:5246 (in any case); 30:src/common/config/config.cpp getGCPolicy (strcmp); 50:src/jrd/jrd.cpp:7511-7532",
			Eras: []Era{
				{From: v25, Default: shared("combined", "cooperative"), Scope: ServerScope, Words: policies, Fold: true},
				{From: v30, Default: shared("combined", "cooperative"), Scope: DatabaseScope, Words: policies},
				{From: v40, Default: shared("combined", "cooperative"), Scope: DatabaseScope, Words: policies, Fold: true},
			},
		},
		{
			Name: ParallelWorkers, Type: Integer, Unit: UnitWorkers,
			Effect:  "Threads a connection uses by default to build an index or to sweep.",
			Restart: RestartServer, FeltBy: []Load{FeltByLoad},
			Source: "50:src/common/config/config.cpp:432-436; issues 7389, 7552",
			Eras:   []Era{{From: v50, Default: same("1"), Scope: ServerScope, Bounds: Bounds{Min: 1, Low: Defaulted}, AtMost: MaxParallelWorkers}},
		},
		{
			Name: MaxParallelWorkers, Type: Integer, Unit: UnitWorkers,
			Effect:  "The most threads a connection may ask for, and all connections of a process to a database together.",
			Restart: RestartServer, FeltBy: []Load{FeltByLoad},
			Source: "50:src/common/config/config.cpp:432-436; issues 7552, 8140",
			Eras:   since(v50, ServerScope, "1", workers),
		},
		{
			Name: "ReadConsistency", Type: Boolean,
			Effect:  "Whether every READ COMMITTED transaction reads consistently, from a snapshot per statement.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP},
			Eras: since(v40, DatabaseScope, "true", Bounds{}),
		},
		{
			Name: "OptimizeForFirstRows", Type: Boolean,
			Effect:  "Whether plans are made for the first rows of a result rather than for all.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltBySort},
			Eras: since(v50, DatabaseScope, "false", Bounds{}),
		},
		{
			Name: "OuterJoinConversion", Type: Boolean,
			Effect:  "Whether outer joins that can be inner joins are made so.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltBySort},
			Eras: until(v60, since(v50, DatabaseScope, "true", Bounds{})),
		},
		{
			Name: "SubQueryConversion", Type: Boolean,
			Effect:  "Whether subqueries with IN and EXISTS are made semi-joins.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltBySort},
			Eras: until(v60, since(Version{5, 0, 1}, DatabaseScope, "false", Bounds{})),
		},
		{
			Name: "StatementTimeout", Type: Integer, Unit: UnitSeconds,
			Effect:  "Time after which a statement is cancelled, an upper bound for what clients ask; 0 is never.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP},
			Source: "50:src/dsql/DsqlRequests.cpp:126 (times 1000 in 32 bits); issue 8085 (memory lost until 4.0.5 and 5.0.1)",
			Eras:   since(v40, DatabaseScope, "0", Bounds{}),
		},
		{
			Name: "ConnectionIdleTimeout", Type: Integer, Unit: UnitMinutes,
			Effect:  "Time after which an idle connection is closed; 0 is never.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByConnect},
			Source: "50:src/jrd/Attachment.cpp:1099",
			Eras:   since(v40, DatabaseScope, "0", Bounds{}),
		},
		{
			Name: "OnDisconnectTriggerTimeout", Type: Integer, Unit: UnitSeconds,
			Effect:  "Time after which a trigger ON DISCONNECT is cancelled; 0 is never.",
			Restart: RestartDatabase,
			Source:  "50:src/jrd/exe.cpp:1248",
			Eras:    since(Version{4, 0, 2}, DatabaseScope, "180", Bounds{}),
		},
		{
			Name: "ExtConnPoolSize", Type: Integer, Unit: UnitConnections,
			Effect:  "Idle connections to other databases kept for EXECUTE STATEMENT ON EXTERNAL; 0 keeps none.",
			Restart: RestartServer, FeltBy: []Load{FeltByConnect},
			Source: "50:src/jrd/extds/ExtDS.cpp:87-91,872-887",
			Eras:   []Era{{From: v40, Default: same("0"), Scope: ServerScope, Use: Bounds{Uint32: true, Max: 1000, High: Clamped}}},
		},
		{
			Name: "ExtConnPoolLifeTime", Type: Integer, Unit: UnitSeconds,
			Effect:  "Time such an idle connection is kept.",
			Restart: RestartServer, FeltBy: []Load{FeltByConnect},
			Source: "50:src/jrd/extds/ExtDS.cpp:87-91,872-887",
			Eras:   []Era{{From: v40, Default: same("7200"), Scope: ServerScope, Use: Bounds{Uint32: true, Min: 1, Max: 86400, Low: Clamped, High: Clamped}}},
		},
		{
			Name: "AuditTraceConfigFile", Type: Text,
			Effect:  "Configuration of the trace that runs as long as the server does; it costs time for each event traced.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP, FeltByConnect},
			Source: "issue 8189 (slow connects)",
			Eras:   always(ServerScope, "", Bounds{}),
		},
		{
			Name: "MaxUserTraceLogSize", Type: Integer, Unit: UnitMebibytes,
			Effect:  "Size of a user's trace log at which its session is suspended.",
			Restart: RestartServer,
			Source:  "50:src/jrd/trace/TraceLog.cpp:316",
			Eras:    always(ServerScope, "10", Bounds{}),
		},
		{
			Name: "TraceDSQL", Type: Integer,
			Effect:  "Bit mask of what developer builds of Firebird print.",
			Restart: RestartServer,
			Eras:    since(v30, ServerScope, "0", Bounds{}),
		},
		{
			Name: "BugcheckAbort", Type: Boolean,
			Effect:  "Whether the server ends with a core dump when the engine finds an error of its own.",
			Restart: RestartServer,
			Eras:    always(ServerScope, "false", Bounds{}),
		},
	}
}
