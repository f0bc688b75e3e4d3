package workload

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	firebirdsql "github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/templates"
)

// The ways that lost against the loader's: they live here, so that the profile
// can show it again.

// TableRows are rows of a table in the order of its columns.
type TableRows struct {
	Table   string
	Columns []string
	Scaled  []bool // of each column: NUMERIC, which the driver returns as text
	Rows    [][]driver.Value
}

// ReadTables reads every table of a loaded database into memory, the largest first.
func ReadTables(ctx context.Context, t Target) ([]TableRows, error) {
	var tables []TableRows
	err := onSession(ctx, t, func(s *session) error {
		for _, d := range digests {
			read, err := readTable(ctx, s, d.table)
			if err != nil {
				return err
			}
			tables = append(tables, read)
		}
		return nil
	})
	return tables, err
}

func readTable(ctx context.Context, s *session, table string) (TableRows, error) {
	read := TableRows{Table: table}
	st, err := s.prepare(ctx, `SELECT TRIM(r.rdb$field_name), f.rdb$field_scale FROM rdb$relation_fields r
		JOIN rdb$fields f ON f.rdb$field_name = r.rdb$field_source WHERE r.rdb$relation_name = ? ORDER BY r.rdb$field_position`, 1)
	if err != nil {
		return read, err
	}
	err = st.each(ctx, []driver.Value{strings.ToUpper(table)}, func(row []driver.Value) error {
		name, err := text(row[0])
		if err != nil {
			return err
		}
		scale, err := integer(row[1])
		read.Columns, read.Scaled = append(read.Columns, name), append(read.Scaled, scale < 0)
		return err
	})
	if err != nil {
		return read, err
	}
	if st, err = s.prepare(ctx, "SELECT * FROM "+table, 0); err != nil {
		return read, err
	}
	err = st.each(ctx, nil, func(row []driver.Value) error {
		kept := slices.Clone(row)
		for i, v := range kept {
			if b, ok := v.([]byte); ok {
				kept[i] = bytes.Clone(b)
			}
		}
		read.Rows = append(read.Rows, kept)
		return nil
	})
	return read, err
}

// Sender inserts rows in the session's open transaction.
type Sender func(ctx context.Context, s *session, rows TableRows) error

// sentAtOnce is how many rows a transaction of a sender has.
const sentAtOnce = 20000

// sendJobs cuts rows into jobs of a transaction each.
func sendJobs(tables []TableRows, send Sender) []job {
	var jobs []job
	for _, t := range tables {
		for rows := range slices.Chunk(t.Rows, sentAtOnce) {
			part := TableRows{t.Table, t.Columns, t.Scaled, rows}
			jobs = append(jobs, func(ctx context.Context, s *session) error {
				return s.within(ctx, readCommitted, func() error { return send(ctx, s, part) })
			})
		}
	}
	return jobs
}

// Bounds of a block: a statement may have 256 contexts, an INSERT has one, and
// a message 64 KiB of parameters as the server declares them.
const (
	blockRows  = 200
	blockBytes = 60000
)

// SendBlocks sends rows as parameters of EXECUTE BLOCK, up to 200 at once.
func SendBlocks(ctx context.Context, s *session, rows TableRows) error {
	width, err := s.queryInts(ctx, `SELECT CAST(SUM(f.rdb$field_length + 8) AS INTEGER) FROM rdb$relation_fields r
		JOIN rdb$fields f ON f.rdb$field_name = r.rdb$field_source WHERE r.rdb$relation_name = ?`, strings.ToUpper(rows.Table))
	if err != nil {
		return err
	}
	full := min(blockRows, int(blockBytes/width[0]))
	var st *statement
	var args []driver.Value
	for block := range slices.Chunk(rows.Rows, full) {
		if st == nil || len(block) < full {
			if st, err = s.prepare(ctx, blockOf(rows, len(block)), len(block)*len(rows.Columns)); err != nil {
				return err
			}
		}
		args = args[:0]
		for _, row := range block {
			args = append(args, row...)
		}
		if _, err := st.call(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// blockOf returns an EXECUTE BLOCK that inserts n rows and returns one.
func blockOf(t TableRows, n int) string {
	var params, inserts []string
	for row := range n {
		var names []string
		for i, column := range t.Columns {
			name := fmt.Sprintf("p%d_%d", row, i)
			names = append(names, ":"+name)
			params = append(params, fmt.Sprintf("%s TYPE OF COLUMN %s.%s = ?", name, t.Table, column))
		}
		inserts = append(inserts, fmt.Sprintf("INSERT INTO %s VALUES (%s);", t.Table, strings.Join(names, ", ")))
	}
	return fmt.Sprintf("EXECUTE BLOCK (%s) RETURNS (n INTEGER) AS BEGIN\n%s\nn = 1; SUSPEND; END",
		strings.Join(params, ", "), strings.Join(inserts, "\n"))
}

// batchRows is how many rows a batch executes at once.
const batchRows = 5000

// SendBatches sends rows through the batch interface of Firebird 4.0 (protocol
// 16). The driver (v0.9.23) sends what a NUMERIC is given as its unscaled integer.
func SendBatches(ctx context.Context, s *session, rows TableRows) (err error) {
	conn, ok := s.conn.(interface {
		PrepareBatch(context.Context, string, firebirdsql.BatchOptions) (*firebirdsql.PreparedBatch, error)
	})
	if !ok {
		return fmt.Errorf("%T has no batches", s.conn)
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(rows.Columns)), ", ")
	b, err := conn.PrepareBatch(ctx, fmt.Sprintf("INSERT INTO %s VALUES (%s)", rows.Table, marks), firebirdsql.BatchOptions{})
	if err != nil {
		return err
	}
	defer func() {
		if cerr := b.Close(); err == nil {
			err = cerr
		}
	}()
	args := make([]driver.Value, len(rows.Columns))
	for batch := range slices.Chunk(rows.Rows, batchRows) {
		for _, row := range batch {
			copy(args, row)
			for i, scaled := range rows.Scaled {
				if !scaled {
					continue
				}
				if args[i], err = unscaled(row[i]); err != nil {
					return err
				}
			}
			if err := b.Add(args...); err != nil {
				return err
			}
		}
		if _, err := b.Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// unscaled returns the integer in which a NUMERIC is kept: 1050 of "10.50".
func unscaled(v driver.Value) (int64, error) {
	number, err := text(v)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.Replace(number, ".", "", 1), 10, 64)
}

// indexed finds the table of a statement that makes a key or an index.
var indexed = regexp.MustCompile(`(?:ALTER TABLE| ON) (\w+)`)

// indexByTable makes the keys and indexes on n connections, each table's on one.
func indexByTable(ctx context.Context, t Target, n int) error {
	var tables []string
	statements := make(map[string][]string)
	for _, name := range indexFiles {
		texts, err := templates.OLTP(name)
		if err != nil {
			return err
		}
		for _, text := range texts {
			table := indexed.FindStringSubmatch(text)[1]
			if statements[table] == nil {
				tables = append(tables, table)
			}
			statements[table] = append(statements[table], text)
		}
	}
	var jobs []job
	for _, table := range tables {
		jobs = append(jobs, func(ctx context.Context, s *session) error {
			for _, text := range statements[table] {
				if err := s.within(ctx, readCommitted, func() error { return s.exec(ctx, text) }); err != nil {
					return fmt.Errorf("%q: %w", headline(text), err)
				}
			}
			return nil
		})
	}
	return runJobs(ctx, t, n, jobs)
}
