// Package tui shows a running sweep in the terminal.
//
// It is a view of the events of package tuner and of what [tuner.Progress]
// makes of them; it decides nothing.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// Live shows events on a terminal until it is closed.
type Live struct {
	program *tea.Program
	events  chan tuner.Event
	done    chan struct{} // closed when the view has ended
	err     error         // of the view; valid after done
	pump    sync.WaitGroup
}

// buffered is how many events a slow terminal may lag behind. A sweep sends a
// few a second.
const buffered = 4096

// NewLive opens the view on a terminal. When the user asks to stop, by q or
// Ctrl-C, stop is called: once for a clean end, and again for each further
// press. The last picture stays on the terminal when keep is set.
func NewLive(ctx context.Context, in io.Reader, out io.Writer, keep bool, stop func()) *Live {
	l := &Live{events: make(chan tuner.Event, buffered), done: make(chan struct{})}
	l.program = tea.NewProgram(model{stop: stop, keep: keep, now: time.Now()}, tea.WithContext(context.WithoutCancel(ctx)),
		tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	go func() {
		defer close(l.done)
		_, l.err = l.program.Run()
	}()
	l.pump.Go(func() {
		for e := range l.events {
			l.program.Send(eventMsg(e))
		}
	})
	return l
}

// Event shows one event. It never blocks: what a terminal that does not take
// output cannot show is left out of the picture, not of the result.
func (l *Live) Event(e tuner.Event) {
	select {
	case l.events <- e:
	default:
	}
}

// Close ends the view and gives the terminal back.
func (l *Live) Close() error {
	close(l.events)
	l.pump.Wait()
	l.program.Quit()
	<-l.done
	if l.err != nil && !errors.Is(l.err, tea.ErrProgramKilled) {
		return fmt.Errorf("show the sweep: %w", l.err)
	}
	return nil
}

// Messages of the view.
type (
	eventMsg  tuner.Event
	secondMsg time.Time
)

// model is the state of the view.
type model struct {
	progress tuner.Progress
	now      time.Time
	width    int
	stopping bool
	keep     bool
	stop     func()
	table    string // of what was measured, drawn when a trial ended
}

// everySecond lets the clock of the view go on.
func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(t time.Time) tea.Msg { return secondMsg(t) })
}

// Init starts the clock.
func (m model) Init() tea.Cmd { return everySecond() }

// Update takes a message into account.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case eventMsg:
		m.progress.Apply(tuner.Event(msg))
		m.now = time.Now()
		// A result is followed by the next trial or the end, except when it was
		// recorded before: a resumed study is drawn once, not for each of those.
		if msg.Kind == tuner.EventPlan || msg.Kind == tuner.EventLoaded || msg.Kind == tuner.EventTrial || msg.Kind == tuner.EventEnd {
			m.table = tableOf(&m.progress)
		}
	case secondMsg:
		m.now = time.Time(msg)
		return m, everySecond()
	case tea.WindowSizeMsg:
		m.width = msg.Width
	case tea.KeyMsg:
		switch msg.String() {
		case "q", "ctrl+c":
			m.stopping = true
			m.stop()
		}
	}
	return m, nil
}

// Styles, none of which carries a meaning of its own.
var (
	title = lipgloss.NewStyle().Bold(true)
	faint = lipgloss.NewStyle().Faint(true)
)

// View draws the picture.
func (m model) View() string {
	p := &m.progress
	if p.Ended && !m.keep {
		return ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, clip(m.head(), m.columns()))
	fmt.Fprintln(&b, m.state())
	if len(p.Recent) > 0 {
		fmt.Fprintf(&b, "%s\n", sparkline(p.Recent, max(10, m.columns()-2)))
	} else {
		fmt.Fprintln(&b)
	}
	if m.table != "" {
		fmt.Fprintln(&b)
		for line := range strings.Lines(m.table) {
			fmt.Fprintln(&b, clip(strings.TrimRight(line, "\n"), m.columns()))
		}
	}
	for _, note := range p.Notes[max(0, len(p.Notes)-3):] {
		fmt.Fprintf(&b, "%s\n", faint.Render(clip(note, m.columns())))
	}
	if p.Ended {
		return b.String()
	}
	return b.String() + "\n" + faint.Render(m.help()) + "\n"
}

