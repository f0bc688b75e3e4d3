package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/fbtune/fbtune/tuner"
)

// A sweep from the first screen to its exported trials, by keys alone.
func TestSweepByKeys(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("s")
		d.keys("up", "up", "enter", "left", "left", "left", "left", "enter") // two values
		d.shows("--values 64,128", "at most")
		d.keys("down", "enter")
		if want := "sweep --quick --duration 5s --modes Super --param DefaultDbCachePages --values 64,128"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
		d.shows("Live", "18 of 18 trials", "done")
		d.keys("enter")
		d.shows("sweep-20261201-101015", "control (stock, Super): 437")
		d.keys("right", "enter", "right", "down")
		d.keys("trials.csv", "enter", "enter")
		if want := "studies export sweep-20261201-101015 --format csv -o trials.csv"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
		d.keys("q", "q", "esc", "esc")
		d.shows("What next")
		d.keys("q")
		if !d.ended || !slices.Equal(d.model.(app).finished, []string{"sweep-20261201-101015"}) {
			t.Errorf("ended %t, finished %q", d.ended, d.model.(app).finished)
		}
	})
}

// Inputs that cannot be run are refused, and what is tried is no more than two
// settings.
func TestSetupRefuses(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("s", "up", "up", "enter", "space")
		d.shows("name the setting to vary")
		d.keys("enter", "down", "enter")
		if len(d.ran) > 0 {
			t.Errorf("ran %q", d.command())
		}
		d.keys("up", "enter", "space", "down", "space", "down", "space")
		d.shows("--param DefaultDbCachePages", "--param LockHashSlots", "[ ] GCPolicy")
	})
}

func TestTuneByKeys(t *testing.T) {
	driven(t, 120, 40, func(d *driver) {
		d.keys("t", "up", "up", "enter", "space", "left", "enter", "down", "enter")
		want := "tune --quick --time 20m --modes Super,SuperClassic,Classic --range DefaultDbCachePages=64..1024 --only DefaultDbCachePages,ServerMode"
		if d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
	})
}

func TestRecommendByKeys(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("r", "down", "down", "99")
		d.shows("400 connections")
		d.keys("down", "down", "down", "down", "enter", "enter")
		d.shows("Write")
		d.keys("enter", "down", "enter")
		d.shows("fill in the fields first")
		d.keys("up", "up", "advised", "down", "down", "enter")
		if want := "recommend --connections 99 -o advised"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
		d.shows("what fbtune recommend --connections 99 -o advised prints")
		d.keys("esc", "esc", "esc")
		d.shows("[ Read the advice ]")
	})
}

// Files are shown and tried before anything is put in place.
func TestApplyByKeys(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("e", "down", "enter", "a", "down", "/etc/firebird/3.0", "down", "enter")
		if want := "apply --from tune-20261130-220000 --to /etc/firebird/3.0 --dry-run"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
		d.shows("[ Put the new files in place ]")
		d.keys("enter")
		if want := "apply --from tune-20261130-220000 --to /etc/firebird/3.0 --yes"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
	})
}

func TestMeasureByKeys(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("m", "/mnt/old", "down", "/mnt/new", "down", "down", "space", "down", "enter")
		if want := "bench disk --path /mnt/old --path /mnt/new"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
		d.shows("[ Next: second ]")
		d.keys("enter")
		if want := "bench second --path /mnt/old"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
	})
}

func TestDatabaseByKeys(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("d", "/nowhere.fdb", "enter", "enter")
		d.shows("no such file")
		d.keys("down", "enter", "down", "down", "down", "down")
		d.shows("a crash of the machine may damage the database")
	})
}

func TestGoesOnWithAStudy(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		d.keys("e", "g")
		if len(d.ran) > 0 {
			t.Errorf("went on with a finished study: %q", d.command())
		}
		d.keys("down", "g")
		if want := "tune --resume tune-20261130-220000"; d.command() != want {
			t.Errorf("ran %q, want %q", d.command(), want)
		}
	})
}

// Keys of a running study act on its control, and leave the screen only when it
// ended.
func TestLiveKeys(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		watching(d, until(recorded(t), 9))
		d.keys("p")
		d.shows("PAUSED after this trial")
		d.keys("p", "k")
		d.shows("cannot be skipped")
		d.keys("esc")
		d.shows("Live", "it runs")
		d.keys("b")
		d.shows("best ops/s so far")
		first := func() string {
			_, rest, _ := strings.Cut(d.model.View(), "\n"+chosen)
			return strings.Fields(rest)[0]
		}
		newest := first()
		d.keys("s")
		if best := first(); newest != "9" || best != "1" {
			t.Errorf("first row %s sorted by time and %s by score, want 9 and 1", newest, best)
		}
		d.keys("q")
		if !d.ended {
			t.Error("q does not end the program")
		}
	})
}

// A tuning is judged by what the study says, and its search can be ended.
func TestLiveOfATuning(t *testing.T) {
	driven(t, 120, 40, func(d *driver) {
		progress := tuned(t)
		events := []tuner.Event{{Kind: tuner.EventPlan, Tuning: &progress.Tuning, Environment: &progress.Environment, Time: recorded(t)[0].Time}}
		for i := range progress.Trials {
			events = append(events, tuner.Event{Kind: tuner.EventResult, Trial: &progress.Trials[i], Replayed: true, Time: events[0].Time})
		}
		watching(d, events)
		d.keys("s")
		d.shows("* may be best", "confirmation")
		d.keys("c")
		d.shows("race and confirmation of the best follow")
	})
}

// A command that runs is stopped before its screen is left.
func TestOutputIsStopped(t *testing.T) {
	driven(t, 80, 24, func(d *driver) {
		s := &services{crew: d.crew, Functions: Functions{
			Stopped: errors.New("stopped by a person"),
			Command: func(ctx context.Context, _ []string, _ tuner.Sink) (string, error) {
				<-ctx.Done()
				return "half of it", context.Cause(ctx)
			},
		}}
		var o Screen = newOutput(s, nil, "bench", "disk")
		answer := make(chan tea.Msg)
		go func() { answer <- o.Init()().(tea.BatchMsg)[1]() }()
		synctest.Wait()
		d.send(pushMsg{idle{o}})
		d.keys("esc")
		d.shows("working")
		d.send(<-answer)
		d.shows("half of it", "stopped by a person")
		d.keys("esc")
		d.shows("What next")
	})
}

// idle is a screen that was started elsewhere.
type idle struct{ Screen }

func (i idle) Init() tea.Cmd { return nil }
func (i idle) holds() bool   { return i.Screen.(output).holds() }
func (i idle) Update(msg tea.Msg) (Screen, tea.Cmd) {
	next, cmd := i.Screen.Update(msg)
	return idle{next}, cmd
}
