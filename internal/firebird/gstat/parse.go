package gstat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// longestLine bounds a line of gstat: it prints names, none of which has more
// than 252 bytes, and paths.
const longestLine = 64 << 10

// Lines that begin something. Names may hold blanks and parentheses.
var (
	databaseLine = regexp.MustCompile(`^Database "(.*)"$`)
	headerLine   = regexp.MustCompile(`^\t([A-Z][A-Za-z ]*[A-Za-z]):?\t+(.*)$`)
	tableLine    = regexp.MustCompile(`^(\S.*) \(\d+\)$`)
	indexLine    = regexp.MustCompile(`^    Index (.+) \(\d+\)$`)
	unreadLine   = regexp.MustCompile(`^    Expected (data on page|b-tree bucket on page) .*$`)
	fieldLine    = regexp.MustCompile(`^(?:    |\t)([A-Z].*)$`)
)

// Lines of gstat that tell where in its output it is.
const (
	headerBegins   = "Database header page information:"
	pagesBegin     = "Analyzing database pages ..."
	startedAt      = "Gstat execution time"
	completedAt    = "Gstat completion time"
	levelOfBlobs   = "Level "        // counts of a kind of blobs, under names that their sums have too
	recordsCounted = "total records" // which only -r prints
)

// errNoOutput is the error of a text that is none of gstat's.
var errNoOutput = errors.New("it holds no header of a database; save what gstat -r DATABASE prints, whole")

// parser is how far the reading of an output has come.
type parser struct {
	s                  Statistics
	begun, ended       bool // by the times that gstat prints from 3.0 on
	inHeader, inTables bool
	inIndex            bool   // whether figures are those of the last index, not of the last table
	first              string // the first line, which says what is wrong when it is no output
}

// Parse reads an output of gstat. An output that is cut off is read as far as
// it goes, with a doubt where that can be seen, which is from 3.0 on. The error
// is one of a text that is no such output.
func Parse(r io.Reader) (Statistics, error) {
	var p parser
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	number := 0
	for lines.Scan() {
		number++
		// The services API ends lines in a blank, Windows in a carriage return.
		line := strings.ToValidUTF8(strings.TrimRight(lines.Text(), " \r"), "?")
		if err := p.line(line); err != nil {
			return Statistics{}, fmt.Errorf("read line %d of gstat's output, %.80q: %w", number, line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return Statistics{}, fmt.Errorf("read gstat's output after line %d: %w", number, err)
	}
	if p.s.Header.PageSize == 0 || p.s.Header.ODS.Major == 0 {
		return Statistics{}, fmt.Errorf("read gstat's output, which begins with %.120q: %w", p.first, errNoOutput)
	}
	if p.begun && !p.ended {
		p.s.Doubts = append(p.s.Doubts, "the output of gstat has no end: tables and indices may be missing; save it again, whole")
	}
	p.s.finish()
	return p.s, nil
}

// line reads the next line.
func (p *parser) line(line string) error {
	if p.first == "" {
		p.first = strings.TrimSpace(line)
	}
	switch {
	case line == "":
		return nil
	case line == headerBegins:
		p.s.Header.SweepInterval, p.s.Header.Dialect = dbheader.DefaultSweepInterval, 1 // unless lines say otherwise
		p.inHeader = true
		return nil
	case line == pagesBegin:
		p.inHeader, p.inTables, p.s.Pages = false, true, true
		return nil
	case strings.HasPrefix(line, startedAt):
		p.begun = true
		return nil
	case strings.HasPrefix(line, completedAt):
		p.ended = true
		return nil
	case p.inTables:
		return p.tables(line)
	case p.inHeader:
		if m := headerLine.FindStringSubmatch(line); m != nil {
			return p.header(m[1], strings.TrimSpace(m[2]))
		}
	default:
		if m := databaseLine.FindStringSubmatch(line); m != nil {
			p.s.Database = m[1]
		}
	}
	return nil
}

// header reads a line of the header page.
func (p *parser) header(name, value string) error {
	set, known := headerFields[name]
	if !known {
		return nil
	}
	return set(&p.s.Header, value)
}

// tables reads a line of the analysis of tables and indices.
func (p *parser) tables(line string) error {
	if m := unreadLine.FindString(line); m != "" {
		p.s.Doubts = append(p.s.Doubts, "gstat could not read all of it (\""+strings.TrimSpace(m)+"\"): pages changed meanwhile, or are damaged; run it again when nothing is written, then gfix -v -n")
		return nil
	}
	if m := tableLine.FindStringSubmatch(line); m != nil {
		p.s.Tables, p.inIndex = append(p.s.Tables, Table{Name: m[1]}), false
		return nil
	}
	if len(p.s.Tables) == 0 {
		return nil
	}
	if m := indexLine.FindStringSubmatch(line); m != nil {
		table := p.s.Tables[len(p.s.Tables)-1].Name
		p.s.Indices, p.inIndex = append(p.s.Indices, Index{Table: table, Name: m[1]}), true
		return nil
	}
	m := fieldLine.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(m[1], levelOfBlobs) {
		return nil
	}
	for part := range strings.SplitSeq(m[1], ", ") {
		name, value, ok := strings.Cut(part, ": ")
		if !ok {
			continue
		}
		if err := p.figure(strings.ToLower(name), strings.TrimSpace(value)); err != nil {
			return err
		}
	}
	return nil
}

// figure reads a figure of the last table or index.
func (p *parser) figure(name, value string) error {
	if p.inIndex {
		if field, known := indexFields[name]; known {
			return set(field(&p.s.Indices[len(p.s.Indices)-1]), value)
		}
		return nil
	}
	p.s.Records = p.s.Records || name == recordsCounted
	if field, known := tableFields[name]; known {
		return set(field(&p.s.Tables[len(p.s.Tables)-1]), value)
	}
	return nil
}
