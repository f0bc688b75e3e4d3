package confgen

// accessSettings are the rows about who may do what, and by which plugins.
func accessSettings() []Setting {
	return []Setting{
		{
			Name: "Providers", Type: Text,
			Effect:  "Plugins that are asked in turn for a database; two engines at once cost processor time in SuperClassic and Classic.",
			Restart: RestartServer, FeltBy: []Load{FeltByConnect},
			Source: "issues 7357, 7535; 40:src/common/config/config.h, entries",
			Eras: []Era{
				{From: v30, Default: same("Remote, Engine12, Loopback"), Scope: DatabaseScope},
				{From: v40, Default: same("Remote, Engine13, Loopback"), Scope: DatabaseScope},
				{From: v60, Default: same("Remote, Engine14, Loopback"), Scope: DatabaseScope},
			},
		},
		{
			Name: "AuthServer", Type: Text,
			Effect:  "Plugins by which the server lets users in.",
			Restart: RestartServer, FeltBy: []Load{FeltByConnect},
			Eras: []Era{
				{From: v30, Default: same("Srp"), Scope: DatabaseScope},
				{From: v40, Default: same("Srp256"), Scope: DatabaseScope},
			},
		},
		{
			Name: "AuthClient", Type: Text,
			Effect:  "Plugins a client offers, tried in this order.",
			Restart: RestartClient, FeltBy: []Load{FeltByConnect},
			Eras: []Era{
				{From: v30, Default: same("Srp, Srp256, Legacy_Auth"), Windows: same("Srp, Srp256, Win_Sspi, Legacy_Auth"), Scope: DatabaseScope},
				{From: v40, Default: same("Srp256, Srp, Legacy_Auth"), Windows: same("Srp256, Srp, Win_Sspi, Legacy_Auth"), Scope: DatabaseScope},
			},
		},
		{
			Name: "UserManager", Type: Text,
			Effect:  "Plugins that keep users; the first is the one of CREATE USER.",
			Restart: RestartServer,
			Eras:    since(v30, DatabaseScope, "Srp", Bounds{}),
		},
		{
			Name: "TracePlugin", Type: Text,
			Effect:  "Plugin that carries out traces.",
			Restart: RestartServer,
			Eras:    since(v30, DatabaseScope, "fbtrace", Bounds{}),
		},
		{
			Name: "KeyHolderPlugin", Type: Text,
			Effect:  "Plugin that holds the keys of encrypted databases.",
			Restart: RestartServer,
			Eras:    since(v30, DatabaseScope, "", Bounds{}),
		},
		{
			Name: "DefaultProfilerPlugin", Type: Text,
			Effect:  "Plugin of the profiler.",
			Restart: RestartServer,
			Eras:    since(v50, DatabaseScope, "Default_Profiler", Bounds{}),
		},
		{
			Name: "SecurityDatabase", Type: Text,
			Effect:  "Database that holds the users.",
			Restart: RestartServer,
			Source:  "40:src/common/config/config.cpp specialProcessing",
			Eras: []Era{
				{From: v30, Default: same("$(dir_secDb)/security3.fdb"), Scope: DatabaseScope},
				{From: v40, Default: same("$(dir_secDb)/security4.fdb"), Scope: DatabaseScope},
				{From: v50, Default: same("$(dir_secDb)/security5.fdb"), Scope: DatabaseScope},
				{From: v60, Default: same("$(dir_secDb)/security6.fdb"), Scope: DatabaseScope},
			},
		},
		{
			Name: "AllowEncryptedSecurityDatabase", Type: Boolean,
			Effect:  "Whether the security database may be encrypted.",
			Restart: RestartServer,
			Eras:    since(Version{3, 0, 2}, DatabaseScope, "false", Bounds{}),
		},
		{
			Name: "RemoteAccess", Type: Boolean,
			Effect:  "Whether databases can be reached over the network.",
			Restart: RestartDatabase,
			Eras:    since(v30, DatabaseScope, "true", Bounds{}),
		},
		{
			Name: "DatabaseAccess", Type: Text,
			Effect:  "Directories in which databases may lie: Full, None (aliases only) or Restrict with a list; the security database counts.",
			Restart: RestartServer,
			Source:  "50:src/common/config/dir_list.cpp; 50:src/jrd/jrd.cpp:8597,9706",
			Eras:    always(ServerScope, "Full", Bounds{}),
		},
		{
			Name: "ExternalFileAccess", Type: Text,
			Effect:  "Directories in which files of external tables may lie: None, Full or Restrict with a list.",
			Restart: RestartServer,
			Source:  "50:src/common/config/dir_list.cpp",
			Eras:    serverThenDatabase(same("None"), ByMode{}, Bounds{}),
		},
		{
			Name: "UdfAccess", Type: Text,
			Effect:  "Directories in which libraries of external functions may lie: None, Full or Restrict with a list.",
			Restart: RestartServer,
			Eras: []Era{
				{From: v25, Default: same("Restrict UDF"), Scope: ServerScope},
				{From: v40, Default: same("None"), Scope: ServerScope},
			},
		},
		{
			Name: "LegacyHash", Type: Boolean,
			Effect:  "Whether passwords kept with the old hash are still taken.",
			Restart: RestartServer,
			Source:  "50:src/auth/SecurityDatabase/LegacyServer.cpp:365",
			Eras:    always(ServerScope, "true", Bounds{}),
		},
		{
			Name: "Authentication", Type: Word,
			Effect:  "How users are let in on Windows: by Firebird, by Windows or by both.",
			Restart: RestartServer, Platform: WindowsOnly,
			Eras: until(v30, []Era{{From: v25, Default: same("native"), Scope: ServerScope, Words: []string{"native", "trusted", "mixed"}, Fold: true}}),
		},
	}
}
