package tui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/tuner"
)

// A panic in a command ends the others, the program and the view, and is told
// when the terminal is free again.
func TestPanicStopsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := program(t, 80, 24)
		ended := make(chan error, 1)
		d.crew.start(func() {
			<-d.crew.ctx.Done() // as a study does
			ended <- context.Cause(d.crew.ctx)
		}, func() {})
		d.do(d.crew.cmd(func(context.Context) tea.Msg { panic("broken") }))
		if !d.ended {
			t.Error("the program goes on")
		}
		d.crew.stop(nil)
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("the study ended with %v", err)
		}
		if err := d.crew.failed(); err == nil || !strings.Contains(err.Error(), "please report it: broken") {
			t.Errorf("failure %v", err)
		}
	})
}

// A panic of a whole program, as of its view, comes out of Live.Close, with the
// terminal given back.
func TestPanicOfTheViewIsReported(t *testing.T) {
	c := newCrew(context.Background())
	killed := make(chan struct{})
	c.start(func() { panic("drawn wrongly") }, func() { close(killed) })
	<-killed
	c.stop(nil)
	if err := c.failed(); err == nil || !strings.Contains(err.Error(), "drawn wrongly") {
		t.Errorf("failure %v", err)
	}
	c.start(func() { t.Error("started after the end") }, func() {})
	if msg := c.cmd(func(context.Context) tea.Msg { return "late" })(); msg != nil {
		t.Errorf("a command ran after the end: %v", msg)
	}
}

// stalled is a terminal that takes no output until it is let go.
type stalled struct{ let chan struct{} }

func (s stalled) Write(p []byte) (int, error) {
	<-s.let
	return len(p), nil
}

// No event blocks the study, though the terminal takes nothing: were it not so,
// the test would not end. Nothing is lost by it either.
func TestEventsDoNotWaitForTheTerminal(t *testing.T) {
	terminal := stalled{make(chan struct{})}
	l := NewLive(t.Context(), new(bytes.Buffer), terminal, true, &tuner.Control{}, func() {})
	events := recorded(t)
	for range 1000 {
		for _, e := range events[:40] {
			l.Event(e)
		}
	}
	for _, e := range events {
		l.Event(e)
	}
	state, _, _ := l.feed.since(0)
	if len(state.Trials) != 18 || !state.Ended {
		t.Errorf("%d trials, ended %t", len(state.Trials), state.Ended)
	}
	close(terminal.let)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// q asks to stop, and the last picture stays where that is wanted.
func TestLiveStopsAndKeeps(t *testing.T) {
	asked := make(chan struct{}, 1)
	var out bytes.Buffer
	l := NewLive(t.Context(), strings.NewReader("q"), &out, true, &tuner.Control{}, func() { asked <- struct{}{} })
	<-asked
	for _, e := range recorded(t) {
		l.Event(e)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "18 of 18 trials") || !strings.Contains(text, "\x1b[?25h") {
		t.Errorf("the last picture, or the cursor, is not there:\n%q", text)
	}
}

func TestStopTwiceGivesUp(t *testing.T) {
	presses := []int{}
	var m tea.Model = newApp(viewOf(&feed{}, &tuner.Control{}), func(n int) tea.Cmd { presses = append(presses, n); return nil })
	for range 2 {
		m, _ = m.Update(tea.KeyMsg{Type: tea.KeyCtrlC})
	}
	if len(presses) != 2 || presses[1] != 2 || !strings.Contains(m.View(), "again kills at once") {
		t.Errorf("presses %v, view\n%s", presses, m.View())
	}
}

// The processor time of a second of watching: 20 events, and the frames that
// are drawn of them, at 120x40. The metric is the share of one processor.
func BenchmarkWatching(b *testing.B) {
	events := recorded(b)
	var ticks []tuner.Event
	for _, e := range events {
		if e.Kind == tuner.EventTick || e.Kind == tuner.EventPhase {
			ticks = append(ticks, e)
		}
	}
	f := &feed{}
	for _, e := range events[:len(events)-1] {
		f.Event(e)
	}
	var m tea.Model = newApp(viewOf(f, &tuner.Control{}), func(int) tea.Cmd { return nil })
	m, _ = m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	n := 0
	for b.Loop() {
		for range int(time.Second / frame) {
			for range 20 / int(time.Second/frame) {
				f.Event(ticks[n%len(ticks)])
				n++
			}
			m, _ = m.Update(frameMsg{f, events[0].Time})
			if _, err := io.WriteString(io.Discard, m.View()); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N), "%core")
}
