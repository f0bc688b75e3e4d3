package workload

import (
	"context"
	"crypto/rand"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/fbtune/fbtune/templates"
	"github.com/fbtune/fbtune/workload/rows"
)

// snapshotWait is SNAPSHOT WAIT, which isql starts its transactions with.
var snapshotWait = driver.TxOptions{Isolation: driver.IsolationLevel(sql.LevelRepeatableRead)}

// RowsPlan says how the insert, update and delete test runs.
type RowsPlan struct {
	Rows int
	// Ended is told each phase when it ended; it may be nil.
	Ended func(rows.Phase)
}

// MarkRows makes a new, empty database known as fbtune's. It returns a token
// that the marker carries, by which [MarkedBy] knows it again.
func MarkRows(ctx context.Context, t Target) (token string, err error) {
	token = "rows " + rand.Text()
	err = onWriter(ctx, t, func(s *session) error {
		if err := s.within(ctx, readOnly, func() error { return s.refuseTables(ctx, t.Path) }); err != nil {
			return err
		}
		statements, err := templates.OLTP("marker")
		if err != nil {
			return err
		}
		if err := s.execAll(ctx, statements); err != nil {
			return err
		}
		if err := writeMarker(ctx, s, Scale{}); err != nil { // of no load, and never complete
			return err
		}
		return s.within(ctx, readCommitted, func() error {
			st, err := s.prepare(ctx, "UPDATE fbtune_marker SET checksum = ? RETURNING complete", 1)
			if err != nil {
				return err
			}
			_, err = st.call(ctx, token)
			return err
		})
	})
	if err != nil {
		return "", fmt.Errorf("mark %s: %w", t.Path, err)
	}
	return token, nil
}

// MarkedBy reports whether a database is the one that MarkRows gave a token.
func MarkedBy(ctx context.Context, t Target, token string) (bool, error) {
	m, err := readMarker(ctx, t)
	return err == nil && m.Checksum == token, err
}

// RunRows runs the insert, update and delete test on a database that carries
// fbtune's marker, and refuses any other with ErrNoMarker.
//
// The loops are PSQL and run on the server, from one connection, in SNAPSHOT
// transactions as isql has them; each is followed by its commit. The table and
// its indexes are made before, also in place of those that a killed run left,
// and dropped after. Pages are counted as isql counts them: of the whole
// database, between the statements before and after.
//
// After an error the run holds the phases that ended.
func RunRows(ctx context.Context, t Target, plan RowsPlan) (run rows.Run, server rows.Server, err error) {
	run = rows.Run{Phases: []rows.Phase{}, Warnings: []string{}}
	if err := rows.Validate(plan.Rows); err != nil {
		return run, server, err
	}
	if _, _, err := ReadMarker(ctx, t); err != nil && !errors.Is(err, ErrIncomplete) {
		return run, server, err
	}
	if plan.Ended == nil {
		plan.Ended = func(rows.Phase) {}
	}
	dropped := func() error { return onWriter(ctx, t, func(s *session) error { return dropRows(ctx, s) }) }
	if err := dropped(); err != nil {
		return run, server, err
	}
	err = onWriter(ctx, t, func(s *session) (err error) {
		r := &rowsRun{session: s, plan: plan}
		if server, err = r.describe(ctx); err != nil {
			return err
		}
		if err := r.prepare(ctx); err != nil {
			return err
		}
		before, err := r.count(ctx)
		if err != nil {
			return err
		}
		for _, name := range rows.Names {
			phase, err := r.phase(ctx, name, &before)
			if err != nil {
				return fmt.Errorf("%s %d rows in %s: %w", name, plan.Rows, t.Path, err)
			}
			run.Phases = append(run.Phases, phase)
			plan.Ended(phase)
		}
		return nil
	})
	if err != nil {
		return run, server, err
	}
	return run, server, dropped() // on another connection: the statements of this one hold the table
}

// rowsRun is one run on one connection.
type rowsRun struct {
	*session
	plan    RowsPlan
	counter *statement
}

// describe reads what the figures depend on.
func (r *rowsRun) describe(ctx context.Context) (server rows.Server, err error) {
	err = r.within(ctx, readOnly, func() error {
		v, err := r.queryInts(ctx, `SELECT MON$PAGE_SIZE, MON$PAGE_BUFFERS, MON$FORCED_WRITES, MON$SWEEP_INTERVAL,
			MON$ODS_MAJOR, MON$ODS_MINOR FROM MON$DATABASE`)
		if err != nil {
			return err
		}
		server = rows.Server{PageSize: v[0], PageBuffers: v[1], ForcedWrites: v[2] == 1, SweepInterval: v[3], ODS: fmt.Sprintf("%d.%d", v[4], v[5])}
		st, err := r.session.prepare(ctx, "SELECT RDB$GET_CONTEXT('SYSTEM', 'ENGINE_VERSION') FROM RDB$DATABASE", 0)
		if err != nil {
			return err
		}
		row, err := st.call(ctx)
		if err != nil {
			return err
		}
		server.Engine, err = text(row[0])
		return err
	})
	if err != nil {
		return server, fmt.Errorf("read what is in force: %w", err)
	}
	return server, nil
}

