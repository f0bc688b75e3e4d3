// Package inspect gathers what a database and its server tell of themselves.
//
// It judges nothing. It asks a server ([FromServer]), reads a file of this
// machine ([FromFile]) or takes a saved output of gstat ([FromOutput]), and says
// of each part that it could not have why, and how to have it.
//
// All a database notices is an attachment and a few transactions: a server is
// asked by its services and monitoring tables, a file is read by the installed
// gstat, and only while no server has it open.
package inspect

import (
	"fmt"
	"io"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
)

// Database is what was learnt about a database. Parts that could not be learnt
// are nil or empty, and Unknown says why.
type Database struct {
	Name       string          // as it was asked for: a path or an alias
	Path       string          // its file, where that is known; else Name
	Source     string          // where its header, tables and indices come from, in words
	Server     confgen.Version // the version that answered; the zero Version without a server
	Statistics gstat.Statistics
	Activity   *Activity        // nil without a server
	Locks      *lockprint.Table // with the acquires of the watch, if there was one; nil when not known
	Temp       *TempFiles       // nil when not known
	Unknown    []string

	// Config is the configuration in force for the database; nil below 4.0, and
	// without a server.
	Config configtable.Table
}

// Options say how much is looked at.
type Options struct {
	// Installations are those whose gstat and fb_lock_print may be run.
	Installations []firebird.Installation
	// Tables asks for tables and indices, for which gstat reads the whole
	// database.
	Tables bool
	// Watch is how long a server is watched under its own load; 0 is one look.
	Watch time.Duration
	// Note tells a person what is being waited for; nil for nobody.
	Note func(format string, args ...any)
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(format, args...)
	}
}

// unknown adds a part that could not be learnt.
func (d *Database) unknown(format string, args ...any) {
	d.Unknown = append(d.Unknown, fmt.Sprintf(format, args...))
}

// What only a server tells.
const withServer = "holders of transactions, attachments, cache hits, locks and temporary files: only the running server tells; inspect it with --connect host/port:database"

// FromOutput reads a saved output of gstat; name is the file it is saved in.
func FromOutput(name string, r io.Reader) (Database, error) {
	statistics, err := gstat.Parse(r)
	if err != nil {
		return Database{}, fmt.Errorf("%s: %w", name, err)
	}
	d := Database{Name: name, Path: name, Source: "output of gstat saved in " + name, Statistics: statistics}
	if statistics.Database != "" {
		d.Name, d.Path = statistics.Database, statistics.Database
	}
	d.unknown(withServer)
	d.noteStatistics("save what gstat -r prints")
	return d, nil
}

// noteStatistics says what the statistics lack, and what to do for it.
func (d *Database) noteStatistics(instead string) {
	switch s := d.Statistics; {
	case !s.Pages:
		d.unknown("tables and indices: the output is of gstat -h, which shows the header only; %s", instead)
	case !s.Records:
		d.unknown("records, versions and fragments: the output is of gstat without -r; %s", instead)
	}
	for _, doubt := range d.Statistics.Doubts {
		d.unknown("%s", doubt)
	}
}

// Counters are the transaction counters: as the server has them, else as they
// stand in the header.
func (d Database) Counters() dbheader.Transactions { return d.Statistics.Header.Transactions }
