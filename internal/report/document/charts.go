package document

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// directPages is the number of page buffers from which Firebird 3.0 opens the
// database with O_DIRECT: FileSystemCacheThreshold at its default.
const directPages = 65536

// unit names the figures of a chart.
func unit(o tuner.Objective) string {
	if o == tuner.LatencyP95 {
		return "p95 latency, ms"
	}
	return "operations per second"
}

// figureOf is what a run is shown by; 0 where it failed.
func figureOf(t tuner.Trial, o tuner.Objective) float64 {
	switch {
	case t.Status != study.OK:
		return 0
	case o == tuner.LatencyP95:
		return t.P95
	}
	return t.OpsPerSecond
}

// bestSoFar is the best figure of one run up to each run; nil without one.
func bestSoFar(trials []tuner.Trial, o tuner.Objective) *Chart {
	var points plotter.XYs
	best := 0.0
	for _, t := range trials {
		f := figureOf(t, o)
		if f > 0 && (best == 0 || (f > best) != (o == tuner.LatencyP95)) {
			best = f
		}
		if best > 0 {
			points = append(points, plotter.XY{X: float64(t.Number), Y: best})
		}
	}
	if points == nil {
		return nil
	}
	c := newChart("best-so-far", "The best single run so far", "run", unit(o))
	c.Alt = fmt.Sprintf("A line of the best run so far: %s after the first, %s after the last. One run is not an estimate.", report.Number(points[0].Y), report.Number(best))
	c.line("best single run so far", styles[0], points)
	c.fromZero()
	return c
}

// dots shows every run; nil without one.
func dots(trials []tuner.Trial, o tuner.Objective) *Chart {
	if len(trials) == 0 {
		return nil
	}
	c := newChart("runs", "Every run", "run", unit(o))
	var stock, others, failed plotter.XYs
	for _, t := range trials {
		point := plotter.XY{X: float64(t.Number), Y: figureOf(t, o)}
		switch {
		case t.Status != study.OK:
			failed = append(failed, point)
		case t.Cell == tuner.StockName:
			stock = append(stock, point)
		default:
			others = append(others, point)
		}
	}
	for _, s := range []struct {
		label  string
		style  style
		points plotter.XYs
	}{
		{"stock", styles[1], stock},
		{"other configurations", styles[0], others},
		{"failed", style{color.Black, draw.CrossGlyph{}, nil}, failed},
	} {
		if len(s.points) > 0 {
			c.dots(s.label, s.style, s.points)
		}
	}
	c.fromZero()
	c.Alt = fmt.Sprintf("A dot for each of %d runs: %d of stock, %d of other configurations, %d failed.", len(trials), len(stock), len(others), len(failed))
	return c
}

// course shows the operations of each second of runs.
func course(runs []tuner.Trial) *Chart {
	c := newChart("course", "Throughput over time", "second of the window", "operations per second")
	c.Alt = "The operations of each second of the window:"
	for i, t := range runs {
		var points plotter.XYs
		for second, n := range t.Result.Seconds {
			points = append(points, plotter.XY{X: float64(second + 1), Y: float64(n)})
		}
		c.line(t.Cell, styles[i], points)
		c.Alt += fmt.Sprintf(" %s %s on average;", t.Cell, report.Number(t.OpsPerSecond))
	}
	c.fromZero()
	return c
}

// horizontal are the lengths of error bars to both sides.
type horizontal struct {
	plotter.XYs
	plotter.XErrors
}

// influences shows the effects of settings with their intervals; nil without one.
func influences(effects []tuner.Influence) *Chart {
	if len(effects) == 0 {
		return nil
	}
	c := newChart("influence", "Influence of settings", "effect, %", "")
	c.Height = vg.Length(len(effects)+3) * 0.6 * vg.Centimeter
	var bars horizontal
	var values plotter.Values
	names := make([]string, len(effects))
	for i, e := range effects {
		at := len(effects) - 1 - i // the largest on top
		names[at] = e.Name + " " + e.Value
		bars.XYs = append(bars.XYs, plotter.XY{X: 100 * (e.Ratio - 1), Y: float64(at)})
		bars.XErrors = append(bars.XErrors, struct{ Low, High float64 }{100 * (e.Ratio - e.Low), 100 * (e.High - e.Ratio)})
	}
	for i := range effects {
		values = append(values, bars.XYs[len(effects)-1-i].X)
	}
	c.Alt = "Bars of the effect of each setting with its interval; the table has the figures."
	bar, barErr := plotter.NewBarChart(values, 8)
	intervals, err := plotter.NewXErrorBars(bars)
	if c.err = errors.Join(barErr, err); c.err != nil {
		return c
	}
	bar.Horizontal, bar.Color = true, styles[0].color
	c.plot.Add(bar, intervals)
	c.plot.NominalY(names...)
	return c
}