// rowsCounters counts pages of the database, and rows that this connection
// inserted, updated and deleted.
const rowsCounters = `SELECT d.MON$PAGE_READS, d.MON$PAGE_WRITES, d.MON$PAGE_FETCHES,
	s.MON$RECORD_INSERTS + s.MON$RECORD_UPDATES + s.MON$RECORD_DELETES
	FROM MON$DATABASE b JOIN MON$IO_STATS d ON d.MON$STAT_ID = b.MON$STAT_ID
	JOIN MON$ATTACHMENTS a ON a.MON$ATTACHMENT_ID = CURRENT_CONNECTION
	JOIN MON$RECORD_STATS s ON s.MON$STAT_ID = a.MON$STAT_ID`

// prepare makes the table, tells the loops how many rows they handle, and
// prepares the counting, so that little time passes between the phases, in which
// the garbage collector goes on.
func (r *rowsRun) prepare(ctx context.Context) error {
	statements, err := rows.Schema()
	if err != nil {
		return err
	}
	begin, err := rows.Begin(r.plan.Rows)
	if err != nil {
		return err
	}
	if err := r.execAll(ctx, append(statements, begin)); err != nil {
		return err
	}
	return r.within(ctx, readOnly, func() (err error) {
		r.counter, err = r.session.prepare(ctx, rowsCounters, 0)
		return err
	})
}

// dropRows removes the table and the sequence, those that are there.
func dropRows(ctx context.Context, s *session) error {
	for _, object := range []struct{ catalogue, column, name, statement string }{
		{"RDB$RELATIONS", "RDB$RELATION_NAME", "FBTUNE_ROWS", "DROP TABLE fbtune_rows"},
		{"RDB$GENERATORS", "RDB$GENERATOR_NAME", "FBTUNE_ROWS_ID", "DROP SEQUENCE fbtune_rows_id"},
	} {
		var found []int64
		err := s.within(ctx, readOnly, func() (err error) {
			found, err = s.queryInts(ctx, fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s = ?", object.catalogue, object.column), object.name)
			return err
		})
		if err == nil && found[0] > 0 {
			err = s.execAll(ctx, []string{object.statement})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", object.statement, err)
		}
	}
	return nil
}

// rowsCounts are what is counted before and after a phase.
type rowsCounts struct {
	rows.IO       // of the database
	changed int64 // rows that this connection inserted, updated and deleted, of any table
}

// count reads the counters, in a transaction of its own: what it sees of the
// monitoring tables stands still within one.
func (r *rowsRun) count(ctx context.Context) (c rowsCounts, err error) {
	err = r.within(ctx, readOnly, func() error {
		row, err := r.counter.call(ctx)
		if err != nil {
			return err
		}
		v, err := integers(row)
		if err != nil {
			return err
		}
		c = rowsCounts{IO: rows.IO{Reads: v[0], Writes: v[1], Fetches: v[2]}, changed: v[3]}
		return nil
	})
	if err != nil {
		return c, fmt.Errorf("read the counters: %w", err)
	}
	return c, nil
}

// phase runs one loop and its commit. It takes what was counted before, and
// leaves what was counted after.
func (r *rowsRun) phase(ctx context.Context, name string, counts *rowsCounts) (rows.Phase, error) {
	loop, err := rows.Loop(name)
	if err != nil {
		return rows.Phase{}, err
	}
	began := time.Now()
	if err := r.begin(ctx, snapshotWait); err != nil {
		return rows.Phase{}, err
	}
	if _, err := r.queryInts(ctx, loop); err != nil {
		return rows.Phase{}, errors.Join(err, r.rollback())
	}
	looped := time.Now()
	if err := r.commit(); err != nil {
		return rows.Phase{}, err
	}
	ended := time.Now()
	after, err := r.count(ctx)
	if err != nil {
		return rows.Phase{}, err
	}
	before := *counts
	*counts = after
	// A table that grows by a pointer page is a row more in RDB$PAGES.
	if n := after.changed - before.changed; n < int64(r.plan.Rows) {
		return rows.Phase{}, fmt.Errorf("the server counted %d rows, want %d; does another program use the table FBTUNE_ROWS?", n, r.plan.Rows)
	}
	return rows.NewPhase(name, int64(r.plan.Rows), looped.Sub(began).Seconds(), ended.Sub(looped).Seconds(), after.IO.Minus(before.IO)), nil
}
