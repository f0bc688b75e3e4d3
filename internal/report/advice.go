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
// done besides. compared are published rules beside it, files the configuration
// files it comes to; both may be empty.
func Advice(w io.Writer, a confgen.Advice, compared []confgen.PublishedValue, files []confgen.ConfFile) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Firebird %s, %s, %d connections, %s load\nmemory for Firebird: %s (%s)\n\n",
		a.Version, a.Mode, a.Connections, a.Workload, a.Memory, strings.TrimPrefix(a.MemorySource, a.Memory.String()+", "))
	if a.NothingToDo() {
		fmt.Fprint(&b, "nothing to do: what is in force is as advised (within 5 %)\n\n")
	}
	fmt.Fprint(&b, settingsTable(a))
	if !a.Version.AtLeast(confgen.Version{Major: 3}) {
		fmt.Fprintf(&b, "\narchitecture: %s\n%s", a.Mode, indented(a.ModeWhy))
	}
	for _, s := range a.Settings {
		fmt.Fprintf(&b, "\n%s\n%s", s.Name, indented(s.Why))
		if s.Risk != "" {
			fmt.Fprint(&b, indented("risk: "+s.Risk))
		}
	}
	for _, d := range a.Databases {
		fmt.Fprintf(&b, "\n%s (%s): %d page buffers of %s\n%s", d.Name, d.Path, d.Pages, d.PageSize, indented(d.Why))
	}
	section(&b, "Moved by what was observed", a.Observed)
	if len(compared) > 0 {
		fmt.Fprintf(&b, "\nBeside IBSurgeon's configuration calculator\n%s", comparedTable(compared))
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

// Explain writes the derivation of one setting's value. rec is nil for a
// setting that the rules leave as it is.
func Explain(w io.Writer, a confgen.Advice, setting confgen.SettingFacts, rec *confgen.Recommendation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, Firebird %s, %s\n%s", setting.Name, a.Version, a.Mode, indented(setting.Effect))
	switch {
	case rec != nil:
		verdict := "as it is"
		if rec.Changed {
			verdict = "change"
		}
		fmt.Fprintf(&b, "\ncurrent      %s (%s)\nrecommended  %s: %s\nbecause\n%s",
			meaning(rec.Current, rec.CurrentMeans), rec.CurrentSource, meaning(rec.Value, rec.Means), verdict, indented(rec.Why))
		if rec.Risk != "" {
			fmt.Fprint(&b, indented("risk: "+rec.Risk))
		}
	case setting.In == nil:
		fmt.Fprintf(&b, "\nFirebird %s does not know it\n", a.Version)
	default:
		fmt.Fprintf(&b, "\nno rule moves it: it stays as it is, %s by default\n", setting.In.Default.In(a.Mode))
	}
	fmt.Fprintf(&b, "\nmemory for Firebird: %s (%s), %d connections, %s load\n", a.Memory, a.MemorySource, a.Connections, a.Workload)
	if setting.MemoryFormula != "" {
		fmt.Fprint(&b, indented("memory: "+setting.MemoryFormula))
	}
	if setting.In != nil {
		for _, bound := range setting.In.Bounds {
			fmt.Fprint(&b, indented("bound: "+bound))
		}
	}
	fmt.Fprint(&b, indented("source: "+setting.Source))
	_, err := io.WriteString(w, b.String())
	return err
}

// Built is the advice for one version and architecture of a set.
type Built struct {
	Version   confgen.Version `json:"firebird"`
	Mode      confgen.Mode    `json:"mode"`
	Directory string          `json:"directory"` // below that of the set
	Reason    string          `json:"reason"`    // why there is no advice; empty when there is

	Settings  []confgen.Recommendation `json:"settings"`
	Databases []confgen.DatabaseAdvice `json:"databases"`
	Budget    *confgen.Budget          `json:"budget"` // null when there is no advice
}

// All writes a set of advices, a line each. dir is where their files are, ""
// when none were written.
func All(w io.Writer, dir string, all []Built) error {
	t := newTable(left, left, right, right, right, right, left).Headers("Firebird", "architecture", "page cache", "TempCacheLimit", "LockMemSize", "worst case", "")
	for _, b := range all {
		if b.Budget == nil {
			t.Row(b.Version.String(), string(b.Mode), "", "", "", "", b.Reason)
			continue
		}
		value := map[string]string{}
		for _, s := range b.Settings {
			value[s.Name] = s.Means
		}
		cache := value[confgen.DefaultDbCachePages]
		if len(b.Databases) > 0 {
			cache = fmt.Sprintf("%d pages", b.Databases[0].Pages)
		}
		t.Row(b.Version.String(), string(b.Mode), cache, value[confgen.TempCacheLimit], value[confgen.LockMemSize], b.Budget.Total.Worst.String(), b.Directory)
	}
	where := "no files were written: name a directory with -o\n"
	if dir != "" {
		where = fmt.Sprintf("written below %s\n", dir)
	}
	_, err := io.WriteString(w, render(t)+where)
	return err
}

// comparedTable puts published values beside ours.
func comparedTable(compared []confgen.PublishedValue) string {
	t := newTable(left, right, right, left).Headers("setting", "ours", "theirs", "their rule")
	for _, c := range compared {
		t.Row(c.Name, c.Ours, c.Theirs, c.Rule)
	}
	return render(t)
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
