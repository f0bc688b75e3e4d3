// Package templates holds the text that fbtune writes and runs, embedded in the binary.
package templates

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed oltp/*.sql rows/*.sql
var statements embed.FS

// separator is the line that ends a statement in an embedded SQL file. PSQL
// bodies contain semicolons, and SET TERM belongs to isql, so a line of its
// own parts the statements.
const separator = "^"

// OLTP returns the statements of templates/oltp/NAME.sql in order, each
// without its comments before it and without a terminator.
func OLTP(name string) ([]string, error) { return sql("oltp", name) }

// Rows is OLTP for templates/rows/NAME.sql.
func Rows(name string) ([]string, error) { return sql("rows", name) }

func sql(folder, name string) ([]string, error) {
	text, err := fs.ReadFile(statements, folder+"/"+name+".sql")
	if err != nil {
		return nil, fmt.Errorf("embedded SQL %q: %w", name, err)
	}
	return split(string(text)), nil
}

// split cuts text at the separator lines, dropping comment lines ("--") that
// come before a statement, and empty parts.
func split(text string) []string {
	var statements []string
	var lines []string
	flush := func() {
		if s := strings.TrimSpace(strings.Join(lines, "\n")); s != "" {
			statements = append(statements, s)
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == separator:
			flush()
		case len(lines) == 0 && (line == "" || strings.HasPrefix(line, "--")):
		default:
			lines = append(lines, line)
		}
	}
	flush()
	return statements
}
