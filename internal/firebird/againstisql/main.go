// Command againstisql loads the same rows with fbtune's loader, with isql as a
// script of INSERT statements, and with gbak from a backup, in interleaved
// rounds on one private server, and prints rows per second, indexes included.
//
// Every database must hold the same rows and as many indexes, or it ends with
// an error. isql runs twice: against the server over TCP, as most do, and
// embedded, which is its fastest. The script commits every 10,000 rows and
// makes keys and indexes at the end, as the loader does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"text/tabwriter"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/workload"
)

// settings are what the bench loads with (loadConfig in tuner/bench.go).
var settings = map[string]string{confgen.ServerMode: string(confgen.Super), confgen.DefaultDbCachePages: "16384"}

const (
	memoryCap = 4 * confgen.GiB
	pageSize  = 8192
)

func main() {
	root := flag.String("firebird-root", "", "the Firebird to use; empty is the newest installed")
	path := flag.String("path", os.TempDir(), "directory on the disk to load on")
	rounds := flag.Int("rounds", 5, "how often each loads")
	p := plan{scale: workload.Quick()}
	flag.IntVar(&p.scale.Warehouses, "warehouses", p.scale.Warehouses, "size of the database")
	flag.Float64Var(&p.scale.Cardinality, "cardinality", p.scale.Cardinality, "fraction of a full warehouse's rows")
	flag.IntVar(&p.commit, "commit", 10000, "rows between two commits of the script")
	flag.Parse()
	p.rounds = *rounds

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *root, *path, p, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "againstisql:", err)
		os.Exit(1)
	}
}

// plan says what is compared.
type plan struct {
	scale  workload.Scale
	commit int // rows between two commits of the script
	rounds int
}

func run(ctx context.Context, root, path string, p plan, out io.Writer) (err error) {
	if p.rounds < 1 || p.commit < 1 {
		return errors.New("give at least 1 of -rounds and of -commit")
	}
	inst, err := firebird.Choose(ctx, root)
	if err != nil {
		return err
	}
	server, err := private.New(ctx, private.Options{Installation: inst, Dir: path, Cap: memoryCap})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close(context.WithoutCancel(ctx))) }()
	c, err := newContest(ctx, server, p)
	if err != nil {
		return err
	}
	for round := range p.rounds {
		for i := range c.loaders {
			l := c.loaders[(i+round)%len(c.loaders)]
			fmt.Fprintf(os.Stderr, "round %d of %d: %s\n", round+1, p.rounds, l.name)
			if err := c.load(ctx, l); err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
		}
	}
	return c.report(out)
}

// report prints rows per second of each, and how often the first's they are in
// the same round.
func (c *contest) report(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Firebird %s, %d rows, %d rounds\trows/s, median\t[least, most]\tseconds\tfbtune is faster by, median\t[least, most]\t\n",
		c.server.Installation.FullVersion(), c.source.Rows, len(c.loaders[0].took))
	for _, l := range c.loaders {
		var rates, ratios, seconds []float64
		for round, took := range l.took {
			seconds = append(seconds, took.Seconds())
			rates = append(rates, float64(c.source.Rows)/took.Seconds())
			ratios = append(ratios, float64(took)/float64(c.loaders[0].took[round]))
		}
		fmt.Fprintf(w, "%s\t%.0f\t[%.0f, %.0f]\t%.1f\t%.1f\t[%.1f, %.1f]\t\n", l.name, median(rates), slices.Min(rates), slices.Max(rates),
			median(seconds), median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	return w.Flush()
}

// median returns the middle of at least one value.
func median(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
