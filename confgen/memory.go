package confgen

import "fmt"

// Constants of the memory model. Each says what it rests on.
const (
	// defaultPageSize is the page size of a database created without one from
	// 3.0 on (src/jrd/ods.h, DEFAULT_PAGE_SIZE).
	defaultPageSize = 8 * KiB

	// pageDescriptor is the memory a page buffer takes beside its page:
	// 609 B measured on 3.0.11 and 4.0.5, rounded up to 0.6 KiB.
	pageDescriptor Bytes = 614

	// lockPerPage is the part of the lock table that a cached page of one
	// connection takes in SuperClassic and Classic: 93 B measured on 3.0.11 (10
	// connections with 256 full page buffers each, Classic against Super).
	lockPerPage Bytes = 100

	// lockSlot is a slot of the lock table's hash (srq, two ULONG).
	lockSlot Bytes = 8

	// lockHeader is what the lock table takes before the first lock: header,
	// history, first owners. 14.2 KB measured on 3.0.11 and 4.0.5 as the least
	// that starts; 64 KiB leaves room for owners.
	lockHeader = 64 * KiB

	// lockPerConnection is the part of the lock table that one connection
	// takes besides pages: its owner, and locks on the tables, indices and
	// procedures it uses. 6 KB just attached, 71 KB after the use of the schema
	// of metadataNote, measured on 3.0.11.
	lockPerConnection = 72 * KiB

	// sortBuffer is held by each running sort, outside TempCacheLimit
	// (src/jrd/sort.cpp:79, MAX_SORT_BUFFER_SIZE).
	sortBuffer = 128 * KiB

	// sortBuffersKept is how many sort buffers a database keeps for reuse.
	sortBuffersKept = 8
)

// metadataNote says what the figures that depend on a database's metadata were
// measured with: 3.0.11, 64 bits, growth of the sum of PSS and of fb_lock_print's
// "Used" over 10 connections, each having used 200 tables with two indices each
// and 100 procedures. Firebird's documentation says 115 KB to several MB.
const metadataNote = "[measured with 200 tables and 100 procedures in use; depends on yours]"

// base is the memory of the server and of a connection, without page cache,
// sorts and locks: Now just attached, Full with the metadata of metadataNote.
// Measured for a connection of Super 1.2 and 5.8 MB, of SuperClassic 2.2 and
// 8.0 MB, of Classic 5.0 and 10.9 MB; the latter two with 256 page buffers,
// 2.25 MB once full, which are taken off here.
var base = map[Mode]struct{ ServerNow, ServerFull, Now, Full Bytes }{
	Super:        {ServerNow: 12 * MiB, ServerFull: 16 * MiB, Now: 1200 * KiB, Full: 6 * MiB},
	SuperClassic: {ServerNow: 12 * MiB, ServerFull: 16 * MiB, Now: 2 * MiB, Full: 6 * MiB},
	Classic:      {ServerNow: 10 * MiB, ServerFull: 12 * MiB, Now: 5 * MiB, Full: 9 * MiB},
}

// securityPages are the page buffers of the security database, which the
// shipped databases.conf limits (2.5 has one cache size for all databases).
var securityPages = []struct {
	From  Version
	Pages Pages
}{{Version{2, 5, 0}, 2048}, {Version{3, 0, 0}, 50}, {Version{4, 0, 0}, 256}}

// tempScope is what one TempCacheLimit is shared by.
type tempScope string

const (
	perServer     tempScope = "server"
	perDatabase   tempScope = "database"
	perConnection tempScope = "connection"
)

// tempScopes says what TempCacheLimit is shared by, from a version on
// (30:src/jrd/TempSpace.cpp:282; 50:src/jrd/Database.h:329; issue 7928).
var tempScopes = []struct {
	From  Version
	Scope map[Mode]tempScope
}{
	{Version{2, 5, 0}, map[Mode]tempScope{Super: perServer, SuperClassic: perServer, Classic: perConnection}},
	{Version{4, 0, 0}, map[Mode]tempScope{Super: perDatabase, SuperClassic: perConnection, Classic: perConnection}},
	{Version{4, 0, 5}, map[Mode]tempScope{Super: perDatabase, SuperClassic: perDatabase, Classic: perConnection}},
	{Version{5, 0, 0}, map[Mode]tempScope{Super: perDatabase, SuperClassic: perConnection, Classic: perConnection}},
	{Version{5, 0, 1}, map[Mode]tempScope{Super: perDatabase, SuperClassic: perDatabase, Classic: perConnection}},
}

