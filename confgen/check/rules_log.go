package check

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/fbtune/fbtune/confgen"
)

// Kinds of lines of firebird.log that a rule is about. The words are those of
// internal/firebird, which reads the log.
const (
	logShortCache = "short cache"
	logLockTable  = "lock table full"
	logLockError  = "lock manager error"
	logOpenFiles  = "open files"
	logTempFull   = "temporary directories full"
	logDiskFull   = "disk full"
	logStartup    = "startup error"
	logBadData    = "databases.conf refused"
	logRefused    = "request refused"
)

// logRules are about what the server wrote into its log.
func logRules() []Rule {
	return []Rule{
		{
			ID: "log-short-cache", Severity: Error, find: logged(logShortCache, shortCache),
			About:  "a page cache that did not fit in memory",
			Source: "50:src/jrd/cch.cpp:1621-1626; issues 7500, 7470",
		},
		{
			ID: "log-lock-table", Severity: Error, find: logged(logLockTable, lockTableFull),
			About:  "a lock table that was full",
			Source: "50:src/lock/lock.cpp:1249-1297; issue 6994",
		},
		{
			ID: "log-lock-error", Severity: Error, find: logged(logLockError, fixed("the lock manager failed", "look what else the log says at that time; upgrade to the newest patch level")),
			About:  "a failure of the lock manager",
			Source: "src/lock/lock.cpp (bug)",
		},
		{
			ID: "log-open-files", Severity: Error, find: logged(logOpenFiles, fixed("connections or files of databases were refused", "set LimitNOFILE=65535 in the service's unit, or fs.file-max where the whole system is short")),
			About:  "more files than the server may open",
			Source: "issue 8343; 50:src/remote/server/os/posix/inet_server.cpp:361-367",
		},
		{
			ID: "log-temp-full", Severity: Error, find: logged(logTempFull, tempWasFull),
			About:  "sorts that found no room",
			Source: "50:src/jrd/TempSpace.cpp:504-549 (isc_out_of_temp_space)",
		},
		{
			ID: "log-disk-full", Severity: Error, find: logged(logDiskFull, fixed("a file could not grow: its file system, or its quota, was full", "make room where the database lies")),
			About:  "a disk that was full",
			Source: "50:src/jrd/os/posix/unix.cpp",
		},
		{
			ID: "log-startup", Severity: ServerDown, find: logged(logStartup, fixed("it did not start", "correct that line; if it was done since and the server runs, this is over")),
			About:  "a start that failed",
			Source: "50:src/remote/server/os/posix/inet_server.cpp; measured on 3.0.11 and 4.0.5: exit code 2, and nothing is printed",
		},
		{
			ID: "log-bad-data", Severity: ServerDown, find: logged(logBadData, fixed("every attach failed", "correct databases.conf; if it was done since, this is over")),
			About:  "a databases.conf that was refused",
			Source: "50:src/common/db_alias.cpp; measured on 3.0.11 and 4.0.5",
		},
		{
			ID: "log-refused", Severity: Error, find: logged(logRefused, fixed("the operating system refused memory, a mapping or a file", "compare memory and limits with what the configuration needs (fbtune probe, fbtune recommend); where mmap failed, raise vm.max_map_count")),
			About:  "a request that the operating system refused",
			Source: "issues 7470, 7043; ibsurgeon.com, how to make Firebird consume a lot of memory",
		},
	}
}

// LogKinds returns the kinds of lines of firebird.log that rules are about.
func LogKinds() []string {
	return []string{logShortCache, logLockTable, logLockError, logOpenFiles, logTempFull, logDiskFull, logStartup, logBadData, logRefused}
}

// longAgo is how old the last line of a kind must be for it to be history.
const longAgo = 30 * 24 * time.Hour

// logged makes a rule about the lines of a kind. means returns what such a line
// says about the server, and what to do.
func logged(kind string, means func(*subject, LogLine) (does, instead string)) func(*subject) []Finding {
	return func(s *subject) []Finding {
		var all []Finding
		for _, l := range s.Log {
			if l.Kind != kind {
				continue
			}
			does, instead := means(s, l)
			f := Finding{File: s.LogPath, Name: l.Database, Written: l.Text}.does(instead, "logged this %s: %s", l.times(), does)
			if !s.Now.IsZero() && !l.Last.IsZero() && s.Now.Sub(l.Last) > longAgo {
				f = f.as(Note)
			}
			all = append(all, f)
		}
		return all
	}
}

// times says how often a line is there, and when it was last.
func (l LogLine) times() string {
	text := "once"
	if l.Count > 1 {
		text = fmt.Sprintf("%d times", l.Count)
	}
	if l.Last.IsZero() {
		return text
	}
	if l.Count > 1 {
		text += ", the last time"
	}
	return text + " on " + l.Last.Format("2006-01-02 15:04:05")
}

// fixed is what a line says whatever is in it.
func fixed(does, instead string) func(*subject, LogLine) (string, string) {
	return func(*subject, LogLine) (string, string) { return does, instead }
}

// allocated matches how many page buffers there were of how many.
var allocated = regexp.MustCompile(`Allocated (\d+) page buffers of (\d+) requested`)

func shortCache(s *subject, l LogLine) (does, instead string) {
	does = "memory ran short, and the database works with fewer page buffers than configured"
	instead = "give the server more memory, or write fewer page buffers"
	match := allocated.FindStringSubmatch(l.Text)
	if match == nil {
		return does, instead
	}
	got, errGot := strconv.ParseInt(match[1], 10, 64)
	wanted, errWanted := strconv.ParseInt(match[2], 10, 64)
	if errGot != nil || errWanted != nil {
		return does, instead
	}
	size := confgen.Bytes(8 * confgen.KiB)
	if file, ok := s.fileOf(l.Database); ok && file.Header != nil {
		size = file.Header.PageSize
	}
	does += fmt.Sprintf(": %s asked for with pages of %s, %s there", confgen.Pages(wanted).Of(size), size, confgen.Pages(got).Of(size))
	return does, fmt.Sprintf("write DefaultDbCachePages = %d or less for it, or give the server more memory; a 32-bit server has 2 to 4 GiB whatever the machine has", got)
}

func lockTableFull(s *subject, _ LogLine) (does, instead string) {
	memory, _ := s.views[0].Get(confgen.LockMemSize)
	return "statements failed for want of locks", fmt.Sprintf("raise LockMemSize, which is %s and by which the table grows; at 2 GiB it grows no more: then let fewer connections in, or give Classic and SuperClassic smaller caches", memory.Means)
}

func tempWasFull(s *subject, _ LogLine) (does, instead string) {
	dirs := "TempDirectories, which is not set: /tmp"
	if in, _ := s.views[0].Get(confgen.TempDirectories); in.Set {
		dirs = "TempDirectories = " + in.Raw
	}
	return "statements failed that sort more than memory and these directories hold", "make room, or name a larger directory behind it: " + dirs
}
