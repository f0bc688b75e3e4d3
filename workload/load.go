package workload

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fbtune/fbtune/templates"
)

// minLoadConnections is how many connections load at least: one cannot keep two cores busy.
const minLoadConnections = 2

// restoreTimeout bounds putting forced writes back after a cancelled load.
const restoreTimeout = 30 * time.Second

// Phases of a load, as LoadProgress.Phase spells them.
const (
	PhaseSchema  = "schema"
	PhaseData    = "data"
	PhaseIndexes = "indexes"
	PhaseCheck   = "check"
)

// LoadProgress is a moment of a load.
type LoadProgress struct {
	Phase string
	Done  int64 // rows in PhaseData, statements in PhaseIndexes
	Total int64 // of the phase; in PhaseData an estimate within a few per cent
}

// LoadOptions say how Load works.
type LoadOptions struct {
	Connections int                // that load side by side; at least 2, which 0 means
	Progress    func(LoadProgress) // may be nil; called by several goroutines at once
}

// LoadResult is what Load did.
type LoadResult struct {
	Rows         int64            `json:"rows"`
	Bytes        int64            `json:"bytes"` // of the file: pages times page size
	Load         time.Duration    `json:"load_ns"`
	Index        time.Duration    `json:"index_ns"`
	Check        time.Duration    `json:"check_ns"`
	RowsPerTable map[string]int64 `json:"rows_per_table"`
	Checksum     string           `json:"checksum"` // of the content; equal for equal scales
}

// Load fills an empty database with the tables, data, keys, indexes and
// procedures of the load, and tests the nine consistency conditions.
//
// The database must exist (made by isql or CREATE DATABASE, with the page size
// that is wanted) and hold no table: Load never overwrites. The rows are made
// inside the server by PSQL from the scale's seed, the fastest of the ways
// that were compared (docs/loader.md). The sweep interval is 0 afterwards.
//
// While it loads, forced writes are off. They are on again when Load returns,
// and read back, also after an error; where the server cannot be asked any
// more, the error says so. A database whose load failed, or was killed with
// forced writes off, carries the marker as incomplete: remove it and load anew.
//
// What was written before forced writes were on again may still be in the
// system's file cache: whoever copies the file should sync it first.
func Load(ctx context.Context, t Target, scale Scale, opts LoadOptions) (res LoadResult, err error) {
	if err := scale.Validate(); err != nil {
		return res, err
	}
	l := loader{target: t, scale: scale, connections: max(opts.Connections, minLoadConnections), progress: opts.Progress}
	if l.progress == nil {
		l.progress = func(LoadProgress) {}
	}
	if err := l.prepare(ctx); err != nil {
		return res, err
	}
	defer func() {
		if err == nil {
			return
		}
		if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
			err = fmt.Errorf("%w: %w", cause, err) // the server says only that it was cancelled
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoreTimeout)
		defer cancel()
		if _, werr := forceWrites(ctx, t); werr != nil {
			err = errors.Join(err, fmt.Errorf("%w; forced writes may be off: remove the database", werr))
		}
	}()

	start := time.Now()
	if err := l.makeSchema(ctx); err != nil {
		return res, err
	}
	if err := l.makeData(ctx); err != nil {
		return res, fmt.Errorf("load %s: %w", t.Path, err)
	}
	res.Load = time.Since(start)

	start = time.Now()
	if err := l.makeIndexes(ctx); err != nil {
		return res, fmt.Errorf("index %s: %w", t.Path, err)
	}
	res.Index = time.Since(start)

	start = time.Now()
	if err := l.verify(ctx, &res); err != nil {
		return res, err
	}
	if err := l.finish(ctx, &res); err != nil {
		return res, err
	}
	res.Check = time.Since(start)
	return res, nil
}

type loader struct {
	target      Target
	scale       Scale
	connections int
	progress    func(LoadProgress)
}

// prepare refuses a database that holds anything, and switches it to loading.
func (l *loader) prepare(ctx context.Context) error {
	err := onSession(ctx, l.target, func(s *session) error {
		return s.refuseTables(ctx, l.target.Path)
	})
	if err != nil {
		return err
	}
	if err := setSweepInterval(ctx, l.target, 0); err != nil {
		return err
	}
	return setForcedWrites(ctx, l.target, false)
}

// schemaFiles are the embedded files that make tables and procedures, in order.
var schemaFiles = []string{"marker", "schema", "generate", "new_order", "payment", "order_status", "delivery", "stock_level"}

func (l *loader) makeSchema(ctx context.Context) error {
	l.progress(LoadProgress{Phase: PhaseSchema})
	return l.onWriter(ctx, func(s *session) error {
		for _, name := range schemaFiles {
			statements, err := templates.OLTP(name)
			if err != nil {
				return err
			}
			if err := s.execAll(ctx, statements); err != nil {
				return fmt.Errorf("%s.sql, %w", name, err)
			}
		}
		return writeMarker(ctx, s, l.scale)
	})
}

