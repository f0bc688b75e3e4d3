// Package replay decides between samplers by playing recorded grids of
// configurations back to them.
//
// A grid is every cell of a small space, measured in blocks on a real server.
// Its truth is a smooth surface fitted to the cells; a trial in the replay is
// the truth of its cell with noise drawn from what was left over in the fit.
package replay

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// A Record is one measured trial of a grid.
type Record struct {
	Size         string            // of the database, by which grids are told apart
	Settings     map[string]string // as written in firebird.conf
	Block        int               // from 1
	OpsPerSecond float64           // 0 when the trial failed
}

// Columns of the CSV that are no settings.
const (
	sizeColumn  = "size"
	blockColumn = "block"
	opsColumn   = "ops_per_second"
)

// Header returns the columns of the CSV of records: size, the settings of all
// cells in the order of their names, block, ops_per_second.
func Header(cells []map[string]string) []string {
	names := map[string]bool{}
	for _, cell := range cells {
		for name := range cell {
			names[name] = true
		}
	}
	return slices.Concat([]string{sizeColumn}, slices.Sorted(maps.Keys(names)), []string{blockColumn, opsColumn})
}

// Row returns a record as a line under a header. A setting that a record does
// not have, and the score of a failed trial, are empty.
func (r Record) Row(header []string) []string {
	row := make([]string, len(header))
	for i, column := range header {
		switch column {
		case sizeColumn:
			row[i] = r.Size
		case blockColumn:
			row[i] = strconv.Itoa(r.Block)
		case opsColumn:
			if r.OpsPerSecond > 0 {
				row[i] = strconv.FormatFloat(r.OpsPerSecond, 'f', -1, 64)
			}
		default:
			row[i] = r.Settings[column]
		}
	}
	return row
}

// Read reads the CSV of one or more grids.
func Read(from io.Reader) ([]Record, error) {
	lines := csv.NewReader(from)
	header, err := lines.Read()
	if err != nil {
		return nil, fmt.Errorf("read recorded trials: %w", err)
	}
	if err := checkHeader(header); err != nil {
		return nil, fmt.Errorf("read recorded trials: %w", err)
	}
	var records []Record
	for {
		row, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return records, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read recorded trials: %w", err)
		}
		r, err := parse(header, row)
		if err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("read recorded trials: line %d: %w", line, err)
		}
		records = append(records, r)
	}
}

// checkHeader refuses what is no table of trials.
func checkHeader(header []string) error {
	for _, want := range []string{sizeColumn, blockColumn, opsColumn} {
		if !slices.Contains(header, want) {
			return fmt.Errorf("no column %s among %q", want, header)
		}
	}
	for i, column := range header {
		setting, known := confgen.Lookup(column)
		own := column == sizeColumn || column == blockColumn || column == opsColumn
		if !own && (!known || setting.Name != column) {
			return fmt.Errorf("column %q is not the name of a setting", column)
		}
		if slices.Contains(header[:i], column) {
			return fmt.Errorf("column %s is there twice", column)
		}
	}
	return nil
}

// parse reads a line.
func parse(header, row []string) (Record, error) {
	r := Record{Settings: map[string]string{}}
	var err error
	for i, column := range header {
		text := strings.TrimSpace(row[i])
		switch {
		case column == sizeColumn:
			r.Size = text
		case column == blockColumn:
			r.Block, err = strconv.Atoi(text)
			if err == nil && r.Block < 1 {
				err = fmt.Errorf("block %d: blocks start at 1", r.Block)
			}
		case text == "":
		case column == opsColumn:
			r.OpsPerSecond, err = strconv.ParseFloat(text, 64)
			if err == nil && !(r.OpsPerSecond > 0 && r.OpsPerSecond < 1e12) {
				err = fmt.Errorf("%s: write a rate, or nothing for a failed trial", text)
			}
		default:
			r.Settings[column] = text
		}
		if err != nil {
			return Record{}, fmt.Errorf("%s: %w", column, err)
		}
	}
	return r, nil
}

// Sizes returns the sizes of databases among records, in the order in which
// they come.
func Sizes(records []Record) []string {
	var sizes []string
	for _, r := range records {
		if !slices.Contains(sizes, r.Size) {
			sizes = append(sizes, r.Size)
		}
	}
	return sizes
}

// Missing returns the trials of a plan that are not among records: the rest for
// a recorder that goes on. A failed trial is one that was made.
func (p Plan) Missing(records []Record) []Record {
	made := map[string]bool{}
	for _, r := range records {
		made[identity(r)] = true
	}
	var rest []Record
	for block := 1; block <= p.Blocks; block++ {
		for _, cell := range p.Cells() {
			r := Record{Size: p.Size, Settings: cell, Block: block}
			if !made[identity(r)] {
				rest = append(rest, r)
			}
		}
	}
	return rest
}

// identity tells trials apart.
func identity(r Record) string {
	words := []string{r.Size, strconv.Itoa(r.Block)}
	for _, name := range slices.Sorted(maps.Keys(r.Settings)) {
		words = append(words, name+"="+r.Settings[name])
	}
	return strings.Join(words, " ")
}
