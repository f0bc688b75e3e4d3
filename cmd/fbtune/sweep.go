package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

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
	params, values []string // of the same length: a list for each setting
	modes          []string
	blocks         int
	studyFlags
	limitFlags
	serviceFlags
	likePublished bool
}

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
or a power cut --resume goes on where it was.

With --service the trials run on your own server instead of a private one: it is
stopped and started for each, with a copy of its firebird.conf, and an own database.
Its file comes back at the end; after a kill or a power cut by the next run, or by
fbtune restore --pending. User and password are ISC_USER and ISC_PASSWORD.`,
		Example: `  fbtune sweep --quick --param DefaultDbCachePages --values 256,512,1024,2048 --modes Classic,SuperClassic
  fbtune sweep --like-published --blocks 6
  fbtune sweep --param LockHashSlots --values 8191,30011,65521 --modes Classic --set LockMemSize=7M
  fbtune sweep --param DefaultDbCachePages --values 256,1024 --param LockHashSlots --values 8191,30011 --modes Classic
  fbtune sweep --service firebird3.0 --param DefaultDbCachePages --values 2048,65536
  fbtune sweep --resume`,
		Args: cobra.ArbitraryArgs, // counted by sweep
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.named(cmd, args); err != nil {
				return err
			}
			return e.withStore(cmd.Context(), f.storage, func(store *study.Store) error { return e.sweep(cmd, &f, store) })
		},
	}
	f.add(cmd)
	return cmd
}

func (f *sweepFlags) add(cmd *cobra.Command) {
	f.loadFlags.add(cmd)
	f.addPath(cmd)
	f.studyFlags.add(cmd)
	f.addSharing(cmd)
	f.limitFlags.add(cmd)
	f.serviceFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.params, "param", nil, "the `setting` that is varied; twice for two that are varied together")
	flags.StringArrayVar(&f.values, "values", nil, "its `values`, separated by commas, as written in firebird.conf; once for each --param")
	flags.StringSliceVar(&f.modes, "modes", []string{string(confgen.Super), string(confgen.SuperClassic), string(confgen.Classic)}, "`architectures`, separated by commas")
	flags.IntVar(&f.blocks, "blocks", 3, "how often every cell is measured")
	flags.BoolVar(&f.likePublished, "like-published", false, "repeat IBSurgeon's sweep of page buffers and show their figures beside it")
}

// sweep runs a new study, or goes on with one.
func (e *env) sweep(cmd *cobra.Command, f *sweepFlags, store *study.Store) error {
	ctx := cmd.Context()
	var (
		plan     tuner.Plan
		setup    tuner.Setup
		recorded tuner.Environment
		st       *study.Study
		err      error
	)
	if f.resume {
		if st, err = f.reopen(cmd, store, study.Sweep); err != nil {
			return err
		}
		if plan, recorded, err = tuner.ReadPlan(st); err != nil {
			return usage(err)
		}
		f.root, f.path, f.limit = plan.Root, plan.Path, fmt.Sprint(int64(plan.Cap))
		if err := f.resumed(ctx, cmd, plan.Service, &f.loadFlags); err != nil {
			return err
		}
		if setup, err = f.setup(ctx, e, plan.Load); err != nil {
			return err
		}
		err = f.use(e, &setup)
	} else {
		plan, setup, err = e.newPlan(cmd, f)
	}
	if err != nil {
		return err
	}
	measure := func(ctx context.Context, sink tuner.Sink) (*tuner.Progress, error) {
		return benched(ctx, setup, sink, func(bench *tuner.Bench) (*tuner.Progress, error) {
			if st == nil {
				st, err = tuner.NewStudy(ctx, store, f.study, plan, bench.Environment())
				st, err = f.begun(store, st, err)
			} else {
				err = f.comparable(st, recorded, bench.Environment())
			}
			if err != nil {
				return nil, err
			}
			return tuner.Sweep(ctx, bench, st, plan, bench.Environment(), e.control, sink)
		})
	}
	e.begins(f.study)
	return e.watched(ctx, measure, func(progress *tuner.Progress) error {
		result := progress.Result()
		if err := e.printSweep(result); err != nil {
			return err
		}
		if result.Complete && !slices.ContainsFunc(result.Cells, func(c tuner.CellResult) bool { return c.Status == tuner.CellOK }) {
			return errors.New("every cell failed")
		}
		return nil
	})
}

// sweepCalibration is how many runs of the control a sweep begins with when it
// is to choose its window.
const sweepCalibration = 3

// newPlan makes the plan the flags ask for.
func (e *env) newPlan(cmd *cobra.Command, f *sweepFlags) (tuner.Plan, tuner.Setup, error) {
	var none tuner.Setup
	load, err := f.load(cmd)
	if err != nil {
		return tuner.Plan{}, none, err
	}
	limits, err := f.limits()
	if err != nil {
		return tuner.Plan{}, none, err
	}
	f.chooseWindow(cmd, &load)
	plan := tuner.Plan{Blocks: f.blocks, Seed: uint64(rand.Uint32()), Load: load, Path: f.path, Limits: limits}
	if load.Auto || load.Warmup == 0 {
		plan.Calibration = sweepCalibration
	}
	if !f.likePublished && (len(f.params) != len(f.values) || len(f.params) > 2) {
		return plan, none, usagef("--param names %d setting(s) and --values has %d list(s): give one or two settings, and --values once for each", len(f.params), len(f.values))
	}
	if len(f.params) > 0 && len(f.values) > 0 {
		plan.Param, plan.Values = f.params[0], strings.Split(f.values[0], ",")
	}
	if len(f.params) > 1 && len(f.values) > 1 {
		plan.Second, plan.Others = f.params[1], strings.Split(f.values[1], ",")
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
	if err := f.locate(cmd.Context(), cmd, &f.loadFlags); err != nil {
		return plan, none, err
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
	if err := f.use(e, &setup); err != nil {
		return plan, none, err
	}
	plan.Cap, plan.Root, plan.Service = setup.Cap, setup.Firebird.Root, f.planned()
	f.fresh(study.Sweep)
	return plan, setup, nil
}

// completePlan adds what depends on the version, and checks all of it.
func (e *env) completePlan(plan *tuner.Plan, f *sweepFlags, inst firebird.Installation) error {
	for _, varied := range []struct {
		name   *string
		values []string
	}{{&plan.Param, plan.Values}, {&plan.Second, plan.Others}} {
		for i, value := range varied.values {
			varied.values[i] = strings.TrimSpace(value)
		}
		row, ok := confgen.Lookup(*varied.name)
		if !ok {
			continue // Validate says so
		}
		*varied.name = row.Name
		for _, value := range varied.values {
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

// watched runs a study with what shows it: the terminal view when a person
// watches, else plain lines. Whatever ends it, what was measured is shown by
// print.
func (e *env) watched(ctx context.Context, run func(context.Context, tuner.Sink) (*tuner.Progress, error), print func(*tuner.Progress) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	sink, closeSink, err := e.watcher(ctx, func() { cancel(errInterrupted) })
	if err != nil {
		return err
	}
	progress, err := run(ctx, sink)
	err = interrupted(ctx, errors.Join(err, closeSink()))
	if progress == nil {
		return err
	}
	return errors.Join(err, print(progress))
}

// watcher returns a sink that shows a sweep, and what ends the show.
func (e *env) watcher(ctx context.Context, stop func()) (tuner.Sink, func() error, error) {
	if !e.terminal || e.quiet || e.watch != nil {
		return e.sink()
	}
	record, closeFile, err := e.eventFile()
	if err != nil {
		return nil, nil, err
	}
	presses := 0
	e.control = &tuner.Control{}
	live := tui.NewLive(ctx, e.stdin, e.stderr, !e.resultOnTerminal(), e.control, func() {
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
