package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// growthFlags are the flags of bench growth.
type growthFlags struct {
	loadFlags
	studyFlags
	counts    []int    // of warehouses
	sizes     []string // of databases
	paths     []string
	mode      string
	blocks    int
	published bool
}

func benchGrowthCommand(e *env) *cobra.Command {
	var f growthFlags
	cmd := &cobra.Command{
		Use:   "growth [STUDY]",
		Short: "Measure how loading and throughput change as a database grows",
		Long: `Measure how loading and throughput change as a database grows.

Each size is loaded afresh, which is timed, and kept as a golden copy. Then the
same load runs in the same configuration on a copy of each, in blocks that go
through all sizes in random order.

--sizes are taken to mean ten warehouses with a part of their rows up to ten full
warehouses (about 1 GB), and full warehouses above; the table has the size of the
file. The memory cap holds what the system caches of the database too, so that a
database that is larger than memory can be had on any machine: with --cap 1G sizes
from 512M to 4G are half to four times of it.

With --path twice both are measured one after the other, and the ratio has its 95 %
interval. A growth is a study: after a Ctrl-C or a kill --resume goes on, and
fbtune studies lists it.`,
		Example: `  fbtune bench growth --sizes 128M,256M,512M,1G --cap 256M
  fbtune bench growth --warehouses 10,20,50,100 --with-published
  fbtune bench growth --sizes 1G,4G --path /mnt/old --path /mnt/new
  fbtune bench growth --resume`,
		Args: cobra.ArbitraryArgs, // counted by named
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.named(cmd, args); err != nil {
				return err
			}
			return e.withStore(cmd.Context(), f.storage, func(store *study.Store) error { return e.benchGrowth(cmd, &f, store) })
		},
	}
	f.addDriving(cmd)
	f.studyFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.sizes, "sizes", nil, "`sizes` of the databases, separated by commas, such as 128M,1G")
	flags.IntSliceVar(&f.counts, "warehouses", nil, "instead, `numbers` of warehouses, separated by commas")
	flags.StringArrayVar(&f.paths, "path", nil, "`directory` where databases go (default: the work directory); twice to compare two")
	flags.StringVar(&f.mode, "mode", string(confgen.Super), "ServerMode: Super, SuperClassic or Classic")
	flags.StringVar(&f.warmup, "warmup", "", "warm-up, a `duration` or auto (default: 6s)")
	flags.DurationVar(&f.duration, "duration", 0, "measured window (default: 10s)")
	flags.IntVar(&f.blocks, "blocks", 3, "how often every size is measured; it is loaded once")
	flags.BoolVar(&f.published, "with-published", false, "show IBSurgeon's series of sizes beside it")
	return cmd
}

// benchGrowth runs a new study, or goes on with one.
func (e *env) benchGrowth(cmd *cobra.Command, f *growthFlags, store *study.Store) error {
	ctx := cmd.Context()
	var (
		plan     tuner.Growth
		setups   []tuner.Setup
		recorded tuner.Environment
		st       *study.Study
		err      error
	)
	if f.resume {
		if st, err = f.reopen(cmd, store, study.Growth); err != nil {
			return err
		}
		if plan, recorded, err = tuner.ReadGrowth(st); err != nil {
			return usage(err)
		}
		f.root, f.limit = plan.Root, fmt.Sprint(int64(plan.Cap))
		setups, err = f.setups(ctx, e, plan)
	} else {
		plan, setups, err = e.newGrowth(cmd, f)
	}
	if err != nil {
		return err
	}
	measure := func(ctx context.Context, sink tuner.Sink) (*tuner.Progress, error) {
		return eachBenched(ctx, setups, sink, func(benches []*tuner.Bench) (*tuner.Progress, error) {
			if err := plan.Check(benches); err != nil {
				return nil, err
			}
			environment := benches[0].Environment()
			if st == nil {
				st, err = tuner.NewGrowth(ctx, store, f.study, plan, environment)
				st, err = f.begun(store, st, err)
			} else {
				err = f.comparable(st, recorded, environment)
			}
			if err != nil {
				return nil, err
			}
			sized := make([]tuner.SizeBench, len(benches))
			for i, b := range benches {
				sized[i] = b
			}
			return tuner.Grow(ctx, sized, st, plan, environment, e.control, sink)
		})
	}
	return e.watched(ctx, measure, func(progress *tuner.Progress) error {
		result := progress.GrowthResult()
		if err := e.printGrowth(result); err != nil {
			return err
		}
		if result.Complete && !slices.ContainsFunc(result.Sizes, func(s tuner.SizeResult) bool { return s.Status == tuner.CellOK }) {
			return errors.New("every size failed")
		}
		return nil
	})
}

