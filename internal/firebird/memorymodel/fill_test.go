package memorymodel

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// fill starts a server, connects and puts the load on it, and returns its memory
// before and after that.
func fill(t *testing.T, s *private.Server, d database, l load) (connected, filled usage) {
	t.Helper()
	if err := s.Start(t.Context(), private.Config{Database: d.path, Settings: l.settings()}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	}()
	conns, disconnect := connect(t, s, d.path, l.connections)
	defer disconnect()
	awaitProcesses(t, s, l)
	connected = measure(t, s)
	for _, conn := range conns {
		if err := within(t.Context(), conn, !l.metadata, func(tx *sql.Tx) error { return use(t.Context(), tx, l) }); err != nil {
			t.Fatal(err)
		}
	}
	filled = measure(t, s)
	checkFilled(t, conns[0], l)
	return connected, filled
}

// use reads the whole table through a connection, and uses the schema when the
// load is to.
func use(ctx context.Context, tx *sql.Tx, l load) error {
	var n int64
	if err := tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM filled").Scan(&n); err != nil || !l.metadata {
		return err
	}
	for i := range schemaTables {
		if err := tx.QueryRowContext(ctx, fmt.Sprintf("SELECT COUNT(*) FROM t%d WHERE id = 1 OR name = 'x'", i)).Scan(&n); err != nil {
			return err
		}
	}
	for i := range schemaProcedures {
		if err := tx.QueryRowContext(ctx, fmt.Sprintf("SELECT found FROM p%d(1)", i)).Scan(&n); err != nil {
			return err
		}
	}
	return nil
}

// checkFilled fails the test when a cache of the load is not full: it has
// another size than asked for, or fewer pages than that were read into it.
func checkFilled(t *testing.T, conn *sql.Conn, l load) {
	t.Helper()
	var buffers confgen.Pages
	var attachments int
	var fewest, most confgen.Pages // pages read by an attachment
	err := within(t.Context(), conn, true, func(tx *sql.Tx) error {
		return tx.QueryRowContext(t.Context(), `SELECT MAX(d.MON$PAGE_BUFFERS), COUNT(*), MIN(i.MON$PAGE_READS), MAX(i.MON$PAGE_READS)
			FROM MON$DATABASE d CROSS JOIN MON$ATTACHMENTS a JOIN MON$IO_STATS i ON i.MON$STAT_ID = a.MON$STAT_ID
			WHERE a.MON$SYSTEM_FLAG = 0`).Scan(&buffers, &attachments, &fewest, &most)
	})
	if err != nil {
		t.Fatal(err)
	}
	if attachments != l.connections || buffers != l.pages() {
		t.Fatalf("%d attachments with %d page buffers, want %d with %d", attachments, buffers, l.connections, l.pages())
	}
	read := fewest
	if l.mode == confgen.Super { // the first one filled the cache of all
		read = most
	}
	if read < l.pages() {
		t.Fatalf("%d pages were read into a cache of %d: it is not full", read, l.pages())
	}
}

// awaitProcesses returns once a server has the processes of its connections and
// no more: in Classic, that of a connection which was closed ends by and by.
func awaitProcesses(t *testing.T, s *private.Server, l load) {
	t.Helper()
	want := 1
	if l.mode == confgen.Classic {
		want += l.connections
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for len(s.Processes()) != want {
		select {
		case <-ctx.Done():
			t.Fatalf("%d processes, want %d", len(s.Processes()), want)
		case <-tick.C:
		}
	}
}
