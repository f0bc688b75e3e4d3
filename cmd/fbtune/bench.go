package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// loadFlags are the flags of everything that drives the OLTP load on a private
// server.
type loadFlags struct {
	root, path, limit, warmup string
	warehouses, connections   int
	cardinality               float64
	quick, verify             bool
	pageSize, reports         int
	seed                      int64
	duration                  time.Duration
	rate                      float64
	set                       []string
}

func (f *loadFlags) add(cmd *cobra.Command) {
	f.addDriving(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.warehouses, "warehouses", workload.Default().Warehouses, "warehouses of the load")
	flags.BoolVar(&f.quick, "quick", false, "10 warehouses at a tenth of the rows: about 100 MB, loaded in seconds")
	flags.StringVar(&f.warmup, "warmup", "", "warm-up, a `duration` or auto (default: 3s with --quick, else 6s)")
	flags.DurationVar(&f.duration, "duration", 0, "measured window (default: 5s with --quick, else 10s)")
	flags.Float64Var(&f.rate, "rate", 0, "`operations` per second at scheduled times, from which latency counts (default: as fast as the connections can)")
}

// addDriving adds what says how a database of any size is driven.
func (f *loadFlags) addDriving(cmd *cobra.Command) {
	f.addServer(cmd)
	flags := cmd.Flags()
	flags.Float64Var(&f.cardinality, "cardinality", 1, "`fraction` of a full warehouse's rows")
	flags.IntVar(&f.connections, "connections", 20, "connections that run operations")
	flags.IntVar(&f.reports, "reports", 0, "further connections that sort")
	flags.IntVar(&f.pageSize, "page-size", 8192, "page size of the database in `bytes`")
	flags.BoolVar(&f.verify, "verify", false, "test all nine consistency conditions after every trial, not the three cheap ones")
	flags.Int64Var(&f.seed, "seed", 1, "seed of the data")
}

// addServer adds what says which server runs.
func (f *loadFlags) addServer(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the Firebird to run (default: the newest installation found)")
	flags.StringVar(&f.limit, "cap", "", "hard memory cap of the private server, a `size` such as 4G (default: half of the memory)")
	flags.StringArrayVar(&f.set, "set", nil, "a setting held in every trial, `Key=Value` (repeatable)")
}

// addPath adds where databases go, for what measures in one place.
func (f *loadFlags) addPath(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.path, "path", "", "`directory` where databases go (default: the work directory)")
}

// load returns the load the flags ask for.
func (f *loadFlags) load(cmd *cobra.Command) (tuner.Load, error) {
	scale := workload.Scale{Warehouses: f.warehouses, Cardinality: f.cardinality, Seed: f.seed}
	l := tuner.Load{Connections: f.connections, Reports: f.reports, Rate: f.rate, Warmup: 6 * time.Second, Duration: 10 * time.Second, PageSize: f.pageSize, Verify: f.verify}
	if f.quick {
		if cmd.Flags().Changed("warehouses") || cmd.Flags().Changed("cardinality") {
			return l, usagef("--quick is 10 warehouses at a tenth of the rows; leave out --warehouses and --cardinality, or --quick")
		}
		scale = workload.Quick()
		scale.Seed = f.seed
		l.Warmup, l.Duration = 3*time.Second, 5*time.Second
	}
	l.Scale = scale
	if err := scale.Validate(); err != nil {
		return l, usage(err)
	}
	if f.duration != 0 {
		l.Duration = f.duration
	}
	switch f.warmup {
	case "":
	case "auto":
		l.Warmup = 0
	default:
		warmup, err := time.ParseDuration(f.warmup)
		if err != nil || warmup <= 0 {
			return l, usagef("--warmup %s: give a duration such as 6s, or auto", f.warmup)
		}
		l.Warmup = warmup
	}
	run := workload.Plan{Connections: l.Connections, Reports: l.Reports, Rate: l.Rate, Warmup: l.Warmup, Duration: l.Duration}
	return l, usage(run.Validate())
}

