package tui

import (
	"context"
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/confgen"
)

// setup makes the command line of a sweep or a tuning.
type setup struct {
	s         *services
	kind      string // the command
	form      form
	ladders   []rung
	at        int  // of ladders
	choosing  bool // the ladders have the keys, not the form
	known     bool
	asked     int
	estimate  Estimate
	err       error
	estimated bool
}

// rung is a parameter with the part of its ladder that is tried.
type rung struct {
	Parameter
	on       bool
	low, top int // indices of values, both included
}

// parametersMsg lists what may be varied.
type parametersMsg struct {
	list []Parameter
	err  error
}

// estimateMsg is what the study would take.
type estimateMsg struct {
	asked    int
	estimate Estimate
	err      error
}

// chooseParameters is the button that goes to the ladders.
const chooseParameters = "Choose settings and values"

// most is how many settings a sweep varies together.
const mostSwept = 2

// newSetup returns the screen for a kind of study, sweep or tune.
func newSetup(s *services, kind string) setup {
	fields := []field{tick("Quick (a small database)", "--quick", true), text("Connections", "--connections", "20", ""), text("Warm-up", "--warmup", "3s with the small database, else 6s", "")}
	if kind == "sweep" {
		fields = append(fields, text("Blocks", "--blocks", "3", ""), text("Window", "--duration", "chosen by a calibration", "5s"))
	} else {
		fields = append(fields, text("Time", "--time", "20m", "20m"), text("Window", "--duration", "chosen by a calibration", ""))
	}
	for _, mode := range confgen.Modes() {
		fields = append(fields, tick(string(mode), "", kind == "tune" || mode == confgen.Super))
	}
	return setup{s: s, kind: kind, asked: 1, form: newForm(append(fields, action(chooseParameters), action(start))...)}
}

func (u setup) Title() string { return map[string]string{"sweep": "Sweep", "tune": "Tuning"}[u.kind] }
func (u setup) Typing() bool  { return !u.choosing && u.form.typing() }
func (u setup) holds() bool   { return u.choosing }

func (u setup) Init() tea.Cmd {
	return u.s.crew.cmd(func(ctx context.Context) tea.Msg {
		list, err := u.s.Parameters(ctx)
		return parametersMsg{list, err}
	})
}

func (u setup) Keys() []key.Binding {
	if u.choosing {
		return []key.Binding{bind("up/down", "setting"), bind("space", "tick"), bind("left/right", "fewer, more at the top"), bind("</>", "more, fewer at the bottom"), bind("enter", "done")}
	}
	return []key.Binding{bind("up/down", "move"), bind("space", "tick"), bind("enter", "next, do")}
}

// args is the command line that the screen stands for.
func (u setup) args() []string {
	args := append([]string{u.kind}, u.form.args()...)
	var modes []string
	for _, f := range u.form.fields {
		if f.kind == tickField && f.flag == "" && f.on {
			modes = append(modes, f.label)
		}
	}
	if len(modes) > 0 {
		args = append(args, "--modes", strings.Join(modes, ","))
	}
	var only []string
	for _, r := range u.ladders {
		if !r.on {
			continue
		}
		only = append(only, r.Name)
		switch values := r.Values[r.low : r.top+1]; {
		case u.kind == "sweep":
			args = append(args, "--param", r.Name, "--values", strings.Join(values, ","))
		case len(values) < len(r.Values):
			args = append(args, "--range", r.Name+"="+values[0]+".."+values[len(values)-1])
		}
	}
	if u.kind == "tune" && len(only) > 0 {
		args = append(args, "--only", strings.Join(append(only, confgen.ServerMode), ","))
	}
	return args
}

// question asks what the study would take.
func (u setup) question() (setup, tea.Cmd) {
	u.asked++
	args, asked := u.args(), u.asked
	return u, u.s.crew.cmd(func(ctx context.Context) tea.Msg {
		estimate, err := u.s.Estimate(ctx, args)
		return estimateMsg{asked, estimate, err}
	})
}

