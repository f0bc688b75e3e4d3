// Command againstfio measures a disk with fbtune's tests and with fio, on the
// same file, in interleaved pairs, and says where they disagree.
//
// fio does each test with the same calls (its engine psync) from as many
// threads, opened in the same way. The command ends with 1 when a median is
// neither within 10 % of fio's nor within the spread of fio's own runs.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/probe/diskbench"
)

// margin is the difference of medians that does not matter.
const margin = 0.10

// pageSize is that of the page writes.
const pageSize = 8 * probe.KiB

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "againstfio:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	path := flag.String("path", ".", "directory on the disk")
	size := flag.Int("size", 1024, "size of the file in MiB")
	duration := flag.Duration("duration", 3*time.Second, "of each run of a test")
	pairs := flag.Int("pairs", 5, "runs of each test with each program")
	only := flag.String("only", "", "part of the names of the tests to run, such as fsync")
	flag.Parse()
	if *duration < time.Second {
		return fmt.Errorf("-duration %s: fio counts whole seconds; give at least 1s", *duration)
	}
	bench, err := diskbench.Open(ctx, diskbench.Config{Dir: *path, Size: probe.Bytes(*size) * probe.MiB, Duration: *duration})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bench.Close()) }()
	tests := slices.DeleteFunc(diskbench.Tests(pageSize), func(t diskbench.Test) bool { return !strings.Contains(t.String(), *only) })
	ours, theirs := make([][]float64, len(tests)), make([][]float64, len(tests))
	for pair := range *pairs {
		for i, t := range tests {
			fmt.Fprintf(os.Stderr, "pair %d of %d: %s\n", pair+1, *pairs, t)
			measure := [...]func() error{
				func() error {
					m, err := bench.Measure(ctx, t)
					ours[i] = append(ours[i], m.IOPS)
					return err
				},
				func() error {
					iops, err := fio(ctx, bench, t, *duration)
					theirs[i] = append(theirs[i], iops)
					return err
				},
			}
			for at := range measure {
				if err := measure[(at+pair)%len(measure)](); err != nil {
					return err
				}
			}
		}
	}
	return report(tests, ours, theirs)
}

// fio runs a test with fio on the file of a bench and returns its operations
// per second.
func fio(ctx context.Context, b *diskbench.Bench, t diskbench.Test, duration time.Duration) (float64, error) {
	cmd := exec.CommandContext(ctx, "fio", job(b, t, duration)...)
	cmd.Dir = filepath.Dir(b.File()) // where fio keeps the state of its jobs
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("run fio for %s: %w", t, err)
	}
	if err := os.Truncate(b.File(), int64(b.Size)); err != nil { // what it appended
		return 0, fmt.Errorf("run fio for %s: %w", t, err)
	}
	var result struct {
		Jobs []struct{ Read, Write struct{ IOPS float64 } }
	}
	if err := json.Unmarshal(out, &result); err != nil {
		return 0, fmt.Errorf("read fio's result of %s: %w", t, err)
	}
	if len(result.Jobs) != 1 {
		return 0, fmt.Errorf("read fio's result of %s: %d jobs, want one group", t, len(result.Jobs))
	}
	return result.Jobs[0].Read.IOPS + result.Jobs[0].Write.IOPS, nil
}

// job is a test in fio's words (fio(1) of 3.33).
func job(b *diskbench.Bench, t diskbench.Test, duration time.Duration) []string {
	args := []string{
		"--name=againstfio", "--filename=" + b.File(), "--output-format=json", "--ioengine=psync", "--thread", "--group_reporting",
		"--numjobs=" + strconv.Itoa(t.Workers), "--bs=" + strconv.FormatInt(int64(t.Block), 10),
		"--runtime=" + strconv.Itoa(int(duration.Seconds())), "--fallocate=none", "--eta=never", "--norandommap", "--randrepeat=0",
	}
	switch t.Pattern {
	case diskbench.Random:
		args = append(args, "--rw=rand"+string(t.Operation), fmt.Sprintf("--size=%d", int64(b.Size)), "--time_based")
	case diskbench.Append: // ends with the runtime, or at fbtune's own limit
		args = append(args, "--rw="+string(t.Operation), "--file_append=1", fmt.Sprintf("--size=%d", int64(diskbench.Growth)))
	case diskbench.Sequential: // one stream for all: each job takes every n-th block
		skip := int64(t.Block) * int64(t.Workers-1)
		args = append(args, fmt.Sprintf("--rw=%s:%d", t.Operation, skip), fmt.Sprintf("--offset_increment=%d", int64(t.Block)),
			fmt.Sprintf("--size=%d", int64(b.Size)-skip), "--time_based")
	}
	switch t.Mode {
	case diskbench.Direct:
		if b.Direct {
			return append(args, "--direct=1")
		}
		return append(args, "--sync=dsync")
	case diskbench.Dsync:
		return append(args, "--sync=dsync")
	}
	return append(args, "--fsync=1")
}

// report prints medians and spreads, and fails when they disagree.
func report(tests []diskbench.Test, ours, theirs [][]float64) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "operations per second\tfbtune median\t[least, most]\tfio median\t[least, most]\tratio\t")
	apart := 0
	for i, t := range tests {
		o, f := spreadOf(ours[i]), spreadOf(theirs[i])
		ratio, verdict := o.median/f.median, "within 10 %"
		switch {
		case ratio >= 1-margin && ratio <= 1+margin:
		case o.median >= f.least && o.median <= f.most:
			verdict = "within fio's spread"
		default:
			verdict = "APART"
			apart++
		}
		fmt.Fprintf(w, "%s\t%.0f\t[%.0f, %.0f]\t%.0f\t[%.0f, %.0f]\t%.2f\t%s\n", t, o.median, o.least, o.most, f.median, f.least, f.most, ratio, verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if apart > 0 {
		return fmt.Errorf("%d of %d tests differ from fio; on a machine with other work, repeat it with more -pairs", apart, len(tests))
	}
	return nil
}

// spread is what the runs of a test showed.
type spread struct{ least, median, most float64 }

// spreadOf returns the spread of at least one value.
func spreadOf(values []float64) spread {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return spread{s[0], (s[(n-1)/2] + s[n/2]) / 2, s[n-1]}
}