// tempScopeOf returns what TempCacheLimit is shared by.
func tempScopeOf(v Version, mode Mode) tempScope {
	scope := tempScopes[0].Scope
	for _, row := range tempScopes {
		if v.AtLeast(row.From) {
			scope = row.Scope
		}
	}
	return scope[mode]
}

// SecurityCachePages returns the page buffers of the security database.
func SecurityCachePages(v Version) Pages {
	pages := securityPages[0].Pages
	for _, row := range securityPages {
		if v.AtLeast(row.From) {
			pages = row.Pages
		}
	}
	return pages
}

// Line is one line of a memory budget.
type Line struct {
	Name Memory `json:"name"`

	// Now is the memory in use when all have just connected; Expected with
	// warm caches that hold no more than the databases do and one connection
	// in four sorting; Worst when every cache is full and every connection
	// that may sort does so at its limit.
	Now      Bytes `json:"now"`
	Expected Bytes `json:"expected"`
	Worst    Bytes `json:"worst"`

	Formula string `json:"formula"` // of Worst, with its numbers
}

// Budget is the memory a candidate needs.
type Budget struct {
	Lines []Line `json:"lines"`
	Total Line   `json:"total"`
}

// Further lines of the budget, which no setting moves.
const (
	memorySecurity    Memory = "security database"
	memoryConnections Memory = "connections"
	memoryTotal       Memory = "total"
)

// Plan returns the memory a candidate needs, line by line. The error is for
// settings that the version does not know or cannot start with.
func Plan(c Candidate) (Budget, error) {
	n, err := readNumbers(c)
	if err != nil {
		return Budget{}, err
	}
	var budget Budget
	for _, line := range [...]func(numbers) Line{pageCacheLine, securityLine, connectionLine, lockLine, sortLine} {
		l := line(n)
		budget.Lines = append(budget.Lines, l)
		budget.Total.Now = plus(budget.Total.Now, l.Now)
		budget.Total.Expected = plus(budget.Total.Expected, l.Expected)
		budget.Total.Worst = plus(budget.Total.Worst, l.Worst)
	}
	budget.Total.Name = memoryTotal
	budget.Total.Formula = fmt.Sprintf("sum of the %d lines", len(budget.Lines))
	return budget, nil
}

// Required returns the memory a candidate needs in the worst case.
func Required(c Candidate) (Bytes, error) {
	budget, err := Plan(c)
	return budget.Total.Worst, err
}

// numbers are the inputs of the memory model, read from a candidate.
type numbers struct {
	version     Version
	mode        Mode
	connections int64
	sorters     int64
	databases   []Database // with their Pages filled in
	tempLimit   Bytes
	lockMemory  Bytes
	slots       int64
}

// readNumbers reads a candidate's settings.
func readNumbers(c Candidate) (numbers, error) {
	n := numbers{version: c.Version, mode: c.mode(), connections: int64(max(c.Connections, 1))}
	n.sorters = n.connections
	if c.Sorters > 0 {
		n.sorters = min(int64(c.Sorters), n.connections)
	}
	var pages int64
	for _, setting := range [...]struct {
		name string
		into *int64
	}{
		{DefaultDbCachePages, &pages},
		{TempCacheLimit, (*int64)(&n.tempLimit)},
		{LockMemSize, (*int64)(&n.lockMemory)},
		{LockHashSlots, &n.slots},
	} {
		value, err := c.number(setting.name)
		if err != nil {
			return numbers{}, err
		}
		*setting.into = value
	}
	n.databases = c.databases()
	for i := range n.databases {
		if n.databases[i].Pages == 0 {
			n.databases[i].Pages = Pages(pages)
		}
	}
	return n, nil
}

// largest returns the database whose cache is the largest.
func (n numbers) largest() Database {
	largest := n.databases[0]
	for _, d := range n.databases[1:] {
		if d.Pages.Of(d.PageSize) > largest.Pages.Of(largest.PageSize) {
			largest = d
		}
	}
	return largest
}

// filled returns how many page buffers a database of known size can fill.
func (d Database) filled() Pages {
	if d.Size == 0 {
		return d.Pages
	}
	return min(d.Pages, Pages((d.Size+d.PageSize-1)/d.PageSize))
}

