package check

import (
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
)

// sound is the header of a database with nothing to say about.
func sound() Header {
	return Header{
		ODS: "13.0", Firebird: confgen.Version{Major: 4, Patch: confgen.AnyPatch}, Opens: true,
		PageSize: 8192, FileSize: 100 << 20, SweepInterval: 20000, ForcedWrites: true,
		Oldest: 1000, OldestActive: 1001, OldestSnapshot: 1001, Next: 1002,
	}
}

// header makes a server with a database erp whose header is sound but for what
// set changes.
func header(set func(*Header)) func(*Input) {
	return func(in *Input) {
		h := sound()
		set(&h)
		in.DatabaseFiles = []DatabaseFile{{Name: "erp", Path: "/data/erp.fdb", Header: &h}}
	}
}

func headerCases() []factCase {
	erp := func(block string) string { return secured + "erp = /data/erp.fdb\n{\n" + block + "}\n" }
	stock := files{version: "4.0.5", conf: "", databases: secured + "erp = /data/erp.fdb\n"}
	buffers := func(n confgen.Pages) func(*Input) { return header(func(h *Header) { h.PageBuffers = n }) }
	counters := func(oldest, active, snapshot, next, interval int64) func(*Input) {
		return header(func(h *Header) {
			h.Oldest, h.OldestActive, h.OldestSnapshot, h.Next, h.SweepInterval = oldest, active, snapshot, next, interval
		})
	}
	return []factCase{
		{"a sound one", stock, header(func(*Header) {}), "", "", "", ""},
		{"unread", stock, func(in *Input) { in.DatabaseFiles = []DatabaseFile{{Name: "erp", Path: "/data/erp.fdb"}} }, "", "", "", ""},

		{"a header against both files", files{version: "4.0.5", conf: "DefaultDbCachePages = 9000\n", databases: erp("DefaultDbCachePages = 7000\n")}, buffers(500),
			"header-buffers", Warning, "keeps 500 pages (3.9 MiB) for erp, as its header says: DefaultDbCachePages = 7000 (line 8 of databases.conf) has no effect", "gfix -buffers 0 /data/erp.fdb"},
		{"a header against firebird.conf", files{version: "3.0.11", conf: "DefaultDbCachePages = 9000\n"}, buffers(500),
			"header-buffers", Warning, "DefaultDbCachePages = 9000 (line 1 of firebird.conf) has no effect on it while the header holds 500", ""},
		{"a header against the default", stock, buffers(500), "header-buffers", Warning, "DefaultDbCachePages = 2048 (its default)", ""},
		{"a header that says the same", files{version: "4.0.5", conf: "DefaultDbCachePages = 500\n", databases: secured}, buffers(500), "header-buffers", Note, "while the header holds 500", ""},
		{"a database by its path", files{version: "4.0.5", conf: "", databases: erp("DefaultDbCachePages = 7000\n")}, func(in *Input) {
			buffers(500)(in)
			in.DatabaseFiles[0].Name = ""
		}, "header-buffers", Warning, "for /data/erp.fdb, as its header says: DefaultDbCachePages = 7000", ""},
		{"many buffers", stock, buffers(65536), "header-o-direct", Warning, "65536 page buffers of its header are not below the threshold of 65536", "UseFileSystemCache = true"},
		{"many buffers in 3.0", files{version: "3.0.11", conf: ""}, buffers(100000), "header-o-direct", Warning, "O_DIRECT", "FileSystemCacheThreshold = 200000"},

		{"forced writes off", stock, header(func(h *Header) { h.ForcedWrites = false }), "forced-writes", Warning, "never asks for it", "gfix -write sync /data/erp.fdb"},
		{"forced writes off, with flushes", files{version: "4.0.5", conf: "MaxUnflushedWrites = 100\nMaxUnflushedWriteTime = 5\n", databases: secured}, header(func(h *Header) { h.ForcedWrites = false }),
			"forced-writes", Warning, "between flushes (MaxUnflushedWrites 100, MaxUnflushedWriteTime 5 s)", ""},
		{"forced writes off on Windows", files{version: "4.0.5", conf: "", windows: true}, header(func(h *Header) { h.ForcedWrites = false }), "forced-writes", Error, "can destroy", ""},
		{"forced writes off, read only", stock, header(func(h *Header) { h.ForcedWrites, h.ReadOnly = false, true }), "", "", "", ""},

		{"no sweep by itself", stock, header(func(h *Header) { h.SweepInterval = 0 }), "sweep-interval", Note, "never sweeps erp by itself", "gfix -sweep /data/erp.fdb"},
		{"case 52", stock, counters(127641, 257007, 257007, 257008, 20000), "sweep-due", Warning, "129366 transactions in erp between the oldest interesting and the oldest snapshot, a sweep is due from 20000 on", "gfix -list /data/erp.fdb"},
		{"case 52, never swept", stock, counters(127641, 257007, 257007, 257008, 0), "sweep-due", Warning, "no sweep starts by itself", ""},
		{"an interval that was passed just now", stock, counters(1, 20010, 20010, 20011, 20000), "", "", "", ""},
		{"a large interval", stock, counters(1, 150000, 150000, 150001, 100000), "", "", "", ""},
		{"case 51", stock, counters(3000000, 3000001, 3000001, 4500000, 20000), "old-active-transaction", Warning, "transaction 3000001 could still read: it was active when 1499999 later ones had begun", "MON$TRANSACTIONS"},
		{"a long report", stock, counters(1, 2, 2, 40000, 20000), "old-active-transaction", Note, "39998 later", ""},
		{"a short one", stock, counters(1, 2, 2, 30000, 20000), "", "", "", ""},

		{"a database of 3.0", stock, header(func(h *Header) {
			h.ODS, h.Opens, h.Firebird, h.PageBuffers = "12.2", false, confgen.Version{Major: 3, Patch: confgen.AnyPatch}, 500
		}), "ods", Error, "of Firebird 4.0.5 refuses every attach to erp: it is of ODS 12.2, which is of Firebird 3.0", "gbak of Firebird 3.0"},
		{"a database of 3.0 beside its engine", files{version: "4.0.5", conf: "Providers = Remote, Engine13, Engine12, Loopback\n"}, header(func(h *Header) {
			h.ODS, h.Opens = "12.2", false
		}), "providers", Warning, "Engine13 and Engine12", ""},
		{"shut down", stock, header(func(h *Header) { h.Shutdown = "full shutdown" }), "database-state", Warning, "refuses every attach to erp", "gfix -online /data/erp.fdb"},
		{"locked for a backup", stock, header(func(h *Header) { h.Backup = "backup lock" }), "database-state", Warning, "difference file, which grows", "nbackup -N /data/erp.fdb"},
	}
}

