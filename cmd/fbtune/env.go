package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/renameio/v2/maybe"
	"golang.org/x/term"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// env is what a command gets from its surroundings, and the flags all commands
// share.
type env struct {
	stdin          *os.File
	stdout, stderr io.Writer
	getenv         func(string) string
	terminal       bool        // whether a person watches standard error
	sane           *term.State // of the terminal before a view took it; nil without one

	// Set when the terminal program runs a command: where its events and the
	// object of its result go, instead of to streams, and how a person acts on
	// its study.
	watch   tuner.Sink
	take    func(object any)
	begun   func(study string)
	control *tuner.Control

	json    bool
	quiet   bool
	noColor bool
	events  string // file for events, as JSON lines
	out     string // file or directory for the result
}

func newEnv() *env {
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv}
	if term.IsTerminal(int(os.Stderr.Fd())) && term.IsTerminal(int(os.Stdin.Fd())) {
		e.terminal = true
		if state, err := term.GetState(int(os.Stdin.Fd())); err == nil {
			e.sane = state
		}
	}
	return e
}

type writer = io.Writer

// resultOnTerminal reports whether the result will appear where the view was.
func (e *env) resultOnTerminal() bool {
	f, ok := e.stdout.(*os.File)
	return ok && e.out == "" && term.IsTerminal(int(f.Fd()))
}

// giveUp ends the process at once, as a second signal does. The terminal is
// given back first.
func (e *env) giveUp() {
	if e.sane != nil {
		_ = term.Restore(int(e.stdin.Fd()), e.sane) // nothing better can be done
	}
	os.Exit(exitInterrupted)
}

// run runs one command line.
func (e *env) run(ctx context.Context, args []string) error {
	root := rootCommand(e)
	root.SetArgs(args)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	return interrupted(ctx, root.ExecuteContext(ctx))
}

// version is that of the module this program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}

// home returns the work directory: FBTUNE_HOME, else a directory of fbtune's
// in the user's state directory. Root's own is closed to the account its
// private servers run as, so that is /var/lib/fbtune.
func home(e *env) (string, error) {
	if dir := e.getenv("FBTUNE_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	if os.Geteuid() == 0 {
		return "/var/lib/fbtune", nil
	}
	if dir := e.getenv("XDG_STATE_HOME"); dir != "" {
		return filepath.Join(dir, "fbtune"), nil
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the work directory: %w; set FBTUNE_HOME", err)
	}
	return filepath.Join(user, ".local", "state", "fbtune"), nil
}

// print writes a result to standard output, or to the file -o names, whole or
// not at all.
func (e *env) print(render func(io.Writer) error) error {
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return err
	}
	if e.out == "" {
		_, err := e.stdout.Write(b.Bytes())
		return err
	}
	if err := maybe.WriteFile(e.out, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// printJSON writes one JSON object: the schema's name and fbtune's version,
// then the fields of object.
func (e *env) printJSON(schema string, object any) error {
	if e.take != nil {
		e.take(object)
		return nil
	}
	fields, err := json.Marshal(object)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	head, err := json.Marshal(struct {
		Schema string `json:"schema"`
		Fbtune string `json:"fbtune"`
	}{schema, version()})
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	whole := bytes.TrimSuffix(head, []byte("}"))
	if rest := bytes.TrimPrefix(fields, []byte("{")); !bytes.Equal(rest, []byte("}")) {
		whole = append(append(whole, ','), rest...)
	} else {
		whole = append(whole, '}')
	}
	return e.print(func(w io.Writer) error {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, whole, "", "  "); err != nil {
			return fmt.Errorf("write JSON: %w", err)
		}
		pretty.WriteByte('\n')
		_, err := pretty.WriteTo(w)
		return err
	})
}

// sink returns where the events of a command go when no view is open: plain
// lines on standard error unless --quiet, and JSON lines in the --events file.
// close tells whether all events could be written.
func (e *env) sink() (s tuner.Sink, close func() error, err error) {
	record, close, err := e.eventFile()
	if err != nil {
		return nil, nil, err
	}
	lines := &plainLines{w: e.stderr}
	return func(event tuner.Event) {
		record(event)
		switch {
		case e.watch != nil:
			e.watch(event)
		case !e.quiet:
			lines.show(event)
		}
	}, close, nil
}