// chooseWindow leaves the window to a calibration unless it was given.
func (f *loadFlags) chooseWindow(cmd *cobra.Command, l *tuner.Load) {
	l.Auto = !cmd.Flags().Changed("duration")
}

// limitFlags are what a score must keep to count.
type limitFlags struct {
	maxP99    time.Duration
	maxErrors string
}

func (f *limitFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.DurationVar(&f.maxP99, "max-p99", 0, "a score counts only up to this p99 latency")
	flags.StringVar(&f.maxErrors, "max-errors", "", "a score counts only up to this `part` of failed operations, such as 1%")
}

// limits reads the flags.
func (f *limitFlags) limits() (tuner.Limits, error) {
	errors, err := confgen.ParseShare(f.maxErrors)
	if err != nil {
		return tuner.Limits{}, usage(fmt.Errorf("--max-errors: %w", err))
	}
	if f.maxP99 < 0 {
		return tuner.Limits{}, usagef("--max-p99 %s: give a latency above 0, such as 200ms", f.maxP99)
	}
	return tuner.Limits{P99: f.maxP99, Errors: errors}, nil
}

// settings returns what --set holds.
func (f *loadFlags) settings(v confgen.Version) (map[string]string, error) {
	settings, err := confgen.ParseSettings(f.set, v)
	return settings, usage(err)
}

// setup finds what is needed to measure.
func (f *loadFlags) setup(ctx context.Context, e *env, l tuner.Load) (tuner.Setup, error) {
	inst, err := firebird.Choose(ctx, f.root)
	if err != nil {
		return tuner.Setup{}, err
	}
	if err := confgen.CheckPageSize(confgen.Bytes(l.PageSize), inst.Version); err != nil {
		return tuner.Setup{}, usage(fmt.Errorf("--page-size: %w", err))
	}
	home, err := home(e)
	if err != nil {
		return tuner.Setup{}, err
	}
	at := f.path
	if at == "" {
		at = home
	}
	host, err := probe.Read(ctx, probe.Live(), at)
	if err != nil && f.limit == "" {
		return tuner.Setup{}, err
	}
	limit, err := f.memoryCap(host)
	if err != nil {
		return tuner.Setup{}, err
	}
	return tuner.Setup{
		Version: version(), Firebird: inst, Host: host, Home: home, Path: f.path, Cap: limit, Load: l,
	}, nil
}

func (f *loadFlags) memoryCap(host probe.Host) (confgen.Bytes, error) {
	if f.limit == "" {
		return tuner.DefaultCap(host)
	}
	limit, err := confgen.ParseSizeFlag(f.limit)
	return limit, usage(err)
}

func benchCommand(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure this machine or a configuration",
	}
	cmd.AddCommand(benchOLTPCommand(e), benchDiskCommand(e), benchRowsCommand(e), benchGrowthCommand(e))
	return cmd
}