// Where the version cannot open a database, its page buffers do not matter.
func TestOtherODSAlone(t *testing.T) {
	in := files{version: "5.0", conf: ""}.input(t)
	header(func(h *Header) { h.ODS, h.Opens, h.PageBuffers = "12.0", false, 100000 })(&in)
	if got := Run(in); len(got) != 1 || got[0].Rule != "ods" {
		t.Errorf("%+v, want one finding of ods", got)
	}
}

func logCases() []factCase {
	stock := files{version: "4.0.5", conf: "TempDirectories = /fast; /large\n"}
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	logs := func(kind, text string, count int) func(*Input) {
		return func(in *Input) {
			in.LogPath, in.Now = "/var/log/firebird.log", now
			in.Log = []LogLine{{Kind: kind, Text: text, Count: count, Last: now.Add(-time.Hour)}}
		}
	}
	short := func(in *Input) {
		logs(logShortCache, "Database: /data/erp.fdb Allocated 25337 page buffers of 32768 requested", 3)(in)
		in.Log[0].Database = "/data/erp.fdb"
		h := sound()
		h.PageSize = 16384
		in.DatabaseFiles = []DatabaseFile{{Name: "erp", Path: "/data/erp.fdb", Header: &h}}
	}
	return []factCase{
		{"an empty log", stock, func(in *Input) { in.LogPath, in.Now = "/var/log/firebird.log", now }, "", "", "", ""},
		{"what is no matter", stock, logs("sweep", "Sweep is started", 9), "", "", "", ""},
		{"a short cache", stock, short, "log-short-cache", Error, "logged this 3 times, the last time on 2026-12-01 11:00:00: memory ran short, and the database works with fewer page buffers than configured: 512 MiB asked for with pages of 16 KiB, 395.9 MiB there", "DefaultDbCachePages = 25337 or less"},
		{"a short cache of who knows what", stock, logs(logShortCache, "Allocated some page buffers", 1), "log-short-cache", Error, "logged this once on 2026-12-01 11:00:00", "more memory"},
		{"a full lock table", stock, logs(logLockTable, "lock manager out of room", 1), "log-lock-table", Error, "for want of locks", "raise LockMemSize, which is 1 MiB"},
		{"an error of the lock manager", stock, logs(logLockError, "Fatal lock manager error", 1), "log-lock-error", Error, "failed", "upgrade"},
		{"open files", stock, logs(logOpenFiles, "Too many open files", 1), "log-open-files", Error, "refused", "LimitNOFILE=65535"},
		{"full temporary directories", stock, logs(logTempFull, "No free space found in temporary directories", 1), "log-temp-full", Error, "sort more", "TempDirectories = /fast; /large"},
		{"full temporary directories, the default", files{version: "4.0.5"}, logs(logTempFull, "No free space found in temporary directories", 1), "log-temp-full", Error, "sort more", "/tmp"},
		{"a full disk", stock, logs(logDiskFull, "Error extending file \"/data/erp.fdb\"", 1), "log-disk-full", Error, "could not grow", "make room"},
		{"a refused start", stock, logs(logStartup, "Firebird startup error: illegal line", 1), "log-startup", ServerDown, "did not start", "correct that line"},
		{"a refused databases.conf", stock, logs(logBadData, "File databases.conf contains bad data: Duplicated alias a", 1), "log-bad-data", ServerDown, "every attach failed", "correct databases.conf"},
		{"refused by the system", stock, logs(logRefused, "operating system directive mmap failed", 1), "log-refused", Error, "refused memory", "vm.max_map_count"},
		{"history", stock, func(in *Input) {
			logs(logStartup, "Firebird startup error: illegal line", 1)(in)
			in.Log[0].Last = now.AddDate(0, -2, 0)
		}, "log-startup", Note, "once on 2026-10-01", ""},
	}
}

// A line without a date is not taken for history.
func TestUndatedLine(t *testing.T) {
	in := files{version: "4.0.5"}.input(t)
	in.LogPath, in.Now = "/x.log", time.Now()
	in.Log = []LogLine{{Kind: logDiskFull, Text: "Error extending file", Count: 2}}
	if got := Run(in); len(got) != 1 || got[0].Severity != Error || got[0].File != "/x.log" {
		t.Errorf("%+v, want one error", got)
	}
}

// Every kind of line has exactly one rule.
func TestLogKinds(t *testing.T) {
	for _, kind := range LogKinds() {
		in := files{version: "5.0"}.input(t)
		in.Log = []LogLine{{Kind: kind, Text: "x", Count: 1}}
		if got := Run(in); len(got) != 1 {
			t.Errorf("%s: %+v, want one finding", kind, got)
		}
	}
}