// begins tells the terminal program which study begins.
func (e *env) begins(study string) {
	if e.begun != nil {
		e.begun(study)
	}
}

// eventFile returns a sink that writes to the --events file.
func (e *env) eventFile() (tuner.Sink, func() error, error) {
	if e.events == "" {
		return func(tuner.Event) {}, func() error { return nil }, nil
	}
	f, err := os.Create(e.events)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("open the file of events: %w", err))
	}
	w := bufio.NewWriter(f)
	encoder := json.NewEncoder(w)
	var failed error
	record := func(event tuner.Event) {
		if failed == nil {
			failed = errors.Join(encoder.Encode(event), w.Flush())
		}
	}
	return record, func() error {
		if failed != nil {
			failed = fmt.Errorf("write the file of events: %w", failed)
		}
		return errors.Join(failed, f.Close())
	}, nil
}

// plainLines shows events as lines, one for each that a person waits for.
type plainLines struct {
	w        io.Writer
	progress tuner.Progress
	loading  string
}

func (p *plainLines) show(e tuner.Event) {
	p.progress.Apply(e)
	if line := p.line(e); line != "" {
		fmt.Fprintln(p.w, line)
	}
}

// line is what an event tells a person, or "".
func (p *plainLines) line(e tuner.Event) string {
	switch e.Kind {
	case tuner.EventNote:
		return e.Message
	case tuner.EventLoad:
		if p.loading == e.Phase {
			return ""
		}
		p.loading = e.Phase
		return "loading: " + e.Phase
	case tuner.EventPlan:
		if e.Tuning != nil {
			return report.TunePlan(*e.Tuning)
		}
		if e.Growth != nil {
			return report.GrowthPlan(*e.Growth)
		}
		return fmt.Sprintf("%d trials, at most %s", e.Plan.Runs(), e.Plan.Bound())
	case tuner.EventLoaded:
		p.loading = ""
		text := report.LoadingLine(e.Cell, *e.Loading)
		if e.Replayed {
			text += " (before)"
		}
		return text
	case tuner.EventLoadChosen:
		return fmt.Sprintf("chosen from the calibration: warm-up %s, window %s; about %s left", e.Load.Warmup, e.Load.Duration, p.progress.Left(e.Time).Round(time.Second))
	case tuner.EventBudget:
		return report.TuneBudget(*e.Budget)
	case tuner.EventTrial:
		left := p.progress.Left(e.Time).Round(time.Second)
		if e.Stage != "" && p.progress.Tuning.Sampler != "" {
			if p.progress.Planned() == 0 { // the calibration will tell
				return fmt.Sprintf("%s, trial %d: %s", e.Stage, len(p.progress.Trials)+1, e.Cell)
			}
			return fmt.Sprintf("%s, trial %d of %d: %s (about %s left)", e.Stage, len(p.progress.Trials)+1, p.progress.Planned(), e.Cell, left)
		}
		if e.Stage == tuner.StageCalibration {
			return fmt.Sprintf("calibration, run %d of %d: %s (about %s left)", e.Order+1, p.progress.Plan.Calibration, e.Cell, left)
		}
		return fmt.Sprintf("block %d of %d: %s (about %s left)", e.Block+1, p.progress.Blocks(), e.Cell, left)
	case tuner.EventResult:
		return p.resultLine(e)
	}
	return ""
}

func (p *plainLines) resultLine(e tuner.Event) string {
	first, _, _ := strings.Cut(e.Trial.Reason, "\n")
	text := fmt.Sprintf("  %.0f ops/s", e.Trial.OpsPerSecond)
	if first != "" {
		text = "  FAILED: " + first
	}
	if e.Replayed {
		text += fmt.Sprintf(" (measured before: %s block %d, %s)", e.Trial.Stage, e.Trial.Block+1, e.Trial.Cell)
	}
	for _, warning := range e.Trial.Warnings {
		text += "\n  warning: " + warning
	}
	return text
}
