package workload

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	firebirdsql "github.com/nakagami/firebirdsql"
)

// connectTimeout bounds one connection. A connection takes about 10 ms.
const connectTimeout = 20 * time.Second

// closeTimeout is how long a server may take to answer before a connection is
// closed without it.
const closeTimeout = 2 * time.Second

// The isolation levels the package uses.
var (
	readCommittedNoWait = driver.TxOptions{Isolation: driver.IsolationLevel(firebirdsql.LevelReadCommittedNoWait)}
	readCommitted       = driver.TxOptions{}
	// readOnly is READ COMMITTED READ ONLY, which Firebird starts as already
	// committed: however long it lasts, it holds back no transaction counter.
	readOnly = driver.TxOptions{ReadOnly: true}
)

var errNoTransaction = errors.New("a statement outside a transaction")

// session is one connection that can run statements only inside explicit
// transactions.
//
// It uses the driver without database/sql. In the driver (its issue 42) a
// statement outside a transaction opens an implicit one which the next
// explicit one orphans: it stays open until the disconnect, nothing younger is
// cleaned up, and throughput falls by a third in two minutes. A session has no
// way to do that. It is also cheaper: no pool, no goroutine per transaction.
//
// A session is used by one goroutine at a time.
type session struct {
	conn driver.Conn
	tx   driver.Tx
	// begun counts transactions. The driver keeps 68 bytes of each until the
	// connection closes, and then rolls each back once more.
	begun int
}

// connect opens a session within connectTimeout.
func connect(ctx context.Context, t Target) (*session, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	connector, err := opener(t)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := connector.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to %s:%s: %w", t.Addr, t.Path, err)
	}
	return &session{conn: conn}, nil
}

// opener returns the driver's connector for a target. The driver's types are
// not exported, so its registration is asked for them; nothing connects yet.
func opener(t Target) (driver.Connector, error) {
	db, err := sql.Open("firebirdsql", t.DSN())
	if err != nil {
		return nil, fmt.Errorf("open the Firebird driver: %w", err)
	}
	defer db.Close()
	d, ok := db.Driver().(driver.DriverContext)
	if !ok {
		return nil, fmt.Errorf("the Firebird driver %T has no connector; build fbtune with the version in its go.mod", db.Driver())
	}
	return d.OpenConnector(t.DSN())
}

// connectAll opens n sessions, one after the other: on Firebird 3.0.11 two
// connections that authenticate at the same time often wait a whole second,
// one takes 15 ms. After an error it returns those that are open already.
func connectAll(ctx context.Context, t Target, n int) ([]*session, error) {
	sessions := make([]*session, 0, n)
	for range n {
		s, err := connect(ctx, t)
		if err != nil {
			return sessions, err
		}
		sessions = append(sessions, s)
	}
	return sessions, nil
}

// closeAll closes the sessions side by side.
func closeAll(sessions []*session) error {
	failures := make([]error, len(sessions))
	var wg sync.WaitGroup
	for i, s := range sessions {
		wg.Go(func() { failures[i] = guarded(s.close) })
	}
	wg.Wait()
	return errors.Join(failures...)
}

// begin starts a transaction. ctx also bounds its commit.
func (s *session) begin(ctx context.Context, opts driver.TxOptions) error {
	if s.tx != nil {
		return errors.New("a transaction inside a transaction")
	}
	b, ok := s.conn.(driver.ConnBeginTx)
	if !ok {
		return fmt.Errorf("%T cannot begin a transaction with options", s.conn)
	}
	tx, err := b.BeginTx(ctx, opts)
	if err != nil {
		return err
	}
	s.tx = tx
	s.begun++
	return nil
}

func (s *session) commit() error {
	if s.tx == nil {
		return errNoTransaction
	}
	tx := s.tx
	s.tx = nil
	return tx.Commit()
}

func (s *session) rollback() error {
	if s.tx == nil {
		return errNoTransaction
	}
	tx := s.tx
	s.tx = nil
	return tx.Rollback()
}

// within runs f in a transaction of its own: committed when f returns nil, else rolled back.
func (s *session) within(ctx context.Context, opts driver.TxOptions, f func() error) error {
	if err := s.begin(ctx, opts); err != nil {
		return err
	}
	if err := f(); err != nil {
		if rerr := s.rollback(); rerr != nil {
			return errors.Join(err, fmt.Errorf("roll back: %w", rerr))
		}
		return err
	}
	return s.commit()
}

