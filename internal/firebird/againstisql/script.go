package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	_ "github.com/nakagami/firebirdsql" // the driver of the export

	"github.com/fbtune/fbtune/templates"
	"github.com/fbtune/fbtune/workload"
)

// writeScript writes a loaded database as a script for isql: the tables, an
// INSERT for each row with a COMMIT every so many, the keys and indexes.
func writeScript(ctx context.Context, path string, t workload.Target, tables []string, commit int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the script: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	db, err := sql.Open("firebirdsql", t.DSN())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	s := &script{w: bufio.NewWriterSize(f, 1<<20), commit: commit}
	if err := s.statements("schema"); err != nil {
		return err
	}
	for _, table := range tables {
		if err := s.inserts(ctx, db, table); err != nil {
			return fmt.Errorf("export %s: %w", table, err)
		}
	}
	fmt.Fprintln(s.w, "COMMIT;")
	if err := s.statements("index_lines", "indexes"); err != nil {
		return err
	}
	return s.w.Flush() // which returns the first error of all writes
}

type script struct {
	w      *bufio.Writer
	commit int // rows between two commits
	rows   int // so far
}

// statements writes embedded files of single SQL statements.
func (s *script) statements(names ...string) error {
	for _, name := range names {
		statements, err := templates.OLTP(name)
		if err != nil {
			return err
		}
		for _, text := range statements {
			fmt.Fprintf(s.w, "%s;\n", text)
		}
	}
	return nil
}

// inserts writes the rows of a table.
func (s *script) inserts(ctx context.Context, db *sql.DB, table string) (err error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	values, into := make([]any, len(types)), make([]any, len(types))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		fmt.Fprintf(s.w, "INSERT INTO %s VALUES (", table)
		for i, v := range values {
			if i > 0 {
				s.w.WriteString(", ")
			}
			if err := writeLiteral(s.w, v, types[i].DatabaseTypeName()); err != nil {
				return fmt.Errorf("column %s: %w", types[i].Name(), err)
			}
		}
		s.w.WriteString(");\n")
		if s.rows++; s.rows%s.commit == 0 {
			s.w.WriteString("COMMIT;\n")
		}
	}
	return rows.Err()
}

// timestampForm is how Firebird reads a TIMESTAMP.
const timestampForm = "2006-01-02 15:04:05.0000"

// writeLiteral writes a value as SQL. The driver returns NUMERIC as text, so
// that only the type of the column says whether quotes belong around it.
func writeLiteral(w io.Writer, value any, typeName string) (err error) {
	switch v := value.(type) {
	case nil:
		_, err = io.WriteString(w, "NULL")
	case int16, int32, int64:
		_, err = fmt.Fprint(w, v)
	case time.Time:
		_, err = fmt.Fprintf(w, "'%s'", v.Format(timestampForm))
	case []byte:
		return writeLiteral(w, string(v), typeName)
	case string:
		if typeName == "TEXT" || typeName == "VARYING" {
			v = "'" + strings.ReplaceAll(v, "'", "''") + "'"
		}
		_, err = io.WriteString(w, v)
	default:
		err = fmt.Errorf("%T has no literal here", value)
	}
	return err
}
