package running

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

// ask has the server answer a query.
func ask(ctx context.Context, t workload.Target) error {
	return attached(ctx, t, 1, func(tx *sql.Tx) error {
		_, err := pageBuffers(ctx, tx)
		return err
	})
}

// attached opens n attachments to a database, and calls f with a transaction of
// one of them while they are open.
func attached(ctx context.Context, t workload.Target, n int, f func(*sql.Tx) error) (err error) {
	db, err := sql.Open("firebirdsql", t.DSN())
	if err != nil {
		return fmt.Errorf("open the Firebird driver: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for range n - 1 {
		conn, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
	}
	// In a transaction of its own, because the driver leaves an implicit one
	// open (its issue 42).
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// pageBuffers returns the page buffers in force for the database.
func pageBuffers(ctx context.Context, tx *sql.Tx) (n int64, err error) {
	err = tx.QueryRowContext(ctx, "SELECT MON$PAGE_BUFFERS FROM MON$DATABASE").Scan(&n)
	return n, err
}

// firstWithConfigTable is the first version with RDB$CONFIG.
var firstWithConfigTable = confgen.Version{Major: 4}

// configTable holds the rows of RDB$CONFIG by the settings' names; it is nil
// where there is no such table.
type configTable map[string]configRow

// configRow is what a server says of a setting.
type configRow struct {
	value  string
	set    bool   // whether it was written somewhere
	source string // where: "firebird.conf"
}

// readConfigTable reads RDB$CONFIG.
func readConfigTable(ctx context.Context, tx *sql.Tx) (_ configTable, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT TRIM(RDB$CONFIG_NAME), RDB$CONFIG_VALUE, RDB$CONFIG_IS_SET, RDB$CONFIG_SOURCE FROM RDB$CONFIG")
	if err != nil {
		return nil, fmt.Errorf("read RDB$CONFIG: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	table := configTable{}
	for rows.Next() {
		var name string
		var value, source sql.NullString // of a setting that is not written
		var row configRow
		if err := rows.Scan(&name, &value, &row.set, &source); err != nil {
			return nil, fmt.Errorf("read RDB$CONFIG: %w", err)
		}
		row.value, row.source = value.String, source.String
		table[name] = row
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read RDB$CONFIG: %w", err)
	}
	if len(table) == 0 {
		return nil, errors.New("read RDB$CONFIG: it shows nothing to this user")
	}
	return table, nil
}

// refusedForGood reports whether a server that is up answered with an error of
// its own: asking again changes nothing.
func refusedForGood(err error) bool {
	var refusal *firebirdsql.FbError
	return errors.As(err, &refusal) && len(refusal.GDSCodes) > 0
}
