package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// measure chooses what is measured, and where.
type measure struct {
	s    *services
	form form
	err  error
}

// Labels of the form.
const (
	firstPath  = "Directory"
	secondPath = "Compare with"
	start      = "Start"
)

// newMeasure returns the form with every measurement of the program.
func newMeasure(s *services) measure {
	fields := []field{text(firstPath, "", "the work directory", ""), text(secondPath, "", "nothing; or a directory on another disk", "")}
	for i, m := range s.Measurements {
		fields = append(fields, tick(m.Name, "", i == 0))
	}
	return measure{s: s, form: newForm(append(fields, action(start))...)}
}

func (m measure) Title() string { return "Measure" }
func (m measure) Typing() bool  { return m.form.typing() }
func (m measure) Init() tea.Cmd { return nil }
func (m measure) Keys() []key.Binding {
	return []key.Binding{bind("up/down", "move"), bind("space", "tick"), bind("enter", "next, do")}
}

// paths are the directories that were named.
func (m measure) paths() []string {
	var paths []string
	for _, label := range []string{firstPath, secondPath} {
		if path := m.form.value(label); path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// ticked are the measurements that were chosen.
func (m measure) ticked() []Measurement {
	var list []Measurement
	for i, one := range m.s.Measurements {
		if m.form.fields[2+i].on {
			list = append(list, one)
		}
	}
	return list
}

func (m measure) Update(msg tea.Msg) (Screen, tea.Cmd) {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return m, nil
	}
	var pressed string
	if m.form, pressed, _ = m.form.update(k); pressed != start {
		return m, nil
	}
	ticked := m.ticked()
	if len(ticked) == 0 {
		m.err = errEmpty
		return m, nil
	}
	m.err = nil
	return m, push(m.one(ticked))
}

// one runs the first of some measurements, after which the rest may follow.
func (m measure) one(list []Measurement) output {
	args := list[0].Command
	for i, path := range m.paths() {
		if i < list[0].Paths {
			args = append(args[:len(args):len(args)], "--path", path)
		}
	}
	var next *entry
	if rest := list[1:]; len(rest) > 0 {
		next = &entry{label: "Next: " + rest[0].Name, do: func() tea.Cmd { return say(replaceMsg{m.one(rest)}) }}
	}
	return newOutput(m.s, next, args...)
}

func (m measure) View(width, height int) string {
	var b strings.Builder
	b.WriteString(m.form.view(width) + "\n")
	for _, one := range m.ticked() {
		b.WriteString(wrapped(one.Name+": "+one.Needs(max(len(m.paths()), 1)), width) + "\n")
	}
	if m.err != nil {
		b.WriteString(alarmStyle.Render("tick what is to be measured"))
	}
	return b.String()
}
