package tui

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen"
)

// recommend is a form whose advice changes with its inputs.
type recommend struct {
	s       *services
	form    form
	asked   int // how often advice was asked for; older answers are not shown
	advice  confgen.Advice
	err     error
	known   bool
	reading bool // the advice has the keys, not the form
	table   grid
	menu    menu
}

// adviceMsg is the advice on the inputs of a question.
type adviceMsg struct {
	asked  int
	advice confgen.Advice
	err    error
}

// Labels of the form, which are asked for by name.
const readAdvice = "Read the advice"

// newRecommend returns the form with what is probed where nothing is filled in.
func newRecommend(s *services) recommend {
	versions := []string{"as installed"}
	for _, v := range confgen.Lines() {
		versions = append(versions, v.String())
	}
	modes := []string{"chosen"}
	for _, m := range confgen.Modes() {
		modes = append(modes, string(m))
	}
	return recommend{
		s: s, asked: 1,
		form: newForm(
			choice("Firebird", "--firebird", versions...), choice("Architecture", "--mode", modes...),
			text("Connections", "--connections", "observed, else 20", ""),
			text("Memory", "--memory", "probed", ""), text("Share of it", "--share", "all of it; such as 50%", ""),
			text("Database", "--database", "NAME=PATH[,size=40G]", ""),
			action(readAdvice)),
		table: grid{columns: []column{{"setting", 26, 0}, {"group", 12, 2}, {"current", 12, 0}, {"recommended", 13, 0}, {"why", 12, 1}}},
	}
}

func (r recommend) Title() string { return "Recommend" }
func (r recommend) Typing() bool  { return !r.reading && r.form.typing() }
func (r recommend) Init() tea.Cmd { return r.question() }

// holds: from the advice esc goes back to the form.
func (r recommend) holds() bool { return r.reading }

func (r recommend) Keys() []key.Binding {
	if r.reading {
		return append([]key.Binding{bind("up/down", "setting")}, r.menu.keys()...)
	}
	return []key.Binding{bind("up/down", "move"), bind("left/right", "change"), bind("enter", "next, do")}
}

// question asks for the advice on the present inputs.
func (r recommend) question() tea.Cmd {
	args, asked := r.form.args(), r.asked
	return r.s.crew.cmd(func(ctx context.Context) tea.Msg {
		advice, err := r.s.Recommend(ctx, args)
		return adviceMsg{asked, advice, err}
	})
}

// entries are what can be done with the advice.
func (r recommend) entries() menu {
	args := append([]string{"recommend"}, r.form.args()...)
	return menu{entries: []entry{
		{"w", "write", func() tea.Cmd {
			return push(ask("Write", "Write the files", func(f form) (tea.Cmd, error) {
				if f.value("Directory") == "" {
					return nil, errEmpty
				}
				return push(newOutput(r.s, nil, append(args[:len(args):len(args)], f.args()...)...)), nil
			}, text("Directory", "-o", "a new directory", ""), tick("Overwrite files there", "--force", false)))
		}},
		{"f", "compare", func() tea.Cmd { return r.s.diff("") }},
		{"a", "apply", func() tea.Cmd { return r.s.apply("") }},
		{"x", "in full", func() tea.Cmd { return push(newOutput(r.s, nil, args...)) }},
	}}
}

func (r recommend) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case adviceMsg:
		if msg.asked == r.asked {
			r.advice, r.err, r.known = msg.advice, msg.err, true
			r.table.rows = settingRows(msg.advice)
			r.table.at = 0
		}
	case tea.KeyMsg:
		if r.reading {
			switch msg.String() {
			case "esc", "q":
				r.reading = false
				return r, nil
			}
			r.table = r.table.update(msg, 10)
			var cmd tea.Cmd
			r.menu, cmd = r.menu.update(msg)
			return r, cmd
		}
		var (
			pressed string
			changed bool
		)
		r.form, pressed, changed = r.form.update(msg)
		if pressed == readAdvice && r.err == nil && r.known {
			r.reading, r.menu = true, r.entries()
		}
		if changed {
			r.asked++
			return r, r.question()
		}
	}
	return r, nil
}

// settingRows lists the settings, those of a group together.
func settingRows(a confgen.Advice) [][]string {
	var rows [][]string
	for _, s := range a.Settings {
		name := s.Name
		if s.Changed {
			name += " *"
		}
		rows = append(rows, []string{name, s.Group, cmp.Or(s.Current, "-"), cmp.Or(s.Value, "-"), s.Why})
	}
	for _, d := range a.Databases {
		rows = append(rows, []string{d.Name + ": " + confgen.DefaultDbCachePages, "", "", fmt.Sprint(d.Pages), d.Why})
	}
	return rows
}

func (r recommend) View(width, height int) string {
	var top string
	if r.reading {
		top = r.menu.view() + "\n\n"
	} else {
		top = r.form.view(width) + "\n"
	}
	switch {
	case r.err != nil:
		return top + wrapped(alarmStyle.Render(r.err.Error()), width)
	case !r.known:
		return top + "working it out …"
	}
	top += fmt.Sprintf("%s for Firebird %s, %d connections; * changes\n", headStyle.Render(string(r.advice.Mode)), r.advice.Version, r.advice.Connections)
	top += budgetBar(r.advice, width) + "\n"
	if !r.reading {
		return top + r.table.view(width, height-strings.Count(top, "\n"))
	}
	why := ""
	if i := r.table.at; i < len(r.advice.Settings) {
		s := r.advice.Settings[i]
		why = "\n" + headStyle.Render(s.Name) + " (" + s.Group + "): " + s.Why
		if s.Risk != "" {
			why += " Risk: " + s.Risk
		}
		why = wrapped(why, width)
	}
	rest := height - strings.Count(top+why, "\n") - 1
	return top + fit(r.table.view(width, rest), width, rest) + "\n" + why
}

// budgetBar is what Firebird takes in the worst case, of what it may have.
func budgetBar(a confgen.Advice, width int) string {
	share := float64(a.Budget.Total.Worst) / float64(max(a.Memory, 1))
	label := fmt.Sprintf(" at most %s of %s", a.Budget.Total.Worst, a.Memory)
	return "memory " + bar(share, min(width-len(label)-9, 40)) + label
}
