package memorymodel

import (
	"fmt"
	"math"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// How far the model may be from a real server.
const (
	slopeTolerance = 0.05
	totalTolerance = 0.10
	totalFrom      = 64 * confgen.MiB // of cache; below it the rest of the server is most of the total
)

// extent is a set of loads: every mode with each of these.
type extent struct {
	pageSize    confgen.Bytes
	metadata    bool
	connections []int
	caches      []confgen.Bytes // of all page buffers together, ascending
	repeats     int
}

var (
	short = []extent{
		{pageSize: 8 * confgen.KiB, connections: []int{4}, caches: []confgen.Bytes{64 * confgen.MiB, 128 * confgen.MiB}, repeats: 1},
	}
	long = []extent{
		{pageSize: 8 * confgen.KiB, connections: []int{4, 10}, caches: []confgen.Bytes{64 * confgen.MiB, 128 * confgen.MiB, 256 * confgen.MiB}, repeats: 2},
		{pageSize: 16 * confgen.KiB, connections: []int{4, 10}, caches: []confgen.Bytes{64 * confgen.MiB, 256 * confgen.MiB}, repeats: 2},
		{pageSize: 8 * confgen.KiB, metadata: true, connections: []int{4, 10}, caches: []confgen.Bytes{64 * confgen.MiB, 128 * confgen.MiB, 256 * confgen.MiB}, repeats: 2},
	}
)

// The memory of a server whose page caches are full is what confgen.Plan says.
func TestFilledServers(t *testing.T) {
	extents := short
	if firebirdtest.Long() {
		extents = long
	}
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		fmt.Fprintln(t.Output(), tableHead)
		for _, e := range extents {
			largest := confgen.Pages(e.caches[len(e.caches)-1] / e.pageSize)
			d := makeDatabase(t, s, e.pageSize, largest+largest/10, e.metadata)
			for _, mode := range confgen.Modes() {
				for _, n := range e.connections {
					name := fmt.Sprintf("%s, %d connections, pages of %s, schema %t", mode, n, e.pageSize, e.metadata)
					t.Run(name, func(t *testing.T) { compare(t, s, d, e, mode, n) })
				}
			}
		}
	})
}

// compare measures a server with each of the cache sizes and holds the model
// against it.
func compare(t *testing.T, s *private.Server, d database, e extent, mode confgen.Mode, connections int) {
	var points []point
	for _, cache := range e.caches {
		l := load{mode: mode, connections: connections, pageSize: e.pageSize, cache: cache, metadata: e.metadata}
		version := s.Installation.Version
		budget, err := l.plan(version, d.size)
		if err != nil {
			t.Fatal(err)
		}
		p := point{load: l, version: version}
		for range e.repeats {
			connected, filled := fill(t, s, d, l)
			p.connected = append(p.connected, comparison{connected, l.predicted(t, budget, connected, false)})
			p.filled = append(p.filled, comparison{filled, l.predicted(t, budget, filled, true)})
		}
		fmt.Fprintln(t.Output(), p.row())
		checkTotal(t, p, budget)
		points = append(points, p)
	}
	checkSlope(t, points)
}

// checkTotal compares the memory of a server with full caches.
func checkTotal(t *testing.T, p point, budget confgen.Budget) {
	t.Helper()
	for _, c := range p.filled {
		if p.load.cache >= totalFrom && math.Abs(c.off()) > totalTolerance {
			t.Errorf("a cache of %s: %s predicted, %s measured (%+.1f %%), want within %.0f %%; %d processes have the security database open: %+v",
				p.load.cache, c.predicted, c.alone, 100*c.off(), 100*totalTolerance, c.loggedIn, budget.Lines)
		}
		if line := lineOf(t, budget, confgen.MemoryLockTable); c.lockTable > line.Expected {
			t.Errorf("a cache of %s: the lock table takes %s, more than the %s predicted (%s)",
				p.load.cache, c.lockTable, line.Expected, line.Formula)
		}
	}
}

// checkSlope compares how the memory grows by a page buffer.
func checkSlope(t *testing.T, points []point) {
	t.Helper()
	var model, server fit
	for _, p := range points {
		buffers := float64(p.load.buffers())
		for _, c := range p.filled {
			model.add(buffers, float64(c.predicted))
			server.add(buffers, float64(c.alone))
		}
	}
	want, got := model.slope(), server.slope()
	off := want/got - 1
	fmt.Fprintln(t.Output(), slopeRow(points, want, got))
	if !(math.Abs(off) <= slopeTolerance) {
		t.Errorf("the memory grows by %.0f B a page buffer, %.0f B were predicted (%+.1f %%), want within %.0f %%", got, want, 100*off, 100*slopeTolerance)
	}
}