// exec runs one statement without parameters in the open transaction.
func (s *session) exec(ctx context.Context, text string) error {
	if s.tx == nil {
		return errNoTransaction
	}
	e, ok := s.conn.(driver.ExecerContext)
	if !ok {
		return fmt.Errorf("%T cannot execute", s.conn)
	}
	_, err := e.ExecContext(ctx, text, nil)
	return err
}

// close ends the connection in good order. Every transaction it ever began
// costs one more round trip here. A server that does not answer is asked only
// once: after that the driver drops the socket, where it would otherwise wait
// ten seconds for each of them.
func (s *session) close() error {
	if p, ok := s.conn.(driver.Pinger); ok {
		ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
		defer cancel()
		if err := p.Ping(ctx); err != nil {
			return errors.Join(fmt.Errorf("the server does not answer a disconnect: %w", err), s.conn.Close())
		}
	}
	return s.conn.Close()
}

// statement is a prepared statement with its arguments and its row kept, so
// that a call allocates nothing of its own.
type statement struct {
	session *session
	query   driver.StmtQueryContext
	args    []driver.NamedValue
	row     []driver.Value
}

// prepare prepares a statement with n parameters in the open transaction. The
// statement outlives the transaction.
func (s *session) prepare(ctx context.Context, text string, n int) (*statement, error) {
	if s.tx == nil {
		return nil, errNoTransaction
	}
	p, ok := s.conn.(driver.ConnPrepareContext)
	if !ok {
		return nil, fmt.Errorf("%T cannot prepare", s.conn)
	}
	stmt, err := p.PrepareContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", text, err)
	}
	q, ok := stmt.(driver.StmtQueryContext)
	if !ok {
		return nil, fmt.Errorf("%T cannot query", stmt)
	}
	st := &statement{session: s, query: q, args: make([]driver.NamedValue, n)}
	for i := range st.args {
		st.args[i].Ordinal = i + 1
	}
	return st, nil
}

// each runs the statement and calls f for each row. The row is valid during f.
func (st *statement) each(ctx context.Context, args []driver.Value, f func(row []driver.Value) error) (err error) {
	if st.session.tx == nil {
		return errNoTransaction
	}
	if len(args) != len(st.args) {
		return fmt.Errorf("%d arguments for %d parameters", len(args), len(st.args))
	}
	for i, a := range args {
		st.args[i].Value = a
	}
	rows, err := st.query.QueryContext(ctx, st.args)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := rows.Close(); err == nil {
			err = cerr
		}
	}()
	if st.row == nil {
		st.row = make([]driver.Value, len(rows.Columns()))
	}
	for {
		switch err := rows.Next(st.row); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := f(st.row); err != nil {
			return err
		}
	}
}

// call runs the statement and returns its only row, valid until the next call.
func (st *statement) call(ctx context.Context, args ...driver.Value) ([]driver.Value, error) {
	found := 0
	err := st.each(ctx, args, func([]driver.Value) error { found++; return nil })
	if err != nil {
		return nil, err
	}
	if found != 1 {
		return nil, fmt.Errorf("%d rows where one was expected", found)
	}
	return st.row, nil
}

// queryInts runs a query once, in the open transaction, and returns its only row as integers.
func (s *session) queryInts(ctx context.Context, text string, args ...driver.Value) ([]int64, error) {
	st, err := s.prepare(ctx, text, len(args))
	if err != nil {
		return nil, err
	}
	row, err := st.call(ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("query %q: %w", text, err)
	}
	ints, err := integers(row)
	if err != nil {
		return nil, fmt.Errorf("query %q: %w", text, err)
	}
	return ints, nil
}

// integers converts a row of them.
func integers(row []driver.Value) (ints []int64, err error) {
	ints = make([]int64, len(row))
	for i, v := range row {
		if ints[i], err = integer(v); err != nil {
			return nil, fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return ints, nil
}

// integer converts what the driver makes of SMALLINT, INTEGER and BIGINT; NULL is 0.
func integer(v driver.Value) (int64, error) {
	switch n := v.(type) {
	case int64:
		return n, nil
	case int32:
		return int64(n), nil
	case int16:
		return int64(n), nil
	case nil:
		return 0, nil
	}
	return 0, fmt.Errorf("%T where an integer was expected", v)
}
