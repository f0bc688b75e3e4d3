package inspect

import (
	"context"
	"errors"
	"fmt"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

// firstMonitored is the first version whose monitoring tables have what is read
// of them (MON$SYSTEM_FLAG, MON$OWNER).
var firstMonitored = confgen.Version{Major: 3}

// FromServer asks a server about a database. Its files are looked at too where
// the server is on this machine.
func FromServer(ctx context.Context, t workload.Target, o Options) (Database, error) {
	if err := t.Validate(); err != nil {
		return Database{}, err
	}
	version, err := serverVersion(ctx, t)
	if err != nil {
		return Database{}, withAdvice(err)
	}
	if !version.AtLeast(firstMonitored) {
		return Database{}, fmt.Errorf("%s is Firebird %s, whose monitoring tables say too little; save what its gstat -r prints and give that to --gstat", t.Addr, version)
	}
	d := Database{Name: t.Path, Path: t.Path, Server: version, Source: fmt.Sprintf("services of %s, Firebird %s", t.Addr, version)}
	if d.Statistics, err = askGstat(ctx, t, firebirdsql.WithOnlyHeaderPages()); err != nil {
		return Database{}, withAdvice(err)
	}
	if o.Tables {
		d.askTables(ctx, t, o)
	}
	if err := d.watch(ctx, t, o); err != nil {
		return Database{}, withAdvice(err)
	}
	return d, nil
}

// withAdvice adds what to do when a server refuses.
func withAdvice(err error) error {
	var refusal *firebirdsql.FbError
	if errors.As(err, &refusal) {
		return fmt.Errorf("%w; give the owner of the database or SYSDBA by ISC_USER and ISC_PASSWORD", err)
	}
	return err
}

// askTables asks for tables and indices, and notes why when there are none to
// have, as of an encrypted database.
func (d *Database) askTables(ctx context.Context, t workload.Target, o Options) {
	o.note("the server reads all pages of %s", t.Path)
	statistics, err := askGstat(ctx, t, firebirdsql.WithUserDataPages(), firebirdsql.WithUserIndexPages(), firebirdsql.WithRecordVersions())
	if err != nil {
		d.unknown("tables and indices: %v; inspect a restored copy", err)
		return
	}
	d.Statistics = statistics
	d.noteStatistics("inspect it again when little is written")
}

// take fills in what the first look tells of the database as a whole.
func (d *Database) take(l look) {
	d.Path = l.path
	d.Statistics.Header.FileSize = l.pages.Of(d.Statistics.Header.PageSize)
	if l.sees != "" {
		d.unknown("attachments and transactions of others: %s sees its own only; give the owner of the database or SYSDBA by ISC_USER", l.sees)
	}
}

// readLimbo asks for transactions in limbo where one may hold the oldest: the
// counter is one below the first that is not known to have committed.
func (d *Database) readLimbo(t workload.Target) {
	c := d.Activity.Counters
	if c.OldestActive-c.Oldest <= 1 {
		return
	}
	list, err := limbo(t)
	if err != nil {
		d.unknown("transactions in limbo: %v; run gfix -list", err)
		return
	}
	d.Activity.Limbo = append(d.Activity.Limbo, list...)
}
