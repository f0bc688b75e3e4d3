package confgen

import "fmt"

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
	memoryWorkers     Memory = "parallel workers"
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
	lines := []func(numbers) Line{pageCacheLine, securityLine, connectionLine, lockLine, sortLine}
	if c.Version.AtLeast(v40) {
		lines = append(lines, stateLine)
	}
	if c.Version.AtLeast(v50) {
		lines = append(lines, statementLine, workerLine)
	}
	for _, line := range lines {
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
	pages       Pages // DefaultDbCachePages of firebird.conf
	stateBlock  Bytes // TipCacheBlockSize; 0 before 4.0
	statements  Bytes // MaxStatementCacheSize; 0 before 5.0
	workers     int64 // MaxParallelWorkers; 0 before 5.0
}

// readNumbers reads a candidate's settings.
func readNumbers(c Candidate) (numbers, error) {
	n := numbers{version: c.Version, mode: c.mode(), connections: int64(max(c.Connections, 1))}
	n.sorters = n.connections
	if c.Sorters > 0 {
		n.sorters = min(int64(c.Sorters), n.connections)
	}
	settings := []struct {
		name string
		into *int64
	}{
		{DefaultDbCachePages, (*int64)(&n.pages)},
		{TempCacheLimit, (*int64)(&n.tempLimit)},
		{LockMemSize, (*int64)(&n.lockMemory)},
		{LockHashSlots, &n.slots},
	}
	if c.Version.AtLeast(v40) {
		settings = append(settings, struct {
			name string
			into *int64
		}{"TipCacheBlockSize", (*int64)(&n.stateBlock)})
	}
	if c.Version.AtLeast(v50) {
		settings = append(settings, []struct {
			name string
			into *int64
		}{
			{MaxStatementCacheSize, (*int64)(&n.statements)},
			{MaxParallelWorkers, &n.workers},
		}...)
	}
	for _, setting := range settings {
		value, err := c.number(setting.name)
		if err != nil {
			return numbers{}, err
		}
		*setting.into = value
	}
	n.databases = c.databases()
	for i := range n.databases {
		if n.databases[i].Pages == 0 {
			n.databases[i].Pages = n.pages
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

// processes returns how many processes serve the connections.
func (n numbers) processes() int64 {
	if n.mode == Classic {
		return n.connections
	}
	return 1
}

// securityLine is the page cache of the security database, which every
// process opens once. Before 3.0 it is as large as any other.
func securityLine(n numbers) Line {
	pages, processes, size := SecurityCachePages(n.version), n.processes(), DefaultPageSize(n.version)
	if pages == 0 {
		pages = n.pages
	}
	full := times(processes, pages.Of(size+pageDescriptor))
	return Line{
		Name: memorySecurity, Now: full, Expected: full, Worst: full,
		Formula: fmt.Sprintf("%d processes x %d pages x (%d + %d B)", processes, pages, size, pageDescriptor),
	}
}

// connectionLine is the server itself and what each connection takes besides
// its caches.
func connectionLine(n numbers) Line {
	f := footprintOf(n.version, n.mode)
	full := plus(f.Server, times(n.connections, f.Full))
	return Line{
		Name: memoryConnections, Now: plus(f.Server, times(n.connections, f.Now)), Expected: full, Worst: full,
		Formula: fmt.Sprintf("server %s + %d connections x %s %s", f.Server, n.connections, f.Full, metadataNote),
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

// stateLine is the states of transactions, which all processes share from 4.0
// on: a block for each database and the security database, written whole when
// it is made (40:src/jrd/tpc.cpp:105); a second one while transactions of the
// last block are still of interest.
func stateLine(n numbers) Line {
	databases := int64(len(n.databases))
	now := times(databases+1, n.stateBlock)
	return Line{
		Name: MemoryShared, Now: now, Expected: now, Worst: times(2*databases+1, n.stateBlock),
		Formula: fmt.Sprintf("TipCacheBlockSize %s x (2 for each of %d databases + the security database's)", n.stateBlock, databases),
	}
}

// statementLine is the cache of compiled statements that are not in use, which
// 5.0 gives to each connection (50:src/dsql/DsqlStatementCache.cpp:38-45; read
// in the source, not measured).
func statementLine(n numbers) Line {
	full := times(n.connections, n.statements)
	return Line{
		Name: MemoryStatements, Expected: full, Worst: full,
		Formula: fmt.Sprintf("%d connections x MaxStatementCacheSize %s", n.connections, n.statements),
	}
}

// workerLine is the parallel workers of 5.0. Each is an attachment of its own;
// a process starts up to MaxParallelWorkers for each database, when a
// connection builds an index, sweeps or asks for them (read in the source, not
// measured). With 1 there are none.
func workerLine(n numbers) Line {
	line := Line{Name: memoryWorkers, Formula: "none with MaxParallelWorkers = 1"}
	if n.workers <= 1 {
		return line
	}
	databases := int64(len(n.databases))
	if n.mode == Classic {
		databases = 1 // a process serves one connection, to one database
	}
	count, each := n.processes()*databases*n.workers, footprintOf(n.version, n.mode).Full
	line.Formula = fmt.Sprintf("%d processes x %d databases x %d workers x %s", n.processes(), databases, n.workers, each)
	if n.mode != Super {
		d := n.largest()
		each = plus(each, d.Pages.Of(d.PageSize+pageDescriptor))
		line.Formula += fmt.Sprintf(" and %d pages of their own each", d.Pages)
	}
	line.Worst = times(count, each)
	return line
}
