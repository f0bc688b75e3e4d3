package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// diskFlags are the flags of bench disk.
type diskFlags struct {
	places
	size     string
	duration time.Duration
	pageSize int
}

// Defaults of bench disk: one path is measured once, two are compared in
// blocks of shorter tests.
const (
	diskDuration        = 5 * time.Second
	diskCompareDuration = time.Second
)

func benchDiskCommand(e *env) *cobra.Command {
	var f diskFlags
	cmd := &cobra.Command{
		Use:   "disk",
		Short: "Measure a disk: throughput, latency, and what a flush costs",
		Long: `Measure a disk: throughput, latency, and what a flush costs.

The first rows are those people know from CrystalDiskMark. Q is the number of
threads, each with one synchronous read or write under way. The last rows are
what a Firebird waits for: pages written at random places with forced writes,
one at a time, and 4 KiB written and flushed.

The file is written in full first, with data that cannot be compressed, takes at
most half of what is free, and is removed in the end; what a killed run left is
removed by the next one on the same path. A virtual disk may be answered from
the memory of its host: give a --size above that to see the disk itself.

With --path twice both are measured in interleaved blocks, and the ratio of
operations per second has its 95 % interval.`,
		Example: `  fbtune bench disk --path /var/lib/firebird
  fbtune bench disk --size 8G --duration 10s --page-size 16384
  fbtune bench disk --path /mnt/old --path /mnt/new
  fbtune bench disk --json -o disk.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.benchDisk(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.size, "size", "1G", "`size` of the file, such as 1G")
	flags.DurationVar(&f.duration, "duration", diskDuration, "of each test; with two paths of each test in a block, default "+diskCompareDuration.String())
	flags.IntVar(&f.pageSize, "page-size", 8192, "page size of the database in `bytes`")
	f.places.add(cmd)
	return cmd
}

// benchDiskJSON is the object of bench disk --json.
type benchDiskJSON struct {
	Complete bool               `json:"complete"`
	Blocks   int                `json:"blocks"`
	Duration time.Duration      `json:"duration_ns"`
	PageSize int                `json:"page_size"`
	Disks    []diskbench.Result `json:"disks"`
	Ratios   []report.DiskRatio `json:"ratios"`
}

func (e *env) benchDisk(cmd *cobra.Command, f diskFlags) error {
	size, err := f.settle(e, cmd)
	if err != nil {
		return err
	}
	sink, closeSink, err := e.sink()
	if err != nil {
		return err
	}
	tests := diskbench.Tests(confgen.Bytes(f.pageSize))
	results, measureErr := f.measure(cmd.Context(), size, tests, sink)
	measureErr = errors.Join(measureErr, closeSink())
	if len(results) == 0 || len(results[0].Tests) == 0 {
		return measureErr
	}
	object := benchDiskJSON{
		Complete: measureErr == nil, Blocks: f.blocks, Duration: f.duration, PageSize: f.pageSize, Disks: results, Ratios: []report.DiskRatio{},
	}
	if len(results) == 2 {
		if object.Ratios, err = compareDisks(results[0], results[1]); err != nil {
			return errors.Join(measureErr, err)
		}
	}
	return errors.Join(measureErr, e.printDisks(object))
}

// settle checks the flags, fills in what depends on others, and returns the
// size of the file.
func (f *diskFlags) settle(e *env, cmd *cobra.Command) (confgen.Bytes, error) {
	if err := f.places.settle(cmd); err != nil {
		return 0, err
	}
	if len(f.paths) == 2 && !cmd.Flags().Changed("duration") {
		f.duration = diskCompareDuration
	}
	if f.duration <= 0 {
		return 0, usagef("--duration %s: give a duration above 0", f.duration)
	}
	versions := confgen.Lines()
	if err := confgen.CheckPageSize(confgen.Bytes(f.pageSize), versions[len(versions)-1]); err != nil {
		return 0, usagef("--page-size: %w", err)
	}
	size, err := confgen.ParseSizeFlag(f.size)
	if err != nil {
		return 0, usagef("--size: %w", err)
	}
	if size < diskbench.MinSize {
		return 0, usagef("--size %s: give at least %s", f.size, diskbench.MinSize)
	}
	return size, f.settlePaths(e)
}

// settlePaths takes the work directory for want of a path, and refuses a path
// that is no directory.
func (f *diskFlags) settlePaths(e *env) error {
	if len(f.paths) == 0 {
		dir, err := home(e)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("make the work directory: %w; set FBTUNE_HOME, or give --path", err)
		}
		f.paths = []string{dir}
	}
	return absolute(f.paths)
}

// measure runs the tests on all paths and leaves nothing behind.
func (f *diskFlags) measure(ctx context.Context, size confgen.Bytes, tests []diskbench.Test, sink tuner.Sink) (results []diskbench.Result, err error) {
	note := func(format string, args ...any) {
		sink(tuner.Event{Kind: tuner.EventNote, Time: time.Now(), Message: fmt.Sprintf(format, args...)})
	}
	var benches []*diskbench.Bench
	defer func() {
		for _, b := range benches {
			err = errors.Join(err, b.Close())
		}
	}()
	for _, path := range f.paths {
		note("writing %s in %s", size, path)
		b, err := diskbench.Open(ctx, diskbench.Config{Dir: path, Size: size, Duration: f.duration})
		if err != nil {
			return nil, err
		}
		benches = append(benches, b)
	}
	note("%d tests of %s", len(tests)*f.blocks*len(benches), f.duration)
	return diskbench.Run(ctx, benches, tests, f.blocks, func(b *diskbench.Bench, t diskbench.Test, m diskbench.Measurement) {
		line := report.DiskLine(t, m)
		if len(benches) > 1 {
			line = b.Disk.Path + ": " + line
		}
		note("%s", line)
	})
}

// compareDisks returns the ratio of operations per second, second disk over
// first, of each test.
func compareDisks(first, second diskbench.Result) ([]report.DiskRatio, error) {
	ratios := []report.DiskRatio{}
	for i, t := range first.Tests {
		m, err := sidebyside.Compare(t.String(), t.Blocks, second.Tests[i].Blocks)
		if err != nil {
			return nil, err
		}
		ratios = append(ratios, report.DiskRatio{Name: t.Name, Operation: t.Operation, Comparison: m.Comparison})
	}
	return ratios, nil
}

// printDisks prints the result, and makes findings of warning and above the
// command's error.
func (e *env) printDisks(object benchDiskJSON) error {
	var err error
	if e.json {
		err = e.printJSON("fbtune/bench-disk/1", object)
	} else {
		err = e.print(func(w writer) error { return report.Disks(w, object.Disks, object.Ratios, object.Complete) })
	}
	if err != nil {
		return err
	}
	for _, disk := range object.Disks {
		for _, finding := range disk.Findings {
			if finding.Severity == diskbench.Warning {
				return findingsError("%s: %s", disk.Disk.Path, finding.Says)
			}
		}
	}
	return nil
}
