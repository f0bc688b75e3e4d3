package main

import (
	"math"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/workload/rows"
)

// The test does what the same script does in isql, page for page. The garbage of
// the updates is collected by the connection itself: the background collector
// comes sooner or later, and of few rows that decides.
func TestSamePagesAsIsql(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, first := firebirdtest.Started(t, inst, nil)
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		b := bench{server: s, inst: inst, rows: 1500, settings: map[string]string{
			confgen.ServerMode: string(confgen.Super), "GCPolicy": "cooperative",
		}}
		path := first + ".rows"
		ours, err := b.on(t.Context(), path, b.fbtune)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := b.on(t.Context(), path, b.isql)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range rows.Names {
			p, inOurs := ours.Phase(name)
			q, inTheirs := theirs.Phase(name)
			t.Logf("%s: fetches %d and %d, writes %d and %d", name, p.Fetches, q.Fetches, p.Writes, q.Writes)
			if !inOurs || !inTheirs || p.Rows != q.Rows || !(math.Abs(float64(p.Fetches)/float64(q.Fetches)-1) <= margin) {
				t.Errorf("%s: %+v, and isql %+v; want fetches within 1 %%", name, p, q)
			}
		}
	})
}
