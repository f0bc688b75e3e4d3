package firebird

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

// LogFinding is a line of firebird.log that explains a failure or spoils a
// measurement.
type LogFinding struct {
	Text  string // the line
	Means string // what it says about the server
	Fatal bool   // whether a measurement that ran meanwhile is void
}

// logRule is about the lines of a log that tell one thing.
type logRule struct {
	kind  string   // what check knows them by
	texts []string // one of which is in them
	means string
	fatal bool
}

// logRules are the lines worth a word. Sources: the messages of the engine
// (src/jrd/cch.cpp, src/lock/lock.cpp, src/jrd/tra.cpp, src/remote/server).
var logRules = [...]logRule{
	{"short cache", []string{" page buffers of "}, "memory for the page cache ran short: the server runs with fewer page buffers than configured", true},
	{"lock table full", []string{"ock manager out of room", "lock table size exceeds limit"}, "the lock table is full: raise LockMemSize", true},
	{"lock manager error", []string{"Fatal lock manager error"}, "the lock manager failed", true},
	{"open files", []string{"Too many open files"}, "the limit of open files is too low: raise LimitNOFILE", true},
	{"temporary directories full", []string{"No free space found in temporary directories"}, "sorts found no room in TempDirectories", true},
	{"disk full", []string{"Error extending file"}, "the file system is full", true},
	{"startup error", []string{"Firebird startup error"}, "the configuration was refused", true},
	{"databases.conf refused", []string{"contains bad data"}, "databases.conf was refused", true},
	{"request refused", []string{"unable to allocate memory", "operating system directive "}, "the operating system refused a request", true},
	{"sweep", []string{"Sweep is started"}, "a sweep ran during the measurement", false},
}

// ruleAbout returns the first rule that a text is about.
func ruleAbout(text string) (logRule, bool) {
	for _, rule := range logRules {
		for _, part := range rule.texts {
			if strings.Contains(text, part) {
				return rule, true
			}
		}
	}
	return logRule{}, false
}

// ScanLog returns what a piece of firebird.log says about the server.
func ScanLog(text string) []LogFinding {
	var found []LogFinding
	for line := range strings.Lines(text) {
		if rule, ok := ruleAbout(line); ok {
			found = append(found, LogFinding{Text: strings.TrimSpace(line), Means: rule.means, Fatal: rule.fatal})
		}
	}
	return found
}

// LogKinds returns the kinds of entries that [ReadLog] tells apart.
func LogKinds() []string {
	var kinds []string
	for _, rule := range logRules {
		kinds = append(kinds, rule.kind)
	}
	return kinds
}

// LogLine is what a firebird.log tells of one kind.
type LogLine struct {
	Kind     string    // see [LogKinds]
	Text     string    // the last entry, in one line
	Database string    // that it is about; "" when it does not say
	Count    int       // of entries
	Last     time.Time // of the last entry, in the machine's time zone; zero when it has no date
}

// mostOfLog is how much of the end of a log is read: years of most servers, and
// a second of reading.
const mostOfLog = 16 << 20

// ReadLog returns what the end of a firebird.log tells, one line for each kind,
// in the order in which they first occur. partial reports whether the log is
// longer than what was read.
func ReadLog(path string) (lines []LogLine, partial bool, err error) {
	fail := func(err error) ([]LogLine, bool, error) { return nil, false, fmt.Errorf("read the log: %w", err) }
	f, err := os.Open(path)
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return fail(err)
	}
	if partial = info.Size() > mostOfLog; partial {
		if _, err := f.Seek(-mostOfLog, io.SeekEnd); err != nil {
			return fail(err)
		}
	}
	lines, err = scanEntries(f)
	if err != nil {
		return fail(err)
	}
	return lines, partial, nil
}

// entryHead matches the first line of an entry: the host, and the date as
// ctime(3) has it.
var entryHead = regexp.MustCompile(`^\S[^\t]*\t([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})`)

// aboutDatabase matches the line of an entry that names its database.
var aboutDatabase = regexp.MustCompile(`Database: (.+)`)

// mostOfLine is how much of a line is looked at, and mostOfEntry how much of an
// entry is shown, in bytes and characters.
const (
	mostOfLine  = 1000
	mostOfEntry = 300
)

// scanEntries reads a log entry by entry.
func scanEntries(r io.Reader) ([]LogLine, error) {
	var (
		lines []LogLine
		date  time.Time
		entry []string
	)
	end := func() {
		text := strings.Join(entry, " ")
		entry = entry[:0]
		if rule, ok := ruleAbout(text); ok {
			lines = counted(lines, rule.kind, text, date)
		}
	}
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		line = line[:min(len(line), mostOfLine)]
		if head := entryHead.FindStringSubmatch(line); head != nil {
			end()
			date, _ = time.ParseInLocation(time.ANSIC, head[1], time.Local) // the zero Time for a date of no calendar
			line = line[len(head[0]):]
		}
		if line = strings.TrimSpace(line); line != "" && len(entry) < mostOfEntry {
			entry = append(entry, line)
		}
		switch {
		case err == io.EOF:
			end()
			return lines, nil
		case err != nil:
			return nil, err
		}
	}
}

// counted adds an entry to those of its kind.
func counted(lines []LogLine, kind, text string, date time.Time) []LogLine {
	at := -1
	for i := range lines {
		if lines[i].Kind == kind {
			at = i
		}
	}
	if at < 0 {
		lines, at = append(lines, LogLine{Kind: kind}), len(lines)
	}
	l := &lines[at]
	l.Count++
	l.Last, l.Database = date, ""
	if match := aboutDatabase.FindStringSubmatch(text); match != nil {
		l.Database, _, _ = strings.Cut(match[1], " Allocated ")
	}
	if runes := []rune(text); len(runes) > mostOfEntry {
		text = string(runes[:mostOfEntry-3]) + "..."
	}
	l.Text = text
	return lines
}
