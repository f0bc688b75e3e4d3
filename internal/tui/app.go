// Package tui is fbtune's interactive program, and the live view of a running
// study in the terminal.
//
// It is a view of fbtune's own commands ([Functions]) and of the events of
// package tuner; it decides nothing.
package tui

import (
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/help"
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Screen is one picture of the program. Update and View are pure: what takes
// time is a command that Update returns.
type Screen interface {
	Title() string
	Init() tea.Cmd
	Update(tea.Msg) (Screen, tea.Cmd)
	// View draws the screen in at most width columns and height lines.
	View(width, height int) string
	Keys() []key.Binding
	// Typing reports whether letters go into a field, so that q and ? do not
	// act.
	Typing() bool
}

// Messages by which screens ask the program for something.
type (
	pushMsg    struct{ screen Screen } // show a screen over this one
	replaceMsg struct{ screen Screen } // show a screen instead of this one
	endMsg     struct{}                // stop everything, then end the program
	quitMsg    struct{}                // end the program
	lastMsg    struct{}                // draw what there is and end the program
	finishMsg  string                  // a study ended whose result is to be printed after the program
)

// say returns a message as a command.
func say(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// push shows a screen over the present one.
func push(s Screen) tea.Cmd { return say(pushMsg{s}) }

// app is the program: a stack of screens, the last of which is shown.
type app struct {
	stack         []Screen
	width, height int
	explained     bool // the keys are shown
	stopping      bool
	stop          func(presses int) tea.Cmd // asked to end, for the first time and again
	presses       int
	closed        bool     // the last picture is drawn
	keep          bool     // it stays on the terminal
	finished      []string // studies whose results are printed in the end
}

// newApp returns the program with its first screen.
func newApp(first Screen, stop func(presses int) tea.Cmd) app {
	return app{stack: []Screen{first}, width: 80, height: 24, stop: stop}
}

func (a app) top() Screen { return a.stack[len(a.stack)-1] }

// Init starts the first screen.
func (a app) Init() tea.Cmd { return a.top().Init() }

// Update takes a message into account.
func (a app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
		return a, nil
	case pushMsg:
		a.stack = append(a.stack[:len(a.stack):len(a.stack)], msg.screen)
		return a, msg.screen.Init()
	case replaceMsg:
		a.stack = append(a.stack[:len(a.stack)-1:len(a.stack)-1], msg.screen)
		return a, msg.screen.Init()
	case finishMsg:
		a.finished = append(a.finished, string(msg))
		return a, nil
	case endMsg:
		return a.end()
	case quitMsg, crashedMsg:
		return a, tea.Quit
	case lastMsg:
		if l, ok := a.top().(live); ok {
			a, _ = a.forward(frameMsg{l.feed, time.Now()}, len(a.stack)-1) // what it asks for comes too late
		}
		a.closed = true
		return a, tea.Quit
	case tea.KeyMsg:
		if model, cmd, taken := a.key(msg); taken {
			return model, cmd
		}
		return a.forward(msg, len(a.stack)-1)
	}
	// What a screen waits for must reach it though another one is shown.
	var cmds []tea.Cmd
	for i := range a.stack {
		var cmd tea.Cmd
		a, cmd = a.forward(msg, i)
		cmds = append(cmds, cmd)
	}
	return a, tea.Batch(cmds...)
}

// forward gives a message to one screen.
func (a app) forward(msg tea.Msg, to int) (app, tea.Cmd) {
	stack := append([]Screen{}, a.stack...)
	var cmd tea.Cmd
	stack[to], cmd = stack[to].Update(msg)
	a.stack = stack
	return a, cmd
}

// key handles the keys that mean the same on every screen.
func (a app) key(msg tea.KeyMsg) (tea.Model, tea.Cmd, bool) {
	name := msg.String()
	switch {
	case name == "ctrl+c":
		model, cmd := a.end()
		return model, cmd, true
	case a.stopping && name == "q":
		model, cmd := a.end()
		return model, cmd, true
	case a.top().Typing() && name != "esc":
		return a, nil, false
	case a.explained:
		a.explained = false
		return a, nil, true
	case name == "?":
		a.explained = true
		return a, nil, true
	case name == "q" && len(a.stack) == 1:
		model, cmd := a.end()
		return model, cmd, true
	case (name == "q" || name == "esc") && len(a.stack) > 1:
		if s, holds := a.top().(interface{ holds() bool }); holds && s.holds() {
			return a, nil, false // it has a way of its own to end
		}
		model, cmd := a.pop()
		return model, cmd, true
	}
	return a, nil, false
}

// pop goes back to the screen below; from the first one the program ends.
func (a app) pop() (tea.Model, tea.Cmd) {
	if len(a.stack) == 1 {
		return a.end()
	}
	a.stack = a.stack[:len(a.stack)-1]
	return a, say(shownMsg{})
}

// shownMsg tells screens that the shown one is another now.
type shownMsg struct{}

// end stops everything and then the program.
func (a app) end() (tea.Model, tea.Cmd) {
	a.stopping = true
	a.presses++
	return a, a.stop(a.presses)
}

// View draws the shown screen between its title and its keys.
func (a app) View() string {
	if a.closed && !a.keep {
		return ""
	}
	const least, lines = 40, 10
	if a.width < least || a.height < lines {
		return fit("fbtune needs a terminal of 40 columns and 10 lines; make it larger", a.width, 2)
	}
	names := make([]string, len(a.stack))
	for i, s := range a.stack {
		names[i] = s.Title()
	}
	title := fit(titleStyle.Render("fbtune")+" "+strings.Join(names, " › "), a.width, 1)
	room := a.height - 3
	body := ""
	if a.explained {
		body = a.explanation()
	} else {
		body = a.top().View(a.width, room)
	}
	body = fit(body, a.width, room)
	body += strings.Repeat("\n", max(room-1-strings.Count(body, "\n"), 0))
	return title + "\n\n" + body + "\n" + a.footer()
}

// keys are those of the shown screen and those of every screen, the one that
// explains them first: what does not fit is left out.
func (a app) keys() []key.Binding {
	keys := append([]key.Binding{bind("?", "keys")}, a.top().Keys()...)
	if len(a.stack) > 1 {
		keys = append(keys, bind("esc", "back"))
	}
	return append(keys, bind("ctrl+c", "end"))
}

// footer names the keys, or what is waited for.
func (a app) footer() string {
	if a.stopping {
		return fit(alarmStyle.Render("stopping: the trial is given up, the server ended; again kills at once"), a.width, 1)
	}
	h := help.New()
	h.Width = a.width
	h.Styles.ShortKey, h.Styles.ShortDesc, h.Styles.ShortSeparator, h.Styles.Ellipsis = headStyle, faintStyle, faintStyle, faintStyle
	return fit(h.ShortHelpView(a.keys()), a.width, 1)
}

// explanation lists the keys of the shown screen.
func (a app) explanation() string {
	var b strings.Builder
	b.WriteString(headStyle.Render("Keys of this screen") + "\n\n")
	for _, k := range a.keys() {
		b.WriteString("  " + pad(k.Help().Key, 14) + k.Help().Desc + "\n")
	}
	b.WriteString("\n" + faintStyle.Render("any key goes back"))
	return b.String()
}
