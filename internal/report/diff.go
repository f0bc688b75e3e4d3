package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply/compare"
)

// Sides are what the two configurations of a difference are called.
type Sides struct{ A, B string }

// Names of sides.
var (
	Compared = Sides{"A", "B"}     // by fbtune diff
	Replaced = Sides{"now", "new"} // by fbtune apply and restore
)

// Difference writes how two configurations differ: the settings with another
// effect, by group, then the other lines that differ.
func Difference(w io.Writer, d compare.Difference, sides Sides) error {
	var b strings.Builder
	difference(&b, d, sides)
	_, err := io.WriteString(w, b.String())
	return err
}

func difference(b *strings.Builder, d compare.Difference, sides Sides) {
	t := newTable(left, left, left)
	for _, side := range []struct {
		name string
		of   compare.Summary
	}{{sides.A, d.A}, {sides.B, d.B}} {
		t.Row(side.name, side.of.Path, string(side.of.Mode))
	}
	fmt.Fprintf(b, "%s%s, as Firebird %s reads them\n", render(t), strings.Join(d.Files, " and "), d.Firebird)
	for _, side := range []struct {
		name string
		of   compare.Summary
	}{{sides.A, d.A}, {sides.B, d.B}} {
		if side.of.Fatal != "" {
			fmt.Fprintf(b, "\nA server would not work with %s:\n%s", side.name, indented(side.of.Fatal))
		}
	}
	for from := 0; from < len(d.Settings); {
		to := from
		for to < len(d.Settings) && heading(d.Settings[to]) == heading(d.Settings[from]) {
			to++
		}
		fmt.Fprintf(b, "\n%s", differenceTable(d.Settings[from:to], sides))
		from = to
	}
	differentLines(b, d, sides)
	switch {
	case d.Same():
		fmt.Fprint(b, "\nNo difference.\n")
	case len(d.Settings) == 0 && d.A.Fatal == d.B.Fatal:
		fmt.Fprint(b, "\nNo setting has another effect.\n")
	}
}

// heading is the group of a setting: its topic, or the database it is for.
func heading(s compare.Setting) string {
	if s.Database != "" {
		return "databases.conf, " + s.Database
	}
	return s.Group
}

func differenceTable(list []compare.Setting, sides Sides) string {
	t := newTable(left, left, left).Headers(heading(list[0]), sides.A, sides.B)
	for _, s := range list {
		t.Row(s.Name, inForce(s.A), inForce(s.B))
	}
	return render(t)
}

// inForce is what the engine does with a setting, and where that comes from.
func inForce(s confgen.InForce) string {
	text := meaning(s.Raw, s.Means)
	if text == "" {
		text = "(empty)"
	}
	switch {
	case s.Set:
		return fmt.Sprintf("%s, %s:%d", text, filepath.Base(s.File), s.Line)
	case s.Name == compare.AliasFile:
		return s.Means
	}
	return s.Means + ", default"
}

// differentLines lists the lines that differ beside those of settings.
func differentLines(b *strings.Builder, d compare.Difference, sides Sides) {
	file := ""
	for _, line := range d.Lines {
		if file == "" && d.A.Fatal == "" && d.B.Fatal == "" {
			fmt.Fprint(b, "\nOther lines that differ, without an effect of their own\n")
		} else if file == "" {
			fmt.Fprint(b, "\nLines that differ\n")
		}
		if line.File != file {
			file = line.File
			fmt.Fprintf(b, "  %s\n", file)
		}
		side := map[string]string{"a": sides.A, "b": sides.B}[line.Side]
		fmt.Fprintf(b, "    %-3s %5d  %s\n", side, line.Line, strings.TrimRight(line.Text, " \t\r"))
	}
}
