package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/fbtune/fbtune/tuner"
)

// slowest is how often the terminal is written to at most, in a second.
const slowest = 10

// options are what all programs are started with. Signals are the command's.
func options(in io.Reader, out io.Writer) []tea.ProgramOption {
	return []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithFPS(slowest)}
}

// Terminal is where the program reads keys and draws.
type Terminal struct {
	In      io.Reader
	Out     *os.File
	NoColor bool // no colours, whatever the terminal can do
}

// colours fits the colours to the terminal that is drawn on, which need not be
// standard output.
func (t Terminal) colours() {
	output := termenv.NewOutput(t.Out)
	profile := output.EnvColorProfile() // heeds NO_COLOR
	if t.NoColor {
		profile = termenv.Ascii
	}
	lipgloss.SetColorProfile(profile)
	lipgloss.SetHasDarkBackground(output.HasDarkBackground())
}

// Run runs the interactive program until a person ends it, and returns the
// names of the studies that ran. Whatever ends it, what was started is ended and
// the terminal is as it was.
func Run(ctx context.Context, t Terminal, f Functions) ([]string, error) {
	t.colours()
	crew := newCrew(ctx)
	s := &services{Functions: f, crew: crew}
	first := newApp(newHome(s), func(presses int) tea.Cmd {
		if presses > 1 {
			f.GiveUp()
		}
		return func() tea.Msg {
			crew.stop(f.Stopped)
			return quitMsg{}
		}
	})
	program := tea.NewProgram(first, append(options(t.In, t.Out), tea.WithAltScreen())...)
	defer context.AfterFunc(ctx, func() { program.Send(endMsg{}) })() // a signal is as good as a key
	last, err := program.Run()
	crew.stop(f.Stopped)
	if failure := crew.failed(); failure != nil {
		return nil, failure
	}
	if err != nil {
		return nil, fmt.Errorf("show the program: %w", err)
	}
	return last.(app).finished, nil
}

// Live shows a study that was started outside the program until it is closed.
type Live struct {
	feed    feed
	program *tea.Program
	crew    *crew
	err     error // of the view; valid after crew.stop
}

// NewLive opens the view on a terminal. When the user asks to stop, stop is
// called: once for a clean end, and again for each further press. The last
// picture stays on the terminal when keep is set.
func NewLive(ctx context.Context, in io.Reader, out io.Writer, keep bool, control *tuner.Control, stop func()) *Live {
	l := &Live{crew: newCrew(context.WithoutCancel(ctx))}
	view := newApp(viewOf(&l.feed, control), func(int) tea.Cmd { stop(); return nil })
	view.keep = keep
	l.program = tea.NewProgram(view, options(in, out)...)
	l.crew.start(func() { _, l.err = l.program.Run() }, l.program.Kill)
	return l
}

// Event shows one event. It never blocks.
func (l *Live) Event(e tuner.Event) { l.feed.Event(e) }

// Close ends the view and gives the terminal back.
func (l *Live) Close() error {
	l.program.Send(lastMsg{})
	l.crew.stop(nil)
	if failure := l.crew.failed(); failure != nil {
		return failure
	}
	if l.err != nil && !errors.Is(l.err, tea.ErrProgramKilled) {
		return fmt.Errorf("show the study: %w", l.err)
	}
	return nil
}
