package workload_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/workload"
)

// A row that is missing for good fails the run after a few tries, and is not
// retried for ever as a conflict is.
func TestMissingRowsFailTheRun(t *testing.T) {
	target := server(t)
	scale := workload.Scale{Warehouses: 1, Cardinality: 0.01, Seed: 1}
	if _, err := workload.Load(t.Context(), target, scale, workload.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("firebirdsql", target.DSN())
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "DELETE FROM district WHERE d_id = 4"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tx.Commit(), db.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = workload.Run(ctx, target, scale, workload.Plan{Connections: 2, Warmup: time.Second, Duration: 20 * time.Second})
	if err == nil || !strings.Contains(err.Error(), "not found in 4 tries") || !strings.Contains(err.Error(), "district 1/4") {
		t.Errorf("run without district 4: %v, want an error that names it after 4 tries", err)
	}
}
