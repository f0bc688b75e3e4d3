package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// directoryRules are about the directories that the server works in.
func directoryRules() []Rule {
	return []Rule{
		{
			ID: "temp-in-memory", Severity: Warning, find: tempInMemory,
			About:  "sorts that overflow from memory into memory",
			Source: "src/jrd/TempSpace.cpp:504-549; a report of a RAM disk beside a TempCacheLimit of 10 GB",
		},
		{
			ID: "temp-missing", Severity: Error, find: tempMissing,
			About:  "a directory for sorts that is not there",
			Source: "src/jrd/TempSpace.cpp:504-549",
		},
		{
			ID: "temp-refused", Severity: Error, find: tempRefused,
			About:  "a directory for sorts that the server's account cannot write to",
			Source: "src/jrd/TempSpace.cpp:504-549",
		},
		{
			ID: "temp-space", Severity: Warning, find: tempSpace,
			About:  "directories for sorts that are nearly full",
			Source: "casemanager.tech, Firebird and temp files (one statement, 25 GB)",
		},
		{
			ID: "lock-directory", Severity: Error, find: lockDirectory,
			About:  "a lock directory that the server cannot work in",
			Source: "issues 7043 (operating system directive access failed), 8048 (SIGBUS when it is full; fixed in 3.0.12, 4.0.5, 5.0.1)",
		},
	}
}

// tempDirectories returns where sorts go, and what starts a finding about that:
// the line of TempDirectories, or nothing where it is not set.
func (s *subject) tempDirectories() (dirs []string, f Finding) {
	in, _ := s.views[0].Get(confgen.TempDirectories)
	switch {
	case !in.Set && s.DefaultTemp == "":
		return nil, f
	case !in.Set:
		return []string{s.DefaultTemp}, Finding{Name: confgen.TempDirectories}
	case !s.Windows && wrongSeparator.MatchString(in.Value):
		return nil, f // a rule of its own
	}
	for dir := range strings.SplitSeq(in.Value, ";") {
		if dir = strings.TrimSpace(dir); dir != "" && !strings.HasPrefix(dir, "$(") {
			dirs = append(dirs, dir)
		}
	}
	return dirs, at(in)
}

// look looks at a directory; ok is false when that cannot be done from here.
func (s *subject) look(dir string) (d Directory, ok bool) {
	if s.Directory == nil {
		return Directory{}, false
	}
	return s.Directory(dir), true
}

// inMemory matches the names of directories that lie in memory.
var inMemory = regexp.MustCompile(`(?i)(ram_?disk|ramfs|tmpfs|/dev/shm|^/run(/|$))`)

// memoryFileSystems are those whose files are memory.
var memoryFileSystems = []string{"tmpfs", "ramfs"}

func tempInMemory(s *subject) []Finding {
	dirs, f := s.tempDirectories()
	for _, dir := range dirs {
		d, seen := s.look(dir)
		isMemory := slices.Contains(memoryFileSystems, d.Disk.FileSystem.Value)
		if !isMemory && (seen && d.Disk.FileSystem.Known() || !inMemory.MatchString(dir)) {
			continue
		}
		limit, _ := s.views[0].Get(confgen.TempCacheLimit)
		f = f.does("count it into the memory once: lower TempCacheLimit, and name a directory on a disk behind it", "takes memory twice for sorts: TempCacheLimit (%s), and %s, which is memory as well", limit.Means, dir)
		if f.Line == 0 {
			f = f.as(Note) // the system's choice, not theirs
		}
		return []Finding{f}
	}
	return nil
}

// withDirectories returns the finding about those directories for sorts that
// what returns a text for.
func (s *subject) withDirectories(what func(dir string, d Directory) string, instead, format string) []Finding {
	dirs, f := s.tempDirectories()
	var texts []string
	for _, dir := range dirs {
		if d, seen := s.look(dir); seen {
			if text := what(dir, d); text != "" {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []Finding{f.does(instead, format, strings.Join(texts, ", "))}
}

func tempMissing(s *subject) []Finding {
	return s.withDirectories(func(dir string, d Directory) string {
		if d.Missing {
			return dir
		}
		return ""
	}, "make the directory, writable for the account of the server", "finds no room there: %s is missing")
}

func tempRefused(s *subject) []Finding {
	return s.withDirectories(func(dir string, d Directory) string {
		if d.Refused != "" && !d.Missing {
			return dir + " (" + d.Refused + ")"
		}
		return ""
	}, "give the account of the server the right to write there", "cannot make files for sorts in %s")
}

// littleForSorts is the room in directories for sorts below which the next large
// sort may fail.
const littleForSorts = confgen.GiB

func tempSpace(s *subject) []Finding {
	dirs, f := s.tempDirectories()
	var free confgen.Bytes
	counted := map[string]bool{} // file systems by where they are mounted
	for _, dir := range dirs {
		d, seen := s.look(dir)
		if !seen || d.Missing || d.Refused != "" || !d.Disk.Free.Known() {
			return nil
		}
		if point := d.Disk.MountPoint.Or(dir); !counted[point] {
			counted[point] = true
			free += d.Disk.Free.Value
		}
	}
	if len(dirs) == 0 || free >= littleForSorts {
		return nil
	}
	return []Finding{f.does("make room, or name a larger directory behind it", "has %s for what sorts do not hold in memory, in %s: the statement that needs more fails", free, strings.Join(dirs, ", "))}
}

// littleForLocks is the room in the lock directory for the tables of a few
// databases.
const littleForLocks = 64 * confgen.MiB

func lockDirectory(s *subject) []Finding {
	if s.LockDirectory == "" {
		return nil
	}
	d, seen := s.look(s.LockDirectory)
	if !seen || d.Missing { // the server makes it
		return nil
	}
	f := Finding{File: s.LockDirectory}
	kind, free := d.Disk.FileSystem.Value, d.Disk.Free
	switch {
	case d.Refused != "":
		return []Finding{f.does("give it to the account of the server; who ran a tool as another user first made it", "cannot make its lock tables there (%s): every attach fails", d.Refused)}
	case slices.Contains(networkFileSystems, kind):
		return []Finding{f.does("set FIREBIRD_LOCK to a directory on a disk of the server", "maps its lock tables from %s, where they are not shared as memory", kind)}
	case free.Known() && free.Value < littleForLocks:
		f = f.does("make room there, or set FIREBIRD_LOCK to another directory", "has %s for lock tables: one that cannot grow %s", free.Value, fullLocks(s.Version))
		return []Finding{f.as(Warning)}
	}
	return nil
}

// fullLocks is what happens when a lock table finds no room.
func fullLocks(v confgen.Version) string {
	switch suffers(v, confgen.Version{Major: 3, Patch: 12}, confgen.Version{Major: 4, Patch: 5}, confgen.Version{Major: 5, Patch: 1}) {
	case affected:
		return fmt.Sprintf("ends %s with SIGBUS (issue 8048)", v)
	case maybe:
		return "ends the server with SIGBUS before 3.0.12, 4.0.5 and 5.0.1 (issue 8048)"
	}
	return "fails the statement"
}
