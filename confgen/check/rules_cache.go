package check

import (
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// Numbers of page buffers that matter.
const (
	mostPerConnection = 2048 // the most that practice has in Classic and SuperClassic (oltp-emul, IBSurgeon)
	manyPerConnection = 1024
	unsafeCache       = 128 // up to here flushes could fail (issue 8194)
)

// cacheRules are about the page cache and the files of databases.
func cacheRules() []Rule {
	return []Rule{
		{
			ID: "o-direct", Severity: Warning, find: perView(oDirect),
			About:  "a cache from whose size on the operating system no longer caches the database file",
			Source: "50:src/jrd/pag.cpp:1170-1177; issue 7961; measured on 3.0.11 and 4.0.5: 65535 pages buffered, 65536 O_DIRECT",
		},
		{
			ID: "cache-per-connection", Severity: Warning, find: perView(cachePerConnection),
			About:  "a cache of Super's size where every connection has its own",
			Source: "src/jrd/cch.cpp; FirebirdSQL/oltp-emul readme (512 to 1024, at most 2048); issue 2450",
		},
		{
			ID: "cache-per-database", Severity: Note, From: v30, find: cachePerDatabase,
			About:  "a large cache for every database that is opened, by chance or not",
			Source: "CORE-2013, issue 2450; ibexpert.net MemoryConfiguration",
		},
		{
			ID: "small-cache", Severity: Note, find: perView(smallCache),
			About:  "a cache smaller than the default",
			Source: "50:src/jrd/cch.cpp:1567-1576; issue 8194 (fixed in 5.0.3)",
		},
		{
			ID: "growth", Severity: Warning, find: perLine(growth),
			About:  "a database that grows page by page",
			Source: "50:src/jrd/pag.cpp:120,2417-2450; doc/README.raw_devices",
		},
		{
			ID: "remote-files", Severity: Error, find: perLine(remoteFiles),
			About:  "databases opened over a network file system",
			Source: "jacobalberty/firebird-docker issue 1; doc/README.raw_devices",
		},
		{
			ID: "file-cache-size", Severity: Warning, find: perLine(fileCacheSize),
			About:  "a limit on the file cache of all of Windows",
			Source: "50:src/jrd/os/win32/winnt.cpp:1008-1020; CORE-3791; issue 7389 (leave it at 0)",
		},
	}
}

// perView turns a look at the settings of the server or of one database into a
// rule about all of them. What a database has from the server is found once.
func perView(look func(*subject, view) (Finding, bool)) func(*subject) []Finding {
	return func(s *subject) []Finding {
		var all []Finding
		for _, v := range s.views {
			if v.Fatal != "" && v.alias != "" && s.views[0].Fatal == "" {
				continue // refused: the block means nothing
			}
			if f, ok := look(s, v); ok {
				all = append(all, f)
			}
		}
		return all
	}
}

// of names whose settings a view shows, for a text.
func (v view) of() string {
	if v.alias == "" {
		return ""
	}
	return " of " + v.alias
}

func oDirect(s *subject, v view) (Finding, bool) {
	pages, in, _ := v.number(confgen.DefaultDbCachePages)
	use, known := v.Get(confgen.UseFileSystemCache)
	threshold, thresholdIn, hasThreshold := v.number(confgen.FileSystemCacheThreshold)
	switch {
	case known && use.Set && use.Means == "false":
		return at(use).does("write true, unless Firebird's own cache holds nearly all of the database", "opens the database file%s with O_DIRECT: the operating system caches nothing of it", v.of()).as(Note), true
	case known && use.Set, !hasThreshold, pages < threshold:
		return Finding{}, false
	}
	if !in.Set || thresholdIn.Set && threshold < 65536 {
		in = thresholdIn
	}
	instead := fmt.Sprintf("write FileSystemCacheThreshold = %d, or fewer pages", 2*pages)
	if known {
		instead = "write UseFileSystemCache = true, or fewer pages"
	}
	return at(in).does(instead, "opens the database file%s with O_DIRECT, for its cache of %d pages is not below the threshold of %d: the operating system caches nothing of it", v.of(), pages, threshold), true
}

func cachePerConnection(s *subject, v view) (Finding, bool) {
	pages, in, _ := v.number(confgen.DefaultDbCachePages)
	each := confgen.Pages(pages).Of(8 * confgen.KiB)
	switch {
	case !in.Set || pages <= manyPerConnection:
		return Finding{}, false
	case !s.modeKnown && pages > mostPerConnection:
		return at(in).does("in Classic and SuperClassic write 75 to 2048; say which it is with --mode", "keeps %d pages (%s of 8 KB pages) once in SuperServer, for every connection in Classic and SuperClassic", pages, each).as(Note), true
	case !s.modeKnown || s.mode == confgen.Super:
		return Finding{}, false
	}
	f := at(in).does("write 256 to 2048, or use Super where one large cache is wanted", "gives every connection%s a cache of its own in %s: %d pages, %s of 8 KB pages, times the connections", v.of(), s.mode, pages, each)
	if pages <= mostPerConnection {
		f = f.as(Note)
	}
	return f, true
}

func cachePerDatabase(s *subject) []Finding {
	pages, in, _ := s.views[0].number(confgen.DefaultDbCachePages)
	const large = 32768
	if !in.Set || s.mode != confgen.Super || pages < large {
		return nil
	}
	return []Finding{at(in).does("write the default here, and the large cache into the block of its database in databases.conf",
		"gives every database that is opened a cache of %d pages, %s of 8 KB pages, and the security database too unless databases.conf has a block for it", pages, confgen.Pages(pages).Of(8*confgen.KiB))}
}

func smallCache(s *subject, v view) (Finding, bool) {
	pages, in, _ := v.number(confgen.DefaultDbCachePages)
	text, _ := confgen.Default(confgen.DefaultDbCachePages, s.Version, s.mode)
	def := s.Version.Dialect().Int(text)
	if !in.Set || pages >= def || !s.modeKnown || v.alias == securityAlias {
		return Finding{}, false
	}
	f := at(in).does(fmt.Sprintf("write %d, the default of %s, or more", def, s.mode), "keeps %d pages%s, fewer than its default of %d", pages, v.of(), def)
	if pages <= unsafeCache {
		f = f.as(Warning)
		if !s.Version.AtLeast(confgen.Version{Major: 5, Patch: 3}) {
			f.EngineDoes += "; with so few a flush can fail with \"page in use during flush\""
		}
	}
	return f, true
}

func growth(s *subject, l line) (Finding, bool) {
	n, err := l.row.Number(s.Version, s.mode, l.Value)
	const least = 128 << 10
	return Finding{}.does("delete the line for the default of 128 MB", "extends the file page by page: less than 128 KiB switches growth in steps off"),
		l.row.Name == confgen.DatabaseGrowthIncrement && err == nil && n < least
}

func remoteFiles(s *subject, l line) (Finding, bool) {
	return Finding{}.does("delete the line, and keep databases on disks of the server", "opens databases on network file systems, where two servers can destroy one"),
		l.row.Name == "RemoteFileOpenAbility" && l.Bool(s.Dialect())
}

func fileCacheSize(s *subject, l line) (Finding, bool) {
	return Finding{}.does("write 0, the default", "limits the file cache of every program on the machine (%s), if its account has SeIncreaseQuotaPrivilege", s.means(l)),
		l.row.Name == confgen.FileSystemCacheSize && s.Windows && l.Int(s.Dialect()) != 0
}
