// Command simulate prints what the protocol of package stats does on machines
// whose truth is known: how good the configurations are that it picks, how
// often its intervals cover the truth, and how often it announces a winner
// where there is none.
//
//	go run ./tuner/stats/simulate
//	go run ./tuner/stats/simulate -trials tuner/stats/testdata/aa-trials.csv
//
// docs/simulations.md shows the output; the tests hold its figures.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

// fullStudies is the number of studies behind every figure of the tables.
const fullStudies = 2000

func main() {
	studies := flag.Int("studies", fullStudies, "simulated studies for each figure")
	trials := flag.String("trials", "", "CSV `file` of A/A trials (block,order,cell,ops_per_second) to resample as well")
	flag.Parse()
	if err := run(os.Stdout, *studies, *trials); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// run prints all tables.
func run(w io.Writer, studies int, trials string) error {
	if studies < 1 {
		return fmt.Errorf("%d studies: give at least 1", studies)
	}
	tables := []func(io.Writer, int) error{regretTable, verdictTable, intervalTable, lookTable}
	if trials != "" {
		record, err := readRecord(trials)
		if err != nil {
			return err
		}
		tables = append(tables, func(w io.Writer, studies int) error {
			return recordTable(w, studies, record)
		})
	}
	for _, table := range tables {
		if err := table(w, studies); err != nil {
			return err
		}
	}
	return nil
}
