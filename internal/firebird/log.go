package firebird

import (
	"regexp"
	"strings"
)

// LogFinding is a line of firebird.log that explains a failure or spoils a
// measurement.
type LogFinding struct {
	Text  string // the line
	Means string // what it says about the server
	Fatal bool   // whether a measurement that ran meanwhile is void
}

// logRules are the lines worth a word. Sources: the messages of the engine
// (src/jrd/cch.cpp, src/lock/lock.cpp, src/jrd/tra.cpp, src/remote/server).
var logRules = [...]struct {
	pattern *regexp.Regexp
	means   string
	fatal   bool
}{
	{regexp.MustCompile(`Allocated \d+ page buffers of \d+ requested`), "memory for the page cache ran short: the server runs with fewer page buffers than configured", true},
	{regexp.MustCompile(`[Ll]ock manager out of room|lock table size exceeds limit`), "the lock table is full: raise LockMemSize", true},
	{regexp.MustCompile(`Fatal lock manager error`), "the lock manager failed", true},
	{regexp.MustCompile(`Too many open files`), "the limit of open files is too low: raise LimitNOFILE", true},
	{regexp.MustCompile(`No free space found in temporary directories`), "sorts found no room in TempDirectories", true},
	{regexp.MustCompile(`Error extending file`), "the file system is full", true},
	{regexp.MustCompile(`Firebird startup error`), "the configuration was refused", true},
	{regexp.MustCompile(`contains bad data`), "databases.conf was refused", true},
	{regexp.MustCompile(`unable to allocate memory|operating system directive .* failed`), "the operating system refused a request", true},
	{regexp.MustCompile(`Sweep is started`), "a sweep ran during the measurement", false},
}

// ScanLog returns what a piece of firebird.log says about the server.
func ScanLog(text string) []LogFinding {
	var found []LogFinding
	for line := range strings.Lines(text) {
		for _, rule := range logRules {
			if rule.pattern.MatchString(line) {
				found = append(found, LogFinding{Text: strings.TrimSpace(line), Means: rule.means, Fatal: rule.fatal})
				break
			}
		}
	}
	return found
}
