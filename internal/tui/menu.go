package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// entry is something a screen can do: by its letter, or by left, right and
// enter.
type entry struct {
	letter, label string
	do            func() tea.Cmd
}

// menu is a line of entries, one of which is chosen.
type menu struct {
	entries []entry
	at      int
}

// update takes a key and returns what the chosen entry does.
func (m menu) update(msg tea.KeyMsg) (menu, tea.Cmd) {
	if len(m.entries) == 0 {
		return m, nil
	}
	switch name := msg.String(); name {
	case "left", "shift+tab":
		m.at = (m.at + len(m.entries) - 1) % len(m.entries)
	case "right", "tab":
		m.at = (m.at + 1) % len(m.entries)
	case "enter":
		return m, m.entries[min(m.at, len(m.entries)-1)].do()
	default:
		for i, e := range m.entries {
			if e.letter == name {
				m.at = i
				return m, e.do()
			}
		}
	}
	return m, nil
}

// view draws the menu in one line.
func (m menu) view() string {
	parts := make([]string, len(m.entries))
	for i, e := range m.entries {
		parts[i] = "  " + e.letter + " " + e.label
		if i == m.at {
			parts[i] = chosenStyle.Render(chosen + e.letter + " " + e.label)
		}
	}
	return strings.Join(parts, " ")
}

// keys names the entries for help.
func (m menu) keys() []key.Binding {
	list := []key.Binding{bind("left/right", "choose"), bind("enter", "do")}
	for _, e := range m.entries {
		list = append(list, bind(e.letter, e.label))
	}
	return list
}
