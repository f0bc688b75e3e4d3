package document

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Chart is a figure of the report.
type Chart struct {
	Name   string // of its files, without an extension
	Title  string
	Alt    string // what it shows, for those who do not see it
	Height vg.Length
	plot   *plot.Plot
	err    error // why it cannot be drawn: a figure that is none
}

const chartWidth = 18 * vg.Centimeter

// style tells a series from others without colour: by its marker and dashes.
type style struct {
	color  color.Color
	shape  draw.GlyphDrawer
	dashes []vg.Length
}

// styles are those of the series of a chart, in order; the colours are of Okabe
// and Ito, which colour-blind people tell apart.
var styles = []style{
	{color.RGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, draw.CircleGlyph{}, nil},
	{color.RGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, draw.PyramidGlyph{}, []vg.Length{6, 3}},
	{color.RGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}, draw.BoxGlyph{}, []vg.Length{2, 2}},
}

// newChart returns an empty chart.
func newChart(name, title, x, y string) *Chart {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}
	p.X.Label.TextStyle.Font, p.Y.Label.TextStyle.Font, p.X.Tick.Label.Font, p.Y.Tick.Label.Font = sans, sans, sans, sans
	p.Legend.TextStyle.Font, p.Legend.Top, p.Legend.Left = sans, true, true
	p.Legend.ThumbnailWidth = 1.2 * vg.Centimeter
	return &Chart{Name: name, Title: title, Height: 9 * vg.Centimeter, plot: p}
}

// line adds a series as a line with markers.
func (c *Chart) line(label string, s style, points plotter.XYs) {
	line := &plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: s.color, Width: 1.5, Dashes: s.dashes}}
	dots := &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: s.color, Radius: 3, Shape: s.shape}}
	c.plot.Add(line, dots)
	c.plot.Legend.Add(label, line, dots)
}

// dots adds a series as markers.
func (c *Chart) dots(label string, s style, points plotter.XYs) {
	dots := &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: s.color, Radius: 3, Shape: s.shape}}
	c.plot.Add(dots)
	c.plot.Legend.Add(label, dots)
}

// fromZero makes the vertical axis begin at 0 and leaves room for the legend.
func (c *Chart) fromZero() { c.plot.Y.Min, c.plot.Y.Max = 0, 1.3*c.plot.Y.Max }

// SVG writes the chart for a page: text and axes have its colour, and its meaning
// is in words too.
func (c *Chart) SVG(w io.Writer) error {
	if c.err != nil {
		return fmt.Errorf("draw %s: %w", c.Name, c.err)
	}
	c.plot.BackgroundColor = color.Transparent
	canvas := vgsvg.New(chartWidth, c.Height)
	c.plot.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return fmt.Errorf("draw %s: %w", c.Name, err)
	}
	_, svg, _ := strings.Cut(b.String(), "<svg ")
	head, rest, _ := strings.Cut(svg, ">")
	label := html.EscapeString(c.Name)
	_, err := fmt.Fprintf(w, `<svg role="img" aria-labelledby="%s-title %s-desc" %s><title id="%s-title">%s</title><desc id="%s-desc">%s</desc>%s`,
		label, label, head, label, html.EscapeString(c.Title), label, html.EscapeString(c.Alt), ink.Replace(rest))
	return err
}

// ink makes what is black take the colour of the page's text.
var ink = strings.NewReplacer("#000000", "currentColor")

// PNG writes the chart as an image on white.
func (c *Chart) PNG(w io.Writer) error {
	if c.err != nil {
		return fmt.Errorf("draw %s: %w", c.Name, c.err)
	}
	c.plot.BackgroundColor = color.White
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(chartWidth, c.Height), vgimg.UseDPI(144))}
	c.plot.Draw(draw.New(canvas))
	if _, err := canvas.WriteTo(w); err != nil {
		return fmt.Errorf("draw %s: %w", c.Name, err)
	}
	return nil
}
