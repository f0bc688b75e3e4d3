package confgen

// Constants of the memory model. Each says what it rests on.
const (
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

// defaultPageSizes are the page sizes of a database created without one, from
// a version on (src/jrd/ods.h, DEFAULT_PAGE_SIZE).
var defaultPageSizes = []struct {
	From Version
	Size Bytes
}{{v25, 4 * KiB}, {v30, 8 * KiB}}

// DefaultPageSize returns the page size of a database created without one.
func DefaultPageSize(v Version) Bytes {
	size := defaultPageSizes[0].Size
	for _, row := range defaultPageSizes {
		if v.AtLeast(row.From) {
			size = row.Size
		}
	}
	return size
}

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

// securityPages are the page buffers of the security database in the shipped
// databases.conf. 2.5 has one cache size for all databases (issue 2450).
var securityPages = []struct {
	From  Version
	Pages Pages
}{{v30, 50}, {v40, 256}}

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
	{v25, map[Mode]tempScope{Super: perServer, SuperClassic: perServer, Classic: perConnection}},
	{v40, map[Mode]tempScope{Super: perDatabase, SuperClassic: perConnection, Classic: perConnection}},
	{Version{4, 0, 5}, map[Mode]tempScope{Super: perDatabase, SuperClassic: perDatabase, Classic: perConnection}},
	{v50, map[Mode]tempScope{Super: perDatabase, SuperClassic: perConnection, Classic: perConnection}},
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

// SecurityCachePages returns the page buffers that the shipped databases.conf
// gives the security database; 0 for 2.5, which has no such file.
func SecurityCachePages(v Version) Pages {
	var pages Pages
	for _, row := range securityPages {
		if v.AtLeast(row.From) {
			pages = row.Pages
		}
	}
	return pages
}
