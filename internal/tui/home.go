package tui

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen"
)

// home is the first screen: what there is, and what can be done.
type home struct {
	s     *services
	facts Home
	err   error
	known bool
	tasks []entry
	at    int
}

// newHome returns the first screen.
func newHome(s *services) home {
	return home{s: s, tasks: []entry{
		{"r", "Recommend a configuration for this machine", func() tea.Cmd { return push(newRecommend(s)) }},
		{"c", "Check what is in force now", func() tea.Cmd { return push(newCheck(s)) }},
		{"m", "Measure the disk", func() tea.Cmd { return push(newMeasure(s)) }},
		{"s", "Set up a sweep: every value of a setting, as a table", func() tea.Cmd { return push(newSetup(s, "sweep")) }},
		{"t", "Set up a tuning: search, race and confirm", func() tea.Cmd { return push(newSetup(s, "tune")) }},
		{"e", "Results of studies; go on with one", func() tea.Cmd { return push(newStudies(s)) }},
		{"d", "Look at a database", func() tea.Cmd { return push(newDatabase(s)) }},
	}}
}

// homeMsg is what was read for the first screen.
type homeMsg struct {
	facts Home
	err   error
}

func (h home) Title() string { return "Home" }
func (h home) Typing() bool  { return false }
func (h home) Init() tea.Cmd { return h.s.readHome() }

// readHome reads the machine again.
func (s *services) readHome() tea.Cmd {
	return s.crew.cmd(func(ctx context.Context) tea.Msg {
		facts, err := s.Home(ctx)
		return homeMsg{facts, err}
	})
}

func (h home) Keys() []key.Binding {
	return []key.Binding{bind("up/down", "choose"), bind("enter", "open"), bind("r/c/m/s/t/e/d", "open at once"), bind("q", "end")}
}

func (h home) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case homeMsg:
		h.facts, h.err, h.known = msg.facts, msg.err, true
	case shownMsg:
		return h, h.s.readHome()
	case tea.KeyMsg:
		switch name := msg.String(); name {
		case "up", "k":
			h.at = (h.at + len(h.tasks) - 1) % len(h.tasks)
		case "down", "j":
			h.at = (h.at + 1) % len(h.tasks)
		case "enter":
			return h, h.tasks[h.at].do()
		default:
			for i, task := range h.tasks {
				if task.letter == name {
					h.at = i
					return h, task.do()
				}
			}
		}
	}
	return h, nil
}

func (h home) View(width, height int) string {
	var b strings.Builder
	switch {
	case h.err != nil:
		b.WriteString(wrapped(alarmStyle.Render(h.err.Error()), width) + "\n")
	case !h.known:
		b.WriteString("looking at this machine …\n")
	default:
		b.WriteString(h.facts.view(max(height-len(h.tasks)-3, 4)))
	}
	b.WriteString("\n" + headStyle.Render("What next") + "\n")
	for i, task := range h.tasks {
		b.WriteString(marked(i == h.at, task.letter+"  "+task.label) + "\n")
	}
	return b.String()
}

// view says what there is, in at most so many lines; of the studies the newest.
func (f Home) view(most int) string {
	host := f.Host
	lines := []string{
		fmt.Sprintf("Machine    %s, %s", host.OSName.Or(host.OS.Or("system not known")), host.CPU.Model.Or("processor not known")),
		fmt.Sprintf("           processors %s usable", host.CPU.Usable),
		fmt.Sprintf("           memory %s usable, %s available", size(host.Memory.Usable.Known(), host.Memory.Usable.Or(0)), size(host.Memory.Available.Known(), host.Memory.Available.Or(0))),
		fmt.Sprintf("           %s: %s free", host.Disk.Path, size(host.Disk.Free.Known(), host.Disk.Free.Or(0))),
	}
	for i, inst := range f.Installations {
		state := "not running"
		if n := len(inst.Running); n > 0 {
			state = fmt.Sprintf("running (%d)", n)
		}
		lines = append(lines, fmt.Sprintf("%-10s %s %s in %s, %s", first(i, "Firebird"), inst.Kind, inst.Version, inst.Root, state))
	}
	if len(f.Installations) == 0 {
		lines = append(lines, "Firebird   none found; on Debian make firebird installs one")
	}
	for i, path := range f.Databases {
		lines = append(lines, fmt.Sprintf("%-10s %s", first(i, "Databases"), path))
	}
	for i, s := range f.Studies {
		lines = append(lines, fmt.Sprintf("%-10s %s: %s, %d trials", first(i, "Studies"), s.Name, s.State(), s.OK))
	}
	if len(f.Studies) == 0 {
		lines = append(lines, "Studies    none yet")
	}
	if len(lines) > most {
		lines = append(lines[:most-1], faintStyle.Render(fmt.Sprintf("           … and %d more", len(lines)-most+1)))
	}
	return strings.Join(lines, "\n") + "\n"
}

// first names a list beside its first line.
func first(i int, name string) string {
	if i == 0 {
		return name
	}
	return ""
}

func size(known bool, n confgen.Bytes) string {
	if !known {
		return "not known"
	}
	return n.String()
}
