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
	if !s.Version.AtLeast(v30) {
		all = append(all, fmt.Sprintf("run %s: in 2.5 the architecture is the program, not a setting", servers25[s.mode]))
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
		without := fmt.Sprintf("%s = %d", FileSystemCacheThreshold, s.threshold)
		if s.Version.AtLeast(v40) {
			without = UseFileSystemCache + " = true"
		}
		all = append(all, fmt.Sprintf("check after the start that the database file is open without O_DIRECT: the cache has %d pages, and without %s it would be", s.largestCache(), without))
	}
	switch s.Storage {
	case HDD:
		all = append(all, "measure the disk's flushes with fbtune bench disk: on a rotating disk each forced write waits for one, and no setting here changes that; give sorts another disk by TempDirectories")
	case Network:
		all = append(all, "move the databases to a local disk: on a network file system Firebird refuses them, and RemoteFileOpenAbility can corrupt them")
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
// architecture before the patch levels with which they were mended.
var advisories = []struct {
	mode  Mode
	fixed []Version // a patch level of each line it touches
	text  string
}{
	{SuperClassic, []Version{{3, 0, 12}, {4, 0, 4}}, "SuperClassic can stop accepting connections after days (issue 7480)"},
	{Classic, []Version{{3, 0, 12}, {4, 0, 5}, {5, 0, 1}}, "Classic cannot take its port again for up to 60 s after a stop (issue 8181)"},
	{Super, []Version{{3, 0, 12}, {4, 0, 5}, {5, 0, 1}}, "a full file system of the lock directory kills the server (issue 8048)"},
	{SuperClassic, []Version{{3, 0, 12}, {4, 0, 5}, {5, 0, 1}}, "a full file system of the lock directory kills the server (issue 8048)"},
	{SuperClassic, []Version{{4, 0, 5}, {5, 0, 1}}, "each connection has a TempCacheLimit of its own, not each database (issue 7928)"},
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
		for _, fixed := range advisory.fixed {
			if advisory.mode == s.mode && s.Version.Line() == fixed.Line() && !s.Version.AtLeast(fixed) {
				add("Firebird %s: %s; upgrade to %s", s.Version, advisory.text, fixed)
			}
		}
	}
	if s.Bits == 32 {
		add("the server has 32 bits: a process can fill about %s whatever the machine has, and a cache %d pages; install the 64-bit one first", mostOf32Bit, maxPages32)
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
