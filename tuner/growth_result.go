package tuner

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// SizeResult is what is known of one size on one path.
type SizeResult struct {
	Cell string `json:"cell"`
	Size
	Path    string   `json:"path"`    // "" is the work directory
	Loading *Loading `json:"loading"` // null before it was loaded

	LoadSeconds        float64 `json:"load_s"` // rows, keys, indexes and flush; 0 before it was loaded, as all of these
	LoadBytesPerSecond float64 `json:"load_bytes_per_second"`
	LoadRowsPerSecond  float64 `json:"load_rows_per_second"`
	ToCap              float64 `json:"size_to_cap"` // size of the file divided by the cap
	ToRAM              float64 `json:"size_to_ram"` // and by the machine's memory; 0 when that is not known

	N      int       `json:"n"`      // trials that count
	Failed int       `json:"failed"` // trials that failed
	Figure           // at the average block
	Status CellState `json:"status"`
	Reason string    `json:"reason,omitempty"` // of the last failure
}

// PathRatio compares a size on two paths.
type PathRatio struct {
	Size    string  `json:"size"`
	Load    float64 `json:"load_ratio"` // of the bytes loaded per second, the second path's to the first's: one load each
	Blocks  int     `json:"blocks"`     // in which both have a score
	Ratio   float64 `json:"ratio"`      // of the operations per second, geometric mean; 0 without a block
	Bounded bool    `json:"bounded"`    // whether there is an interval, which takes 2 blocks
	Low     float64 `json:"low"`        // of the 95 % interval; 0 unless bounded
	High    float64 `json:"high"`
}

// GrowthResult is the outcome of a growth, finished or not.
type GrowthResult struct {
	Plan           Growth          `json:"plan"`
	Complete       bool            `json:"complete"` // every size was loaded and every trial ended
	Sizes          []SizeResult    `json:"sizes"`    // in the order of the plan's sizes, and within one of its paths
	Trials         []Trial         `json:"trials"`
	Ratios         []PathRatio     `json:"ratios"` // the second path against the first, by size; empty with one path
	Charts         []Chart         `json:"charts"` // load speed and throughput
	Published      []PublishedSize `json:"published"`
	Sigma          float64         `json:"run_to_run_cv"`   // a fraction; 0 unless bounded
	Bounded        bool            `json:"bounded"`         // whether there are intervals
	DetectionLimit float64         `json:"detection_limit"` // between two sizes, a fraction
	Overhead       Overhead        `json:"overhead"`        // seconds a trial, by cause
	OverheadTotal  float64         `json:"overhead_total_s"`
	Environment    Environment     `json:"environment"`
	Warnings       []string        `json:"warnings"`
}

// GrowthResult estimates all sizes of a growth from what is there so far.
func (p *Progress) GrowthResult() GrowthResult {
	r := GrowthResult{
		Plan: p.Growth, Complete: p.Ended && p.Cause == "", Environment: p.Environment, Overhead: meanOverhead(p.Trials),
		Trials: append([]Trial{}, p.Trials...), Ratios: []PathRatio{}, Published: []PublishedSize{}, Warnings: p.Growth.warnings(),
	}
	r.OverheadTotal = r.Overhead.Total()
	if p.Environment.CacheMode == warm {
		r.Warnings = append(r.Warnings, "the memory cap does not hold the file cache on this machine, so that sizes above the cap are cached all the same; run as root, or where control groups can be made")
	}
	cells := p.Growth.Cells()
	tallies := make([]CellResult, len(cells))
	for i, c := range cells {
		tallies[i] = p.tally(c)
	}
	fit, scored, err := p.fit(tallies)
	if err != nil {
		r.Warnings = append(r.Warnings, "no estimate: "+err.Error())
		scored = nil
	}
	for at, i := range scored {
		tallies[i].Figure = p.Growth.Load.figure(fit.Cells[at])
	}
	r.Bounded, r.Sigma, r.DetectionLimit = fit.Bounded, fit.Sigma, fit.DetectionLimit
	r.Warnings = append(r.Warnings, fit.Warnings...)
	if n, cause := disturbedTrials(p.Trials); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d trials count although other load disturbed them (%s); end it, and start a new study", n, len(p.Trials), cause))
	}
	for i, t := range tallies {
		r.Sizes = append(r.Sizes, p.sizeResult(i, t))
	}
	if len(p.Growth.Paths) == 2 {
		r.Ratios = p.pathRatios(r.Sizes)
	}
	if p.Growth.WithPublished {
		r.Published = publishedSizes
	}
	r.Charts = r.charts()
	return r
}

// disturbedTrials returns how many trials other load disturbed, and how the last
// of them.
func disturbedTrials(trials []Trial) (n int, cause string) {
	for _, t := range trials {
		if d := t.disturbed(); d != "" {
			n, cause = n+1, d
		}
	}
	return n, cause
}

// fewWarehouses is below how many hot rows decide; see workload.Quick.
const fewWarehouses = 10

// warnings are doubts that the plan itself gives.
func (g Growth) warnings() []string {
	for _, s := range g.Sizes {
		if s.Scale.Warehouses < fewWarehouses {
			return []string{fmt.Sprintf("with fewer than %d warehouses connections wait for each other's rows, so that %s measures that too; give --sizes, which keep %d warehouses and change their rows",
				fewWarehouses, s.Name, fewWarehouses)}
		}
	}
	return []string{}
}