// pageCacheLine is the page cache: one per database in Super, one per
// connection in SuperClassic and Classic, where each connection is taken to
// use the database with the largest cache.
func pageCacheLine(n numbers) Line {
	line := Line{Name: MemoryPageCache}
	if n.mode == Super {
		for _, d := range n.databases {
			line.Now = plus(line.Now, d.Pages.Of(pageDescriptor))
			line.Expected = plus(line.Expected, plus(d.Pages.Of(pageDescriptor), d.filled().Of(d.PageSize)))
			line.Worst = plus(line.Worst, d.Pages.Of(d.PageSize+pageDescriptor))
		}
		d := n.largest()
		line.Formula = fmt.Sprintf("%d pages x (%d + %d B)", d.Pages, d.PageSize, pageDescriptor)
		if len(n.databases) > 1 {
			line.Formula = fmt.Sprintf("sum over %d databases, the largest %s", len(n.databases), line.Formula)
		}
		return line
	}
	d := n.largest()
	line.Now = times(n.connections, d.Pages.Of(pageDescriptor))
	line.Expected = times(n.connections, plus(d.Pages.Of(pageDescriptor), d.filled().Of(d.PageSize)))
	line.Worst = times(n.connections, d.Pages.Of(d.PageSize+pageDescriptor))
	line.Formula = fmt.Sprintf("%d connections x %d pages x (%d + %d B)", n.connections, d.Pages, d.PageSize, pageDescriptor)
	return line
}

// securityLine is the page cache of the security database, which every
// process opens once.
func securityLine(n numbers) Line {
	pages, processes := SecurityCachePages(n.version), int64(1)
	if n.mode == Classic {
		processes = n.connections
	}
	full := times(processes, pages.Of(defaultPageSize+pageDescriptor))
	return Line{
		Name: memorySecurity, Now: times(processes, pages.Of(pageDescriptor)), Expected: full, Worst: full,
		Formula: fmt.Sprintf("%d processes x %d pages x (%d + %d B)", processes, pages, defaultPageSize, pageDescriptor),
	}
}

// connectionLine is the server itself and what each connection takes besides
// its caches.
func connectionLine(n numbers) Line {
	b := base[n.mode]
	full := plus(b.ServerFull, times(n.connections, b.Full))
	return Line{
		Name: memoryConnections, Now: plus(b.ServerNow, times(n.connections, b.Now)), Expected: full, Worst: full,
		Formula: fmt.Sprintf("server %s + %d connections x %s %s", b.ServerFull, n.connections, b.Full, metadataNote),
	}
}

// lockUse returns the part of a database's lock table that is in use when
// every cache is full.
func lockUse(mode Mode, slots, connections int64, pages Pages) Bytes {
	use := plus(times(slots, lockSlot), plus(lockHeader, times(connections, lockPerConnection)))
	if mode != Super { // Super takes no page locks
		use = plus(use, times(connections, pages.Of(lockPerPage)))
	}
	return use
}

// lockLine is the lock tables, one for each database, each growing by steps of
// LockMemSize.
func lockLine(n numbers) Line {
	databases := int64(len(n.databases))
	step := max(n.lockMemory, 1)
	use := lockUse(n.mode, n.slots, n.connections, n.largest().Pages)
	grown := step
	if use > step {
		grown = times((int64(use)-1)/int64(step)+1, step)
	}
	perPage := ""
	if n.mode != Super {
		perPage = fmt.Sprintf(" + %d connections x %d pages x %d B", n.connections, n.largest().Pages, lockPerPage)
	}
	// The connections are shared out among the databases; only one of the
	// tables holds the locks of all of them.
	return Line{
		Name: MemoryLockTable, Now: times(databases, step), Expected: plus(times(databases-1, step), grown), Worst: plus(times(databases-1, step), grown),
		Formula: fmt.Sprintf("%d x 8 B + %s + %d connections x %s%s, in steps of %s", n.slots, lockHeader, n.connections, lockPerConnection, perPage, step),
	}
}

// sortLine is the memory of sorts: TempCacheLimit, by whatever it is shared,
// and the buffers of the running sorts.
func sortLine(n numbers) Line {
	scope := tempScopeOf(n.version, n.mode)
	owners := map[tempScope]int64{perServer: 1, perDatabase: int64(len(n.databases)), perConnection: n.sorters}[scope]
	quarter := (n.sorters + 3) / 4
	kept := times(int64(len(n.databases))*sortBuffersKept, sortBuffer)
	return Line{
		Name:     MemorySort,
		Expected: plus(times(min(owners, quarter), n.tempLimit), times(quarter, sortBuffer)),
		Worst:    plus(times(owners, n.tempLimit), plus(times(n.sorters, sortBuffer), kept)),
		Formula: fmt.Sprintf("TempCacheLimit %s x %d (one per %s) + %d sorts x %s + %d kept buffers",
			n.tempLimit, owners, scope, n.sorters, sortBuffer, int64(len(n.databases))*sortBuffersKept),
	}
}
