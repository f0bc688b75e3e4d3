package tui

import (
	"github.com/charmbracelet/bubbles/table"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// column is a column of a grid. Where there is no room for all, those with the
// highest rank are left out first.
type column struct {
	title string
	width int // of its contents; the last column takes what is left
	rank  int // 0 is never left out
}

// grid is a table in which one row is chosen.
type grid struct {
	columns []column
	rows    [][]string
	at      int
}

// update moves the chosen row.
func (g grid) update(msg tea.KeyMsg, page int) grid {
	step := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -page, "pgdown": page, "home": -len(g.rows), "end": len(g.rows)}[msg.String()]
	g.at = min(max(g.at+step, 0), max(len(g.rows)-1, 0))
	return g
}

// row returns the chosen row.
func (g grid) row() ([]string, bool) {
	if g.at >= len(g.rows) {
		return nil, false
	}
	return g.rows[g.at], true
}

// shown returns the columns that fit.
func (g grid) shown(width int) []int {
	for most := 9; ; most-- {
		var list []int
		total := 2
		for i, c := range g.columns {
			if c.rank <= most {
				list = append(list, i)
				total += c.width + 2
			}
		}
		if total <= width || most == 0 {
			return list
		}
	}
}

// view draws the rows around the chosen one.
func (g grid) view(width, height int) string {
	shown := g.shown(width)
	total := 0
	for _, i := range shown {
		total += g.columns[i].width + 2
	}
	var columns []table.Column
	for n, i := range shown {
		c := table.Column{Title: g.columns[i].title, Width: g.columns[i].width}
		if n == 0 {
			c.Title, c.Width = "  "+c.Title, c.Width+2
		}
		if n == len(shown)-1 {
			c.Width = max(c.Width+width-total-2, 1)
		}
		columns = append(columns, c)
	}
	rows := make([]table.Row, len(g.rows))
	for r, row := range g.rows {
		for n, i := range shown {
			cell := row[i]
			if n == 0 && r == g.at {
				cell = chosen + cell
			} else if n == 0 {
				cell = "  " + cell
			}
			rows[r] = append(rows[r], cell)
		}
	}
	styles := table.Styles{
		Header: lipgloss.NewStyle().Bold(true).PaddingRight(2), Cell: lipgloss.NewStyle().PaddingRight(2), Selected: chosenStyle,
	}
	t := table.New(table.WithColumns(columns), table.WithStyles(styles), table.WithHeight(max(min(height, len(rows)+1), 2)), table.WithWidth(width))
	t.SetRows(rows)
	t.SetCursor(g.at)
	return t.View()
}
