// Command againstisql runs the insert, update and delete test by fbtune and by
// isql, on new databases of one private server, in interleaved pairs, and says
// where they disagree.
//
// The command ends with 1 when fetches or writes of a phase differ by more than
// 1 %, or the 95 % interval of the ratio of its times does not include 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/isql"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/tuner/stats"
	"github.com/fbtune/fbtune/workload"
	"github.com/fbtune/fbtune/workload/rows"
)

// margin is the difference of counts that does not matter.
const margin = 0.01

// limit is the memory cap of the server.
const limit = 2 * confgen.GiB

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "againstisql:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	path := flag.String("path", "", "`directory` for databases, which every user can enter (default: a temporary one)")
	root := flag.String("firebird-root", "", "`directory` of the Firebird to run (default: the newest found)")
	n := flag.Int("rows", 150_000, "rows of each run")
	pairs := flag.Int("pairs", 5, "runs by each program")
	pages := flag.String("pages", "16384", "DefaultDbCachePages")
	flag.Parse()
	inst, err := firebird.Choose(ctx, *root)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(*path, "againstisql-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	s, err := private.New(ctx, private.Options{Installation: inst, Dir: dir, Cap: limit})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close(context.WithoutCancel(ctx))) }()
	scratch, err := s.Scratch(dir)
	if err != nil {
		return err
	}
	b := bench{server: s, inst: inst, rows: *n, settings: map[string]string{
		confgen.ServerMode: string(confgen.Super), confgen.DefaultDbCachePages: *pages,
	}}
	programs := [...]func(context.Context, workload.Target) (rows.Run, error){b.fbtune, b.isql}
	var runs [len(programs)][]rows.Run
	for pair := range *pairs {
		for at := range programs {
			program := (at + pair) % len(programs)
			fmt.Fprintf(os.Stderr, "pair %d of %d: %s\n", pair+1, *pairs, [...]string{"fbtune", "isql"}[program])
			r, err := b.on(ctx, filepath.Join(scratch, "rows.fdb"), programs[program])
			if err != nil {
				return err
			}
			runs[program] = append(runs[program], r)
		}
	}
	return report(runs[0], runs[1])
}

// bench runs the test on new databases.
type bench struct {
	server   *private.Server
	inst     firebird.Installation
	settings map[string]string
	rows     int
}

// on has a program run the test on a new database of a server just started.
func (b bench) on(ctx context.Context, path string, program func(context.Context, workload.Target) (rows.Run, error)) (r rows.Run, err error) {
	if err := b.server.CreateDatabase(ctx, path, rows.PageSize); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	if err := b.server.Start(ctx, private.Config{Settings: b.settings, Database: path}); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, b.server.Stop(context.WithoutCancel(ctx))) }()
	return program(ctx, b.server.Target(path))
}

// fbtune runs the test as bench rows does.
func (b bench) fbtune(ctx context.Context, t workload.Target) (rows.Run, error) {
	if _, err := workload.MarkRows(ctx, t); err != nil {
		return rows.Run{}, err
	}
	r, _, err := workload.RunRows(ctx, t, workload.RowsPlan{Rows: b.rows})
	return r, err
}

// isql runs the same script by isql.
func (b bench) isql(ctx context.Context, t workload.Target) (rows.Run, error) {
	script, err := rows.Script(b.rows)
	if err != nil {
		return rows.Run{}, err
	}
	out, err := isql.Run(ctx, b.inst, t, script)
	if err != nil {
		return rows.Run{}, err
	}
	return rows.Parse(strings.NewReader(out))
}

// report prints each phase, and fails when the programs disagree.
func report(ours, theirs []rows.Run) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "phase\t\tfbtune\tisql\tfbtune/isql\t")
	apart := 0
	mine, its := rows.Mean(ours), rows.Mean(theirs)
	if len(mine) != len(rows.Names) || len(its) != len(rows.Names) {
		return fmt.Errorf("%d and %d phases of %d", len(mine), len(its), len(rows.Names))
	}
	for i, name := range rows.Names {
		for _, counts := range [...]struct {
			name string
			a, b int64
		}{{"fetches", mine[i].Fetches, its[i].Fetches}, {"writes", mine[i].Writes, its[i].Writes}} {
			ratio := float64(counts.a) / float64(counts.b)
			verdict := "within 1 %"
			if !(math.Abs(ratio-1) <= margin) {
				verdict, apart = "APART", apart+1
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.4f\t%s\n", name, counts.name, counts.a, counts.b, ratio, verdict)
		}
		ratio, err := stats.PairedRatio(rates(ours, name), rates(theirs, name), stats.DefaultConfidence)
		if err != nil {
			return err
		}
		verdict := "includes 1"
		if ratio.Bounded && (ratio.Low > 1 || ratio.High < 1) {
			verdict, apart = "APART", apart+1
		}
		fmt.Fprintf(w, "%s\trows/s\t%.0f\t%.0f\t%.3f [%.3f, %.3f]\t%s\n", name, mine[i].RowsPerSecond, its[i].RowsPerSecond, ratio.Mean, ratio.Low, ratio.High, verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if apart > 0 {
		return fmt.Errorf("%d of %d figures differ from isql's; on a machine with other work, repeat it with more -pairs", apart, 3*len(rows.Names))
	}
	return nil
}

// rates are the rows per second of a phase in each run.
func rates(runs []rows.Run, name string) []float64 {
	var all []float64
	for _, r := range runs {
		p, _ := r.Phase(name) // each run has all phases, else it failed
		all = append(all, p.RowsPerSecond)
	}
	return all
}
