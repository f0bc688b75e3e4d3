package document

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/internal/report"
)

// Markdown writes the report for an issue or a forum. Charts are not in it.
func (d Document) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nStudy %s, %s.\n\n%s\n", d.Title, d.Study, d.State, strings.Join(d.Sentences, " "))
	for _, s := range d.Sections {
		if len(s.Lines)+len(s.Grid.Rows)+len(s.Code) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n", s.Title)
		if len(s.Grid.Rows) > 0 {
			fmt.Fprintf(&b, "\n%s%s", markdownRow(s.Grid.Header), strings.Repeat("| --- ", len(s.Grid.Header))+"|\n")
			for _, row := range s.Grid.Rows {
				b.WriteString(markdownRow(row))
			}
		}
		if len(s.Code) > 0 {
			fmt.Fprintf(&b, "\n```diff\n%s\n```\n", strings.Join(s.Code, "\n"))
		}
		if len(s.Lines) > 0 {
			b.WriteByte('\n')
		}
		for _, line := range s.Lines {
			fmt.Fprintf(&b, "- %s\n", markdown.Replace(strings.ReplaceAll(line, "\n", " ")))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown takes the meaning from characters that have one.
var markdown = strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "#", `\#`, "\n", " ")

func markdownRow(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + markdown.Replace(cell) + " ")
	}
	return b.String() + "|\n"
}

// TrialsCSV writes a line for each trial.
func (d Document) TrialsCSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(report.TrialRows(d.Trials))
}

// SecondsCSV writes a line for each second of each trial: the operations in it.
func (d Document) SecondsCSV(w io.Writer) error {
	rows := [][]string{{"run", "cell", "part", "second", "operations"}}
	for _, t := range d.Trials {
		if t.Result == nil {
			continue
		}
		add := func(part string, seconds []int64) {
			for i, n := range seconds {
				rows = append(rows, []string{strconv.Itoa(t.Number), t.Cell, part, strconv.Itoa(i + 1), strconv.FormatInt(n, 10)})
			}
		}
		add("warm-up", t.Result.WarmupSeconds)
		add("window", t.Result.Seconds)
	}
	return csv.NewWriter(w).WriteAll(rows)
}
