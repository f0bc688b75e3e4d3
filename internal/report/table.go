// Package report writes results for people.
//
// Every function takes data and a writer, and adds nothing to the data: what
// is shown here is what JSON holds.
package report

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/lipgloss/table"
)

// Alignments of a column.
const (
	left  = lipgloss.Left
	right = lipgloss.Right
)

// Grid is a table before it is laid out: what every format shows.
type Grid struct {
	Header []string
	Rows   [][]string
}

// text lays a grid out for a terminal: the first labels columns to the left, the
// rest to the right.
func (g Grid) text(labels int) string {
	columns := make([]lipgloss.Position, len(g.Header))
	for i := range columns {
		columns[i] = right
		if i < labels {
			columns[i] = left
		}
	}
	return render(newTable(columns...).Headers(g.Header...).Rows(g.Rows...))
}

// newTable returns a table of plain text with the given alignment of each
// column.
func newTable(columns ...lipgloss.Position) *table.Table {
	return table.New().
		Border(lipgloss.ASCIIBorder()).BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).
		StyleFunc(func(_, column int) lipgloss.Style {
			return lipgloss.NewStyle().Align(columns[column]).PaddingRight(2)
		})
}

// render returns a table as text.
func render(t *table.Table) string { return trimmed(t.Render()) }

// trimmed returns a text of lines without blanks at their ends.
func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n"))
		b.WriteByte('\n')
	}
	return b.String()
}

// ratioText is a ratio with its interval; "~" says that the interval includes 1.
func ratioText(ratio, low, high float64, bounded bool) string {
	switch {
	case !bounded:
		return fmt.Sprintf("%.2f", ratio)
	case low <= 1 && high >= 1:
		return fmt.Sprintf("%.2f [%.2f, %.2f] ~", ratio, low, high)
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f]", ratio, low, high)
}