// tableOf draws what was measured so far.
func tableOf(p *tuner.Progress) string {
	switch {
	case p.Plan.Blocks > 0:
		return report.SweepTable(p.Result())
	case p.Growth.Blocks > 0:
		return report.GrowthTable(p.GrowthResult())
	case p.Tuning.Sampler != "":
		outcome, err := p.Outcome()
		if err != nil {
			return err.Error() + "\n"
		}
		return report.ContendersTable(outcome)
	}
	return ""
}

// columns is the width of the terminal, 80 until it is known.
func (m model) columns() int {
	if m.width == 0 {
		return 80
	}
	return m.width
}

// head says how far the sweep is.
func (m model) head() string {
	p := &m.progress
	switch {
	case p.Tuning.Sampler != "" && p.Planned() > 0:
		return title.Render("fbtune tune") + fmt.Sprintf("  %d of %d trials, about %s left", len(p.Trials), p.Planned(), p.Left(m.now).Round(time.Second))
	case p.Tuning.Sampler != "":
		return title.Render("fbtune tune") + fmt.Sprintf("  %d trials, %s in all", len(p.Trials), p.Tuning.Time)
	case p.Growth.Blocks > 0:
		all, _ := p.Growth.Bound()
		return title.Render("fbtune bench growth") +
			fmt.Sprintf("  %d of %d trials, about %s left, at most %s in all", len(p.Trials), p.Planned(), p.Left(m.now).Round(time.Second), all)
	case p.Plan.Blocks == 0:
		return title.Render("fbtune") + "  preparing"
	}
	return title.Render("fbtune sweep "+p.Plan.Param) +
		fmt.Sprintf("  %d of %d trials, about %s left, at most %s in all", len(p.Trials), p.Plan.Runs(), p.Left(m.now).Round(time.Second), p.Plan.Bound())
}

// state says what runs now.
func (m model) state() string {
	p := &m.progress
	switch {
	case p.Ended && p.Cause != "":
		return "stopped: " + clip(p.Cause, m.columns()-9)
	case p.Ended:
		return "done"
	case p.Loading != "":
		return fmt.Sprintf("loading the database: %s %d of %d", p.Loading, p.Done, p.Total)
	case p.Cell == "":
		return ""
	}
	text := fmt.Sprintf("block %d of %d: %s, %s", p.Block+1, p.Blocks(), p.Cell, p.Phase)
	if p.Stage != "" {
		text = fmt.Sprintf("%s: %s, %s", p.Stage, p.Cell, p.Phase)
	}
	if p.Tick.Ops > 0 {
		text += fmt.Sprintf(", %d ops/s now, p95 %s, %d retries", p.Tick.Ops, p.Tick.P95.Round(100*time.Microsecond), p.Tick.Retries)
	}
	return clip(text, m.columns())
}

// help names the keys.
func (m model) help() string {
	if m.stopping {
		return "stopping: the trial is given up, the server ended; q again kills at once"
	}
	return "q stop and keep what was measured"
}

// clip cuts text to a width and to its first line.
func clip(text string, width int) string {
	text, _, _ = strings.Cut(text, "\n")
	return lipgloss.NewStyle().MaxWidth(max(1, width)).Render(text)
}

// bars are the heights of a sparkline.
var bars = []rune("▁▂▃▄▅▆▇█")

// sparkline draws the last values that fit in width, from zero up.
func sparkline(values []int64, width int) string {
	values = values[max(0, len(values)-width):]
	var top int64 = 1
	for _, v := range values {
		top = max(top, v)
	}
	line := make([]rune, len(values))
	for i, v := range values {
		line[i] = bars[min(int64(len(bars)-1), v*int64(len(bars))/top)]
	}
	return string(line)
}
