package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

func TestExitCode(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, exitDone},
		{fmt.Errorf("advise: %w", &confgen.Infeasible{}), exitFindings},
		{fmt.Errorf("try: %w", &confgen.DoesNotFit{}), exitFindings},
		{errRefused, exitFindings},
		{fmt.Errorf("%w: illegal line", errNotApplied), exitFindings},
		{usage(errors.New("no such flag")), exitUsage},
		{errors.New("disk full"), exitFailed},
		{context.DeadlineExceeded, exitFailed},
		{errInterrupted, exitInterrupted},
		{errors.Join(errInterrupted, errors.New("stop the server: timeout")), exitInterrupted},
	} {
		var stderr strings.Builder
		if got := exitCode(test.err, &stderr); got != test.want {
			t.Errorf("%v: exit code %d, want %d", test.err, got, test.want)
		}
		if said := stderr.Len() > 0; said != (test.err != nil) {
			t.Errorf("%v: standard error is %q", test.err, stderr.String())
		}
	}
}

// A command that a signal stops exits as interrupted, whatever error it stops
// with, and says what broke besides.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	for _, test := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{fmt.Errorf("load: %w", context.Canceled), "interrupted"},
		{errors.New("drop the copy: busy"), "interrupted: drop the copy: busy"},
		{fmt.Errorf("sweep: %w", errInterrupted), "sweep: interrupted"},
	} {
		got := ""
		if err := interrupted(ctx, test.err); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
	if err := errors.New("disk full"); interrupted(t.Context(), err) != err {
		t.Error("an error of a command that nobody stopped is changed")
	}
	_, err := captured(ctx, t, "probe", "--json")
	if code := exitCode(err, io.Discard); code != exitInterrupted {
		t.Errorf("probe that is stopped: exit code %d, want %d (%v)", code, exitInterrupted, err)
	}
}
