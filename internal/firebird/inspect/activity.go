package inspect

import (
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// Activity is what goes on in a database, by the server's monitoring tables.
// Fbtune's own attachment is not in it.
type Activity struct {
	PageBuffers  confgen.Pages         `json:"page_buffers"` // in force, whatever header and files say
	Attachments  int                   `json:"attachments"`  // at the last look
	Peak         int                   `json:"peak_attachments"`
	Watched      time.Duration         `json:"watched_ns"` // 0 when it was looked at once
	Looks        int                   `json:"looks"`
	IO           IO                    `json:"io"` // of the watch
	Counters     dbheader.Transactions `json:"counters"`
	Transactions []Transaction         `json:"transactions"` // open ones, oldest first
	Limbo        []int64               `json:"limbo"`        // transactions that two-phase commits left behind
}

// IO counts pages, as MON$IO_STATS does.
type IO struct {
	Reads   int64 `json:"page_reads"`
	Writes  int64 `json:"page_writes"`
	Fetches int64 `json:"page_fetches"`
	Marks   int64 `json:"page_marks"`
}

func (io IO) plus(o IO) IO {
	return IO{io.Reads + o.Reads, io.Writes + o.Writes, io.Fetches + o.Fetches, io.Marks + o.Marks}
}

func (io IO) minus(o IO) IO {
	return io.plus(IO{-o.Reads, -o.Writes, -o.Fetches, -o.Marks})
}

// fewFetches is below how many page fetches a hit ratio says nothing: a single
// query makes as many.
const fewFetches = 10_000

// HitRatio returns which part of the fetches of pages needed no read, 0 to 1.
// It is false when too little happened to tell.
func (io IO) HitRatio() (ratio float64, ok bool) {
	if io.Fetches < fewFetches {
		return 0, false
	}
	return max(0, 1-float64(io.Reads)/float64(io.Fetches)), true
}

// Transaction is an open transaction with its attachment.
type Transaction struct {
	ID         int64     `json:"transaction"`
	Attachment int64     `json:"attachment"`
	User       string    `json:"user"`
	Address    string    `json:"address"` // of the client; empty for one in the server's own process
	Process    string    `json:"process"` // of the client
	Open       float64   `json:"open_s"`  // seconds since it began, by the server's clock
	Isolation  Isolation `json:"isolation"`
	ReadOnly   bool      `json:"read_only"`
	Running    bool      `json:"running"` // whether a statement of it runs
}

// Isolation is MON$ISOLATION_MODE in words.
type Isolation string

// Isolation levels (src/jrd/constants.h).
const (
	Consistency              Isolation = "consistency"
	Snapshot                 Isolation = "snapshot"
	ReadCommittedVersion     Isolation = "read committed, record version"
	ReadCommittedNoVersion   Isolation = "read committed, no record version"
	ReadCommittedConsistency Isolation = "read committed, read consistency"
)

// isolations are the levels by their numbers.
var isolations = []Isolation{Consistency, Snapshot, ReadCommittedVersion, ReadCommittedNoVersion, ReadCommittedConsistency}

// Holds reports whether the transaction keeps the oldest active one where it
// is. One that only reads what is committed counts as committed from its begin
// (30:src/jrd/tra.cpp, TRA_precommitted).
func (t Transaction) Holds() bool {
	return !t.ReadOnly || t.Isolation == Snapshot || t.Isolation == Consistency
}

// Snapshots reports whether the transaction keeps versions of records that were
// old already when it began.
func (t Transaction) Snapshots() bool {
	return t.Holds() && t.Isolation != ReadCommittedVersion && t.Isolation != ReadCommittedNoVersion
}
