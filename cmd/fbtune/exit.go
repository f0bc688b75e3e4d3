package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fbtune/fbtune/confgen"
)

// Exit codes, the same for all commands.
const (
	exitDone        = 0
	exitFindings    = 1   // findings, or an input refused as infeasible
	exitUsage       = 2   // the command line is wrong
	exitFailed      = 3   // something that should have worked did not
	exitInterrupted = 130 // a signal, or q in the terminal view
)

// exitHelp is part of every command's help.
const exitHelp = `
Exit status: 0 done; 1 findings, or refused as infeasible; 2 usage; 3 failed; 130 interrupted.`

// errInterrupted is the cause of a context that a signal ended.
var errInterrupted = errors.New("interrupted")

// usageError is a fault of the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usage marks an error as one of the command line; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err: err}
}

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// interrupted makes an error that came while everything was being stopped on a
// person's request say so first: what broke then broke for that reason.
func interrupted(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, errInterrupted), !errors.Is(context.Cause(ctx), errInterrupted):
		return err
	case errors.Is(err, context.Canceled):
		return errInterrupted
	}
	return fmt.Errorf("%w: %w", errInterrupted, err)
}

// findings is the error of a result, already printed, that a person must look
// at.
type findings struct{ text string }

func (f *findings) Error() string { return f.text }

// findingsError ends a command with the exit code of findings.
func findingsError(format string, args ...any) error { return &findings{fmt.Sprintf(format, args...)} }

// exitCode prints an error for a person and returns the exit code it stands
// for.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitDone
	}
	fmt.Fprintln(stderr, "fbtune:", err)
	var (
		wrongUsage *usageError
		infeasible *confgen.Infeasible
		tooLarge   *confgen.DoesNotFit
		found      *findings
	)
	switch {
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case errors.As(err, &wrongUsage):
		return exitUsage
	case errors.As(err, &infeasible), errors.As(err, &tooLarge), errors.As(err, &found), errors.Is(err, errRefused), errors.Is(err, errNotApplied):
		return exitFindings
	}
	return exitFailed
}
