package confgen

// networkSettings are the rows about connections over the network.
func networkSettings() []Setting {
	wireWords := []string{"Disabled", "Enabled", "Required"}
	return []Setting{
		{
			Name: TcpRemoteBufferSize, Type: Integer, Unit: UnitBytes,
			Effect:  "Size of the packets that carry several rows of a result.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP, FeltBySort}, Memory: MemoryNetwork,
			Source: "50:src/common/config/config.cpp:364-365",
			Eras:   always(ServerScope, "8192", Bounds{Min: 1448, Max: 32767, Low: Clamped, High: Clamped}),
		},
		{
			Name: "TcpNoNagle", Type: Boolean,
			Effect:  "Whether small packets are sent at once.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Eras: serverThenDatabase(same("true"), ByMode{}, Bounds{}),
		},
		{
			Name: "TcpLoopbackFastPath", Type: Boolean, Platform: WindowsOnly,
			Effect:  "Whether connections on the same Windows machine take a shorter way through the network.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Source: "40:src/common/config/config.h, entries; defaults by tag",
			Eras: []Era{
				{From: Version{3, 0, 5}, Default: same("true"), Scope: DatabaseScope},
				{From: Version{3, 0, 11}, Default: same("false"), Scope: DatabaseScope},
				{From: v40, Default: same("true"), Scope: DatabaseScope},
				{From: Version{4, 0, 3}, Default: same("false"), Scope: DatabaseScope},
				{From: v50, Removed: true},
			},
		},
		{
			Name: "WireCrypt", Type: Word,
			Effect:  "Whether connections over the network are encrypted, which takes processor time.",
			Restart: RestartDatabase, FeltBy: []Load{FeltByOLTP, FeltBySort},
			Source: "30:src/common/config/config.cpp getWireCrypt (server; a client has Enabled)",
			Eras:   []Era{{From: v30, Default: same("Required"), Scope: DatabaseScope, Words: wireWords, Fold: true}},
		},
		{
			Name: "WireCryptPlugin", Type: Text,
			Effect:  "Plugins that may encrypt connections, in the order of preference.",
			Restart: RestartServer, FeltBy: []Load{FeltByOLTP},
			Eras: []Era{
				{From: v30, Default: same("Arc4"), Scope: DatabaseScope},
				{From: v40, Default: same("ChaCha64, ChaCha, Arc4"), Scope: DatabaseScope},
			},
		},
		{
			Name: "WireCompression", Type: Boolean,
			Effect:  "Whether a client asks for compressed connections; at the server it does nothing.",
			Restart: RestartClient, FeltBy: []Load{FeltByOLTP},
			Eras: since(v30, DatabaseScope, "false", Bounds{}),
		},
		{
			Name: "ClientBatchBuffer", Type: Integer, Unit: UnitBytes,
			Effect:  "Buffer in which a client collects the rows of a batch.",
			Restart: RestartClient, FeltBy: []Load{FeltByLoad},
			Source: "40:src/remote/client/interface.cpp:2539",
			Eras:   since(v40, DatabaseScope, "131072", Bounds{}),
		},
		{
			Name: "ConnectionTimeout", Type: Integer, Unit: UnitSeconds,
			Effect:  "Time a client waits for a connection.",
			Restart: RestartClient, FeltBy: []Load{FeltByConnect},
			Eras: serverThenDatabase(same("180"), ByMode{}, Bounds{}),
		},
		{
			Name: "DummyPacketInterval", Type: Integer, Unit: UnitSeconds,
			Effect:  "Silence after which the server asks whether a client is still there; 0 is never.",
			Restart: RestartServer, FeltBy: []Load{FeltByConnect},
			Eras: serverThenDatabase(same("0"), ByMode{}, Bounds{}),
		},
		{
			Name: "RemoteServicePort", Type: Integer,
			Effect:  "Port the server listens on; 0 is that of RemoteServiceName, else 3050.",
			Restart: RestartServer,
			Source:  "50:src/common/config/config.h getRemoteServicePort (unsigned short)",
			Eras: []Era{
				{From: v25, Default: same("0"), Scope: ServerScope, Use: port},
				{From: v30, Default: same("0"), Scope: DatabaseScope, Use: port},
			},
		},
		{
			Name: "RemoteServiceName", Type: Text,
			Effect:  "Name in /etc/services of the port the server listens on, when RemoteServicePort gives none.",
			Restart: RestartServer,
			Eras:    serverThenDatabase(same("gds_db"), ByMode{}, Bounds{}),
		},
		{
			Name: "RemoteAuxPort", Type: Integer,
			Effect:  "Port for events; 0 is any free one.",
			Restart: RestartServer,
			Eras:    serverThenDatabase(same("0"), ByMode{}, Bounds{}),
		},
		{
			Name: "RemoteBindAddress", Type: Text,
			Effect:  "Address the server listens on, all when empty; the server ends at its start when the machine does not have it.",
			Restart: RestartServer,
			Source:  "measured on 4.0.5: exit code 2, \"Cannot assign requested address\"",
			Eras:    always(ServerScope, "", Bounds{}),
		},
		{
			Name: "IPv6V6Only", Type: Boolean,
			Effect:  "Whether a socket of IPv6 takes connections of IPv6 only.",
			Restart: RestartServer,
			Eras:    since(v30, DatabaseScope, "false", Bounds{}),
		},
		{
			Name: "RemotePipeName", Type: Text, Platform: WindowsOnly,
			Effect:  "Name of the pipe for connections by named pipes on Windows.",
			Restart: RestartServer,
			Eras:    until(v50, serverThenDatabase(same("interbas"), ByMode{}, Bounds{})),
		},
		{
			Name: "IpcName", Type: Text, Platform: WindowsOnly,
			Effect:  "Name of the objects for local connections on Windows.",
			Restart: RestartServer,
			Eras:    serverThenDatabase(same("FirebirdIPI"), same("FIREBIRD"), Bounds{}),
		},
		{
			Name: "Redirection", Type: Boolean,
			Effect:  "Whether the server passes connections on to other servers.",
			Restart: RestartServer,
			Source:  "removed by issue 8667",
			Eras:    until(v60, always(ServerScope, "false", Bounds{})),
		},
	}
}
