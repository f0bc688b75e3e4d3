package replay

import (
	"maps"
	"slices"
	"strconv"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

// A Plan is a grid to be recorded: every combination of the factors of each
// architecture.
type Plan struct {
	Size        string         // of the database, as in the CSV
	Scale       workload.Scale // of the load
	Connections int
	PageSize    confgen.Bytes
	Blocks      int
	Factors     []Factors
}

// Factors are the values that are combined in one architecture.
type Factors struct {
	Mode   confgen.Mode
	Values map[string][]string
}

// Cells returns the configurations of a plan, as written in firebird.conf.
func (p Plan) Cells() []map[string]string {
	var cells []map[string]string
	for _, f := range p.Factors {
		cells = append(cells, f.cells()...)
	}
	return cells
}

func (f Factors) cells() []map[string]string {
	cells := []map[string]string{{confgen.ServerMode: string(f.Mode)}}
	for _, name := range slices.Sorted(maps.Keys(f.Values)) {
		var longer []map[string]string
		for _, cell := range cells {
			for _, text := range f.Values[name] {
				more := maps.Clone(cell)
				more[name] = text
				longer = append(longer, more)
			}
		}
		cells = longer
	}
	return cells
}

// Plans returns the two grids that decide the default sampler: 96 cells each,
// for Firebird 3.0, felt by OLTP of 20 connections.
//
// The pages end where Super's one cache holds the database, at 100 MB and about
// 1 GB: beyond, all cells are alike and any sampler finds one of them. At 1 GB
// they reach the 65536 pages at which O_DIRECT begins, so the threshold says for
// each cell of Super whether the system caches the file. GCPolicy is there with
// its two ends; the third policy lies between them. A connection's own cache in
// SuperClassic and Classic ends beyond the 2048 pages that practice goes to;
// each of its pages is a lock, so LockHashSlots is the second factor there: the
// default of 2.5, that of 3.0, practice, the most. LockMemSize and
// TcpRemoteBufferSize are left at their defaults: the table grows by itself,
// and no operation of the load returns more than a packet.
func Plans() []Plan {
	quick, full := workload.Scale{Warehouses: 10, Cardinality: 0.1, Seed: 1}, workload.Scale{Warehouses: 10, Cardinality: 1, Seed: 1}
	plan := func(size string, scale workload.Scale, lowest int) Plan {
		own := map[string][]string{
			confgen.DefaultDbCachePages: doublings(64, 8),
			confgen.LockHashSlots:       {"1009", "8191", "30011", "65521"},
		}
		return Plan{
			Size: size, Scale: scale, Connections: 20, PageSize: 8 * confgen.KiB, Blocks: 3,
			Factors: []Factors{
				{Mode: confgen.Super, Values: map[string][]string{
					confgen.DefaultDbCachePages:      doublings(lowest, 8),
					confgen.FileSystemCacheThreshold: {"0", "262144"}, // never and always cached by the system
					confgen.GCPolicy:                 {"combined", "cooperative"},
				}},
				{Mode: confgen.SuperClassic, Values: own},
				{Mode: confgen.Classic, Values: own},
			},
		}
	}
	return []Plan{plan("100M", quick, 128), plan("1G", full, 512)}
}

// doublings returns n numbers from first on, each twice the one before.
func doublings(first, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(first << i)
	}
	return list
}
