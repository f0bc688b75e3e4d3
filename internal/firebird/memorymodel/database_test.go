package memorymodel

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// database is a file that holds a table of a record a page, and perhaps a
// schema.
type database struct {
	path string
	size confgen.Bytes
}

// The schema whose metadata connections use: two indices a table.
const (
	schemaTables     = 200
	schemaProcedures = 100 // each uses two of the tables
)

// schema makes it, one statement a transaction.
var schema = [...]string{
	repeat(schemaTables, "CREATE TABLE t' || i || ' (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(50), amount NUMERIC(18, 2), changed TIMESTAMP, remark VARCHAR(200))"),
	repeat(schemaTables, "CREATE INDEX t_name' || i || ' ON t' || i || ' (name)"),
	repeat(schemaProcedures, "CREATE PROCEDURE p' || i || ' (id INTEGER) RETURNS (found INTEGER) AS DECLARE amount NUMERIC(18, 2); BEGIN "+
		"SELECT COUNT(*) FROM t' || i || ' WHERE id = :id INTO found; "+
		"FOR SELECT amount FROM t' || (i + 100) || ' WHERE name = ''x'' INTO amount DO found = found + amount; "+
		"UPDATE t' || i || ' SET amount = amount + 1 WHERE id = :id; SUSPEND; END"),
}

// repeat returns a block that executes a statement n times, with i from 0.
func repeat(n int, statement string) string {
	return fmt.Sprintf("EXECUTE BLOCK AS DECLARE i INTEGER = 0; BEGIN WHILE (i < %d) DO BEGIN EXECUTE STATEMENT '%s'; i = i + 1; END END", n, statement)
}

// fillTable makes a table of so many pages. The engine packs runs of the same
// byte, so there are none; a record takes more than half of a page, so that no
// two share one.
func fillTable(pages confgen.Pages, pageSize confgen.Bytes) []string {
	return []string{
		"CREATE TABLE filled (content VARCHAR(24576) CHARACTER SET OCTETS)",
		fmt.Sprintf("EXECUTE BLOCK AS DECLARE i INTEGER = 0; BEGIN WHILE (i < %d) DO BEGIN INSERT INTO filled VALUES (RPAD('', %d, 'ab')); i = i + 1; END END", pages, pageSize*3/4),
	}
}

// makeDatabase creates a database whose table has at least so many pages. The
// server is stopped before and after. Forced writes are off: if the machine
// goes down, so does the database's use.
func makeDatabase(t *testing.T, s *private.Server, pageSize confgen.Bytes, pages confgen.Pages, withSchema bool) database {
	t.Helper()
	ctx := t.Context()
	path := firebirdtest.Database(t, s, int(pageSize))
	if err := s.Start(ctx, private.Config{Database: path}); err != nil {
		t.Fatal(err)
	}
	target := s.Target(path)
	m, err := firebirdsql.NewMaintenanceManager(target.Addr, target.User, target.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetWriteModeAsync(path); err != nil {
		t.Fatal(err)
	}
	statements := fillTable(pages, pageSize)
	if withSchema {
		statements = append(statements, schema[:]...)
	}
	conns, disconnect := connect(t, s, path, 1)
	for _, statement := range statements {
		err := within(ctx, conns[0], false, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, statement)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	disconnect()
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return database{path: path, size: confgen.Bytes(info.Size())}
}

// connect opens n connections, which disconnect closes.
func connect(t *testing.T, s *private.Server, path string, n int) (conns []*sql.Conn, disconnect func()) {
	t.Helper()
	db, err := sql.Open("firebirdsql", s.Target(path).DSN())
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(errors.Join(err, db.Close()))
		}
		conns = append(conns, conn)
	}
	return conns, func() {
		for _, conn := range conns {
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// within calls f in a transaction of its own. (Outside of one the driver leaves
// an implicit one open.)
func within(ctx context.Context, conn *sql.Conn, readOnly bool, f func(*sql.Tx) error) error {
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: readOnly})
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
