package workload_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"testing"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/workload"
)

// profiled is a way to load with its times.
type profiled struct {
	name  string
	way   workload.Way
	grown bool // the file has its final size before the load begins

	data, index, total, cpu []time.Duration // a value for each round
}

// waysOf are the ways to load that a Firebird has: the loader's first.
func waysOf(version confgen.Version, rows []workload.TableRows) []*profiled {
	ways := []*profiled{
		{name: "PSQL on 2 connections (the loader)", way: workload.Way{Connections: 2}},
		{name: "PSQL on 1 connection", way: workload.Way{Connections: 1}},
		{name: "PSQL on 4 connections", way: workload.Way{Connections: 4}},
		{name: "PSQL on 8 connections", way: workload.Way{Connections: 8}},
		{name: "the loader, forced writes on", way: workload.Way{Connections: 2, ForcedWrites: true}},
		{name: "the loader, file grown before", way: workload.Way{Connections: 2}, grown: true},
		{name: "the loader, indexes on 1 connection", way: workload.Way{Connections: 2, Indexers: 1}},
		{name: "the loader, indexes table by table on 2", way: workload.Way{Connections: 2, Indexers: 2}},
		{name: "the loader, indexes table by table on 4", way: workload.Way{Connections: 2, Indexers: 4}},
		{name: "EXECUTE BLOCK on 2 connections", way: workload.Way{Connections: 2, Rows: rows, Send: workload.SendBlocks}},
	}
	if version.AtLeast(confgen.Version{Major: 4}) {
		ways = append(ways, &profiled{name: "batches on 2 connections", way: workload.Way{Connections: 2, Rows: rows, Send: workload.SendBatches}})
	}
	return ways
}

// TestWays is the profile behind docs/loader.md: it loads the same rows in
// every way, in rounds that begin with another way each, and prints rows per
// second (make profile-loader). Without FBTUNE_LONG it holds only that the ways
// that send rows make the loader's.
//
// The rows that a client sends lie in its memory beforehand: making them is
// not in their time, as it is in that of the loader.
func TestWays(t *testing.T) { firebirdtest.Each(t, comparesWays) }

func comparesWays(t *testing.T, inst firebird.Installation) {
	scale, rounds := tiny, 1
	if firebirdtest.Long() {
		scale, rounds = workload.Quick(), 3
	}
	server, path := firebirdtest.Started(t, inst, map[string]string{"ServerMode": "Super", "DefaultDbCachePages": "16384"})
	loaded, err := workload.Load(t.Context(), server.Target(path), scale, workload.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := workload.ReadTables(t.Context(), server.Target(path))
	if err != nil {
		t.Fatal(err)
	}
	ways := waysOf(inst.Version, rows)
	if !firebirdtest.Long() {
		ways = slices.DeleteFunc(ways, func(p *profiled) bool { return p != ways[0] && p.way.Send == nil })
	}
	for round := range rounds {
		for i := range ways {
			p := ways[(i+round)%len(ways)]
			if checksum := p.load(t, server, scale, loaded.Bytes); checksum != loaded.Checksum {
				t.Errorf("%s: other rows than the loader's", p.name)
			}
		}
	}
	w := tabwriter.NewWriter(t.Output(), 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "Firebird %s, %d rows, median of %d\trows/s\t[least, most]\trows, s\tindexes, s\tserver CPU, s\tto the loader's rows/s\t[least, most]\t\n",
		inst.FullVersion(), loaded.Rows, rounds)
	for _, p := range ways {
		var rates, ratios []float64
		for round, total := range p.total {
			rates = append(rates, float64(loaded.Rows)/total.Seconds())
			ratios = append(ratios, float64(ways[0].total[round])/float64(total))
		}
		fmt.Fprintf(w, "%s\t%.0f\t[%.0f, %.0f]\t%.2f\t%.2f\t%.2f\t%.2f\t[%.2f, %.2f]\t\n", p.name, median(rates), slices.Min(rates), slices.Max(rates),
			median(p.data).Seconds(), median(p.index).Seconds(), median(p.cpu).Seconds(), median(ratios), slices.Min(ratios), slices.Max(ratios))
	}
	if err := w.Flush(); err != nil {
		t.Error(err)
	}
}

// load loads a new database, notes how long it took until all was on the disk,
// and returns the checksum of its rows.
func (p *profiled) load(t *testing.T, server *private.Server, scale workload.Scale, size int64) string {
	t.Helper()
	path := firebirdtest.Database(t, server, 8192)
	defer os.Remove(path)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	used := processorTime(t, server)
	start := time.Now()
	if p.grown {
		if err := unix.Fallocate(int(file.Fd()), 0, 0, size); err != nil {
			t.Fatal(err)
		}
	}
	data, index, err := p.way.Load(t.Context(), server.Target(path), scale)
	if err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	if err := file.Sync(); err != nil {
		t.Fatal(err)
	}
	p.data, p.index, p.total = append(p.data, data), append(p.index, index), append(p.total, time.Since(start))
	p.cpu = append(p.cpu, processorTime(t, server)-used)
	_, checksum, err := workload.Digest(t.Context(), server.Target(path))
	if err != nil {
		t.Fatal(err)
	}
	return checksum
}

// processorTime is what the server has used so far. Other programs change it
// less than the time a load takes.
func processorTime(t *testing.T, server *private.Server) time.Duration {
	t.Helper()
	used, err := server.CPU()
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// median returns the middle of an odd number of values.
func median[T cmp.Ordered](values []T) T { return slices.Sorted(slices.Values(values))[len(values)/2] }
