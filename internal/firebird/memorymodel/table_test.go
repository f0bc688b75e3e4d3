package memorymodel

import (
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// point is a load with what was predicted and what was measured of it, once for
// each repetition.
type point struct {
	load      load
	version   confgen.Version
	connected []comparison // all had just connected
	filled    []comparison // all page buffers were used
}

// comparison is one measurement and its prediction.
type comparison struct {
	usage
	predicted confgen.Bytes
}

// off is how far the prediction is above what was measured, as a fraction.
func (c comparison) off() float64 { return float64(c.predicted)/float64(c.alone) - 1 }

// tableHead is the head of the table in docs/memory-model.md. The results of
// [point.row] and [slopeRow] are its rows.
const tableHead = `| version | ServerMode | connections | metadata | page | page buffers | cache | predicted | measured | off | just connected: predicted | measured | sum of PSS | lock table | TIP cache |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|`

// rowHead is what both kinds of rows begin with.
func (p point) rowHead() string {
	l := p.load
	metadata := "one table"
	if l.metadata {
		metadata = "schema"
	}
	return fmt.Sprintf("| %s | %s | %d | %s | %s ", p.version, l.mode, l.connections, metadata, l.pageSize)
}

// row is the mean of the repetitions beside what was predicted.
func (p point) row() string {
	l := p.load
	filled, connected := mean(p.filled), mean(p.connected)
	return fmt.Sprintf("%s| %d x %d | %s | %s | %s | %+.1f %% | %s | %s | %s | %s | %s |",
		p.rowHead(), l.caches(), l.pages(), l.cache,
		filled.predicted, filled.alone, 100*filled.off(),
		connected.predicted, connected.alone, filled.pss, filled.lockTable, filled.tips)
}

// slopeRow is the growth by a page buffer over points that differ in nothing
// but their caches, in bytes.
func slopeRow(points []point, predicted, measured float64) string {
	return fmt.Sprintf("%s| each | | %.0f B | %.0f B | %+.1f %% | | | | | |",
		points[0].rowHead(), predicted, measured, 100*(predicted/measured-1))
}

// mean is the arithmetic mean of each figure.
func mean(all []comparison) comparison {
	var m comparison
	for _, c := range all {
		m.predicted += c.predicted
		m.pss += c.pss
		m.alone += c.alone
		m.lockTable += c.lockTable
		m.tips += c.tips
	}
	for _, figure := range []*confgen.Bytes{&m.predicted, &m.pss, &m.alone, &m.lockTable, &m.tips} {
		*figure /= confgen.Bytes(len(all))
	}
	return m
}

// fit is a straight line through points, by least squares. The zero value has
// none.
type fit struct{ n, x, y, xx, xy float64 }

func (f *fit) add(x, y float64) {
	f.n++
	f.x += x
	f.y += y
	f.xx += x * x
	f.xy += x * y
}

// slope is how much y grows by x; NaN for less than two different x.
func (f fit) slope() float64 { return (f.n*f.xy - f.x*f.y) / (f.n*f.xx - f.x*f.x) }
