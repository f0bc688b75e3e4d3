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
	TempDirectories          = "TempDirectories"
	InlineSortThreshold      = "InlineSortThreshold"
	MaxStatementCacheSize    = "MaxStatementCacheSize"
	LockMemSize              = "LockMemSize"
	LockHashSlots            = "LockHashSlots"
	LockAcquireSpins         = "LockAcquireSpins"
	DeadlockTimeout          = "DeadlockTimeout"
	GCPolicy                 = "GCPolicy"
	ParallelWorkers          = "ParallelWorkers"
	MaxParallelWorkers       = "MaxParallelWorkers"
	TcpRemoteBufferSize      = "TcpRemoteBufferSize"
	DatabaseGrowthIncrement  = "DatabaseGrowthIncrement"
	MaxUnflushedWrites       = "MaxUnflushedWrites"
	MaxUnflushedWriteTime    = "MaxUnflushedWriteTime"
	CpuAffinityMask          = "CpuAffinityMask"
)

// The versions from which settings came, went or changed.
var (
	v25 = Version{2, 5, 0}
	v30 = Version{3, 0, 0}
	v40 = Version{4, 0, 0}
	v50 = Version{5, 0, 0}
	v60 = Version{6, 0, 0}
)

// What several settings share.
var (
	int32Only  = Bounds{Int32: true}            // read through an int of 32 bits
	fromZero   = Bounds{Negative: Defaulted}    // below 0 is the default
	port       = Bounds{Modulo: 1 << 16}        // cast to unsigned short
	tableBytes = Bounds{Min: 1, Max: 1<<32 - 1, // of SnapshotsMemSize and TipCacheBlockSize
		Low: Defaulted, High: Defaulted}
)

const maxInt32 = 1<<31 - 1

// settings is the table, built once and never changed.
var settings = catalogue()

// catalogue returns the table of settings, a row each, topic by topic. All data
// is from Firebird's sources at the heads named in the Source column: 25, 30,
// 40, 50 and 60 stand for the branches B2_5_Release, B3_0_Release,
// v4.0-release, v5.0-release and master; where none is named it is the table of
// entries in src/common/config. It holds every entry of these five versions.
func catalogue() []Setting {
	topics := []struct {
		topic Topic
		rows  []Setting
	}{
		{TopicCache, cacheSettings()},
		{TopicSort, sortSettings()},
		{TopicLock, lockSettings()},
		{TopicEngine, engineSettings()},
		{TopicServer, serverSettings()},
		{TopicNetwork, networkSettings()},
		{TopicAccess, accessSettings()},
		{TopicLanguage, languageSettings()},
	}
	var all []Setting
	for _, t := range topics {
		for _, row := range t.rows {
			row.Topic = t.topic
			if row.Source == "" {
				row.Source = "25, 30:src/common/config/config.cpp; 40, 50, 60:src/common/config/config.h, entries"
			}
			all = append(all, row)
		}
	}
	return all
}

// serverThenDatabase returns the eras of a setting whose only change is that
// 3.0 made it a setting of the database.
func serverThenDatabase(def, windows ByMode, bounds Bounds) []Era {
	return []Era{
		{From: v25, Default: def, Windows: windows, Scope: ServerScope, Bounds: bounds},
		{From: v30, Default: def, Windows: windows, Scope: DatabaseScope, Bounds: bounds},
	}
}

// always returns the era of a setting that never changed.
func always(scope Scope, def string, bounds Bounds) []Era {
	return since(v25, scope, def, bounds)
}

// since returns the era of a setting that came with a version and stayed.
func since(from Version, scope Scope, def string, bounds Bounds) []Era {
	return []Era{{From: from, Default: same(def), Scope: scope, Bounds: bounds}}
}

// until returns eras with one more at the end, in which the setting is gone.
func until(removed Version, eras []Era) []Era {
	return append(eras, Era{From: removed, Removed: true})
}

// only25 returns the eras of a setting that 3.0 removed.
func only25(def string, bounds Bounds) []Era { return until(v30, always(ServerScope, def, bounds)) }

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

// Known returns the settings of a version, in the order of the catalogue.
func Known(v Version) []Setting {
	return slices.DeleteFunc(All(), func(s Setting) bool {
		_, known := s.In(v)
		return !known
	})
}

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
