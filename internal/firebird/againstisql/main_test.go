package main

import (
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/workload"
)

func TestRun(t *testing.T) { firebirdtest.Each(t, compares) }

func compares(t *testing.T, inst firebird.Installation) {
	var out strings.Builder
	p := plan{scale: workload.Scale{Warehouses: 1, Cardinality: 0.01, Seed: 1}, commit: 1000, rounds: 1}
	if err := run(t.Context(), inst.Root, firebirdtest.Dir(t), p, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || !strings.Contains(lines[0], inst.FullVersion()) || !strings.HasPrefix(lines[3], "isql embedded") {
		t.Errorf("want a head and four loaders, got\n%s", out.String())
	}
}

// A database that lacks one row of the source is found out.
func TestFindsOtherRows(t *testing.T) {
	server, _ := firebirdtest.Started(t, firebirdtest.Installation(t), settings)
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	c, err := newContest(t.Context(), server, plan{scale: workload.Scale{Warehouses: 1, Cardinality: 0.01, Seed: 1}, commit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	c.source.RowsPerTable["item"]--
	if err := c.load(t.Context(), c.loaders[0]); err == nil || !strings.Contains(err.Error(), "other rows") {
		t.Errorf("error %v, want one that says other rows", err)
	}
}

func TestWriteLiteral(t *testing.T) {
	for _, test := range []struct {
		value    any
		typeName string
		want     string
	}{
		{nil, "TEXT", "NULL"},
		{int32(-7), "LONG", "-7"},
		{"10.50", "INT64", "10.50"},
		{[]byte("O'Neil"), "VARYING", "'O''Neil'"},
		{"10", "TEXT", "'10'"},
		{time.Date(2026, 1, 2, 3, 4, 5, 600_000, time.UTC), "TIMESTAMP", "'2026-01-02 03:04:05.0006'"},
	} {
		var got strings.Builder
		if err := writeLiteral(&got, test.value, test.typeName); err != nil || got.String() != test.want {
			t.Errorf("%v as %s: %s, %v; want %s", test.value, test.typeName, got.String(), err, test.want)
		}
	}
	if err := writeLiteral(&strings.Builder{}, 1.5, "DOUBLE"); err == nil {
		t.Error("a double was written")
	}
}
