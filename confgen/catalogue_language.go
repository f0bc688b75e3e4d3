package confgen

// languageSettings are the rows that change what statements mean or return,
// not how fast they are.
func languageSettings() []Setting {
	identifier := func(name, unit, def string, most int64) Setting {
		return Setting{
			Name: name, Type: Integer, Unit: UnitCharacters,
			Effect:  "Longest name of an object, in " + unit + ".",
			Restart: RestartDatabase,
			Source:  "50:src/common/config/config.cpp checkValues",
			Eras:    until(v60, since(v40, DatabaseScope, def, Bounds{Min: 1, Max: most, Low: Defaulted, High: Defaulted})),
		}
	}
	old := func(name, effect string) Setting {
		return Setting{Name: name, Type: Boolean, Effect: effect, Restart: RestartServer, Eras: only25("false", Bounds{})}
	}
	return []Setting{
		{
			Name: "DataTypeCompatibility", Type: Word,
			Effect:  "The version whose types clients are shown instead of newer ones.",
			Restart: RestartDatabase,
			Source:  "50:src/jrd/jrd.cpp:1004-1030",
			Eras:    []Era{{From: v40, Scope: DatabaseScope, Words: []string{"", "2.5", "3.0"}, WordsKept: true}},
		},
		{
			Name: "DefaultTimeZone", Type: Text,
			Effect:  "Time zone of sessions, that of the operating system when empty.",
			Restart: RestartServer,
			Eras:    since(v40, ServerScope, "", Bounds{}),
		},
		{
			Name: "ClearGTTAtRetaining", Type: Boolean,
			Effect:  "Whether COMMIT RETAINING empties temporary tables.",
			Restart: RestartDatabase,
			Eras: until(v50, []Era{
				{From: Version{3, 0, 5}, Default: same("true"), Scope: DatabaseScope},
				{From: v40, Default: same("false"), Scope: DatabaseScope},
			}),
		},
		{
			Name: "AllowUpdateOverwrite", Type: Boolean,
			Effect:  "Whether an UPDATE may overwrite what its own triggers changed.",
			Restart: RestartDatabase,
			Source:  "50:src/common/config/config.h, entries (5.0.4)",
			Eras:    since(Version{5, 0, 4}, DatabaseScope, "true", Bounds{}),
		},
		identifier("MaxIdentifierByteLength", "bytes", "252", 252),
		identifier("MaxIdentifierCharLength", "characters", "63", 63),
		{
			Name: "RelaxedAliasChecking", Type: Boolean,
			Effect:  "Whether a table may be named beside its alias in a statement.",
			Restart: RestartServer,
			Eras:    until(v60, always(ServerScope, "false", Bounds{})),
		},
		old("CompleteBooleanEvaluation", "Whether all parts of a condition are evaluated."),
		old("OldColumnNaming", "Whether computed columns are unnamed, as in InterBase."),
		old("OldSetClauseSemantics", "Whether SET of an UPDATE sees the values it has just assigned."),
	}
}
