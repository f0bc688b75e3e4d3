package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/tui"
	"github.com/fbtune/fbtune/tuner"
)

func tuiCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "tui",
		Short: "Do all of this in an interactive program",
		Long: `Do all of this in an interactive program: advice, checks, measurements, sweeps
and tunings, live and afterwards.

It draws on standard error. What a study came to is printed on standard output
when the program has ended. Each screen shows its keys by ?; fbtune without
arguments does the same on a terminal.`,
		Example: "  fbtune tui\n  fbtune tui > results.txt",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !e.terminal {
				return usagef("there is no terminal to draw on; what the program does is also done by fbtune recommend, check, bench disk, sweep, tune, studies, diff and apply")
			}
			return e.tui(cmd.Context())
		},
	}
}

// tui runs the interactive program, then prints what its studies came to.
func (e *env) tui(ctx context.Context) error {
	out, ok := e.stderr.(*os.File)
	if !ok {
		return usagef("the program draws on a terminal, which standard error is not")
	}
	names, err := tui.Run(ctx, tui.Terminal{In: e.stdin, Out: out, NoColor: e.noColor}, e.functions())
	for _, name := range names {
		err = errors.Join(err, e.run(context.WithoutCancel(ctx), []string{"studies", "show", name}))
	}
	if cause := context.Cause(ctx); errors.Is(cause, errInterrupted) { // by a signal, not by a key
		err = errors.Join(cause, err)
	}
	return err
}

// inner returns the surroundings of a command that the terminal program runs,
// which prints into a buffer and asks nobody.
func (e *env) inner(out *bytes.Buffer, sink tuner.Sink) *env {
	if sink == nil {
		sink = func(tuner.Event) {}
	}
	return &env{stdin: e.stdin, stdout: out, stderr: out, getenv: e.getenv, watch: sink}
}

// printed runs a command and returns what it prints.
func (e *env) printed(ctx context.Context, args []string, sink tuner.Sink) (string, error) {
	var out bytes.Buffer
	err := e.inner(&out, sink).run(ctx, args)
	return out.String(), err
}

// objectOf runs a command and returns the object of its result, as its --json
// would print it. The error of findings is none here: they are in the object.
func objectOf[T any](ctx context.Context, e *env, args ...string) (T, error) {
	var (
		result T
		out    bytes.Buffer
	)
	inner := e.inner(&out, nil)
	inner.take = func(object any) {
		if o, ok := object.(T); ok {
			result = o
		}
	}
	err := inner.run(ctx, append(args, "--json"))
	if found := (*findings)(nil); errors.As(err, &found) {
		err = nil
	}
	return result, err
}

// study runs a sweep or a tuning and returns its name.
func (e *env) study(ctx context.Context, args []string, control *tuner.Control, sink tuner.Sink) (name string, err error) {
	var out bytes.Buffer
	inner := e.inner(&out, sink)
	inner.control = control
	inner.begun = func(study string) { name = study }
	inner.take = func(any) {} // it is shown from the study
	err = inner.run(ctx, append(args[:len(args):len(args)], "--json"))
	return name, err
}

// flagsOf parses the flags of a command line without running it.
func flagsOf(ctx context.Context, args []string, add func(*cobra.Command)) (*cobra.Command, error) {
	cmd := &cobra.Command{Use: strings.Join(args[:1], "")}
	cmd.SetContext(ctx)
	add(cmd)
	return cmd, usage(cmd.ParseFlags(args[1:]))
}
