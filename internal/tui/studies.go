package tui

import (
	"context"
	"fmt"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/internal/report"
)

// studies lists what was measured.
type studies struct {
	s     *services
	list  []report.Study
	err   error
	known bool
	table grid
}

// newStudies returns the list of the studies of the work directory.
func newStudies(s *services) studies {
	return studies{s: s, table: grid{columns: []column{{"study", 24, 0}, {"kind", 5, 2}, {"state", 18, 0}, {"trials", 6, 1}, {"failed", 6, 3}, {"best ops/s", 10, 1}}}}
}

func (l studies) Title() string { return "Results" }
func (l studies) Typing() bool  { return false }
func (l studies) Init() tea.Cmd { return l.s.readHome() }

func (l studies) Keys() []key.Binding {
	return []key.Binding{bind("up/down", "choose"), bind("enter", "open"), bind("g", "go on with it")}
}

func (l studies) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case homeMsg:
		l.list, l.err, l.known = msg.facts.Studies, msg.err, true
		l.table.rows = nil
		for _, s := range l.list {
			l.table.rows = append(l.table.rows, []string{s.Name, string(s.Kind), s.State(), strconv.Itoa(s.OK), strconv.Itoa(s.Failed), fmt.Sprintf("%.0f", s.Best)})
		}
	case tea.KeyMsg:
		if l.table.at >= len(l.list) {
			return l, nil
		}
		one := l.list[l.table.at]
		switch msg.String() {
		case "enter":
			return l, push(newResults(l.s, one.Name))
		case "g":
			if !one.Finished {
				return l, push(newLive(l.s, []string{string(one.Kind), "--resume", one.Name}))
			}
		default:
			l.table = l.table.update(msg, 10)
		}
	}
	return l, nil
}

func (l studies) View(width, height int) string {
	switch {
	case l.err != nil:
		return wrapped(alarmStyle.Render(l.err.Error()), width)
	case !l.known:
		return "reading …"
	case len(l.list) == 0:
		return "no studies yet: a sweep or a tuning makes them"
	}
	return l.table.view(width, height)
}

// results shows one study.
type results struct {
	s    *services
	name string
	err  error
	text scroll
	menu menu
}

// resultMsg is what a study came to, drawn.
type resultMsg struct {
	of, text string
	tuning   bool
	err      error
}

// newResults returns the screen of a study.
func newResults(s *services, name string) results { return results{s: s, name: name} }

func (r results) Title() string { return r.name }
func (r results) Typing() bool  { return false }
func (r results) Keys() []key.Binding {
	return append([]key.Binding{bind("up/down", "scroll")}, r.menu.keys()...)
}

func (r results) Init() tea.Cmd {
	return r.s.crew.cmd(func(ctx context.Context) tea.Msg {
		progress, err := r.s.Recorded(ctx, r.name)
		if err != nil {
			return resultMsg{of: r.name, err: err}
		}
		text, err := resultText(progress)
		return resultMsg{r.name, text, progress.Tuning.Sampler != "", err}
	})
}

func (r results) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case resultMsg:
		if msg.of == r.name {
			r.text.text, r.err, r.menu = msg.text, msg.err, r.entries(msg.tuning)
		}
	case tea.KeyMsg:
		r.text = r.text.update(msg)
		var cmd tea.Cmd
		r.menu, cmd = r.menu.update(msg)
		return r, cmd
	}
	return r, nil
}

// entries are what can be done with a study: only a tuning makes files.
func (r results) entries(tuning bool) menu {
	export := func() tea.Cmd {
		return push(ask("Export", "Write", func(f form) (tea.Cmd, error) {
			if f.value("File") == "" {
				return nil, errEmpty
			}
			return push(newOutput(r.s, nil, append([]string{"studies", "export", r.name}, f.args()...)...)), nil
		}, choice("Format", "--format", "json", "csv"), text("File", "-o", "a new file", "")))
	}
	m := menu{entries: []entry{
		{"x", "in full", func() tea.Cmd { return push(newOutput(r.s, nil, "studies", "show", r.name)) }},
		{"e", "export", export},
	}}
	if tuning {
		m.entries = append(m.entries,
			entry{"f", "diff", func() tea.Cmd { return r.s.diff(r.name) }},
			entry{"a", "apply", func() tea.Cmd { return r.s.apply(r.name) }})
	}
	return m
}

func (r results) View(width, height int) string {
	if r.err != nil {
		return wrapped(alarmStyle.Render(r.err.Error()), width)
	}
	if r.text.text == "" {
		return "reading …"
	}
	return r.menu.view() + "\n\n" + r.text.view(width, height-2)
}
