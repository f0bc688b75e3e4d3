package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// studyFlags say which study a command runs.
type studyFlags struct {
	study  string
	resume bool
}

func (f *studyFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.study, "study", "", "`name` of the study (default: made from the time)")
	flags.BoolVar(&f.resume, "resume", false, "go on with a study: the one named, else the latest unfinished one")
}

// resumable are the flags that go together with --resume; every other one is
// part of the study and cannot change.
var resumable = []string{"resume", "study", "force", "json", "events", "quiet", "no-color", "out"}

// named takes the study's name from the arguments, which --resume may have.
func (f *studyFlags) named(cmd *cobra.Command, args []string) error {
	name := cmd.Name()
	switch {
	case len(args) > 1:
		return usagef("%s resumes one study at a time, not %s; name one of them", name, strings.Join(args, ", "))
	case len(args) == 1:
		if !f.resume || f.study != "" {
			return usagef("%s takes no argument %q; name a study with --study %s, or resume it with --resume %s", name, args[0], args[0], args[0])
		}
		f.study = args[0]
	}
	return nil
}

// fresh gives a new study a name from the time, unless it has one.
func (f *studyFlags) fresh(kind study.Kind) {
	if f.study == "" {
		f.study = string(kind) + "-" + time.Now().UTC().Format("20060102-150405")
	}
}

// reopen finds the study of a kind to go on with.
func (f *studyFlags) reopen(cmd *cobra.Command, store *study.Store, kind study.Kind) (*study.Study, error) {
	var given string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(resumable, flag.Name) {
			given = flag.Name
		}
	})
	if given != "" {
		return nil, usagef("--%s contradicts --resume: a study goes on as it was planned; leave it out, or start a new study", given)
	}
	ctx := cmd.Context()
	if f.study == "" {
		latest, err := store.LatestUnfinished(ctx, kind)
		if errors.Is(err, study.ErrNone) {
			return nil, usagef("there is no unfinished %s to resume; start one (fbtune %s -h), or see fbtune studies", kind, kind)
		}
		if err != nil {
			return nil, err
		}
		f.study = latest
	}
	st, err := store.Load(ctx, f.study)
	if errors.Is(err, study.ErrNotFound) {
		return nil, usage(err)
	}
	if err != nil {
		return nil, err
	}
	return st, st.Adopt(ctx)
}

// withStore opens the studies of the work directory for a function.
func (e *env) withStore(ctx context.Context, use func(*study.Store) error) error {
	home, err := home(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return fmt.Errorf("make the work directory: %w", err)
	}
	store, err := study.Open(ctx, filepath.Join(home, "studies.db"))
	if err != nil {
		return err
	}
	return errors.Join(use(store), store.Close())
}

// folder returns where the files of a study are.
func (e *env) folder(name string) (string, error) {
	home, err := home(e)
	return filepath.Join(home, "studies", name), err
}

// benched runs a function with a bench that is closed afterwards.
func benched(ctx context.Context, setup tuner.Setup, sink tuner.Sink, run func(*tuner.Bench) (*tuner.Progress, error)) (*tuner.Progress, error) {
	bench, err := tuner.NewBench(ctx, setup, sink)
	if err != nil {
		return nil, err
	}
	progress, err := run(bench)
	return progress, errors.Join(err, bench.Close(ctx))
}

// begun marks the error of a name that is taken as one of the command line.
func begun(st *study.Study, err error) (*study.Study, error) {
	if errors.Is(err, study.ErrExists) {
		err = usage(err)
	}
	return st, err
}
