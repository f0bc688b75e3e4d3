package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/fbtune/fbtune/tuner/stats/noise"
)

// recordColumns are the columns of a record of trials.
var recordColumns = []string{"block", "order", "cell", "ops_per_second"}

// readRecord reads the noise of recorded A/A trials from a CSV file.
func readRecord(path string) (record noise.Record, err error) {
	f, err := os.Open(path)
	if err != nil {
		return noise.Record{}, fmt.Errorf("read trials: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if record, err = parseRecord(f); err != nil {
		return noise.Record{}, fmt.Errorf("read trials %s: %w", path, err)
	}
	return record, nil
}

// parseRecord reads CSV with recordColumns. The cells may have any names: all
// of them must be the same configuration.
func parseRecord(r io.Reader) (noise.Record, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return noise.Record{}, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], recordColumns) {
		return noise.Record{}, fmt.Errorf("the first line must be %q", recordColumns)
	}
	type trial struct {
		block, order int
		score        float64
	}
	trials := make([]trial, 0, len(rows)-1)
	for i, row := range rows[1:] {
		var t trial
		var errs [3]error
		t.block, errs[0] = strconv.Atoi(row[0])
		t.order, errs[1] = strconv.Atoi(row[1])
		t.score, errs[2] = strconv.ParseFloat(row[3], 64)
		if err := errors.Join(errs[:]...); err != nil {
			return noise.Record{}, fmt.Errorf("line %d: %w", i+2, err)
		}
		trials = append(trials, t)
	}
	slices.SortFunc(trials, func(a, b trial) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.order, b.order))
	})
	scores := make([]float64, len(trials))
	for i, t := range trials {
		scores[i] = t.score
	}
	return noise.NewRecord(scores)
}

// resampled makes machines with the noise of a record.
func resampled(record noise.Record) func(seed uint64) machine {
	return func(seed uint64) machine { return noise.NewResampled(seed, record) }
}

// recordTable prints verdicts under the noise of recorded trials.
func recordTable(w io.Writer, studies int, record noise.Record) error {
	fmt.Fprintf(w, "Verdict on the winner against the control, %d studies each, noise resampled from %d recorded A/A trials (spread %.1f %%)\n\n",
		studies, record.Len(), 100*record.Spread())
	return writeVerdicts(w, studies, worlds, resampled(record))
}