func (u setup) Update(msg tea.Msg) (Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case parametersMsg:
		if u.known {
			return u, nil
		}
		u.known, u.err = true, msg.err
		for i, p := range msg.list {
			u.ladders = append(u.ladders, rung{Parameter: p, on: u.kind == "sweep" && i == 0, top: len(p.Values) - 1})
		}
		return u.question()
	case estimateMsg:
		if msg.asked == u.asked {
			u.estimate, u.err, u.estimated = msg.estimate, msg.err, true
		}
	case tea.KeyMsg:
		if u.choosing {
			return u.choose(msg.String())
		}
		var (
			pressed string
			changed bool
		)
		u.form, pressed, changed = u.form.update(msg)
		switch {
		case pressed == chooseParameters && len(u.ladders) > 0:
			u.choosing = true
		case pressed == start && u.estimated && u.err == nil:
			return u, say(replaceMsg{newLive(u.s, u.args())})
		case changed:
			return u.question()
		}
	}
	return u, nil
}

// choose handles the keys of the ladders.
func (u setup) choose(name string) (Screen, tea.Cmd) {
	u.ladders = append([]rung{}, u.ladders...)
	r := &u.ladders[u.at]
	switch name {
	case "enter", "esc", "q":
		u.choosing = false
		return u, nil
	case "up", "k":
		u.at = (u.at + len(u.ladders) - 1) % len(u.ladders)
		return u, nil
	case "down", "j":
		u.at = (u.at + 1) % len(u.ladders)
		return u, nil
	case " ":
		r.on = !r.on && (u.kind != "sweep" || u.ticked() < mostSwept)
	case "left":
		r.top = max(r.top-1, r.low)
	case "right":
		r.top = min(r.top+1, len(r.Values)-1)
	case "<":
		r.low = max(r.low-1, 0)
	case ">":
		r.low = min(r.low+1, r.top)
	default:
		return u, nil
	}
	return u.question()
}

// ticked is how many settings are chosen.
func (u setup) ticked() (n int) {
	for _, r := range u.ladders {
		if r.on {
			n++
		}
	}
	return n
}

func (u setup) View(width, height int) string {
	tail := "\n" + u.needs(width) + "\n\n" + faintStyle.Render(commandLine(u.args(), width))
	if u.choosing {
		room := height - strings.Count(tail, "\n") - 1
		return fit(u.viewLadders(width, room), width, room) + "\n" + tail
	}
	return u.form.view(width) + tail
}

// needs says what the study takes, or what keeps it from being run.
func (u setup) needs(width int) string {
	e := u.estimate
	switch {
	case u.err != nil:
		return wrapped(alarmStyle.Render(u.err.Error()), width)
	case !u.estimated:
		return "working it out …"
	case e.Trials == 0:
		return fmt.Sprintf("about %s, and %s free on the disk", e.Time, e.Disk)
	}
	return fmt.Sprintf("%d trials, at most %s, and %s free on the disk", e.Trials, e.Time, e.Disk)
}

// viewLadders draws the settings around the chosen one.
func (u setup) viewLadders(width, height int) string {
	from := min(max(u.at-height/2, 0), max(len(u.ladders)-height, 0))
	var b strings.Builder
	for i, r := range u.ladders[from:min(from+max(height, 1), len(u.ladders))] {
		var values []string
		for j, v := range r.Values {
			if j >= r.low && j <= r.top {
				values = append(values, v)
			}
		}
		line := box(r.on) + " " + pad(r.Name, 26) + strings.Join(values, " ")
		if cut := len(r.Values) - len(values); cut > 0 {
			line += faintStyle.Render(fmt.Sprintf("  (%d left out)", cut))
		}
		b.WriteString(fit(marked(from+i == u.at, line), width, 1) + "\n")
	}
	return b.String()
}
