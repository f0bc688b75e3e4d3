package check

import (
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// headerRules are about the header pages of databases, which override files and
// tell how a database fares.
func headerRules() []Rule {
	return []Rule{
		{
			ID: "header-buffers", Severity: Warning, find: perHeader(headerBuffers),
			About:  "page buffers in a database's header, which override both files",
			Source: "50:src/jrd/cch.cpp:1567 (CCH_init); pull request 7630, issue 7588; measured on 3.0.11 and 4.0.5",
		},
		{
			ID: "header-o-direct", Severity: Warning, find: perHeader(headerODirect),
			About:  "page buffers in a database's header from which on the operating system no longer caches its file",
			Source: "50:src/jrd/pag.cpp:1170-1177; issue 7961",
		},
		{
			ID: "forced-writes", Severity: Warning, find: perHeader(forcedWrites),
			About:  "a database whose pages reach the disk some time",
			Source: "50:src/jrd/cch.cpp:1228-1262, src/jrd/os/posix/unix.cpp:93-110; Firebird 5.0 Quick Start Guide, Disabling forced writes; issue 8551",
		},
		{
			ID: "sweep-interval", Severity: Note, find: perHeader(sweepInterval),
			About:  "a database that is never swept by itself",
			Source: "50:src/jrd/tra.cpp:3760-3767; firebird-documentation issues 134, 150",
		},
		{
			ID: "sweep-due", Severity: Warning, find: perHeader(sweepDue),
			About:  "old transactions that no sweep takes away",
			Source: "50:src/jrd/tra.cpp:3760-3767 (oldest snapshot less oldest, not next less oldest); ibphoenix.com art-00000067; firebird-documentation issues 134, 150",
		},
		{
			ID: "old-active-transaction", Severity: Note, find: perHeader(oldActive),
			About:  "a transaction that has been open for long and keeps old versions of records",
			Source: "firebird-support 2012/3/117557 (Ann Harrison): a stuck oldest active transaction matters, not the oldest",
		},
		{
			ID: "ods", Severity: Error, find: perHeader(otherODS),
			About:  "a database of another version, which this one cannot open",
			Source: "src/jrd/ods.cpp (isSupported), src/jrd/pag.cpp (PAG_header_init)",
		},
		{
			ID: "database-state", Severity: Warning, find: perHeader(databaseState),
			About:  "a database that is shut down, or locked for a backup",
			Source: "src/jrd/ods.h (hdr_shutdown_mask, hdr_backup_mask); src/jrd/nbak.cpp",
		},
	}
}

// perHeader turns a look at a database and its header into a rule about all
// whose header could be read. Where the version cannot open it, only that
// matters.
func perHeader(look func(*subject, DatabaseFile, Header) (Finding, bool)) func(*subject) []Finding {
	return func(s *subject) []Finding {
		var all []Finding
		for _, file := range s.DatabaseFiles {
			if file.Header == nil {
				continue
			}
			if f, ok := look(s, file, *file.Header); ok {
				f.File, f.Name = file.Path, file.Name
				all = append(all, f)
			}
		}
		return all
	}
}

func headerBuffers(s *subject, file DatabaseFile, h Header) (Finding, bool) {
	pages, in, _ := s.viewOfDatabase(file.Name, file.Path).number(confgen.DefaultDbCachePages)
	f := Finding{Written: fmt.Sprintf("page buffers %d", h.PageBuffers)}
	instead := fmt.Sprintf("run gfix -buffers 0 %s for the files to count, or gfix -buffers with the number that is wanted", file.Path)
	place := fmt.Sprintf("DefaultDbCachePages = %d (its default)", pages)
	switch {
	case len(s.files()) == 0:
		place = "DefaultDbCachePages, whatever the files say,"
	case in.Set:
		place = fmt.Sprintf("DefaultDbCachePages = %d (line %d of %s)", pages, in.Line, in.File)
	}
	f = f.does(instead, "keeps %d pages (%s) for %s, as its header says: %s has no effect on it while the header holds %d",
		h.PageBuffers, h.PageBuffers.Of(h.PageSize), file.called(), place, h.PageBuffers)
	if int64(h.PageBuffers) == pages && len(s.files()) > 0 {
		f = f.as(Note) // the same for now
	}
	return f, h.PageBuffers != 0 && h.Opens
}

func headerODirect(s *subject, file DatabaseFile, h Header) (Finding, bool) {
	v := s.viewOfDatabase(file.Name, file.Path)
	use, known := v.Get(confgen.UseFileSystemCache)
	threshold, _, hasThreshold := v.number(confgen.FileSystemCacheThreshold)
	if known && use.Set || !hasThreshold || int64(h.PageBuffers) < threshold || !h.Opens {
		return Finding{}, false
	}
	instead := fmt.Sprintf("write FileSystemCacheThreshold = %d, or set fewer page buffers", 2*h.PageBuffers)
	if known {
		instead = "write UseFileSystemCache = true, or set fewer page buffers"
	}
	return Finding{Written: fmt.Sprintf("page buffers %d", h.PageBuffers)}.does(instead,
		"opens the file of %s with O_DIRECT, for the %d page buffers of its header are not below the threshold of %d: the operating system caches nothing of it",
		file.called(), h.PageBuffers, threshold), h.PageBuffers != 0
}

func forcedWrites(s *subject, file DatabaseFile, h Header) (Finding, bool) {
	v := s.viewOfDatabase(file.Name, file.Path)
	writes, _, _ := v.number(confgen.MaxUnflushedWrites)
	seconds, _, _ := v.number(confgen.MaxUnflushedWriteTime)
	f := Finding{Written: "forced writes off"}
	instead := fmt.Sprintf("run gfix -write sync %s; off is for loading data that can be loaded again", file.Path)
	switch {
	case len(s.files()) == 0:
		f = f.does(instead, "leaves it to the operating system when pages of %s reach the disk, in any order: a power cut or a crash of the system can destroy the database", file.called())
	case writes < 0 && seconds < 0:
		f = f.does(instead, "leaves it to the operating system when pages of %s reach the disk, in any order, and never asks for it (MaxUnflushedWrites and MaxUnflushedWriteTime are -1): a power cut or a crash of the system can destroy the database", file.called())
	default:
		f = f.does(instead, "leaves it to the operating system when pages of %s reach the disk, in any order, between flushes (MaxUnflushedWrites %d, MaxUnflushedWriteTime %d s): a power cut or a crash of the system can destroy the database", file.called(), writes, seconds)
	}
	if s.Windows {
		f = f.as(Error)
	}
	return f, !h.ForcedWrites && !h.ReadOnly
}

func sweepInterval(_ *subject, file DatabaseFile, h Header) (Finding, bool) {
	return Finding{Written: "sweep interval 0"}.does(
			fmt.Sprintf("see that gfix -sweep %[1]s runs at a quiet hour of every day, or run gfix -housekeeping 20000 %[1]s", file.Path),
			"never sweeps %s by itself: what rolled back transactions left stays until a sweep is asked for", file.called()),
		h.SweepInterval == 0 && !h.ReadOnly
}

// manyIntervals is how many sweep intervals past due say that sweeps fail, and
// not only that the next transaction will start one.
const manyIntervals = 2

// withoutInterval is taken for the sweep interval of a database that has none.
const withoutInterval = 20000

func sweepDue(_ *subject, file DatabaseFile, h Header) (Finding, bool) {
	interval, due := h.SweepInterval, h.OldestSnapshot-h.Oldest
	why := fmt.Sprintf("a sweep is due from %d on and did not move it", interval)
	if interval <= 0 {
		interval, why = withoutInterval, "and no sweep starts by itself"
	}
	return Finding{Written: counters(h)}.does(
			fmt.Sprintf("run gfix -list %[1]s for transactions in limbo and end them, then gfix -sweep %[1]s; no setting helps", file.Path),
			"knows of %d transactions in %s between the oldest interesting and the oldest snapshot, %s: one was rolled back or is in limbo, and what it left is read past by every other",
			due, file.called(), why),
		due > manyIntervals*interval && !h.ReadOnly
}

// Distances from the oldest active transaction to the next one that are worth a
// word: an hour and a working day of a small system (10 transactions a second).
const (
	oldEnough = 36_000
	veryOld   = 288_000
)

// OldActive says how bad it is that so many transactions began since the oldest
// active one, and false when it is not worth a word.
func OldActive(began int64) (Severity, bool) {
	if began >= veryOld {
		return Warning, true
	}
	return Note, began >= oldEnough
}

func oldActive(_ *subject, file DatabaseFile, h Header) (Finding, bool) {
	gap := h.Next - h.OldestActive
	f := Finding{Written: counters(h)}.does(
		"find it in MON$TRANSACTIONS by its number and end its attachment, and have the program commit; no setting helps",
		"may drop no version of a record of %s that transaction %d could still read: it was active when %d later ones had begun (the header is as old as the last write of it)", file.called(), h.OldestActive, gap)
	severity, old := OldActive(gap)
	return f.as(severity), old && !h.ReadOnly
}

// counters are the transaction counters as a person compares them.
func counters(h Header) string {
	return fmt.Sprintf("oldest %d, oldest active %d, oldest snapshot %d, next %d", h.Oldest, h.OldestActive, h.OldestSnapshot, h.Next)
}

func otherODS(s *subject, file DatabaseFile, h Header) (Finding, bool) {
	providers, _ := s.views[0].Get("Providers")
	twoEngines := strings.Count(strings.ToLower(providers.Value), "engine") > 1 // each opens its own
	of := "another version"
	if h.Firebird != (confgen.Version{}) {
		of = "Firebird " + h.Firebird.String()
	}
	return Finding{Written: "ODS " + h.ODS}.does(
		fmt.Sprintf("back it up with gbak of %s, and restore it with this one's", of),
		"of Firebird %s refuses every attach to %s: it is of ODS %s, which is of %s", s.Version, file.called(), h.ODS, of), !h.Opens && !twoEngines
}

// states are what the states of a header mean, in gstat's words.
var states = map[string]struct{ does, instead string }{
	"multi-user maintenance":  {"lets only the owner and SYSDBA attach to %s", "run gfix -online %s when the maintenance is over"},
	"single-user maintenance": {"lets one attachment of the owner or SYSDBA at a time into %s", "run gfix -online %s when the maintenance is over"},
	"full shutdown":           {"refuses every attach to %s", "run gfix -online %s when the maintenance is over"},
	"backup lock":             {"writes every change of %s into a difference file, which grows until the lock is taken off", "run nbackup -N %s if no backup is running"},
	"backup merge":            {"is merging the difference file into %s, or was interrupted at it", "let it end; if no backup is running, run nbackup -N %s"},
}

func databaseState(_ *subject, file DatabaseFile, h Header) (Finding, bool) {
	for _, word := range []string{h.Shutdown, h.Backup} {
		if state, ok := states[word]; ok {
			return Finding{Written: word}.does(fmt.Sprintf(state.instead, file.Path), state.does, file.called()), true
		}
	}
	return Finding{}, false
}
