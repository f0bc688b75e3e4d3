package workload_test

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"strings"
	"sync"
	"testing"

	_ "github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/workload"
)

// tiny is the smallest scale that has every kind of row: two warehouses of 60 customers a district.
var tiny = workload.Scale{Warehouses: 2, Cardinality: 0.02, Seed: 7}

// load loads a new database of the scale.
func load(t *testing.T, scale workload.Scale, connections int) (workload.Target, workload.LoadResult) {
	t.Helper()
	return loadOn(t, firebirdtest.Installation(t), scale, connections)
}

// loadOn is load for one of several Firebirds.
func loadOn(t *testing.T, inst firebird.Installation, scale workload.Scale, connections int) (workload.Target, workload.LoadResult) {
	t.Helper()
	target := serverOf(t, inst)
	res, err := workload.Load(t.Context(), target, scale, workload.LoadOptions{Connections: connections})
	if err != nil {
		t.Fatal(err)
	}
	return target, res
}

// statements runs SQL outside the package, as any program could, and disconnects.
func statements(t *testing.T, target workload.Target, texts ...string) {
	t.Helper()
	onDB(t, target, func(db *sql.DB) {
		for _, text := range texts {
			if _, err := db.ExecContext(t.Context(), text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
	})
}

// number returns the only value of a query, and disconnects.
func number(t *testing.T, target workload.Target, query string) (n int64) {
	t.Helper()
	onDB(t, target, func(db *sql.DB) {
		if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	})
	return n
}

// onDB opens a database for the length of f. While it is open, the driver keeps
// an implicit transaction open after every statement.
func onDB(t *testing.T, target workload.Target, f func(*sql.DB)) {
	t.Helper()
	db, err := sql.Open("firebirdsql", target.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	f(db)
}

func TestLoad(t *testing.T) { firebirdtest.Each(t, loads) }

func loads(t *testing.T, inst firebird.Installation) {
	target, res := loadOn(t, inst, tiny, 0)
	scale, version, err := workload.ReadMarker(t.Context(), target)
	if err != nil || scale != tiny || version != workload.SchemaVersion {
		t.Errorf("marker %+v, version %d, %v; want %+v, %d", scale, version, err, tiny, workload.SchemaVersion)
	}
	want := map[string]int64{
		"warehouse": 2, "district": 20, "customer": 1200, "history": 1200, "orders": 1200,
		"new_order": 360, "item": 2000, "stock": 4000, "order_line": res.RowsPerTable["order_line"],
	}
	if !maps.Equal(res.RowsPerTable, want) {
		t.Errorf("rows %v, want %v", res.RowsPerTable, want)
	}
	if lines := want["order_line"]; lines < 1200*9 || lines > 1200*11 {
		t.Errorf("%d order lines, want about ten an order", lines)
	}
	if !forcedWrites(t, target.Path) {
		t.Error("forced writes are off after the load")
	}
	if n := number(t, target, "SELECT MON$SWEEP_INTERVAL FROM MON$DATABASE"); n != 0 {
		t.Errorf("sweep interval %d, want 0", n)
	}
	// A name of every number occurs in every district; keys and indexes are there and active.
	if n := number(t, target, "SELECT MIN(n) FROM (SELECT COUNT(DISTINCT c_last) FROM customer GROUP BY c_w_id, c_d_id) AS x (n)"); n != 60 {
		t.Errorf("%d last names in a district, want 60", n)
	}
	if n := number(t, target, "SELECT COUNT(*) FROM RDB$INDICES WHERE RDB$SYSTEM_FLAG = 0 AND COALESCE(RDB$INDEX_INACTIVE, 0) = 0"); n != 10 {
		t.Errorf("%d active indexes, want 10", n)
	}
}

func TestLoadRefuses(t *testing.T) {
	target := server(t)
	if _, _, err := workload.ReadMarker(t.Context(), target); !errors.Is(err, workload.ErrNoMarker) {
		t.Errorf("marker of an empty database: %v, want %v", err, workload.ErrNoMarker)
	}
	if _, err := workload.Check(t.Context(), target, 1); !errors.Is(err, workload.ErrNoMarker) {
		t.Errorf("check of an empty database: %v, want %v", err, workload.ErrNoMarker)
	}
	statements(t, target, "CREATE TABLE precious (id INTEGER)", "INSERT INTO precious VALUES (1)")
	if _, err := workload.Load(t.Context(), target, tiny, workload.LoadOptions{}); !errors.Is(err, workload.ErrNotEmpty) {
		t.Errorf("load over a table: %v, want %v", err, workload.ErrNotEmpty)
	}
	if n := number(t, target, "SELECT COUNT(*) FROM precious"); n != 1 {
		t.Errorf("%d rows left of one", n)
	}
	if n := number(t, target, "SELECT MON$FORCED_WRITES FROM MON$DATABASE"); n != 1 {
		t.Error("a refused load switched forced writes off")
	}
}

func TestInterruptedLoad(t *testing.T) { firebirdtest.Each(t, interrupts) }

func interrupts(t *testing.T, inst firebird.Installation) {
	server, first := firebirdtest.Started(t, inst, map[string]string{"ServerMode": "Super"})
	for i, phase := range []string{workload.PhaseSchema, workload.PhaseData, workload.PhaseIndexes, workload.PhaseCheck} {
		path := first
		if i > 0 {
			path = firebirdtest.Database(t, server, 8192)
		}
		target := server.Target(path)
		ctx, cancel := context.WithCancel(t.Context())
		opts := workload.LoadOptions{Progress: func(p workload.LoadProgress) {
			if p.Phase == phase {
				if forcedWrites(t, path) {
					t.Errorf("%s: forced writes are on while loading", phase)
				}
				cancel()
			}
		}}
		_, err := workload.Load(ctx, target, tiny, opts)
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("load cancelled in %s: %v, want %v", phase, err, context.Canceled)
		}
		if !forcedWrites(t, path) {
			t.Errorf("load cancelled in %s: forced writes stayed off", phase)
		}
		if _, _, err := workload.ReadMarker(t.Context(), target); !errors.Is(err, workload.ErrIncomplete) && phase != workload.PhaseSchema {
			t.Errorf("load cancelled in %s: marker %v, want %v", phase, err, workload.ErrIncomplete)
		}
	}
}

// forcedWrites reads from the file itself whether they are on.
func forcedWrites(t *testing.T, path string) bool {
	t.Helper()
	header, err := dbheader.Read(path)
	if err != nil {
		t.Error(err)
	}
	return header.ForcedWrites
}

// A server that dies in a load leaves forced writes off, and nobody to ask: the
// error must say so, and the marker that the database is not whole.
func TestServerDiesInLoad(t *testing.T) { firebirdtest.Each(t, diesInLoad) }

func diesInLoad(t *testing.T, inst firebird.Installation) {
	config := private.Config{Settings: map[string]string{"ServerMode": "Super"}}
	server, path := firebirdtest.Started(t, inst, config.Settings)
	config.Database = path
	var once sync.Once
	opts := workload.LoadOptions{Progress: func(p workload.LoadProgress) {
		if p.Phase != workload.PhaseData {
			return
		}
		once.Do(func() {
			for _, pid := range server.Processes() {
				process, err := os.FindProcess(pid)
				if err == nil {
					err = process.Kill()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}}
	_, err := workload.Load(t.Context(), server.Target(path), tiny, opts)
	if err == nil || !strings.Contains(err.Error(), "forced writes may be off: remove the database") {
		t.Errorf("error %v, want one that says what became of forced writes", err)
	}
	if forcedWrites(t, path) {
		t.Error("forced writes are on: the server did not die while it loaded")
	}
	if err := server.Stop(t.Context()); err != nil {
		t.Logf("stop what was killed: %v", err)
	}
	if err := server.Start(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if _, _, err := workload.ReadMarker(t.Context(), server.Target(path)); !errors.Is(err, workload.ErrIncomplete) {
		t.Errorf("marker: %v, want %v", err, workload.ErrIncomplete)
	}
}

// Equal scales make equal rows, whatever the connections; another seed makes others.
func TestChecksum(t *testing.T) {
	_, two := load(t, tiny, 2)
	_, four := load(t, tiny, 4)
	if two.Checksum != four.Checksum {
		t.Errorf("checksums of two and of four connections differ: %s, %s", two.Checksum, four.Checksum)
	}
	other := tiny
	other.Seed++
	_, seeded := load(t, other, 2)
	if seeded.Checksum == two.Checksum {
		t.Error("another seed made the same data")
	}
}

func TestEstimatedBytes(t *testing.T) {
	target, res := load(t, workload.Scale{Warehouses: 2, Cardinality: 0.1, Seed: 1}, 2)
	info, err := os.Stat(target.Path)
	if err != nil {
		t.Fatal(err)
	}
	if res.Bytes != info.Size() {
		t.Errorf("%d bytes, the file has %d", res.Bytes, info.Size())
	}
	if e := (workload.Scale{Warehouses: 2, Cardinality: 0.1}).EstimatedBytes(); e < res.Bytes*9/10 || e > res.Bytes*12/10 {
		t.Errorf("estimated %d bytes, the file has %d", e, res.Bytes)
	}
}
