package tui

import (
	"context"
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// services are what every screen of the program works with.
type services struct {
	Functions
	crew *crew
}

// scroll is a text of which a part is shown: prose wrapped, rows of tables as
// they are.
type scroll struct {
	text string
	at   int // the first line
	left int // the first column of rows that are wider than the screen
}

func (s scroll) update(msg tea.KeyMsg) scroll {
	const page = 10
	step := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -page, "pgdown": page, "home": -1 << 20, "end": 1 << 20}[msg.String()]
	const aside = 8
	s.left = max(s.left+map[string]int{"left": -aside, "right": aside}[msg.String()], 0)
	s.at = min(max(s.at+step, 0), max(strings.Count(s.text, "\n")-1, 0))
	return s
}

// view draws what follows the first line, and says when there is more.
func (s scroll) view(width, height int) string {
	var lines []string
	for text := range strings.SplitSeq(strings.TrimRight(s.text, "\n"), "\n") {
		if row := strings.TrimSpace(text); strings.Contains(row, "  ") || strings.Trim(row, "-") == "" {
			lines = append(lines, ansi.Cut(text, s.left, s.left+width))
			continue
		}
		lines = append(lines, strings.Split(wrapped(text, width), "\n")...)
	}
	at := min(s.at, max(len(lines)-height, 0))
	lines = lines[at:]
	if len(lines) > height && height > 1 {
		lines = append(lines[:height-1:height-1], faintStyle.Render("… ↓ more"))
	}
	return strings.Join(lines, "\n")
}

// output runs a command of fbtune and shows what it prints.
type output struct {
	s    *services
	args []string
	next *entry // what may be done then
	feed *feed
	text scroll
	done bool

	ctx    context.Context // of the command
	cancel context.CancelCauseFunc
}

// newOutput returns a screen that runs a command. next may follow when it
// worked; nil for nothing.
func newOutput(s *services, next *entry, args ...string) output {
	o := output{s: s, args: args, next: next, feed: &feed{}}
	o.ctx, o.cancel = context.WithCancelCause(s.crew.ctx)
	return o
}

// printedMsg is what a command printed.
type printedMsg struct {
	of   *feed // of the screen that ran it
	text string
	err  error
}

func (o output) Title() string { return strings.Join(o.args[:min(len(o.args), 2)], " ") }
func (o output) Typing() bool  { return false }

// holds: while the command runs esc stops it.
func (o output) holds() bool { return !o.done }

func (o output) Keys() []key.Binding {
	keys := []key.Binding{bind("up/down/left/right", "scroll")}
	if o.next != nil && o.done {
		keys = append(keys, bind("enter", o.next.label))
	}
	return keys
}

func (o output) Init() tea.Cmd {
	return tea.Batch(frames(o.feed), o.s.crew.cmd(func(context.Context) tea.Msg {
		text, err := o.s.Command(o.ctx, o.args, o.feed.Event)
		o.cancel(nil)
		return printedMsg{o.feed, text, err}
	}))
}

func (o output) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case frameMsg:
		if msg.of == o.feed && !o.done {
			w, _, _ := o.feed.since(0)
			o.text.text = strings.Join(w.Notes, "\n")
			return o, frames(o.feed)
		}
	case printedMsg:
		if msg.of != o.feed {
			return o, nil
		}
		o.done = true
		o.text.text = msg.text
		if msg.err != nil {
			o.text.text = strings.TrimRight(msg.text, "\n") + "\n\n" + msg.err.Error()
			o.next = nil
		}
	case tea.KeyMsg:
		if name := msg.String(); !o.done && (name == "esc" || name == "q") {
			o.cancel(o.s.Stopped)
			return o, nil
		}
		if msg.String() == "enter" && o.next != nil && o.done {
			return o, o.next.do()
		}
		o.text = o.text.update(msg)
	}
	return o, nil
}

func (o output) View(width, height int) string {
	head := faintStyle.Render(commandLine(o.args, width)) + "\n\n"
	tail := ""
	switch {
	case !o.done:
		tail = "\n\n" + faintStyle.Render("working …")
	case o.next != nil:
		tail = "\n\n" + marked(true, "[ "+o.next.label+" ]")
	}
	return head + o.text.view(width, height-strings.Count(head+tail, "\n")-1) + tail
}

// commandLine is what would be typed, in lines of a width that a shell joins.
func commandLine(args []string, width int) string {
	var b strings.Builder
	b.WriteString("fbtune")
	column := b.Len()
	for _, arg := range args {
		if strings.ContainsAny(arg, " \"'$\\*?") || arg == "" {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		if column+1+len(arg)+2 > width { // room for the backslash
			b.WriteString(" \\\n ")
			column = 1
		}
		b.WriteString(" " + arg)
		column += 1 + len(arg)
	}
	return b.String()
}

// prompt asks for what a command needs before it is run.
type prompt struct {
	title string
	form  form
	run   func(form) (tea.Cmd, error)
	err   error
}

// ask returns a screen of fields with a button that runs a command.
func ask(title, does string, run func(form) (tea.Cmd, error), fields ...field) prompt {
	return prompt{title: title, form: newForm(append(fields, action(does))...), run: run}
}

func (p prompt) Title() string { return p.title }
func (p prompt) Typing() bool  { return p.form.typing() }
func (p prompt) Init() tea.Cmd { return nil }
func (p prompt) Keys() []key.Binding {
	return []key.Binding{bind("up/down", "move"), bind("enter", "next, do")}
}

func (p prompt) Update(msg tea.Msg) (Screen, tea.Cmd) {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return p, nil
	}
	var pressed string
	if p.form, pressed, _ = p.form.update(k); pressed != "" {
		var cmd tea.Cmd
		cmd, p.err = p.run(p.form)
		return p, cmd
	}
	return p, nil
}

func (p prompt) View(width, height int) string {
	view := p.form.view(width)
	if p.err != nil {
		view += "\n" + wrapped(alarmStyle.Render(p.err.Error()), width)
	}
	return view
}

// errEmpty asks for what a form lacks.
var errEmpty = errors.New("fill in the fields first")

// apply asks which installation gets files, shows what would be done, and does
// it when that is wanted.
func (s *services) apply(from string) tea.Cmd {
	return push(ask("Apply", "Show and try, change nothing", func(f form) (tea.Cmd, error) {
		to := f.value("To the installation")
		if to == "" || f.value("Files of") == "" {
			return nil, errEmpty
		}
		args := []string{"apply", "--from", f.value("Files of"), "--to", to}
		really := entry{label: "Put the new files in place", do: func() tea.Cmd { return push(newOutput(s, nil, append(args[:5:5], "--yes")...)) }}
		return push(newOutput(s, &really, append(args[:5:5], "--dry-run")...)), nil
	}, text("Files of", "", "a directory, or a study", from), text("To the installation", "", "its root, or the directory of its files, such as /etc/firebird/3.0", "")))
}

// diff asks which files are compared.
func (s *services) diff(with string) tea.Cmd {
	return push(ask("Compare", "Compare", func(f form) (tea.Cmd, error) {
		if f.value("Old") == "" || f.value("New") == "" {
			return nil, errEmpty
		}
		return push(newOutput(s, nil, "diff", f.value("Old"), f.value("New"))), nil
	}, text("Old", "", "a file or a directory, such as /etc/firebird/3.0", ""), text("New", "", "a file or a directory", with)))
}
