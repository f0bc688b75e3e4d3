package workload_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	firebirdsql "github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/workload"
)

// A delivery that meets one still open ends in a conflict, and its repetition
// delivers the next orders. Deliveries that race deliver every order once.
func TestDeliveriesRace(t *testing.T) {
	target, res := load(t, workload.Scale{Warehouses: 1, Cardinality: 0.02, Seed: 1}, 2)
	var delivered atomic.Int64
	onDB(t, target, func(db *sql.DB) {
		err := deliver(t.Context(), db, &delivered, func() {
			if err := deliver(t.Context(), db, &delivered, func() {}); !isConflict(err) {
				t.Errorf("a delivery beside an open one: %v, want a conflict", err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			onDB(t, target, func(db *sql.DB) {
				for {
					before := delivered.Load()
					err := deliver(t.Context(), db, &delivered, func() {})
					switch {
					case isConflict(err):
						time.Sleep(time.Millisecond)
					case errors.Is(err, errNothingLeft):
						return
					case err != nil:
						t.Errorf("after %d deliveries: %v", before, err)
						return
					}
				}
			})
		})
	}
	wg.Wait()
	if got, want := delivered.Load(), res.RowsPerTable["new_order"]; got != want {
		t.Errorf("%d orders delivered, want %d", got, want)
	}
	if n := number(t, target, "SELECT SUM(c_delivery_cnt) FROM customer"); n != delivered.Load() {
		t.Errorf("customers got %d orders, %d were delivered", n, delivered.Load())
	}
	if n := number(t, target, "SELECT COUNT(*) FROM orders WHERE o_carrier_id IS NULL"); n != 0 {
		t.Errorf("%d orders left", n)
	}
	if violations, err := workload.Check(t.Context(), target); err != nil || len(violations) != 0 {
		t.Errorf("after the race: %v, %v", violations, err)
	}
}

// isConflict knows how a lost race ends: update conflict, our exception, or an
// erased record, which comes as a text under a general code.
func isConflict(err error) bool {
	var fb *firebirdsql.FbError
	return errors.As(err, &fb) && (slices.Contains(fb.GDSCodes, 335544336) || slices.Contains(fb.GDSCodes, 335544517) ||
		strings.Contains(fb.Message, "cannot update erased record"))
}

var errNothingLeft = errors.New("nothing left to deliver")

// deliver delivers the oldest orders of warehouse 1, runs beside before it
// commits, and adds what it committed to delivered.
func deliver(ctx context.Context, db *sql.DB, delivered *atomic.Int64, beside func()) error {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{Isolation: firebirdsql.LevelReadCommittedNoWait})
	if err != nil {
		return err
	}
	var n int64
	if err := tx.QueryRowContext(ctx, "EXECUTE PROCEDURE op_delivery (1, 5)").Scan(&n); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	beside()
	if err := tx.Commit(); err != nil {
		return err
	}
	delivered.Add(n)
	if n == 0 {
		return errNothingLeft
	}
	return nil
}
