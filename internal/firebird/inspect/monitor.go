package inspect

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/workload"
)

// monitor is an attachment that reads monitoring tables.
type monitor struct{ db *sql.DB }

func attach(t workload.Target) (monitor, error) {
	db, err := sql.Open("firebirdsql", t.DSN())
	if err != nil {
		return monitor{}, fmt.Errorf("open the Firebird driver: %w", err)
	}
	db.SetMaxOpenConns(1) // it must not be told from itself
	return monitor{db}, nil
}

// read calls f with a transaction of its own, which only reads what is committed
// and holds back nothing.
func (m monitor) read(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := m.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// config reads the configuration in force.
func (m monitor) config(ctx context.Context) (table configtable.Table, err error) {
	err = m.read(ctx, func(tx *sql.Tx) (err error) {
		table, err = configtable.Read(ctx, tx)
		return err
	})
	return table, err
}

// look is what the monitoring tables show at one moment: they do not change
// within a transaction.
type look struct {
	path         string
	sees         string // whose attachments are shown, when not all are; else empty
	buffers      confgen.Pages
	pages        confgen.Pages // of the database
	counters     dbheader.Transactions
	attachments  int
	database     IO           // zeros in SuperClassic and Classic, where no cache is shared
	own          IO           // of this attachment
	others       map[int64]IO // by attachment
	transactions []Transaction
}

// look reads the monitoring tables.
func (m monitor) look(ctx context.Context) (l look, err error) {
	err = m.read(ctx, func(tx *sql.Tx) error {
		for _, part := range []func(context.Context, *sql.Tx) error{l.readDatabase, l.readIO, l.readTransactions} {
			if err := part(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	return l, err
}

// readDatabase reads MON$DATABASE, and counts attachments.
func (l *look) readDatabase(ctx context.Context, tx *sql.Tx) error {
	var user, owner string
	err := tx.QueryRowContext(ctx, `SELECT MON$DATABASE_NAME, MON$PAGE_BUFFERS, MON$PAGES, MON$OLDEST_TRANSACTION, MON$OLDEST_ACTIVE,
			MON$OLDEST_SNAPSHOT, MON$NEXT_TRANSACTION, TRIM(MON$OWNER), TRIM(CURRENT_USER),
			(SELECT COUNT(*) FROM MON$ATTACHMENTS WHERE MON$SYSTEM_FLAG = 0 AND MON$ATTACHMENT_ID <> CURRENT_CONNECTION)
		FROM MON$DATABASE`).Scan(&l.path, &l.buffers, &l.pages, &l.counters.Oldest, &l.counters.OldestActive,
		&l.counters.OldestSnapshot, &l.counters.Next, &owner, &user, &l.attachments)
	if err != nil {
		return fmt.Errorf("read MON$DATABASE: %w", err)
	}
	l.path = strings.TrimSpace(l.path)
	if user != "SYSDBA" && user != owner {
		l.sees = user
	}
	return nil
}

// readIO reads the counts of pages of the database and of each attachment.
func (l *look) readIO(ctx context.Context, tx *sql.Tx) error {
	l.others = map[int64]IO{}
	const query = `SELECT S.MON$STAT_GROUP, COALESCE(A.MON$ATTACHMENT_ID, 0), IIF(A.MON$ATTACHMENT_ID = CURRENT_CONNECTION, 1, 0),
			S.MON$PAGE_READS, S.MON$PAGE_WRITES, S.MON$PAGE_FETCHES, S.MON$PAGE_MARKS
		FROM MON$IO_STATS S LEFT JOIN MON$ATTACHMENTS A ON A.MON$STAT_ID = S.MON$STAT_ID AND S.MON$STAT_GROUP = 1
		WHERE S.MON$STAT_GROUP IN (0, 1)`
	return each(ctx, tx, "MON$IO_STATS", query, func(rows *sql.Rows) error {
		var (
			group, attachment int64
			ours              bool
			io                IO
		)
		if err := rows.Scan(&group, &attachment, &ours, &io.Reads, &io.Writes, &io.Fetches, &io.Marks); err != nil {
			return err
		}
		switch {
		case group == 0:
			l.database = io
		case ours:
			l.own = io
		default:
			l.others[attachment] = io
		}
		return nil
	})
}

// readTransactions reads the open transactions with their attachments.
func (l *look) readTransactions(ctx context.Context, tx *sql.Tx) error {
	const query = `SELECT T.MON$TRANSACTION_ID, T.MON$ATTACHMENT_ID, TRIM(A.MON$USER), TRIM(A.MON$REMOTE_ADDRESS), TRIM(A.MON$REMOTE_PROCESS),
			CAST(DATEDIFF(MILLISECOND FROM T.MON$TIMESTAMP TO CURRENT_TIMESTAMP) AS BIGINT), T.MON$ISOLATION_MODE, T.MON$READ_ONLY, T.MON$STATE
		FROM MON$TRANSACTIONS T JOIN MON$ATTACHMENTS A ON A.MON$ATTACHMENT_ID = T.MON$ATTACHMENT_ID
		WHERE T.MON$ATTACHMENT_ID <> CURRENT_CONNECTION AND A.MON$SYSTEM_FLAG = 0
		ORDER BY T.MON$TRANSACTION_ID`
	return each(ctx, tx, "MON$TRANSACTIONS", query, func(rows *sql.Rows) error {
		var (
			t                Transaction
			address, process sql.NullString
			age              sql.NullFloat64
			level            int
		)
		if err := rows.Scan(&t.ID, &t.Attachment, &t.User, &address, &process, &age, &level, &t.ReadOnly, &t.Running); err != nil {
			return err
		}
		if level < 0 || level >= len(isolations) {
			return fmt.Errorf("transaction %d has the isolation mode %d, which fbtune does not know; use a newer fbtune", t.ID, level)
		}
		const perSecond = 1000
		t.Address, t.Process, t.Open, t.Isolation = address.String, process.String, max(0, age.Float64/perSecond), isolations[level]
		l.transactions = append(l.transactions, t)
		return nil
	})
}

// each calls f for every row of a query of a table.
func each(ctx context.Context, tx *sql.Tx, table, query string, f func(*sql.Rows) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("read %s: %w", table, err)
		}
	}()
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
