package health_test

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

const (
	deepRows  = 12_000
	versions  = 120
	beginMany = 40_000 // enough for check.OldActive
	bulkRows  = 10_000 // 5 MB to sort
)

// The tables of databases with every fault that a test can make in seconds.
var (
	// deep has long keys: in small pages a deep index.
	deep = [][]string{
		{`CREATE TABLE DEEP (ID INTEGER NOT NULL PRIMARY KEY, K VARCHAR(200) CHARACTER SET NONE)`},
		{`EXECUTE BLOCK AS DECLARE I INTEGER = 0; BEGIN WHILE (I < ` + strconv.Itoa(deepRows) + `) DO BEGIN
			INSERT INTO DEEP VALUES (:I, REVERSE(LPAD(:I, 6, '0')) || RPAD('', 194, 'x')); I = I + 1; END END`},
		{`CREATE INDEX DEEP_K ON DEEP (K)`},
	}
	// bulk is what is read and sorted.
	bulk = [][]string{
		{`CREATE TABLE BULK (ID INTEGER NOT NULL, TXT CHAR(500) CHARACTER SET NONE)`},
		{`EXECUTE BLOCK AS DECLARE I INTEGER = 0; BEGIN WHILE (I < ` + strconv.Itoa(bulkRows) + `) DO BEGIN
			INSERT INTO BULK VALUES (:I, HASH('' || :I)); I = I + 1; END END`},
	}
	// worn has a record with many versions, each of which some snapshot saw, and
	// begins many transactions.
	worn = [][]string{
		{
			`CREATE TABLE HOT (ID INTEGER NOT NULL PRIMARY KEY, N INTEGER)`,
			`CREATE PROCEDURE AGE (LEVEL INTEGER) AS BEGIN
				IN AUTONOMOUS TRANSACTION DO UPDATE HOT SET N = N + 1 WHERE ID = 1;
				IF (LEVEL > 0) THEN IN AUTONOMOUS TRANSACTION DO EXECUTE PROCEDURE AGE(LEVEL - 1);
			END`,
			`CREATE PROCEDURE BEGIN_MANY (N INTEGER) AS DECLARE I INTEGER = 0; BEGIN
				WHILE (I < N) DO IN AUTONOMOUS TRANSACTION DO I = I + 1;
			END`,
		},
		{`INSERT INTO HOT VALUES (1, 0)`},
	}
)

// database is a database of a running server.
type database struct {
	t    *testing.T
	s    *private.Server
	path string
	db   *sql.DB
}

// start starts a server with an empty database.
func start(t *testing.T, inst firebird.Installation, pageSize int, settings map[string]string) database {
	t.Helper()
	s := firebirdtest.New(t, inst, firebirdtest.Cap)
	path := firebirdtest.Database(t, s, pageSize)
	if err := s.Start(t.Context(), private.Config{Settings: settings, Database: path}); err != nil {
		t.Fatal(err)
	}
	return open(t, s, path)
}

// open opens a database of a server, without forced writes: a fault too, with
// which filling takes a tenth of the time.
func open(t *testing.T, s *private.Server, path string) database {
	t.Helper()
	db, err := sql.Open("firebirdsql", s.Target(path).DSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	target := s.Target(path)
	m, err := firebirdsql.NewMaintenanceManager(target.Addr, target.User, target.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetWriteModeAsync(path); err != nil {
		t.Fatal(err)
	}
	return database{t, s, path, db}
}

// fill runs batches of statements, each in a transaction.
func (d database) fill(tables ...[][]string) {
	d.t.Helper()
	for _, batches := range tables {
		for _, batch := range batches {
			d.run(batch...)
		}
	}
}

// run runs statements in a transaction of their own.
func (d database) run(statements ...string) {
	d.t.Helper()
	tx := d.begin()
	for _, s := range statements {
		if _, err := tx.ExecContext(d.t.Context(), s); err != nil {
			d.t.Fatalf("%.80s: %v", s, err)
		}
	}
	if err := tx.Commit(); err != nil {
		d.t.Fatal(err)
	}
}

// begin begins a snapshot, on an attachment that it has to itself. It outlives
// the context of the test, which ends before its clean-up.
func (d database) begin() *sql.Tx {
	d.t.Helper()
	tx, err := d.db.BeginTx(context.WithoutCancel(d.t.Context()), &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		d.t.Fatal(err)
	}
	return tx
}

// stuck begins a snapshot that stays open until the end of the test, and returns
// the number of its attachment.
func (d database) stuck() (attachment int64) {
	d.t.Helper()
	tx := d.begin()
	d.t.Cleanup(func() {
		if err := tx.Rollback(); err != nil {
			d.t.Error(err)
		}
	})
	if err := tx.QueryRowContext(d.t.Context(), "SELECT CURRENT_CONNECTION FROM HOT").Scan(&attachment); err != nil {
		d.t.Fatal(err)
	}
	return attachment
}

// sorting keeps a sorted result open that does not fit into TempCacheLimit.
func (d database) sorting() {
	d.t.Helper()
	tx := d.begin()
	rows, err := tx.QueryContext(context.WithoutCancel(d.t.Context()), "SELECT ID, TXT FROM BULK ORDER BY TXT, ID DESC")
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		if err := rows.Close(); err != nil {
			d.t.Error(err)
		}
		if err := tx.Rollback(); err != nil {
			d.t.Error(err)
		}
	})
	if !rows.Next() {
		d.t.Fatalf("nothing sorted: %v", rows.Err())
	}
}

// busy has an attachment read without end; the returned function ends it.
func (d database) busy() (stop func()) {
	d.t.Helper()
	ctx, cancel := context.WithCancel(d.t.Context())
	ended := make(chan error, 1)
	go func() {
		for ctx.Err() == nil {
			if err := d.count(); err != nil {
				ended <- err
				return
			}
		}
		ended <- nil
	}()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			d.t.Errorf("reading meanwhile: %v", err)
		}
	}
}

// count reads a whole table, in a transaction that ends.
func (d database) count() error {
	tx, err := d.db.BeginTx(d.t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	var n int
	if err := tx.QueryRowContext(d.t.Context(), "SELECT COUNT(*) FROM BULK").Scan(&n); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// inspect asks the server.
func (d database) inspect(watch time.Duration) inspect.Database {
	d.t.Helper()
	got, err := inspect.FromServer(d.t.Context(), d.s.Target(d.path), inspect.Options{
		Installations: []firebird.Installation{d.s.Installation}, Tables: true, Watch: watch,
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return got
}
