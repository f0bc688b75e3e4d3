package rows

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/templates"
)

// Schema returns the statements that make the table and its indexes.
func Schema() ([]string, error) { return templates.Rows("schema") }

// Begin returns the statement that tells the loops of its connection how many
// rows they handle.
func Begin(rows int) (string, error) {
	text, err := one("begin")
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(text, rows), nil
}

// Loop returns the statement of a phase. It returns one row: how many rows the
// loop went over, and the milliseconds by the server's own clock.
func Loop(phase string) (string, error) { return one(phase) }

// one returns the only statement of an embedded file.
func one(name string) (string, error) {
	statements, err := templates.Rows(name)
	if err != nil {
		return "", err
	}
	if len(statements) != 1 {
		return "", fmt.Errorf("embedded SQL %q: %d statements, want 1", name, len(statements))
	}
	return statements[0], nil
}

// Script returns the test as isql runs it on a new database, to which the
// caller connects before. [Parse] reads what isql prints.
func Script(rows int) (string, error) {
	statements, err := Schema()
	if err != nil {
		return "", err
	}
	begin, err := Begin(rows)
	if err != nil {
		return "", err
	}
	statements = append(statements, "COMMIT", begin, "COMMIT", "SET LIST ON", "SET STATS ON")
	for _, phase := range Names {
		loop, err := Loop(phase)
		if err != nil {
			return "", err
		}
		statements = append(statements, loop, "COMMIT")
	}
	return "SET BAIL ON;\nSET TERM ^;\n" + strings.Join(slices.Concat(statements, []string{""}), "^\n"), nil
}
