package confgen

// Constants of the memory model. Each says what it rests on.
const (
	// pageDescriptor is the memory a page buffer takes beside its page:
	// 609 B measured on 3.0.11 and 4.0.5, rounded up to 0.6 KiB.
	pageDescriptor Bytes = 614

	// lockPerPage is the part of the lock table that a cached page of one
	// connection takes in SuperClassic and Classic: a request (lrq) of 72 B for
	// each connection, and a lock (lbl with its key) of 72 B that connections
	// with the same page share (src/lock/lock_proto.h). Measured on 3.0.11 and
	// 4.0.5: 147 B where no two had a page in common, 81 B with 10 connections
	// that all read one table (docs/memory-model.md).
	lockPerPage Bytes = 144

	// lockSlot is a slot of the lock table's hash (srq, two ULONG).
	lockSlot Bytes = 8

	// lockHeader is what the lock table takes before the first lock: header,
	// history, first owners. 14.2 KB measured on 3.0.11 and 4.0.5 as the least
	// that starts; 64 KiB leaves room for owners.
	lockHeader = 64 * KiB

	// lockPerConnection is the part of the lock table that one connection
	// takes besides pages: its owner, and locks on the tables, indices and
	// procedures it uses. 6 KB (13 KB on 4.0.5) just attached, 88 KB after the
	// use of the schema of metadataNote.
	lockPerConnection = 88 * KiB

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
// measured with: each of 10 connections had used 200 tables of two indices each
// and 100 procedures (docs/memory-model.md). Firebird's documentation says 115
// KB to several MB.
const metadataNote = "[measured with 200 tables and 100 procedures in use; depends on yours]"

// footprint is the memory of an architecture without the page caches (the
// security database's among them), the lock tables, transaction states and
// sorts.
type footprint struct {
	Server Bytes // programs and libraries, and what the first connection brings
	Now    Bytes // of a connection, with next to no metadata in use
	Full   Bytes // of a connection, with the metadata of metadataNote
}

// footprints were measured on 3.0.11 and 4.0.5 by the sum of PSS
// (docs/memory-model.md); 2.5 and 5.0 are taken to be like their neighbours.
var footprints = []struct {
	From Version
	Of   map[Mode]footprint
}{
	{v25, map[Mode]footprint{
		Super:        {Server: 17 * MiB, Now: 1200 * KiB, Full: 7400 * KiB},
		SuperClassic: {Server: 16 * MiB, Now: 1300 * KiB, Full: 7400 * KiB},
		Classic:      {Server: 14 * MiB, Now: 3600 * KiB, Full: 9900 * KiB},
	}},
	{v40, map[Mode]footprint{
		Super:        {Server: 26 * MiB, Now: 1250 * KiB, Full: 6400 * KiB},
		SuperClassic: {Server: 25 * MiB, Now: 1550 * KiB, Full: 6600 * KiB},
		Classic:      {Server: 20 * MiB, Now: 3600 * KiB, Full: 8900 * KiB},
	}},
}

// footprintOf returns the footprint of an architecture.
func footprintOf(v Version, mode Mode) footprint {
	of := footprints[0].Of
	for _, row := range footprints {
		if v.AtLeast(row.From) {
			of = row.Of
		}
	}
	return of[mode]
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
