package tui

import (
	"fmt"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"
	"github.com/NimbleMarkets/ntcharts/linechart"
	"github.com/NimbleMarkets/ntcharts/linechart/streamlinechart"
	"github.com/charmbracelet/lipgloss"
)

// line draws values as a line from zero up, the last one at the right, with the
// scale at the left.
func line(values []float64, width, height int) string {
	top := 1.0
	for _, v := range values {
		top = max(top, v)
	}
	values = values[max(0, len(values)-max(width-8, 1)):]
	chart := streamlinechart.New(width, height,
		streamlinechart.WithYRange(0, top*1.05),
		streamlinechart.WithStyles(runes.ThinLineStyle, lipgloss.NewStyle().Foreground(accent)),
		streamlinechart.WithAxesStyles(faintStyle, faintStyle))
	chart.YLabelFormatter = linechart.LabelFormatter(func(_ int, v float64) string { return fmt.Sprintf("%5.0f", v) })
	for _, v := range values {
		chart.Push(v)
	}
	chart.Draw()
	return chart.View()
}
