package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/tuner/study"
)

// tuneFlags are the flags of tune.
type tuneFlags struct {
	loadFlags
	studyFlags
	modes       []string
	only        []string
	fix, ranges []string
	conf        string
	trials      int
	time        time.Duration
	margin      string
	sampler     string
	limitFlags
	serviceFlags
	samplerSeed uint64
}

func tuneCommand(e *env) *cobra.Command {
	var f tuneFlags
	cmd := &cobra.Command{
		Use:   "tune [STUDY]",
		Short: "Search for the best configuration, and say how sure that is",
		Long: `Search for the best configuration, and say how sure that is.

The configuration in use runs first, then stock again and again, to learn how much
the machine varies, then the advised one and what a sampler proposes, with stock in
between to cancel drift. The best go into randomised blocks, and the winner of those
is measured once more in fresh blocks beside stock, the present and the advised
configuration: only these decide. What cannot be told apart goes to the one that
takes the least memory.

The files of the winner are in the work directory; fbtune apply --from STUDY puts
them in place. After a Ctrl-C, a kill or a power cut --resume goes on. With
--service the trials run on your own server, as fbtune sweep -h says.`,
		Example: `  fbtune tune --time 20m
  fbtune tune --quick --trials 60 --modes Super,SuperClassic
  fbtune tune --time 2h --only DefaultDbCachePages,LockHashSlots --fix ServerMode=Classic
  fbtune tune --time 1h --range DefaultDbCachePages=2048..131072 --max-p99 200ms
  fbtune tune --time 2h --service firebird3.0
  fbtune tune --resume`,
		Args: cobra.ArbitraryArgs, // counted by named
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.named(cmd, args); err != nil {
				return err
			}
			return e.withStore(cmd.Context(), f.storage, func(store *study.Store) error { return e.tune(cmd, &f, store) })
		},
	}
	f.add(cmd)
	return cmd
}

func (f *tuneFlags) add(cmd *cobra.Command) {
	f.loadFlags.add(cmd)
	f.addPath(cmd)
	f.studyFlags.add(cmd)
	f.addSharing(cmd)
	f.limitFlags.add(cmd)
	f.serviceFlags.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.trials, "trials", 0, "the whole budget in trials")
	flags.DurationVar(&f.time, "time", 0, "the whole budget in time, loading not counted (default: 20m)")
	flags.StringSliceVar(&f.modes, "modes", []string{string(confgen.Super), string(confgen.SuperClassic), string(confgen.Classic)}, "`architectures` to choose from, separated by commas")
	flags.StringSliceVar(&f.only, "only", nil, "the `settings` searched, separated by commas (default: those the load feels)")
	flags.StringArrayVar(&f.fix, "fix", nil, "a setting held in every candidate, `Key=Value` (repeatable)")
	flags.StringArrayVar(&f.ranges, "range", nil, "a setting searched in a range, `Key=lo..hi` (repeatable)")
	flags.StringVar(&f.conf, "conf", "", "the firebird.conf in use (`FILE`; default: the installation's)")
	flags.StringVar(&f.margin, "margin", "5%", "the relative `difference` that does not matter")
	flags.StringVar(&f.sampler, "sampler", search.Default, "one of "+strings.Join(search.Names(), ", "))
	flags.Uint64Var(&f.samplerSeed, "search-seed", 0, "seed of the search and of the order (default: drawn)")
}

// tune runs a new study, or goes on with one.
func (e *env) tune(cmd *cobra.Command, f *tuneFlags, store *study.Store) error {
	ctx := cmd.Context()
	var (
		plan     tuner.Tuning
		setup    tuner.Setup
		recorded tuner.Environment
		st       *study.Study
		using    request // what is in use
		err      error
	)
	if f.resume {
		if st, err = f.reopen(cmd, store, study.Tune); err != nil {
			return err
		}
		if plan, recorded, err = tuner.ReadTuning(st); err != nil {
			return usage(err)
		}
		f.root, f.path, f.limit = plan.Root, plan.Path, fmt.Sprint(int64(plan.Cap))
		if err := f.resumed(ctx, cmd, plan.Service, &f.loadFlags); err != nil {
			return err
		}
		if setup, err = f.setup(ctx, e, plan.Load); err != nil {
			return err
		}
		if err := f.use(e, &setup); err != nil {
			return err
		}
		f.conf = plan.Source
		using, err = f.current(setup)
	} else {
		plan, using, setup, err = e.newTuning(cmd, f)
	}
	if err != nil {
		return err
	}
	measure := func(ctx context.Context, sink tuner.Sink) (*tuner.Progress, error) {
		for _, note := range using.notes {
			sink(tuner.Event{Time: time.Now(), Kind: tuner.EventNote, Message: note})
		}
		return benched(ctx, setup, sink, func(bench *tuner.Bench) (*tuner.Progress, error) {
			environment := bench.Environment()
			if st != nil {
				if err := f.comparable(st, recorded, environment); err != nil {
					return nil, err
				}
				return tuner.Tune(ctx, bench, st, plan, recorded, e.control, sink)
			}
			if plan.Advised, err = advised(setup, environment); err != nil {
				return nil, err
			}
			made, err := tuner.NewTuning(ctx, store, f.study, plan, environment)
			st, err := f.begun(store, made, err)
			if err != nil {
				return nil, err
			}
			return tuner.Tune(ctx, bench, st, plan, environment, e.control, sink)
		})
	}
	e.begins(f.study)
	return e.watched(ctx, measure, func(progress *tuner.Progress) error {
		outcome, err := progress.Outcome()
		if err != nil {
			return err
		}
		return e.printOutcome(outcome, f.study, using.base)
	})
}

