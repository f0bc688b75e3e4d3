package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/linechart"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
)

// Size of a chart in the terminal, in characters, axes included.
const (
	chartWidth  = 78
	chartHeight = 14
	tickEvery   = 12 // columns between the labels of sizes
)

// Signs of a chart.
const (
	markSign = '┊'
	lineSign = '·'
)

// pointSigns are of the series that were measured here, in their order.
var pointSigns = []rune{'●', '▲'}

const publishedSign = '○'

// drawn draws a chart as text, with a line for its signs. A chart without a point
// is nothing.
func drawn(c tuner.Chart) string {
	low, high, top := extent(c)
	if top == 0 {
		return ""
	}
	plot := linechart.New(chartWidth, chartHeight, low, high, 0, top,
		linechart.WithXYSteps(tickEvery, 2), linechart.WithXLabelFormatter(sizeTick), linechart.WithYLabelFormatter(valueTick(top)))
	plot.DrawXYAxisAndLabel()
	inside, beyond := split(c.Marks, low, high)
	for _, m := range inside {
		at := math.Log2(m.X)
		plot.DrawRuneLine(canvas.Float64Point{X: at, Y: 0}, canvas.Float64Point{X: at, Y: top}, markSign)
	}
	signs := make([]string, len(c.Series))
	for i, s := range c.Series {
		sign := publishedSign
		if !s.Published {
			sign = pointSigns[i%len(pointSigns)]
		}
		drawSeries(&plot, s, sign)
		signs[i] = fmt.Sprintf("%c %s", sign, s.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, %s\n\n%s", c.Title, c.YLabel, trimmed(plot.View()))
	b.WriteString(strings.Join(signs, "   "))
	if len(inside) > 0 {
		fmt.Fprintf(&b, "   %c %s", markSign, strings.Join(names(inside), ", "))
	}
	if len(beyond) > 0 {
		fmt.Fprintf(&b, "   not in the picture: %s", strings.Join(names(beyond), ", "))
	}
	b.WriteString("\n")
	return b.String()
}

// split returns the marks that are in a range of sizes, and those that are not.
func split(marks []tuner.Mark, low, high float64) (inside, beyond []tuner.Mark) {
	for _, m := range marks {
		if at := math.Log2(m.X); at >= low && at <= high {
			inside = append(inside, m)
		} else {
			beyond = append(beyond, m)
		}
	}
	return inside, beyond
}

// names lists marks with their sizes.
func names(marks []tuner.Mark) []string {
	list := make([]string, len(marks))
	for i, m := range marks {
		list[i] = fmt.Sprintf("%s %s", m.Name, confgen.Bytes(m.X))
	}
	return list
}

// extent returns the range of sizes, as powers of two, with a margin, and a value
// above all others; 0 without a point.
func extent(c tuner.Chart) (low, high, top float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for _, p := range s.Points {
			low, high = min(low, math.Log2(p.X)), max(high, math.Log2(p.X))
			top = max(top, p.Y, p.High)
		}
	}
	const margin, headroom = 0.25, 1.1
	return low - margin, high + margin, top * headroom
}

// drawSeries draws the points of a series with their intervals, and lines between
// them.
func drawSeries(plot *linechart.Model, s tuner.Series, sign rune) {
	at := func(x, y float64) canvas.Float64Point { return canvas.Float64Point{X: math.Log2(x), Y: y} }
	for i, p := range s.Points {
		if i > 0 {
			plot.DrawRuneLine(at(s.Points[i-1].X, s.Points[i-1].Y), at(p.X, p.Y), lineSign)
		}
	}
	for _, p := range s.Points {
		if p.High > 0 {
			plot.DrawRuneLine(at(p.X, p.Low), at(p.X, p.High), '│')
		}
		plot.DrawRune(at(p.X, p.Y), sign)
	}
}

// sizeTick labels the axis of sizes, whose values are powers of two.
func sizeTick(_ int, v float64) string {
	unit := math.Exp2(10 * math.Floor(v/10))
	value := math.Exp2(v) / unit
	if value >= 10 {
		value = math.Round(value)
	}
	return confgen.Bytes(value * unit).String()
}

// valueTick labels the axis of values.
func valueTick(top float64) linechart.LabelFormatter {
	digits := 0
	if top < 20 {
		digits = 1
	}
	return func(_ int, v float64) string { return fmt.Sprintf("%.*f", digits, v) }
}
