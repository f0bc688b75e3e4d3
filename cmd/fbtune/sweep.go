package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/internal/tui"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	loadFlags
	param         string
	values, modes []string
	blocks        int
	study         string
	resume        bool
	likePublished bool
}

// resumable are the flags that go together with --resume; every other one is
// part of the study and cannot change.
var resumable = []string{"resume", "study", "json", "events", "quiet", "no-color", "out"}

func sweepCommand(e *env) *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep [STUDY]",
		Short: "Measure every value of a setting in every architecture, as a table",
		Long: `Measure every value of a setting in every architecture, as a table.

Every cell runs on a fresh copy of the database and a fresh server, once in each
block, in random order, with the stock configuration first and last, so that a
machine that slows down meanwhile does not decide. The table marks the best cell
and every cell that cannot be told from it.

A sweep is a study: it is kept in the work directory, and after a Ctrl-C, a kill
or a power cut --resume goes on where it was.`,
		Example: `  fbtune sweep --quick --param DefaultDbCachePages --values 256,512,1024,2048 --modes Classic,SuperClassic
  fbtune sweep --like-published --blocks 6
  fbtune sweep --param LockHashSlots --values 8191,30011,65521 --modes Classic --set LockMemSize=7M
  fbtune sweep --resume`,
		Args: cobra.ArbitraryArgs, // counted by sweep
		RunE: func(cmd *cobra.Command, args []string) error { return e.sweep(cmd, &f, args) },
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.param, "param", "", "the `setting` that is varied")
	flags.StringSliceVar(&f.values, "values", nil, "its `values`, separated by commas, as written in firebird.conf")
	flags.StringSliceVar(&f.modes, "modes", []string{string(confgen.Super), string(confgen.SuperClassic), string(confgen.Classic)}, "`architectures`, separated by commas")
	flags.IntVar(&f.blocks, "blocks", 3, "how often every cell is measured")
	flags.StringVar(&f.study, "study", "", "`name` of the study (default: made from the time)")
	flags.BoolVar(&f.resume, "resume", false, "go on with a study: the one named, else the latest unfinished one")
	flags.BoolVar(&f.likePublished, "like-published", false, "repeat IBSurgeon's sweep of page buffers and show their figures beside it")
	return cmd
}

func (e *env) sweep(cmd *cobra.Command, f *sweepFlags, args []string) error {
	switch {
	case len(args) > 1:
		return usagef("sweep resumes one study at a time, not %s; name one of them", strings.Join(args, ", "))
	case len(args) == 1:
		if !f.resume || f.study != "" {
			return usagef("sweep takes no argument %q; name a study with --study %s, or resume it with --resume %s", args[0], args[0], args[0])
		}
		f.study = args[0]
	}
	home, err := home(e)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o755); err != nil {
		return fmt.Errorf("make the work directory: %w", err)
	}
	store, err := study.Open(cmd.Context(), filepath.Join(home, "studies.db"))
	if err != nil {
		return err
	}
	err = e.sweepIn(cmd, f, store)
	return errors.Join(err, store.Close())
}

// sweepIn runs a new study, or goes on with one.
func (e *env) sweepIn(cmd *cobra.Command, f *sweepFlags, store *study.Store) error {
	ctx := cmd.Context()
	var (
		plan     tuner.Plan
		setup    tuner.Setup
		recorded tuner.Environment
		st       *study.Study
		err      error
	)
	if f.resume {
		if st, err = reopen(cmd, f, store); err != nil {
			return err
		}
		if plan, recorded, err = tuner.ReadPlan(st); err != nil {
			return err
		}
		f.root, f.path, f.limit = plan.Root, plan.Path, fmt.Sprint(int64(plan.Cap))
		setup, err = f.setup(ctx, e, plan.Load)
	} else {
		plan, setup, err = e.newPlan(cmd, f)
	}
	if err != nil {
		return err
	}
	return e.watched(ctx, func(ctx context.Context, sink tuner.Sink) (*tuner.Progress, error) {
		bench, err := tuner.NewBench(ctx, setup, sink)
		if err != nil {
			return nil, err
		}
		if st == nil {
			st, err = tuner.NewStudy(ctx, store, f.study, plan, bench.Environment())
			if errors.Is(err, study.ErrExists) {
				err = usage(err)
			}
		} else {
			err = recorded.Same(bench.Environment())
		}
		if err != nil {
			return nil, errors.Join(err, bench.Close(ctx))
		}
		progress, err := tuner.Sweep(ctx, bench, st, plan, bench.Environment(), sink)
		return progress, errors.Join(err, bench.Close(ctx))
	})
}

