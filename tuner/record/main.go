// Record measures what the samplers and the statistics are judged by, on a real
// server: the grids of package replay, or one configuration again and again
// (A/A). What is in the file already is not measured again, so that it can be
// cut short and go on:
//
//	go run ./tuner/record -grids tuner/search/replay/testdata/grids.csv
//	go run ./tuner/record -aa 48 tuner/stats/testdata/aa-trials.csv
//
// Nothing else should run meanwhile; a trial that is disturbed is repeated.
package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/search/replay"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

func main() {
	grids := flag.Bool("grids", false, "record the grids")
	aa := flag.Int("aa", 0, "record the stock configuration so many times")
	home := flag.String("home", "/var/lib/fbtune", "work directory")
	warmup := flag.Duration("warmup", 1500*time.Millisecond, "warm-up of a trial")
	window := flag.Duration("duration", 2*time.Second, "measured window of a trial")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := recorder{home: *home, warmup: *warmup, window: *window}
	var err error
	switch {
	case flag.NArg() != 1 || *grids == (*aa > 0):
		err = errors.New("give -grids or -aa N, and the CSV file")
	case *grids:
		err = r.grids(ctx, flag.Arg(0))
	default:
		err = r.again(ctx, flag.Arg(0), *aa)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// recorder measures on private servers.
type recorder struct {
	home           string
	warmup, window time.Duration
}

// memoryCap is that of the servers: far above what any cell needs.
const memoryCap = 8 * confgen.GiB

// bench sets up a bench for a load of a size.
func (r recorder) bench(ctx context.Context, scale workload.Scale, connections int, pageSize confgen.Bytes) (*tuner.Bench, tuner.Load, error) {
	load := tuner.Load{Scale: scale, Connections: connections, Warmup: r.warmup, Duration: r.window, PageSize: int(pageSize)}
	inst, err := firebird.Choose(ctx, "")
	if err != nil {
		return nil, load, err
	}
	host, err := probe.Read(ctx, probe.Live(), r.home)
	if err != nil {
		return nil, load, err
	}
	bench, err := tuner.NewBench(ctx, tuner.Setup{Firebird: inst, Host: host, Home: r.home, Cap: memoryCap, Load: load}, note)
	return bench, load, err
}

func note(e tuner.Event) {
	if e.Kind == tuner.EventNote {
		fmt.Fprintln(os.Stderr, e.Message)
	}
}

// mostRepeats bounds how often a disturbed trial is repeated.
const mostRepeats = 3

// measure returns the operations per second of a cell, 0 when it failed.
func measure(ctx context.Context, b *tuner.Bench, l tuner.Load, cell tuner.Cell, seed int64) (float64, error) {
	for repeat := 0; ; repeat++ {
		t, err := b.Measure(ctx, cell, l, seed, nil)
		switch {
		case err != nil:
			return 0, err
		case t.Status != study.OK:
			fmt.Fprintf(os.Stderr, "%s FAILED: %s\n", cell.Name, t.Reason)
			return 0, nil
		case t.Result.Disturbed == "" || repeat == mostRepeats:
			return t.OpsPerSecond, nil
		}
		fmt.Fprintf(os.Stderr, "%s is repeated: %s\n", cell.Name, t.Result.Disturbed)
	}
}

// table is a CSV file that grows by a line for each trial.
type table struct {
	file *os.File
	out  *csv.Writer
}

// open opens a file to append to, with its header when it is new.
func open(path string, header []string) (*table, error) {
	_, err := os.Stat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	t := &table{f, csv.NewWriter(f)}
	if fresh {
		return t, t.add(header)
	}
	return t, nil
}

func (t *table) add(row []string) error {
	if err := t.out.Write(row); err != nil {
		return err
	}
	t.out.Flush()
	return t.out.Error()
}

// grids records every cell of every plan, block by block in random order.
func (r recorder) grids(ctx context.Context, path string) (err error) {
	plans := replay.Plans()
	var cells []map[string]string
	for _, p := range plans {
		cells = append(cells, p.Cells()...)
	}
	header := replay.Header(cells)
	out, err := open(path, header)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.file.Close()) }()
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	recorded, err := replay.Read(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	for _, p := range plans {
		if err := r.grid(ctx, p, recorded, func(rec replay.Record) error { return out.add(rec.Row(header)) }); err != nil {
			return err
		}
	}
	return nil
}

// grid records what a plan asks for and was not recorded yet.
func (r recorder) grid(ctx context.Context, p replay.Plan, recorded []replay.Record, add func(replay.Record) error) (err error) {
	b, load, err := r.bench(ctx, p.Scale, p.Connections, p.PageSize)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close(ctx)) }()
	missing := p.Missing(recorded)
	random := rand.New(rand.NewPCG(uint64(len(p.Size)), uint64(len(missing))))
	random.Shuffle(len(missing), func(i, j int) { missing[i], missing[j] = missing[j], missing[i] })
	slices.SortStableFunc(missing, func(a, b replay.Record) int { return cmp.Compare(a.Block, b.Block) })
	for i, trial := range missing {
		cell := tuner.Cell{Name: fmt.Sprint(trial.Settings), Mode: confgen.EngineMode(trial.Settings[confgen.ServerMode]), Settings: trial.Settings}
		if trial.OpsPerSecond, err = measure(ctx, b, load, cell, int64(trial.Block)); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s, block %d, %d left: %.0f ops/s\n", p.Size, trial.Block, len(missing)-1-i, trial.OpsPerSecond)
		if err := add(trial); err != nil {
			return err
		}
	}
	return nil
}

// ofBlock is how many runs of one configuration are a block of an A/A record.
const ofBlock = 4

// again records the stock configuration n times.
func (r recorder) again(ctx context.Context, path string, n int) (err error) {
	out, err := open(path, []string{"block", "order", "cell", "ops_per_second"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.file.Close()) }()
	b, load, err := r.bench(ctx, workload.Quick(), 20, 8*confgen.KiB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close(ctx)) }()
	stock := tuner.Cell{Name: tuner.StockName, Mode: confgen.Super, Settings: map[string]string{confgen.ServerMode: string(confgen.Super)}}
	for i := range n {
		ops, err := measure(ctx, b, load, stock, int64(i/ofBlock)+1)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d of %d: %.0f ops/s\n", i+1, n, ops)
		row := []string{strconv.Itoa(i / ofBlock), strconv.Itoa(i % ofBlock), "0", strconv.FormatFloat(ops, 'f', 2, 64)}
		if err := out.add(row); err != nil {
			return err
		}
	}
	return nil
}