// vertical are points with intervals.
type vertical struct {
	plotter.XYs
	plotter.YErrors
}

// sweepChart is a line for each architecture; nil for values that are no
// positive numbers, for two settings, or before anything is known.
func sweepChart(r tuner.Result) *Chart {
	if r.Plan.Second != "" || r.Best == "" {
		return nil
	}
	c := newChart("sweep", "The sweep of "+r.Plan.Param, r.Plan.Param+" (logarithmic)", unit(r.Plan.Load.Objective()))
	c.Alt = "A line for each architecture with 95 % intervals; the table has the figures."
	var ticks []plot.Tick
	for _, value := range r.Plan.Values {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x <= 0 {
			return nil
		}
		ticks = append(ticks, plot.Tick{Value: x, Label: value})
	}
	for i, mode := range r.Plan.Modes {
		c.mode(r, mode, styles[i%len(styles)])
	}
	c.plot.X.Min, c.plot.X.Max = ticks[0].Value/1.1, ticks[0].Value*1.1
	for _, tick := range ticks {
		c.plot.X.Min, c.plot.X.Max = min(c.plot.X.Min, tick.Value/1.1), max(c.plot.X.Max, tick.Value*1.1)
	}
	c.plot.X.Scale, c.plot.X.Tick.Marker = plot.LogScale{}, plot.ConstantTicks(ticks)
	if r.Plan.Param == confgen.DefaultDbCachePages && c.plot.X.Min < directPages && c.plot.X.Max >= directPages {
		c.mark(directPages)
		c.Alt += " A dotted line marks 65536 pages, from which the file is opened with O_DIRECT by default."
	}
	c.fromZero()
	return c
}

// mode adds an architecture: what cannot be told from the best as shade, then its
// line with intervals.
func (c *Chart) mode(r tuner.Result, mode confgen.Mode, s style) {
	var v vertical
	var low, high plotter.XYs
	var plateau []plotter.XYs // its stretches
	end := func() {
		if len(low) > 1 {
			plateau = append(plateau, append(low, high...))
		}
		low, high = nil, nil
	}
	cells := slices.Clone(r.Cells)
	slices.SortStableFunc(cells, func(a, b tuner.CellResult) int {
		x, _ := strconv.ParseFloat(a.Value, 64) // what is no number is left out below
		y, _ := strconv.ParseFloat(b.Value, 64)
		return cmp.Compare(x, y)
	})
	for _, cell := range cells {
		x, err := strconv.ParseFloat(cell.Value, 64)
		if cell.Mode != mode || err != nil || !cell.Known() {
			continue
		}
		y := cell.OpsPerSecond + cell.P95 // one of them is 0
		v.XYs = append(v.XYs, plotter.XY{X: x, Y: y})
		if cell.High == 0 {
			cell.Low, cell.High = y, y
		}
		v.YErrors = append(v.YErrors, struct{ Low, High float64 }{y - cell.Low, cell.High - y})
		if r.Bounded && cell.SameAsBest {
			low, high = append(low, plotter.XY{X: x, Y: cell.Low}), append(plotter.XYs{{X: x, Y: cell.High}}, high...)
		} else {
			end()
		}
	}
	end()
	if len(v.XYs) == 0 {
		return
	}
	for i, stretch := range plateau {
		shade := &plotter.Polygon{XYs: []plotter.XYs{stretch}, Color: color.NRGBA{R: 0x88, G: 0x88, B: 0x88, A: 0x50}}
		c.plot.Add(shade)
		if i == 0 {
			c.plot.Legend.Add(string(mode)+": not to be told from the best", shade)
		}
	}
	bars, err := plotter.NewYErrorBars(v)
	if err != nil {
		c.err = errors.Join(c.err, err)
		return
	}
	bars.LineStyle.Color = s.color
	c.plot.Add(bars)
	c.line(string(mode), s, v.XYs)
}

// mark draws a dotted line at x over the height of the chart.
func (c *Chart) mark(x float64) {
	line := &plotter.Line{
		XYs:       plotter.XYs{{X: x, Y: 0}, {X: x, Y: c.plot.Y.Max}},
		LineStyle: draw.LineStyle{Color: color.Black, Width: 1, Dashes: []vg.Length{1, 3}},
	}
	c.plot.Add(line)
	c.plot.Legend.Add("O_DIRECT by default", line)
}
