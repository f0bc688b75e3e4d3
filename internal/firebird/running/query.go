package running

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/nakagami/firebirdsql"

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

// refusedForGood reports whether a server that is up answered with an error of
// its own: asking again changes nothing.
func refusedForGood(err error) bool {
	var refusal *firebirdsql.FbError
	return errors.As(err, &refusal) && len(refusal.GDSCodes) > 0
}
