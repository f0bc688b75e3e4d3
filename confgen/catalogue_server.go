package confgen

// serverSettings are the rows about the server's processes.
func serverSettings() []Setting {
	return []Setting{
		{
			Name: ServerMode, Type: Word,
			Effect:  "Chooses the architecture: Super has one process with a page cache shared by all connections, SuperClassic one process with a cache per connection, Classic a process and a cache per connection.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP, FeltBySort, FeltByLoad, FeltByConnect}, Memory: MemoryPageCache,
			Source: "50:src/common/config/config.cpp checkValues; 30:src/common/config/config.cpp getServerMode",
			Eras:   []Era{{From: v30, Default: same("Super"), Scope: ServerScope, Words: serverModeWords(), Fold: true}},
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
		{
			Name: "ProcessPriorityLevel", Type: Integer, Platform: WindowsOnly,
			Effect:  "Priority of the server's process on Windows: 0 normal, above 0 high, below 0 low.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Eras: always(ServerScope, "0", Bounds{}),
		},
		{
			Name: "UsePriorityScheduler", Type: Boolean, Platform: WindowsOnly,
			Effect:  "Whether threads of SuperServer on Windows take turns at a higher priority.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Eras: only25("true", Bounds{}),
		},
		{
			Name: "PrioritySwitchDelay", Type: Integer, Unit: UnitMilliseconds, Platform: WindowsOnly,
			Effect:  "How long such a turn lasts.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Source: "25:src/common/config/config.cpp getPrioritySwitchDelay",
			Eras:   only25("100", Bounds{Min: 1, Low: Clamped}),
		},
		{
			Name: "PriorityBoost", Type: Integer, Platform: WindowsOnly,
			Effect:  "How many turns a thread of higher priority gets for one of the others.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Source: "25:src/common/config/config.cpp getPriorityBoost",
			Eras:   only25("5", Bounds{Min: 1, Max: 1000, Low: Clamped, High: Clamped}),
		},
		{
			Name: "GuardianOption", Type: Integer, Platform: WindowsOnly,
			Effect:  "Whether the guardian starts the server again when it ended by itself.",
			Restart: RestartServer,
			Source:  "50:src/iscguard/iscguard.cpp:587",
			Eras:    always(ServerScope, "1", Bounds{}),
		},
		{
			Name: "OutputRedirectionFile", Type: Text,
			Effect:  "Where the server's standard output and error go; - or nothing leaves them alone.",
			Restart: RestartServer,
			Eras:    []Era{{From: v40, Default: same("/dev/null"), Windows: same("nul"), Scope: ServerScope}},
		},
		{
			Name: "UseLegacyKernelObjectsNames", Type: Boolean, Platform: WindowsOnly,
			Effect:  "Whether kernel objects on Windows have the names they had before 4.0.3.",
			Restart: RestartServer,
			Eras:    until(v50, since(Version{4, 0, 3}, ServerScope, "false", Bounds{})),
		},
		{
			Name: "LegacyDatabaseFileId", Type: Boolean, Platform: WindowsOnly,
			Effect:  "Whether databases on Windows are told apart by the short identity of their files, which is not unique on ReFS.",
			Restart: RestartServer,
			Eras:    until(v40, since(Version{3, 0, 7}, ServerScope, "true", Bounds{})),
		},
		{
			Name: "RootDirectory", Type: Text,
			Effect:  "Root of the installation.",
			Restart: RestartServer,
			Eras:    only25("", Bounds{}),
		},
	}
}
