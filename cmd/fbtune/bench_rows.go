package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/sidebyside"
	"github.com/fbtune/fbtune/workload/rows"
)

// rowsFlags are the flags of bench rows.
type rowsFlags struct {
	places
	load                 loadFlags // root, cap and settings
	rows, pageSize       int
	connect, parse, mode string
}

// compareRows is how many rows each run has with two paths, unless --rows says
// otherwise.
const compareRows = 100_000

func benchRowsCommand(e *env) *cobra.Command {
	var f rowsFlags
	cmd := &cobra.Command{
		Use:   "rows",
		Short: "Run the insert, update and delete test of Firebird's community",
		Long: `Run the insert, update and delete test of Firebird's community.

One connection inserts a million rows into a table with seven indexes, updates
each and deletes each, in PSQL on the server, with a commit after each phase
(github.com/IBSurgeon/FirebirdSimpleIUDTest). Rows per second have the commit in
them. It takes some minutes and about 4 GB of disk.

fbtune does it on a server of its own, or, with --connect, on yours. There it
creates the database and drops it in the end, by an installed isql; a database
that is there already is left alone unless it carries fbtune's marker. User and
password come from ISC_USER and ISC_PASSWORD. --parse reads what isql printed of
the same test, SET STATS ON.

With --path twice both are measured in interleaved blocks, and the ratio of each
figure has its 95 % interval.`,
		Example: `  fbtune bench rows
  fbtune bench rows --rows 150000 --set DefaultDbCachePages=16384
  fbtune bench rows --path /mnt/old --path /mnt/new
  fbtune bench rows --connect db1/3051:/data/fbtune-rows.fdb
  isql -i dml-basic-benchmark.sql -o saved.txt; fbtune bench rows --parse saved.txt`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.benchRows(cmd, &f) },
	}
	flags := cmd.Flags()
	f.places.add(cmd)
	flags.IntVar(&f.rows, "rows", rows.Default, fmt.Sprintf("how many `rows`; with two paths the default is %d", compareRows))
	flags.StringVar(&f.connect, "connect", "", "run it on the server of `host[/port]:path`, where there is no database yet")
	flags.StringVar(&f.parse, "parse", "", "read what isql printed from `FILE`, and run nothing")
	flags.StringVar(&f.mode, "mode", string(confgen.Super), "ServerMode: Super, SuperClassic or Classic")
	flags.IntVar(&f.pageSize, "page-size", rows.PageSize, "page size of the database in `bytes`")
	f.load.addServer(cmd)
	return cmd
}

// benchRowsJSON is the object of bench rows --json.
type benchRowsJSON struct {
	Complete  bool                `json:"complete"`
	From      rowsSource          `json:"from"`
	Rows      int                 `json:"rows"`
	Blocks    int                 `json:"blocks"`
	Server    *serverJSON         `json:"server,omitempty"`
	Isolation string              `json:"isolation,omitempty"`
	Places    []report.RowsPlace  `json:"places"`
	Published []rows.Published    `json:"published"`
	Ratios    []sidebyside.Metric `json:"ratios"`
}

// rowsSource says what ran the test.
type rowsSource string

// Sources.
const (
	rowsPrivate   rowsSource = "private server"
	rowsConnected rowsSource = "connect"
	rowsParsed    rowsSource = "isql output"
)

func (e *env) benchRows(cmd *cobra.Command, f *rowsFlags) error {
	if err := f.settle(cmd); err != nil {
		return err
	}
	object := benchRowsJSON{Rows: f.rows, Blocks: f.blocks, Published: rows.PublishedFigures(), Ratios: []sidebyside.Metric{}}
	sink, closeSink, err := e.sink()
	if err != nil {
		return err
	}
	switch {
	case f.parse != "":
		err = f.parsed(&object)
	case f.connect != "":
		err = f.connected(cmd.Context(), e, &object, sink)
	default:
		err = f.measured(cmd.Context(), e, &object, sink)
	}
	err = errors.Join(err, closeSink())
	object.Complete = err == nil
	if len(object.Places) == 0 || len(object.Places[0].Runs) == 0 {
		return err
	}
	return errors.Join(err, e.printRows(&object))
}

