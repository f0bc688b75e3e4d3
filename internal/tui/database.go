package tui

import (
	"context"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// database asks for a database and browses what is known of it.
type database struct {
	s     *services
	known []string // paths that databases.conf names
	form  form
	facts []Fact
	err   error
	table grid
	read  bool // the facts are shown, not the form
}

// factsMsg is what is known of a database.
type factsMsg struct {
	facts []Fact
	err   error
}

const lookInto = "Look into it"

// newDatabase returns the screen that asks which database.
func newDatabase(s *services) database {
	return database{
		s: s, form: newForm(text("Database file", "", "such as /data/erp.fdb", ""), action(lookInto)),
		table: grid{columns: []column{{"", 22, 0}, {"value", 20, 0}, {"what it means", 20, 1}}},
	}
}

func (d database) Title() string { return "Database" }
func (d database) Typing() bool  { return !d.read && d.form.typing() }
func (d database) holds() bool   { return d.read }
func (d database) Init() tea.Cmd { return d.s.readHome() }

func (d database) Keys() []key.Binding {
	if d.read {
		return []key.Binding{bind("up/down", "browse")}
	}
	return []key.Binding{bind("up/down", "move"), bind("enter", "look")}
}

func (d database) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case homeMsg:
		d = d.offer(msg.facts.Databases)
	case factsMsg:
		d.facts, d.err, d.read = msg.facts, msg.err, msg.err == nil
		d.table.rows, d.table.at = nil, 0
		group := ""
		for _, f := range msg.facts {
			if f.Group != group {
				group = f.Group
				d.table.rows = append(d.table.rows, []string{strings.ToUpper(group), "", ""})
			}
			d.table.rows = append(d.table.rows, []string{f.Name, f.Value, f.Note})
		}
	case tea.KeyMsg:
		if d.read {
			if name := msg.String(); name == "esc" || name == "q" {
				d.read = false
			}
			d.table = d.table.update(msg, 10)
			return d, nil
		}
		var pressed string
		d.form, pressed, _ = d.form.update(msg)
		path := d.form.value("Database file")
		if pressed != "" && pressed != lookInto {
			path = pressed
		}
		if pressed != "" {
			return d, d.s.crew.cmd(func(ctx context.Context) tea.Msg {
				facts, err := d.s.Inspect(ctx, path)
				return factsMsg{facts, err}
			})
		}
	}
	return d, nil
}

// offer adds a button for each database that is known.
func (d database) offer(paths []string) database {
	if d.known == nil {
		d.known = append([]string{}, paths...)
		for _, path := range paths {
			d.form.fields = append(d.form.fields, action(path))
		}
	}
	return d
}

func (d database) View(width, height int) string {
	if d.read {
		name := d.form.value("Database file")
		if name == "" {
			name = d.form.fields[d.form.at].label
		}
		note := ""
		if row, ok := d.table.row(); ok {
			note = wrapped(row[2], width)
		}
		return headStyle.Render(name) + "\n\n" + d.table.view(width, height-5) + "\n" + note
	}
	view := d.form.view(width)
	if d.err != nil {
		view += "\n" + wrapped(alarmStyle.Render(d.err.Error()), width)
	}
	return view
}