// makeData runs the generators on several connections.
func (l *loader) makeData(ctx context.Context) error {
	calls := generatorCalls(l.scale)
	total := l.scale.estimatedRows()
	var done atomic.Int64
	jobs := make([]job, len(calls))
	for i, c := range calls {
		jobs[i] = func(ctx context.Context, s *session) error {
			made, err := c.run(ctx, s)
			if err != nil {
				return err
			}
			l.progress(LoadProgress{Phase: PhaseData, Done: done.Add(made), Total: total})
			return nil
		}
	}
	return runJobs(ctx, l.target, l.connections, jobs)
}

// indexFiles are the embedded files that make keys and indexes. They share no
// table, so that each is worked off on a connection of its own.
var indexFiles = []string{"index_lines", "indexes"}

func (l *loader) makeIndexes(ctx context.Context) error {
	var jobs []job
	var done atomic.Int64
	var total int64
	for _, name := range indexFiles {
		statements, err := templates.OLTP(name)
		if err != nil {
			return err
		}
		total += int64(len(statements))
		jobs = append(jobs, func(ctx context.Context, s *session) error {
			for _, text := range statements {
				if err := s.within(ctx, readCommitted, func() error { return s.exec(ctx, text) }); err != nil {
					return fmt.Errorf("%q: %w", headline(text), err)
				}
				l.progress(LoadProgress{Phase: PhaseIndexes, Done: done.Add(1), Total: total})
			}
			return nil
		})
	}
	l.progress(LoadProgress{Phase: PhaseIndexes, Total: total})
	return runJobs(ctx, l.target, len(jobs), jobs)
}

// verify counts the rows and tests the conditions.
func (l *loader) verify(ctx context.Context, res *LoadResult) error {
	l.progress(LoadProgress{Phase: PhaseCheck})
	rows, checksum, err := Digest(ctx, l.target)
	if err != nil {
		return fmt.Errorf("verify %s: %w", l.target.Path, err)
	}
	res.RowsPerTable, res.Checksum = rows, checksum
	for _, n := range rows {
		res.Rows += n
	}
	for table, want := range l.scale.expectedRows() {
		if got := rows[table]; got != want {
			return fmt.Errorf("verify %s: table %s has %d rows, want %d", l.target.Path, table, got, want)
		}
	}
	violations, err := checkConditions(ctx, l.target, l.scale.Warehouses)
	if err != nil {
		return fmt.Errorf("verify %s: %w", l.target.Path, err)
	}
	if len(violations) > 0 {
		return fmt.Errorf("verify %s: %s", l.target.Path, violations[0])
	}
	return nil
}

// finish switches the database back to safe writing and marks it complete.
func (l *loader) finish(ctx context.Context, res *LoadResult) error {
	state, err := forceWrites(ctx, l.target)
	if err != nil {
		return err
	}
	if state.sweepInterval != 0 {
		return fmt.Errorf("%s: sweep interval %d after loading, want 0; is another program attached?", l.target.Path, state.sweepInterval)
	}
	res.Bytes = state.bytes
	return l.onWriter(ctx, func(s *session) error { return completeMarker(ctx, s, res.Checksum) })
}

// onWriter runs f on a session of its own; f begins its transactions itself.
func (l *loader) onWriter(ctx context.Context, f func(*session) error) error {
	return onWriter(ctx, l.target, f)
}

// onWriter runs f on a session of its own; f begins its transactions itself.
func onWriter(ctx context.Context, t Target, f func(*session) error) error {
	return runJobs(ctx, t, 1, []job{func(_ context.Context, s *session) error { return f(s) }})
}

// refuseTables refuses a database that holds tables.
func (s *session) refuseTables(ctx context.Context, path string) error {
	tables, err := s.queryInts(ctx, "SELECT COUNT(*) FROM RDB$RELATIONS WHERE COALESCE(RDB$SYSTEM_FLAG, 0) = 0")
	if err != nil {
		return err
	}
	if tables[0] > 0 {
		return fmt.Errorf("load %s: %w", path, ErrNotEmpty)
	}
	return nil
}

// execAll runs statements without parameters in one transaction.
func (s *session) execAll(ctx context.Context, statements []string) error {
	return s.within(ctx, readCommitted, func() error {
		for _, text := range statements {
			if err := s.exec(ctx, text); err != nil {
				return fmt.Errorf("%q: %w", headline(text), err)
			}
		}
		return nil
	})
}

// headline returns the first line of a statement, to name it in an error.
func headline(statement string) string {
	line, _, _ := strings.Cut(statement, "\n")
	return line
}

// expectedRows returns the rows of every table whose size the scale fixes; the
// lines of orders are random.
func (s Scale) expectedRows() map[string]int64 {
	w := int64(s.Warehouses)
	districts := w * districtsPerWarehouse
	customers := districts * int64(s.customers())
	return map[string]int64{
		"warehouse": w,
		"district":  districts,
		"customer":  customers,
		"history":   customers,
		"orders":    customers,
		"new_order": districts * int64(s.undelivered()),
		"item":      int64(s.items()),
		"stock":     w * int64(s.items()),
	}
}

// estimatedRows returns the rows of all tables, with ten lines an order.
func (s Scale) estimatedRows() int64 {
	const meanLines = 10
	expected := s.expectedRows()
	total := meanLines * expected["orders"]
	for _, rows := range expected {
		total += rows
	}
	return total
}
