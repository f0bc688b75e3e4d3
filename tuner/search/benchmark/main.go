// Benchmark plays recorded grids back to all samplers, prints how they did, and
// decides which one is the default:
//
//	go run ./tuner/search/benchmark [-seeds N] GRID.csv ...
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/search"
	"github.com/fbtune/fbtune/tuner/search/replay"
)

func main() {
	seeds := flag.Int("seeds", replay.Seeds, "searches of each sampler on each grid")
	firebird := flag.String("firebird", "3.0", "the version that the grids were recorded with")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: benchmark [-seeds N] [-firebird V] GRID.csv ...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if err := run(os.Stdout, *firebird, *seeds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(1)
	}
}

// run reads the grids of all files and writes the table.
func run(out io.Writer, firebird string, seeds int, files []string) error {
	if len(files) == 0 {
		return errors.New("no grids are given; record them by make record-grids, then name the CSV files")
	}
	if seeds < 2 {
		return fmt.Errorf("%d seeds say nothing about chance; give 2 or more", seeds)
	}
	version, err := confgen.ParseVersion(firebird)
	if err != nil {
		return err
	}
	var records []replay.Record
	for _, file := range files {
		more, err := read(file)
		if err != nil {
			return err
		}
		records = append(records, more...)
	}
	var outcomes []replay.Outcome
	for _, size := range replay.Sizes(records) {
		of := slices.DeleteFunc(slices.Clone(records), func(r replay.Record) bool { return r.Size != size })
		surface, err := replay.Fit(size, version, of)
		if err != nil {
			return err
		}
		for _, sampler := range search.Names() {
			outcome, err := replay.Play(surface, sampler, seeds)
			if err != nil {
				return err
			}
			outcomes = append(outcomes, outcome)
		}
	}
	decision, err := replay.Decide(outcomes)
	if err != nil {
		return err
	}
	return replay.Print(out, outcomes, decision)
}

// read reads one file.
func read(file string) (_ []replay.Record, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	records, err := replay.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return records, nil
}