// sizeResult is what is known of a cell.
func (p *Progress) sizeResult(cell int, t CellResult) SizeResult {
	size, path := p.Growth.place(cell)
	r := SizeResult{
		Cell: t.Name, Size: p.Growth.Sizes[size], Path: p.Growth.Paths[path],
		N: t.N, Failed: t.Failed, Figure: t.Figure, Status: t.Status, Reason: t.Reason,
	}
	l, ok := p.Loadings[t.Name]
	if !ok {
		return r
	}
	r.Loading = &l
	r.LoadSeconds, r.LoadBytesPerSecond, r.LoadRowsPerSecond = l.Duration().Seconds(), l.BytesPerSecond(), l.RowsPerSecond()
	r.ToCap = float64(l.Load.Bytes) / float64(p.Growth.Cap)
	if ram := p.Environment.Host.Memory.Usable; ram.Known() {
		r.ToRAM = float64(l.Load.Bytes) / float64(ram.Or(0))
	}
	return r
}

// pathRatios compares the sizes on the second path with those on the first.
func (p *Progress) pathRatios(sizes []SizeResult) []PathRatio {
	scores := map[string]map[int]float64{} // by cell and block
	for _, t := range p.Trials {
		if t.Status == study.OK {
			if scores[t.Cell] == nil {
				scores[t.Cell] = map[int]float64{}
			}
			scores[t.Cell][t.Block] = t.OpsPerSecond
		}
	}
	ratios := []PathRatio{}
	for pair := range slices.Chunk(sizes, 2) {
		r := PathRatio{Size: pair[0].Name}
		if pair[0].Loading != nil && pair[1].Loading != nil {
			r.Load = pair[1].LoadBytesPerSecond / pair[0].LoadBytesPerSecond
		}
		var first, second []float64
		for block := range p.Growth.Blocks {
			a, b := scores[pair[0].Cell][block], scores[pair[1].Cell][block]
			if a > 0 && b > 0 {
				first, second = append(first, a), append(second, b)
			}
		}
		if ratio, err := stats.PairedRatio(second, first, stats.DefaultConfidence); err == nil { // an error says that there is no block
			r.Blocks, r.Ratio, r.Bounded, r.Low, r.High = ratio.N, ratio.Mean, ratio.Bounded, ratio.Low, ratio.High
		}
		ratios = append(ratios, r)
	}
	return ratios
}

// charts are load speed and throughput against the size of the file.
func (r GrowthResult) charts() []Chart {
	load := Chart{Title: "Load speed", YLabel: "MB/s", Marks: r.marks()}
	ops := Chart{Title: "Throughput", YLabel: "operations/s", Marks: load.Marks}
	for i, path := range r.Plan.Paths {
		name := path
		if len(r.Plan.Paths) == 1 {
			name = "this machine"
		}
		speeds, scores := Series{Name: name, Points: []Point{}}, Series{Name: name, Points: []Point{}}
		for at := i; at < len(r.Sizes); at += len(r.Plan.Paths) {
			s := r.Sizes[at]
			if s.Loading == nil {
				continue
			}
			x := float64(s.Loading.Load.Bytes)
			speeds.Points = append(speeds.Points, Point{X: x, Y: s.LoadBytesPerSecond / 1e6})
			if s.Known() {
				scores.Points = append(scores.Points, Point{X: x, Y: s.OpsPerSecond, Low: s.Low, High: s.High})
			}
		}
		load.Series, ops.Series = append(load.Series, speeds), append(ops.Series, scores)
	}
	if len(r.Published) > 0 {
		speeds, scores := Series{Name: "published", Published: true, Points: []Point{}}, Series{Name: "published", Published: true}
		for _, p := range r.Published {
			x := float64(p.Bytes)
			scores.Points = append(scores.Points, Point{X: x, Y: p.OpsPerSecond})
			if p.LoadMBPerSecond > 0 {
				speeds.Points = append(speeds.Points, Point{X: x, Y: p.LoadMBPerSecond})
			}
		}
		load.Series, ops.Series = append(load.Series, speeds), append(ops.Series, scores)
	}
	return []Chart{load, ops}
}

// marks are the sizes beside which a database is small or large.
func (r GrowthResult) marks() []Mark {
	marks := []Mark{{Name: "cap", X: float64(r.Plan.Cap)}}
	if ram := r.Environment.Host.Memory.Usable; ram.Known() {
		marks = append(marks, Mark{Name: "RAM", X: float64(ram.Or(0))})
	}
	if cache := r.pageCache(); cache > 0 {
		marks = append(marks, Mark{Name: "page cache", X: float64(cache)})
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.X, b.X) })
	return marks
}

// pageCache is what the page buffers that were in force take, of all connections
// together; 0 before a trial read it back.
func (r GrowthResult) pageCache() confgen.Bytes {
	caches := 1
	if r.Plan.Mode != confgen.Super {
		caches = r.Plan.Load.Connections + r.Plan.Load.Reports // each has its own
	}
	for _, t := range r.Trials {
		for _, e := range t.Effective {
			if e.Name != confgen.DefaultDbCachePages {
				continue
			}
			if pages, err := strconv.ParseInt(e.Value, 10, 64); err == nil {
				return confgen.Bytes(pages * int64(r.Plan.Load.PageSize) * int64(caches))
			}
		}
	}
	return 0
}
