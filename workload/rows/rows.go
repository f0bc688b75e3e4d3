// Package rows is what the insert, update and delete test of Firebird's
// community says: its three phases, what is known of each, what others
// published, and what isql prints of it.
//
// [workload.RunRows] runs it.
package rows

import "fmt"

// Default is how many rows the published figures were measured with.
const Default = 1_000_000

// Max is the most rows a run takes: the loops count in INTEGER, and a hundred
// million rows are half a terabyte.
const Max = 100_000_000

// PageSize is that of the published test, in bytes.
const PageSize = 16384

// bytesPerRow is what a row takes in the file with its indexes: 575 MB for
// 150,000 rows, 3.8 GB for a million, measured on 3.0.11.
const bytesPerRow = 3900

// emptyBytes is the size of a database without rows.
const emptyBytes = 4 << 20

// EstimatedBytes is how large the file becomes.
func EstimatedBytes(rows int) int64 { return emptyBytes + int64(rows)*bytesPerRow }

// Validate reports a number of rows that cannot be run.
func Validate(rows int) error {
	if rows < 1 || rows > Max {
		return fmt.Errorf("%d rows: give a number from 1 to %d", rows, Max)
	}
	return nil
}

// Phases of the test, in order.
const (
	Insert = "insert"
	Update = "update"
	Delete = "delete"
)

// Names are the phases in the order in which they run.
var Names = [...]string{Insert, Update, Delete}

// IO counts pages, as MON$IO_STATS and isql's SET STATS do for a database.
type IO struct {
	Reads   int64 `json:"reads"`   // from the file into the page cache
	Writes  int64 `json:"writes"`  // from the page cache into the file
	Fetches int64 `json:"fetches"` // asked of the page cache
}

// Plus adds counts.
func (a IO) Plus(b IO) IO {
	return IO{Reads: a.Reads + b.Reads, Writes: a.Writes + b.Writes, Fetches: a.Fetches + b.Fetches}
}

// Minus returns what was counted since b.
func (a IO) Minus(b IO) IO {
	return IO{Reads: a.Reads - b.Reads, Writes: a.Writes - b.Writes, Fetches: a.Fetches - b.Fetches}
}

// Phase is what one loop over all rows and its commit took.
type Phase struct {
	Name          string  `json:"phase"`
	Rows          int64   `json:"rows"`
	RowsPerSecond float64 `json:"rows_per_second"` // the commit included
	Seconds       float64 `json:"loop_s"`          // seconds of the loop
	CommitSeconds float64 `json:"commit_s"`        // seconds
	CommitShare   float64 `json:"commit_share"`    // of the loop and the commit together, a fraction
	IO                    // of both
}

// NewPhase returns a phase whose loop and commit took so many seconds, together
// more than none.
func NewPhase(name string, rows int64, loop, commit float64, io IO) Phase {
	return Phase{
		Name: name, Rows: rows, Seconds: loop, CommitSeconds: commit,
		RowsPerSecond: float64(rows) / (loop + commit), CommitShare: commit / (loop + commit), IO: io,
	}
}

// Server is what a server says of itself and of the database.
type Server struct {
	Engine        string `json:"engine"` // version
	ODS           string `json:"ods"`
	PageSize      int64  `json:"page_size"` // bytes
	PageBuffers   int64  `json:"page_buffers"`
	ForcedWrites  bool   `json:"forced_writes"`
	SweepInterval int64  `json:"sweep_interval"`
}

// Run is one run of the three phases.
type Run struct {
	Phases   []Phase  `json:"phases"` // those that came to their end, in order
	Warnings []string `json:"warnings"`
}

// Phase returns a phase by its name, when the run has it.
func (r Run) Phase(name string) (Phase, bool) {
	for _, p := range r.Phases {
		if p.Name == name {
			return p, true
		}
	}
	return Phase{}, false
}

// Mean returns each phase with the means of what all runs took and counted;
// rows per second and the share of the commit come from those. A phase that a
// run does not have is the mean of the others.
func Mean(runs []Run) []Phase {
	all := []Phase{}
	for _, name := range Names {
		var n, rows int64
		var loop, commit float64
		var io IO
		for _, r := range runs {
			if p, ok := r.Phase(name); ok {
				n, rows, loop, commit, io = n+1, rows+p.Rows, loop+p.Seconds, commit+p.CommitSeconds, io.Plus(p.IO)
			}
		}
		if n > 0 {
			io = IO{Reads: io.Reads / n, Writes: io.Writes / n, Fetches: io.Fetches / n}
			all = append(all, NewPhase(name, rows/n, loop/float64(n), commit/float64(n), io))
		}
	}
	return all
}