// reopen finds the study to go on with.
func reopen(cmd *cobra.Command, f *sweepFlags, store *study.Store) (*study.Study, error) {
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
		latest, err := store.LatestUnfinished(ctx)
		if errors.Is(err, study.ErrNone) {
			return nil, usagef("there is no unfinished study to resume; start one with fbtune sweep --param ...")
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

// newPlan makes the plan the flags ask for.
func (e *env) newPlan(cmd *cobra.Command, f *sweepFlags) (tuner.Plan, tuner.Setup, error) {
	var none tuner.Setup
	load, err := f.load(cmd)
	if err != nil {
		return tuner.Plan{}, none, err
	}
	plan := tuner.Plan{
		Param: f.param, Values: f.values, Blocks: f.blocks, Seed: uint64(rand.Uint32()),
		Load: load, Path: f.path,
	}
	for _, text := range f.modes {
		mode, err := confgen.ParseMode(strings.TrimSpace(text))
		if err != nil {
			return plan, none, usage(err)
		}
		plan.Modes = append(plan.Modes, mode)
	}
	if f.likePublished {
		for _, fixed := range []string{"param", "values", "modes", "page-size", "connections"} {
			if cmd.Flags().Changed(fixed) {
				return plan, none, usagef("--%s is fixed by --like-published; leave one of them out", fixed)
			}
		}
		plan = plan.AsPublished()
	}
	if plan.Param == "" {
		return plan, none, usagef("name the setting to vary, such as --param DefaultDbCachePages, or --like-published")
	}
	inst, err := firebird.Choose(cmd.Context(), f.root)
	if err != nil {
		return plan, none, err
	}
	if err := e.completePlan(&plan, f, inst); err != nil {
		return plan, none, err
	}
	setup, err := f.setup(cmd.Context(), e, plan.Load)
	if err != nil {
		return plan, none, err
	}
	plan.Cap, plan.Root = setup.Cap, setup.Firebird.Root
	if f.study == "" {
		f.study = "sweep-" + time.Now().UTC().Format("20060102-150405")
	}
	return plan, setup, nil
}

// completePlan adds what depends on the version, and checks all of it.
func (e *env) completePlan(plan *tuner.Plan, f *sweepFlags, inst firebird.Installation) error {
	for i, value := range plan.Values {
		plan.Values[i] = strings.TrimSpace(value)
	}
	if row, ok := confgen.Lookup(plan.Param); ok {
		plan.Param = row.Name
		for _, value := range plan.Values {
			if err := row.CheckValue(inst.Version, value); err != nil {
				return usage(err)
			}
		}
	}
	base, err := f.settings(inst.Version)
	if err != nil {
		return err
	}
	for key, value := range plan.Base {
		if _, ok := base[key]; !ok {
			base[key] = value
		}
	}
	plan.Base = base
	return usage(plan.Validate())
}

// watched runs a sweep with what shows it: the terminal view when a person
// watches, else plain lines. Whatever ends it, what was measured is printed.
func (e *env) watched(ctx context.Context, sweep func(context.Context, tuner.Sink) (*tuner.Progress, error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sink, closeSink, err := e.watcher(ctx, func() { cancel(errInterrupted) })
	if err != nil {
		return err
	}
	progress, err := sweep(ctx, sink)
	err = interrupted(ctx, errors.Join(err, closeSink()))
	if progress == nil {
		return err
	}
	result := progress.Result()
	if printed := e.printSweep(result); printed != nil {
		return errors.Join(err, printed)
	}
	if err == nil && !slices.ContainsFunc(result.Cells, func(c tuner.CellResult) bool { return c.Status == tuner.CellOK }) {
		return errors.New("every cell failed")
	}
	return err
}

// watcher returns a sink that shows a sweep, and what ends the show.
func (e *env) watcher(ctx context.Context, stop func()) (tuner.Sink, func() error, error) {
	if !e.terminal || e.quiet {
		return e.sink()
	}
	record, closeFile, err := e.eventFile()
	if err != nil {
		return nil, nil, err
	}
	presses := 0
	live := tui.NewLive(ctx, e.stdin, e.stderr, !e.resultOnTerminal(), func() {
		if presses++; presses > 1 {
			e.giveUp()
		}
		stop()
	})
	return func(event tuner.Event) {
		record(event)
		live.Event(event)
	}, func() error { return errors.Join(live.Close(), closeFile()) }, nil
}

func (e *env) printSweep(r tuner.Result) error {
	if e.json {
		return e.printJSON("fbtune/sweep/1", r)
	}
	return e.print(func(w writer) error { return report.Sweep(w, r) })
}
