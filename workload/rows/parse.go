package rows

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// longestLine bounds a line of a saved output. isql's own are short.
const longestLine = 1 << 20

// Lines of isql, 2.5 to 5.0.
var (
	// rowsLine is the heading of a loop's result, with the value beside it
	// after SET LIST ON, else with the values in a line below.
	rowsLine = regexp.MustCompile(`^\s*(INSERTED|UPDATED|DELETED)_ROWS(?:\s+(\d{1,15}))?(?:\s+ELAP_MS)?\s*$`)
	// valuesLine has the values below such headings.
	valuesLine = regexp.MustCompile(`^\s*(\d{1,15})\s+\d+\s*$`)
	// statsLine is a line of SET STATS that the test is judged by.
	statsLine = regexp.MustCompile(`^\s*(Elapsed time|Reads|Writes|Fetches)\s*=\s*(\d{1,15}(?:[.,]\d{1,9})?)(?:\s+sec\w*)?\s*$`)
)

// phaseOf are the phases by the heading of their loop's result.
var phaseOf = map[string]string{"INSERTED": Insert, "UPDATED": Update, "DELETED": Delete}

// stats is what SET STATS printed of one statement.
type stats struct {
	seconds float64
	io      IO
}

// parser reads a saved output line by line.
type parser struct {
	run  Run
	seen map[string]bool // phases that began

	phase string // that goes on; "" before the first
	rows  int64  // 0 until they were printed
	loop  *stats // of the phase's loop, once it ended

	elapsed bool // whether the statistics of a statement have begun
	now     stats
}

// Parse reads what isql printed of the test's script after SET STATS ON, with
// or without SET LIST ON. A phase that did not end, or that is not as the script
// would have it, is left out with a warning; the error is for an output without
// a single one.
func Parse(r io.Reader) (Run, error) {
	p := parser{run: Run{Phases: []Phase{}, Warnings: []string{}}, seen: map[string]bool{}}
	lines := bufio.NewScanner(transform.NewReader(r, unicode.BOMOverride(encoding.Nop.NewDecoder()))) // PowerShell writes UTF-16
	lines.Buffer(nil, longestLine)
	for number := 1; lines.Scan(); number++ {
		if err := p.line(lines.Text()); err != nil {
			return Run{}, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return Run{}, fmt.Errorf("read the output of isql: %w", err)
	}
	p.leave()
	switch {
	case len(p.seen) == 0:
		return Run{}, errors.New("this is no output of the insert, update and delete test: no INSERTED_ROWS in it; save one by isql -i SCRIPT -o FILE")
	case len(p.run.Phases) == 0:
		return Run{}, fmt.Errorf("no phase with its statistics: %s; run the script to its end with SET STATS ON", strings.Join(p.run.Warnings, "; "))
	}
	return p.run, nil
}

// line takes one line.
func (p *parser) line(text string) error {
	if m := rowsLine.FindStringSubmatch(text); m != nil {
		return p.enter(phaseOf[m[1]], m[2])
	}
	if m := valuesLine.FindStringSubmatch(text); m != nil && p.phase != "" && p.rows == 0 {
		return p.count(m[1])
	}
	if m := statsLine.FindStringSubmatch(text); m != nil {
		return p.statistic(m[1], m[2])
	}
	return nil
}

// enter begins a phase.
func (p *parser) enter(phase, rows string) error {
	p.leave()
	if p.seen[phase] {
		return fmt.Errorf("a second %s: give the output of one run", phase)
	}
	p.phase, p.seen[phase] = phase, true
	if rows == "" {
		return nil
	}
	return p.count(rows)
}

// leave ends the phase that goes on, if its commit has not.
func (p *parser) leave() {
	if p.phase != "" {
		p.warn("the %s ends before the statistics of its commit", p.phase)
	}
	p.phase, p.rows, p.loop, p.elapsed = "", 0, nil, false
}

// warn leaves out the phase that goes on.
func (p *parser) warn(format string, args ...any) {
	p.run.Warnings = append(p.run.Warnings, fmt.Sprintf(format, args...))
}

// count takes the number of rows of the phase.
func (p *parser) count(text string) error {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return fmt.Errorf("%s rows: give the output of a run with 1 or more", text)
	}
	p.rows = n
	return nil
}

// statistic takes a line of SET STATS. The time comes first, the fetches last.
func (p *parser) statistic(name, value string) error {
	if name == "Elapsed time" {
		seconds, err := strconv.ParseFloat(strings.Replace(value, ",", ".", 1), 64)
		if err != nil {
			return fmt.Errorf("elapsed time %s: %w", value, err)
		}
		p.now, p.elapsed = stats{seconds: seconds}, true
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%s = %s is no number of pages", name, value)
	}
	switch name {
	case "Reads":
		p.now.io.Reads = n
	case "Writes":
		p.now.io.Writes = n
	case "Fetches":
		p.now.io.Fetches = n
		p.ended()
	}
	return nil
}

// ended takes the statistics of a statement: of the loop, then of its commit.
func (p *parser) ended() {
	if p.phase == "" || !p.elapsed {
		return
	}
	p.elapsed = false
	if p.loop == nil {
		loop := p.now
		p.loop = &loop
		return
	}
	loop, commit := *p.loop, p.now
	switch {
	case p.rows == 0:
		p.warn("the %s does not say how many rows it handled", p.phase)
	case loop.seconds+commit.seconds <= 0:
		p.warn("the %s took no time that isql shows: take more rows", p.phase)
	default:
		p.run.Phases = append(p.run.Phases, NewPhase(p.phase, p.rows, loop.seconds, commit.seconds, loop.io.Plus(commit.io)))
	}
	p.phase = "" // its warning, if it has one, is given
}
