package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/report"
)

// checks lists findings, worst first.
type checks struct {
	s        *services
	err      error
	known    bool
	findings []check.Finding
	names    []string // of what was checked
	notes    int
	table    grid
	opened   bool // the chosen finding is shown in full
	text     scroll
}

// newCheck returns the screen that checks every Firebird of this machine.
func newCheck(s *services) checks {
	return checks{s: s, table: grid{columns: []column{{"severity", 11, 0}, {"where", 24, 1}, {"what", 30, 0}}}}
}

// checkedMsg is what was found.
type checkedMsg struct {
	list []report.CheckedFile
	err  error
}

func (c checks) Title() string { return "Check" }
func (c checks) Typing() bool  { return false }
func (c checks) holds() bool   { return c.opened }

func (c checks) Init() tea.Cmd {
	return c.s.crew.cmd(func(ctx context.Context) tea.Msg {
		list, err := c.s.Check(ctx, nil)
		return checkedMsg{list, err}
	})
}

func (c checks) Keys() []key.Binding {
	if c.opened {
		return []key.Binding{bind("up/down", "scroll"), bind("enter", "close")}
	}
	return []key.Binding{bind("up/down", "choose"), bind("enter", "open"), bind("x", "all in full")}
}

func (c checks) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case checkedMsg:
		c.err, c.known = msg.err, true
		for _, file := range msg.list {
			c.names = append(c.names, file.Name())
			c.notes += len(file.Notes)
			c.findings = append(c.findings, file.Findings...)
		}
		slices.SortStableFunc(c.findings, func(a, b check.Finding) int {
			return cmp.Compare(slices.Index(check.Severities(), a.Severity), slices.Index(check.Severities(), b.Severity))
		})
		for _, f := range c.findings {
			c.table.rows = append(c.table.rows, []string{string(f.Severity), place(f), subject(f)})
		}
	case tea.KeyMsg:
		switch name := msg.String(); {
		case c.opened && (name == "esc" || name == "q" || name == "enter"):
			c.opened = false
		case c.opened:
			c.text = c.text.update(msg)
		case name == "enter" && c.table.at < len(c.findings):
			c.opened, c.text = true, scroll{text: opened(c.findings[c.table.at])}
		case name == "x":
			return c, push(newOutput(c.s, nil, "check"))
		default:
			c.table = c.table.update(msg, 10)
		}
	}
	return c, nil
}

// place is the file's name and line of a finding.
func place(f check.Finding) string {
	name := f.File[strings.LastIndexAny(f.File, `/\`)+1:]
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", name, f.Line)
	}
	return name
}

// subject is what a finding is about, and what the engine makes of it.
func subject(f check.Finding) string {
	about := f.Name
	if f.Written != "" {
		about += " = " + f.Written
	}
	return strings.TrimPrefix(about+": ", ": ") + f.EngineDoes
}

// opened is a finding in full.
func opened(f check.Finding) string {
	at := f.File
	if f.Line > 0 {
		at = fmt.Sprintf("%s, line %d", f.File, f.Line)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", headStyle.Render(strings.ToUpper(string(f.Severity))+"  "+f.Rule), at)
	if f.Name+f.Written != "" {
		fmt.Fprintf(&b, "%s = %s\n\n", f.Name, f.Written)
	}
	fmt.Fprintf(&b, "%s\nthe engine %s\n\n%s\n%s\n\n%s\n", headStyle.Render("Effect"), f.EngineDoes, headStyle.Render("Mend"), f.Instead, faintStyle.Render("source: "+f.Source))
	return b.String()
}

func (c checks) View(width, height int) string {
	switch {
	case c.err != nil && len(c.findings) == 0:
		return wrapped(alarmStyle.Render(c.err.Error()), width)
	case !c.known:
		return "checking …"
	case c.opened:
		return c.text.view(width, height)
	}
	top := fmt.Sprintf("%d findings in %s; %d notes on how it was read\n\n", len(c.findings), strings.Join(c.names, "; "), c.notes)
	if len(c.findings) == 0 {
		return wrapped(top, width) + "clean"
	}
	top = fit(top, width, 2) + "\n\n"
	return top + c.table.view(width, height-2)
}