// settle checks the flags and fills in what depends on others.
func (f *rowsFlags) settle(cmd *cobra.Command) error {
	if f.connect != "" && f.parse != "" {
		return usagef("--connect runs the test and --parse reads one; give one of them")
	}
	for _, other := range []string{"path", "blocks", "cap", "set", "mode"} {
		if (f.connect != "" || f.parse != "") && cmd.Flags().Changed(other) {
			return usagef("--%s is for a server of fbtune's own; leave it out, or --connect and --parse", other)
		}
	}
	for _, other := range []string{"rows", "page-size", "firebird-root"} {
		if f.parse != "" && cmd.Flags().Changed(other) {
			return usagef("--%s is for a test that is run; leave it out, or --parse", other)
		}
	}
	if err := f.places.settle(cmd); err != nil {
		return err
	}
	if len(f.paths) == 2 && !cmd.Flags().Changed("rows") {
		f.rows = compareRows
	}
	if err := rows.Validate(f.rows); err != nil {
		return usagef("--rows: %w", err)
	}
	versions := confgen.Lines()
	if err := confgen.CheckPageSize(confgen.Bytes(f.pageSize), versions[len(versions)-1]); err != nil {
		return usagef("--page-size: %w", err)
	}
	return nil
}

// parsed reads a saved output.
func (f *rowsFlags) parsed(object *benchRowsJSON) error {
	object.From = rowsParsed
	file, err := os.Open(f.parse)
	if err != nil {
		return usagef("--parse: %w", err)
	}
	run, err := rows.Parse(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return usagef("--parse %s: %w", f.parse, err)
	}
	object.Rows = int(run.Phases[0].Rows)
	object.Places = []report.RowsPlace{report.NewRowsPlace(f.parse)}
	object.Places[0].Add(tuner.RowsTrial{Run: run})
	return nil
}

// connected runs the test on a server that fbtune does not control.
func (f *rowsFlags) connected(ctx context.Context, e *env, object *benchRowsJSON, sink tuner.Sink) error {
	object.From = rowsConnected
	target, err := e.target(f.connect)
	if err != nil {
		return err
	}
	client := func() (firebird.Installation, error) { return firebird.Choose(ctx, f.load.root) }
	trial, err := tuner.RowsConnected(ctx, target, client, f.rows, f.pageSize, sink)
	object.Places = []report.RowsPlace{report.NewRowsPlace(f.connect)}
	object.Places[0].Add(trial)
	return err
}

// measured runs the test on private servers, one in each place.
func (f *rowsFlags) measured(ctx context.Context, e *env, object *benchRowsJSON, sink tuner.Sink) error {
	object.From = rowsPrivate
	mode, err := confgen.ParseMode(f.mode)
	if err != nil {
		return usage(err)
	}
	setups, err := f.setups(ctx, e, &f.load, tuner.Load{PageSize: f.pageSize})
	if err != nil {
		return err
	}
	settings, err := f.load.settings(setups[0].Firebird.Version)
	if err != nil {
		return err
	}
	settings[confgen.ServerMode] = string(mode)
	cell := tuner.Cell{Name: string(mode), Mode: mode, Settings: settings}
	for _, setup := range setups {
		place := report.NewRowsPlace(setup.Host.Disk.Path)
		place.Disk = &setup.Host.Disk
		object.Places = append(object.Places, place)
	}
	var trials [2][]tuner.RowsTrial
	err = benches(ctx, setups, tuner.OpenBench, sink, func(all []*tuner.Bench) error {
		env := all[0].Environment()
		object.Server = &serverJSON{Version: env.Firebird.Build, Mode: mode, Root: env.Firebird.Root, Bits: env.Firebird.Bits}
		object.Isolation = env.Isolation
		return sidebyside.Run(ctx, len(all), f.blocks, rand.Uint64(), func(ctx context.Context, block, place int) error {
			sink.Note("block %d of %d: %d rows in %s", block+1, f.blocks, f.rows, object.Places[place].Path)
			trial, err := all[place].Rows(ctx, cell, f.rows, sink)
			object.Places[place].Add(trial)
			trials[place] = append(trials[place], trial)
			return err
		})
	})
	if len(setups) == 2 {
		ratios, compareErr := tuner.CompareRows(trials[0], trials[1])
		object.Ratios, err = append(object.Ratios, ratios...), errors.Join(err, compareErr)
	}
	return err
}

// printRows prints the result, and makes findings of warning and above the
// command's error.
func (e *env) printRows(object *benchRowsJSON) error {
	var err error
	if e.json {
		err = e.printJSON("fbtune/bench-rows/1", object)
	} else {
		build := ""
		if object.Server != nil {
			build = fmt.Sprintf("Firebird %s, %d bits, %s, %s", object.Server.Version, object.Server.Bits, object.Server.Mode, object.Isolation)
		}
		err = e.print(func(w writer) error {
			return report.Rows(w, build, object.Places, object.Published, object.Ratios, object.Complete)
		})
	}
	if err != nil {
		return err
	}
	for _, place := range object.Places {
		for _, finding := range place.Findings {
			if finding.Severity == diskbench.Warning {
				return findingsError("%s: %s", place.Path, finding.Says)
			}
		}
	}
	return nil
}