// newTuning makes the plan the flags ask for, but for what is advised.
func (e *env) newTuning(cmd *cobra.Command, f *tuneFlags) (plan tuner.Tuning, using request, setup tuner.Setup, err error) {
	load, err := f.load(cmd)
	if err != nil {
		return plan, using, setup, err
	}
	f.chooseWindow(cmd, &load)
	if len(f.set) > 0 {
		return plan, using, setup, usagef("--set %s: tune holds a setting in every candidate by --fix %s", f.set[0], f.set[0])
	}
	if err := f.locate(cmd.Context(), cmd, &f.loadFlags); err != nil {
		return plan, using, setup, err
	}
	if f.asked() {
		if f.conf != "" {
			return plan, using, setup, usagef("--conf %s: the configuration in use is that of the service; leave --conf out", f.conf)
		}
		f.conf = f.target.FirebirdConf
	}
	if setup, err = f.setup(cmd.Context(), e, load); err != nil {
		return plan, using, setup, err
	}
	if err := f.use(e, &setup); err != nil {
		return plan, using, setup, err
	}
	plan = tuner.Tuning{
		Version: setup.Firebird.Version, Only: f.only, Fix: f.fix, Ranges: f.ranges,
		Sampler: f.sampler, Seed: f.samplerSeed, Trials: f.trials, Time: f.time, Load: load,
		Cap: setup.Cap, Path: f.path, Root: setup.Firebird.Root, Service: f.planned(),
	}
	if plan.Seed == 0 {
		plan.Seed = uint64(rand.Uint32())
	}
	if plan.Trials == 0 && plan.Time == 0 {
		plan.Time = defaultTime
	}
	for _, text := range f.modes {
		mode, err := confgen.ParseMode(strings.TrimSpace(text))
		if err != nil {
			return plan, using, setup, usage(err)
		}
		plan.Modes = append(plan.Modes, mode)
	}
	if plan.Margin, err = confgen.ParseShare(f.margin); err != nil {
		return plan, using, setup, usage(fmt.Errorf("--margin: %w", err))
	}
	if plan.Margin == 0 {
		plan.Margin = stats.DefaultMargin
	}
	if plan.Limits, err = f.limits(); err != nil {
		return plan, using, setup, err
	}
	if using, err = f.current(setup); err != nil {
		return plan, using, setup, err
	}
	if current := confgen.Performance(using.input.Current); len(current) > 0 {
		plan.Current, plan.Source = current, using.base.Conf.Name()
	}
	if err := plan.Validate(); err != nil {
		return plan, using, setup, usage(err)
	}
	if _, err := plan.Space(tuner.Environment{Firebird: setup.Firebird, Load: load}); err != nil {
		return plan, using, setup, usage(err)
	}
	f.fresh(study.Tune)
	return plan, using, setup, nil
}

// defaultTime is the budget of a tuning when none is given.
const defaultTime = 20 * time.Minute

// current reads the configuration in use, which the tuned files are made from:
// firebird.conf, and the databases.conf beside it.
func (f *tuneFlags) current(setup tuner.Setup) (request, error) {
	dialect, err := fbconf.ParseDialect(setup.Firebird.FullVersion())
	if err != nil {
		return request{}, err
	}
	files := recommendFlags{conf: f.conf}
	using := request{input: confgen.Input{Version: setup.Firebird.Version}}
	err = files.readFiles(setup.Firebird, dialect, &using)
	if using.base.Conf == nil {
		using.base.Conf, using.base.Kept = using.base.Kept, nil
	}
	return using, err
}

// advised returns what the rules of thumb give for the server that is measured:
// its memory is the cap, and it has the one database.
func advised(setup tuner.Setup, environment tuner.Environment) (map[string]string, error) {
	load := environment.Load
	advice, err := confgen.Recommend(confgen.Input{
		Host: setup.Host, Memory: setup.Cap, Version: setup.Firebird.Version, Bits: setup.Firebird.Bits,
		Connections: load.Connections + load.Reports,
		Databases:   []confgen.Database{{Name: "trial", Path: "/trial.fdb", Size: confgen.Bytes(environment.Database.Bytes), PageSize: confgen.Bytes(load.PageSize)}},
	})
	var infeasible *confgen.Infeasible
	if errors.As(err, &infeasible) {
		return nil, nil // then there is no advice to measure
	}
	if err != nil {
		return nil, err
	}
	values := advice.Values()
	values[confgen.DefaultDbCachePages] = strconv.FormatInt(int64(advice.Databases[0].Pages), 10)
	return values, nil
}

// tuneJSON is the object of tune --json.
type tuneJSON struct {
	Study string `json:"study"`
	tuner.Outcome
	Sentences []string          `json:"sentences"`
	Directory string            `json:"directory"` // of the files; empty without a winner
	Files     map[string]string `json:"files"`
}

// printOutcome writes the winner's files to the study's folder and prints what
// was found.
func (e *env) printOutcome(o tuner.Outcome, name string, base confgen.Base) error {
	object := tuneJSON{Study: name, Outcome: o, Sentences: o.Sentences(), Files: map[string]string{}}
	if o.Winner != "" {
		files, err := o.Files(name, base)
		if err != nil {
			return err
		}
		if object.Directory, err = e.folder(name); err != nil {
			return err
		}
		if err := writeFiles(map[string][]confgen.ConfFile{object.Directory: files}, true); err != nil {
			return err
		}
		for _, file := range files {
			object.Files[file.Name] = string(file.Content)
		}
	}
	if e.json {
		return e.printJSON("fbtune/tune/1", object)
	}
	return e.print(func(w writer) error { return report.Tune(w, o, name, object.Directory) })
}
