package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Shown writes the settings in force for a database, or for the server when it
// is empty: those the files give first, then those at their defaults.
func Shown(w io.Writer, files confgen.Files, database string, shown confgen.Shown) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Firebird %s, %s", files.Version, files.ServerMode())
	if database != "" {
		fmt.Fprintf(&b, ", database %s", database)
	}
	b.WriteByte('\n')
	if shown.Fatal != "" {
		fmt.Fprintf(&b, "\nTHE SERVER WOULD NOT WORK WITH THESE FILES\n%s", indented(shown.Fatal))
	}
	set := newTable(left, left, left, left).Headers("set", "value", "means", "from")
	rest := newTable(left, left, left).Headers("at its default", "value", "means")
	count := 0
	for _, s := range shown.Settings {
		means := s.Means
		if means == s.Value {
			means = ""
		}
		if s.Set {
			set.Row(s.Name, s.Value, means, fmt.Sprintf("%s:%d", s.File, s.Line))
			count++
		} else {
			rest.Row(s.Name, s.Value, means)
		}
	}
	if count > 0 {
		fmt.Fprintf(&b, "\n%s", render(set))
	}
	fmt.Fprintf(&b, "\n%s", render(rest))
	section(&b, "Warnings", shown.Warnings)
	_, err := io.WriteString(w, b.String())
	return err
}
