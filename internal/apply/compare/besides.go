package compare

import (
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/confgen"
)

// Besides lists what must be done besides so that B takes effect in a server
// that had A. running are the ids of its processes.
func (d Difference) Besides(running []int) []string {
	if len(d.Settings) == 0 && d.A.Fatal == d.B.Fatal {
		return []string{"nothing: no setting has another effect"}
	}
	var all []string
	server := "Firebird"
	if len(running) > 0 {
		server = fmt.Sprintf("Firebird (process %d)", running[0])
	}
	// A block of databases.conf is read again when a database is next opened.
	alone := func(s Setting) bool { return s.Database != "" }
	if d.A.Fatal == "" && !slices.ContainsFunc(d.Settings, func(s Setting) bool { return !alone(s) }) {
		all = append(all, fmt.Sprintf("restart %s, or wait until every connection to the databases has ended: databases.conf is read again at the next one", server))
	} else {
		all = append(all, fmt.Sprintf("restart %s: firebird.conf is read once, at the start", server))
	}
	if d.Changes(confgen.DefaultDbCachePages) {
		all = append(all, "gfix -buffers 0 DATABASE for every database of which gstat -h shows page buffers other than 0: those override both files")
	}
	return all
}
