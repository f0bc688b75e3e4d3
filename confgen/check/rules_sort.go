package check

import (
	"regexp"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// sortRules are about sorts and temporary data.
func sortRules() []Rule {
	return []Rule{
		{
			ID: "sort-memory-zero", Severity: Warning, find: perLine(sortMemoryZero),
			About:  "no memory for sorts",
			Source: "src/jrd/TempSpace.cpp",
		},
		{
			ID: "sort-memory-per-connection", Severity: Warning, find: perView(sortMemoryPerConnection),
			About:  "a limit meant for a server that every connection has for itself",
			Source: "issue 7928; 30:src/jrd/TempSpace.cpp:282; 50:src/jrd/Database.h:329-339",
		},
		{
			ID: "sort-block", Severity: Warning, find: perView(sortBlock),
			About:  "a block of temporary space larger than the limit on it",
			Source: "src/jrd/TempSpace.cpp:215-221",
		},
		{
			ID: "temp-directories", Severity: Warning, find: perLine(tempSeparators),
			About:  "directories separated by something else than ;",
			Source: "src/common/config/dir_list.cpp",
		},
	}
}

func sortMemoryZero(s *subject, l line) (Finding, bool) {
	n, err := l.row.Number(s.Version, s.mode, l.Value)
	written := strings.Trim(l.Value, "0 ") == "" && l.Value != ""
	return Finding{}.does("delete the line for the default, or write 8M or more", "takes 0: every sort goes to files"),
		l.row.Name == confgen.TempCacheLimit && err == nil && n == 0 && written
}

// manySortBytes is a TempCacheLimit from which it matters how often it is
// taken.
const manySortBytes = 64 << 20

func sortMemoryPerConnection(s *subject, v view) (Finding, bool) {
	limit, in, _ := v.number(confgen.TempCacheLimit)
	if !in.Set || limit <= manySortBytes {
		return Finding{}, false
	}
	bytes := confgen.Bytes(limit)
	f := at(in)
	perSuperClassic := suffers(s.Version, confgen.Version{Major: 4, Patch: 5}, confgen.Version{Major: 5, Patch: 1})
	switch {
	case !s.modeKnown:
		return f.does("in Classic write 64000000 or less", "takes up to %s in every process: once in SuperServer and SuperClassic, once for each connection in Classic", bytes), true
	case s.mode == confgen.Classic:
		return f.does("write 8M to 64M", "lets every connection take up to %s%s, for each is a process of its own", bytes, v.of()), true
	case s.mode == confgen.SuperClassic && perSuperClassic == affected:
		return f.does("write 8M to 64M, or upgrade to 4.0.5 or 5.0.1", "lets every connection take up to %s%s: from 4.0.0 to 4.0.4 and in 5.0.0 SuperClassic counts it per connection", bytes, v.of()), true
	case s.mode == confgen.SuperClassic && perSuperClassic == maybe, s.mode == confgen.SuperClassic && !s.Version.AtLeast(v40):
		return f.does("mind it when you upgrade; write 8M to 64M for 4.0.0 to 4.0.4 and 5.0.0", "shares %s%s among all connections, but from 4.0.0 to 4.0.4 and in 5.0.0 every connection takes as much", bytes, v.of()).as(Note), true
	}
	return Finding{}, false
}

func sortBlock(_ *subject, v view) (Finding, bool) {
	limit, limitIn, _ := v.number(confgen.TempCacheLimit)
	block, in, _ := v.number(confgen.TempBlockSize)
	if !in.Set || limit == 0 || block <= limit {
		return Finding{}, false
	}
	if !limitIn.Set {
		limitIn = in
	}
	return at(in).does("write 1M, the default, or raise TempCacheLimit", "takes temporary space by %s, more than TempCacheLimit (%s): nothing is sorted in memory", confgen.Bytes(block), confgen.Bytes(limit)), true
}

// wrongSeparator matches several directories that ; does not separate.
var wrongSeparator = regexp.MustCompile(`^/[^;]*[:,]\s*/`)

func tempSeparators(s *subject, l line) (Finding, bool) {
	return Finding{}.does("separate directories by ;", "takes all of it for one directory, which is not there"),
		l.row.Name == confgen.TempDirectories && !s.Windows && wrongSeparator.MatchString(l.Value)
}