// newGrowth makes the plan the flags ask for.
func (e *env) newGrowth(cmd *cobra.Command, f *growthFlags) (plan tuner.Growth, setups []tuner.Setup, err error) {
	plan = tuner.Growth{Blocks: f.blocks, Seed: uint64(rand.Uint32()), WithPublished: f.published}
	if plan.Sizes, err = f.scales(cmd); err != nil {
		return plan, nil, usage(err)
	}
	if plan.Mode, err = confgen.ParseMode(f.mode); err != nil {
		return plan, nil, usage(err)
	}
	if plan.Paths, err = f.directories(); err != nil {
		return plan, nil, err
	}
	f.warehouses, f.cardinality = plan.Sizes[0].Scale.Warehouses, plan.Sizes[0].Scale.Cardinality
	if plan.Load, err = f.load(cmd); err != nil {
		return plan, nil, err
	}
	if err := plan.Validate(); err != nil {
		return plan, nil, usage(err)
	}
	if setups, err = f.setups(cmd.Context(), e, plan); err != nil {
		return plan, nil, err
	}
	if plan.Settings, err = f.settings(setups[0].Firebird.Version); err != nil {
		return plan, nil, err
	}
	plan.Settings[confgen.ServerMode] = string(plan.Mode)
	plan.Cap, plan.Root = setups[0].Cap, setups[0].Firebird.Root
	f.fresh(study.Growth)
	return plan, setups, nil
}

// scales returns the sizes the flags ask for, the smallest first.
func (f *growthFlags) scales(cmd *cobra.Command) ([]tuner.Size, error) {
	var sizes []tuner.Size
	switch {
	case len(f.sizes) > 0 && (len(f.counts) > 0 || cmd.Flags().Changed("cardinality")):
		return nil, errors.New("--sizes says how many warehouses and rows there are; leave out --warehouses and --cardinality, or --sizes")
	case len(f.sizes) == 0 && len(f.counts) == 0:
		return nil, errors.New("give sizes, such as --sizes 128M,256M,512M,1G, or --warehouses 10,20,50")
	}
	for _, text := range f.sizes {
		bytes, err := confgen.ParseSizeFlag(text)
		if err != nil {
			return nil, fmt.Errorf("--sizes: %w", err)
		}
		scale, err := workload.ScaleOfSize(int64(bytes), f.seed)
		if err != nil {
			return nil, fmt.Errorf("--sizes %s: %w", text, err)
		}
		sizes = append(sizes, tuner.Size{Name: strings.TrimSpace(text), Scale: scale})
	}
	for _, n := range f.counts {
		name := fmt.Sprintf("%d warehouses", n)
		if n == 1 {
			name = "1 warehouse"
		}
		sizes = append(sizes, tuner.Size{Name: name, Scale: workload.Scale{Warehouses: n, Cardinality: f.cardinality, Seed: f.seed}})
	}
	slices.SortStableFunc(sizes, func(a, b tuner.Size) int { return cmp.Compare(a.Bytes(), b.Bytes()) })
	return sizes, nil
}

// directories returns where databases go, in full.
func (f *growthFlags) directories() ([]string, error) {
	if len(f.paths) == 0 {
		return []string{""}, nil
	}
	var paths []string
	for _, path := range f.paths {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("resolve --path %s: %w", path, err)
		}
		paths = append(paths, full)
	}
	return paths, nil
}

// setups finds what is needed to measure on each path of a plan.
func (f *growthFlags) setups(ctx context.Context, e *env, plan tuner.Growth) ([]tuner.Setup, error) {
	var setups []tuner.Setup
	for _, path := range plan.Paths {
		f.path = path
		setup, err := f.setup(ctx, e, plan.Load)
		if err != nil {
			return nil, err
		}
		setup.CapFiles = true
		setups = append(setups, setup)
	}
	return setups, nil
}

// eachBenched runs a function with a bench for each setup. They are closed
// afterwards.
func eachBenched(ctx context.Context, setups []tuner.Setup, sink tuner.Sink, run func([]*tuner.Bench) (*tuner.Progress, error)) (progress *tuner.Progress, err error) {
	var benches []*tuner.Bench
	defer func() {
		for _, b := range benches {
			err = errors.Join(err, b.Close(ctx))
		}
	}()
	for _, setup := range setups {
		b, err := tuner.OpenBench(ctx, setup, sink)
		if err != nil {
			return nil, err
		}
		benches = append(benches, b)
	}
	return run(benches)
}

func (e *env) printGrowth(r tuner.GrowthResult) error {
	if e.json {
		return e.printJSON("fbtune/growth/1", r)
	}
	return e.print(func(w writer) error { return report.Growth(w, r) })
}
