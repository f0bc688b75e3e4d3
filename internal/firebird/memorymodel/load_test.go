package memorymodel

import (
	"fmt"
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

// load is one server filled to its cache.
type load struct {
	mode        confgen.Mode
	connections int
	pageSize    confgen.Bytes
	cache       confgen.Bytes // of all page buffers together
	metadata    bool          // whether every connection uses a schema besides the one table
}

// caches is the number of page caches that the connections have.
func (l load) caches() int {
	if l.mode == confgen.Super {
		return 1
	}
	return l.connections
}

// pages is the number of page buffers in each of them.
func (l load) pages() confgen.Pages {
	return confgen.Pages(l.cache / l.pageSize / confgen.Bytes(l.caches()))
}

// buffers is the number of page buffers in all of them.
func (l load) buffers() confgen.Pages { return l.pages() * confgen.Pages(l.caches()) }

// settings are what the server is started with; all else has its default.
func (l load) settings() map[string]string {
	return map[string]string{
		confgen.ServerMode:          string(l.mode),
		confgen.DefaultDbCachePages: fmt.Sprint(l.pages()),
	}
}

// plan is what the memory model says of the load on a database of a size.
func (l load) plan(version confgen.Version, size confgen.Bytes) (confgen.Budget, error) {
	return confgen.Plan(confgen.Candidate{
		Version: version, Mode: l.mode, Settings: l.settings(), Connections: l.connections,
		Databases: []confgen.Database{{Name: "filled", Size: size, PageSize: l.pageSize}},
	})
}

// filledByReading names the lines of a budget that reading a whole table brings
// from Now to Expected: each page takes a page buffer, and a lock of every
// connection that caches it. One table is next to no metadata.
var filledByReading = map[confgen.Memory]bool{
	confgen.MemoryPageCache: true,
	confgen.MemoryLockTable: true,
}

// reaches reports whether the load brings a line of a budget to Expected. With
// a schema in use it does so with all that a load without sorts has.
func (l load) reaches(line confgen.Memory) bool {
	if l.metadata {
		return line != confgen.MemorySort
	}
	return filledByReading[line]
}

// security is the line of a budget that is about the security database.
const security confgen.Memory = "security database"

// predicted is what a budget says of a server in the state that u tells of:
// just connected, or once its caches are full.
//
// The engine opens the security database for a login and closes it ten seconds
// later (src/auth/SecDbCache.cpp:43), in Classic in each process. The budget
// counts it for all; here it counts where it was open.
func (l load) predicted(t *testing.T, budget confgen.Budget, u usage, full bool) confgen.Bytes {
	t.Helper()
	var sum confgen.Bytes
	for _, line := range budget.Lines {
		if full && l.reaches(line.Name) {
			sum += line.Expected
		} else {
			sum += line.Now
		}
	}
	closed := confgen.Bytes(l.logins() - u.loggedIn)
	return sum - lineOf(t, budget, security).Now*closed/confgen.Bytes(l.logins())
}

// logins is the number of processes that people log in to.
func (l load) logins() int {
	if l.mode == confgen.Classic {
		return l.connections
	}
	return 1
}

// lineOf returns a line of a budget.
func lineOf(t *testing.T, budget confgen.Budget, name confgen.Memory) confgen.Line {
	t.Helper()
	for _, line := range budget.Lines {
		if line.Name == name {
			return line
		}
	}
	t.Fatalf("the budget has no line %q: %+v", name, budget.Lines)
	return confgen.Line{}
}
