package tui

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/tuner"
)

var update = flag.Bool("update", false, "write the golden screens and the pictures of docs")

// sizes are the terminals that every screen is drawn for.
var sizes = []struct{ width, height int }{{80, 24}, {120, 40}, {60, 20}}

// watching puts the driver before a sweep that runs.
func watching(d *driver, events []tuner.Event) {
	l := viewOf(&feed{}, &tuner.Control{})
	for _, e := range events {
		l.feed.Event(e)
	}
	d.send(pushMsg{l})
	d.send(frameMsg{l.feed, events[len(events)-1].Time.Add(time.Second)})
}

// tours are the screens, each with the way to it.
var tours = []struct {
	name string
	way  func(*driver)
}{
	{"home", func(*driver) {}},
	{"recommend", func(d *driver) { d.keys("r") }},
	{"recommend-read", func(d *driver) { d.keys("r", "up", "enter", "down", "down", "down") }},
	{"check", func(d *driver) { d.keys("c") }},
	{"check-open", func(d *driver) { d.keys("c", "enter") }},
	{"measure", func(d *driver) { d.keys("m") }},
	{"sweep", func(d *driver) { d.keys("s") }},
	{"sweep-values", func(d *driver) { d.keys("s", "up", "up", "enter", "left", ">") }},
	{"tune", func(d *driver) { d.keys("t") }},
	{"live", func(d *driver) { watching(d, until(recorded(d.t), 9)) }},
	{"live-end", func(d *driver) { watching(d, recorded(d.t)); d.keys("s") }},
	{"studies", func(d *driver) { d.keys("e") }},
	{"results", func(d *driver) { d.keys("e", "enter") }},
	{"results-tune", func(d *driver) { d.keys("e", "down", "enter") }},
	{"database", func(d *driver) { d.keys("d", "down", "down", "enter", "down") }},
	{"output", func(d *driver) { d.keys("c", "x") }},
	{"keys", func(d *driver) { d.keys("e", "enter", "?") }},
}

func TestScreens(t *testing.T) {
	for _, tour := range tours {
		t.Run(tour.name, func(t *testing.T) {
			var all strings.Builder
			for _, size := range sizes {
				driven(t, size.width, size.height, func(d *driver) {
					tour.way(d)
					view := d.model.View()
					fmt.Fprintf(&all, "-- %dx%d --\n%s\n", size.width, size.height, trimmed(view))
					if n := strings.Count(view, "\n") + 1; n > size.height {
						t.Errorf("%d lines in a terminal of %d", n, size.height)
					}
				})
			}
			golden(t, tour.name+".golden", all.String())
		})
	}
}

// trimmed is a text without blanks at the ends of its lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func TestTooSmall(t *testing.T) {
	driven(t, 38, 12, func(d *driver) { d.shows("needs a terminal of 40 columns") })
}

// A terminal that changes its size is drawn anew.
func TestResize(t *testing.T) {
	driven(t, 120, 40, func(d *driver) {
		watching(d, until(recorded(t), 9))
		wide := d.model.View()
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if view := d.model.View(); view == wide || strings.Count(view, "\n") != 23 {
			t.Errorf("after the resize\n%s", view)
		}
	})
}
