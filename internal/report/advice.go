package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/fbtune/fbtune/confgen"
)

// Advice writes the advised configuration for a person: current beside
// recommended, the reason of each value, the memory budget, and what must be
// done besides. files are the configuration files it comes to, by name.
func Advice(w io.Writer, a confgen.Advice, files []File) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Firebird %s, %s, %d connections, %s load\nmemory for Firebird: %s (%s)\n\n",
		a.Version, a.Mode, a.Connections, a.Workload, a.Memory, strings.TrimPrefix(a.MemorySource, a.Memory.String()+", "))
	fmt.Fprint(&b, settingsTable(a))
	for _, s := range a.Settings {
		fmt.Fprintf(&b, "\n%s\n%s", s.Name, indented(s.Why))
		if s.Risk != "" {
			fmt.Fprint(&b, indented("risk: "+s.Risk))
		}
	}
	for _, d := range a.Databases {
		fmt.Fprintf(&b, "\n%s (%s): %d page buffers of %s\n%s", d.Name, d.Path, d.Pages, d.PageSize, indented(d.Why))
	}
	fmt.Fprintf(&b, "\nMemory\n%s", budgetTable(a.Budget))
	for _, line := range a.Budget.Lines {
		fmt.Fprint(&b, indented(fmt.Sprintf("%s, worst case: %s", line.Name, line.Formula)))
	}
	section(&b, "To be done besides", a.Also)
	section(&b, "Warnings", a.Warnings)
	for _, f := range files {
		fmt.Fprintf(&b, "\n----- %s -----\n%s", f.Name, f.Content)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// File is a file to be shown or written.
type File struct {
	Name    string
	Content string
}

// settingsTable puts the present and the advised value of each setting side by
// side.
func settingsTable(a confgen.Advice) string {
	t := newTable(left, left, left, left, left).Headers("setting", "current", "from", "recommended", "")
	for _, s := range a.Settings {
		verdict := "as it is"
		if s.Changed {
			verdict = "change"
		}
		t.Row(s.Name, meaning(s.Current, s.CurrentMeans), s.CurrentSource, meaning(s.Value, s.Means), verdict)
	}
	return render(t)
}

// meaning is a value as written, and what the engine does with it where that
// is not the same.
func meaning(text, means string) string {
	switch {
	case means == "":
		return text
	case strings.HasPrefix(means, text): // 2048, and 2048 pages
		return means
	}
	return text + " (" + means + ")"
}

// budgetTable has a line for each use of memory.
func budgetTable(budget confgen.Budget) string {
	t := newTable(left, right, right, right).Headers("", "connected", "expected", "worst case")
	for _, line := range append(budget.Lines[:len(budget.Lines):len(budget.Lines)], budget.Total) {
		t.Row(string(line.Name), line.Now.String(), line.Expected.String(), line.Worst.String())
	}
	return render(t)
}

// section writes a list under a title, or nothing when it is empty.
func section(b *strings.Builder, title string, items []string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, item := range items {
		fmt.Fprint(b, indented("- "+item))
	}
}

// textWidth is how wide running text is set.
const textWidth = 96

// indented sets text in lines of a readable width, two blanks in.
func indented(text string) string {
	set := lipgloss.NewStyle().Width(textWidth).Render(text)
	var b strings.Builder
	for line := range strings.Lines(set) {
		fmt.Fprintf(&b, "  %s\n", strings.TrimRight(line, " \n"))
	}
	return b.String()
}
