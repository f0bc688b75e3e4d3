package private

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/workload"
)

// ask has the server answer a query, and returns the page buffers in force for
// the database as it says.
func ask(ctx context.Context, t workload.Target) error {
	return attached(ctx, t, 1, func(int64) error { return nil })
}

// attached opens n attachments to a database, and calls f while they are open
// with the page buffers in force.
func attached(ctx context.Context, t workload.Target, n int, f func(pageBuffers int64) error) (err error) {
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
	var pageBuffers int64
	if err := tx.QueryRowContext(ctx, "SELECT MON$PAGE_BUFFERS FROM MON$DATABASE").Scan(&pageBuffers); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return errors.Join(f(pageBuffers), tx.Commit())
}

// refusedForGood reports whether a server that is up answered with an error of
// its own: asking again changes nothing.
func refusedForGood(err error) bool {
	var refusal *firebirdsql.FbError
	return errors.As(err, &refusal) && len(refusal.GDSCodes) > 0
}
