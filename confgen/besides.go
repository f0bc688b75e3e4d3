package confgen

import (
	"fmt"
	"strings"
)

// Limits of the operating system that many connections meet.
const (
	manyConnections = 200
	goodOpenFiles   = 65535
	goodMapCount    = 256000 // IBSurgeon's installer sets 256000, later 1000000
)

// also returns what must be done besides writing the files.
func also(s *sizing) []string {
	all := []string{
		"restart Firebird: firebird.conf is read once, at the start",
	}
	targets := []string{"DATABASE"}
	if len(s.Databases) > 0 {
		targets = targets[:0]
		for _, d := range s.databases {
			targets = append(targets, d.Path)
		}
	}
	for _, target := range targets {
		all = append(all, fmt.Sprintf("gfix -buffers 0 %q: page buffers in the database's header override both files", target))
	}
	if s.largestCache() >= Pages(s.defaultNumber(FileSystemCacheThreshold)) {
		all = append(all, fmt.Sprintf("check after the start that the database file is open without O_DIRECT: the cache has %d pages, and without FileSystemCacheThreshold = %d it would be", s.largestCache(), s.threshold))
	}
	if files := s.Host.Limits.OpenFilesSoft; s.Connections >= manyConnections && !(files.Known() && (files.Value < 0 || files.Value >= goodOpenFiles)) {
		all = append(all, fmt.Sprintf("set LimitNOFILE=%d in the service's unit (now %s): %d connections open sockets and files", goodOpenFiles, files, s.Connections))
	}
	if maps := s.Host.Limits.MaxMapCount; s.mode == SuperClassic && s.Connections >= manyConnections && maps.Or(0) < goodMapCount {
		all = append(all, fmt.Sprintf("sysctl vm.max_map_count=%d or more (now %s): one process maps the memory of %d connections", goodMapCount, maps, s.Connections))
	}
	return all
}

// advisories are errors of the engine, not of a configuration, that touch an
// architecture before a patch level.
var advisories = []struct {
	mode  Mode
	fixed Version
	text  string
}{
	{SuperClassic, Version{3, 0, 12}, "SuperClassic can stop accepting connections after days (issue 7480)"},
	{Classic, Version{3, 0, 12}, "Classic cannot take its port again for up to 60 s after a stop (issue 8181)"},
	{Super, Version{3, 0, 12}, "a full file system of the lock directory kills the server (issue 8048)"},
}

// adviceWarnings returns what makes the advice doubtful or the machine unfit.
func adviceWarnings(s *sizing) []string {
	all := append([]string(nil), s.Host.Warnings...)
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case len(s.Databases) == 0 && s.mode == Super:
		add("no database was named: the cache is for one database of %s pages, and each further one that is open takes as much again; name them with --database", s.databases[0].PageSize)
	case len(s.Databases) == 0:
		add("no database was named: the cache is for pages of %s; name the databases with --database", s.databases[0].PageSize)
	}
	for _, d := range s.Databases {
		if d.Size == 0 {
			add("the size of %s is unknown, so its cache may be larger than the database; give size=", d.Name)
		}
	}
	for _, advisory := range advisories {
		if advisory.mode == s.mode && s.Version.Line() == advisory.fixed.Line() && !s.Version.AtLeast(advisory.fixed) {
			add("Firebird %s: %s; upgrade to %s", s.Version, advisory.text, advisory.fixed)
		}
	}
	if warning := presentWarning(s); warning != "" {
		all = append(all, warning)
	}
	return all
}

// presentWarning says that the present configuration can need more memory than
// there is, as when a container's limit was lowered and its files kept.
func presentWarning(s *sizing) string {
	if len(s.Current) == 0 {
		return ""
	}
	present := Candidate{Version: s.Version, Connections: s.Connections, Databases: s.Databases, Settings: map[string]string{}}
	for name, current := range s.Current {
		if strings.EqualFold(name, ServerMode) {
			name = ServerMode
		}
		present.Settings[name] = current.Value
	}
	if err := Fits(present, s.limit); err != nil {
		return fmt.Sprintf("the present configuration %v (%s is %s less what the operating system needs)", err, s.limit, s.memory)
	}
	return ""
}