func benchOLTPCommand(e *env) *cobra.Command {
	var f loadFlags
	var p places
	var mode string
	cmd := &cobra.Command{
		Use:   "oltp",
		Short: "Score one configuration with a TPC-C-like load on a private server",
		Long: `Score one configuration with a TPC-C-like load on a private server.

fbtune starts a Firebird of its own beside yours, on a fresh copy of a loaded
database, reads back what is in force, drives 20 connections of business
operations as stored procedures and prints operations per second, latencies and
where the processor time went. Nothing of your installation is touched.

With --path twice both are measured in interleaved blocks, each with a loaded
database of its own, and the ratio of each figure has its 95 % interval.`,
		Example: `  fbtune bench oltp --quick
  fbtune bench oltp --quick --path /mnt/old --path /mnt/new
  fbtune bench oltp --mode SuperClassic --set DefaultDbCachePages=1024
  fbtune bench oltp --quick --json -o result.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.benchOLTP(cmd, &f, &p, mode)
		},
	}
	f.add(cmd)
	p.add(cmd)
	cmd.Flags().StringVar(&mode, "mode", string(confgen.Super), "ServerMode: Super, SuperClassic or Classic")
	return cmd
}

// Errors of a configuration that has no score.
var (
	errTrialFailed = errors.New("the configuration failed")
	errRefused     = errors.New("the configuration was not tried")
)

func (e *env) benchOLTP(cmd *cobra.Command, f *loadFlags, p *places, modeText string) error {
	ctx := cmd.Context()
	mode, err := confgen.ParseMode(modeText)
	if err != nil {
		return usage(err)
	}
	load, err := f.load(cmd)
	if err != nil {
		return err
	}
	if err := p.settle(cmd); err != nil {
		return err
	}
	if len(p.paths) < 2 && p.blocks > 1 {
		return usagef("--blocks %d: it is for two paths; give --path twice, or fbtune sweep for more", p.blocks)
	}
	setups, err := p.setups(ctx, e, f, load)
	if err != nil {
		return err
	}
	settings, err := f.settings(setups[0].Firebird.Version)
	if err != nil {
		return err
	}
	settings[confgen.ServerMode] = string(mode)
	cell := tuner.Cell{Name: string(mode), Mode: mode, Settings: settings}
	sink, closeSink, err := e.sink()
	if err != nil {
		return err
	}
	if len(setups) == 2 {
		return e.compareOLTP(ctx, setups, cell, p.blocks, sink, closeSink)
	}
	var trial tuner.Trial
	var environment tuner.Environment
	err = benches(ctx, setups, tuner.NewBench, sink, func(all []*tuner.Bench) (err error) {
		environment = all[0].Environment()
		trial, err = all[0].Measure(ctx, cell, load, 1, sink)
		return err
	})
	if err := errors.Join(err, closeSink()); err != nil {
		return err
	}
	if err := e.printBench(trial, environment); err != nil {
		return err
	}
	return scored(trial)
}

// scored returns the error of a trial that has no score.
func scored(trial tuner.Trial) error {
	switch {
	case trial.Refused:
		return fmt.Errorf("%w: %s", errRefused, trial.Reason)
	case trial.Status != study.OK:
		return fmt.Errorf("%w: %s", errTrialFailed, trial.Reason)
	}
	return nil
}

// benchJSON is the object of bench oltp --json.
type benchJSON struct {
	workload.Result
	Status      study.Status        `json:"status"`
	Reason      string              `json:"reason,omitempty"`
	Server      serverJSON          `json:"server"`
	Effective   []running.Effective `json:"effective"`
	Overhead    tuner.Overhead      `json:"overhead_s"`
	Environment tuner.Environment   `json:"environment"`
}

// serverJSON is what ran.
type serverJSON struct {
	Version string       `json:"version"`
	Mode    confgen.Mode `json:"mode"`
	Root    string       `json:"root"`
	Bits    int          `json:"bits"`
}

func (e *env) printBench(t tuner.Trial, environment tuner.Environment) error {
	if !e.json {
		return e.print(func(w writer) error { return report.OLTP(w, t, environment) })
	}
	object := benchJSON{
		Status: t.Status, Reason: t.Reason, Effective: append([]running.Effective{}, t.Effective...), Overhead: t.Overhead, Environment: environment,
		Server: serverJSON{Version: environment.Firebird.Build, Mode: t.Mode, Root: environment.Firebird.Root, Bits: environment.Firebird.Bits},
	}
	if t.Result != nil {
		object.Result = *t.Result
	} else { // in JSON nothing is empty, never null
		object.Result = workload.Result{
			Errors: map[int]int64{}, Operations: map[string]workload.OperationResult{}, Seconds: []int64{}, WarmupSeconds: []int64{},
		}
	}
	object.Warnings = append([]string{}, t.Warnings...) // the result's own and those of the server's log
	return e.printJSON("fbtune/bench-oltp/1", object)
}
