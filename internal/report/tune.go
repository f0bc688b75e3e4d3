package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner"
)

// Tune writes the outcome of a tuning for a person: the answer in three
// sentences, the configurations side by side, the influence of settings, and
// how it was measured. name is the study's, dir where its files are, "" without.
func Tune(w io.Writer, o tuner.Outcome, name, dir string) error {
	var b strings.Builder
	for _, sentence := range o.Sentences() {
		fmt.Fprintln(&b, lipgloss.NewStyle().Width(textWidth).Render(sentence))
	}
	fmt.Fprintf(&b, "\n%s", ContendersTable(o))
	for _, line := range TuneMeaning(o, name) {
		fmt.Fprintln(&b, line)
	}
	if table := influenceTable(o); table != "" {
		fmt.Fprintf(&b, "\nInfluence of settings, all else held (influence, not proof)\n\n%s", table)
	}
	section(&b, "Not exercised", Omissions(o))
	section(&b, "Mind", o.Flags)
	section(&b, "Warnings", o.Warnings)
	if dir != "" {
		fmt.Fprintf(&b, "\nfiles: %s\n", dir)
		if o.Complete && o.Recommended {
			fmt.Fprintf(&b, "put them in place with: fbtune apply --from %s --to ROOT\n", name)
		}
	}
	for _, line := range TuneMethod(o) {
		fmt.Fprintln(&b, line)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mostContenders is how many configurations a table shows.
const mostContenders = 12

// ContendersTable lays the configurations out for a terminal.
func ContendersTable(o tuner.Outcome) string { return ContenderGrid(o).text(1) }

// ContenderGrid puts the configurations side by side: the named ones, then the
// best that were found.
func ContenderGrid(o tuner.Outcome) Grid {
	settings := differing(o)
	header := []string{"", column(o.Tuning.Load.Objective()), "in search"}
	t := Grid{Header: append(append(header, settings...), "memory", "trials")}
	for _, c := range ranked(o) {
		row := []string{c.Name, contenderScore(c, o), searched(c)}
		for _, s := range settings {
			row = append(row, c.Settings[s])
		}
		t.Rows = append(t.Rows, append(row, c.Memory.String(), trialCount(c)))
	}
	return t
}

// column is the heading of figures.
func column(o tuner.Objective) string {
	if o == tuner.LatencyP95 {
		return "p95 ms"
	}
	return "ops/s"
}

// differing lists the settings in which the configurations differ, in the order
// of the catalogue.
func differing(o tuner.Outcome) []string {
	values := map[string]map[string]bool{}
	for _, c := range o.Contenders {
		for name, value := range c.Settings {
			if values[name] == nil {
				values[name] = map[string]bool{}
			}
			values[name][value] = true
		}
	}
	var names []string
	for _, row := range confgen.All() {
		if len(values[row.Name]) > 1 || len(values[row.Name]) == 1 && !everywhere(o, row.Name) {
			names = append(names, row.Name)
		}
	}
	return names
}

// everywhere reports whether every configuration has the setting.
func everywhere(o tuner.Outcome, name string) bool {
	return !slices.ContainsFunc(o.Contenders, func(c tuner.Contender) bool { _, ok := c.Settings[name]; return !ok })
}

// ranked returns the configurations to show: the named ones first, then by
// score of race and confirmation, then by that of the search.
func ranked(o tuner.Outcome) []tuner.Contender {
	list := slices.Clone(o.Contenders)
	named := func(c tuner.Contender) bool { return !strings.HasPrefix(c.Name, "#") }
	slices.SortStableFunc(list, func(a, b tuner.Contender) int {
		switch {
		case named(a) != named(b):
			if named(a) {
				return -1
			}
			return 1
		case named(a):
			return 0
		case a.Figure.Better(b.Figure):
			return -1
		case b.Figure.Better(a.Figure):
			return 1
		}
		return sign(b.Searched - a.Searched)
	})
	return list[:min(len(list), mostContenders)]
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// contenderScore is the figure of race and confirmation with its interval.
func contenderScore(c tuner.Contender, o tuner.Outcome) string {
	if !c.Known() {
		if c.N == 0 && c.Failed > 0 {
			return "FAILED  "
		}
		return "-  "
	}
	text := figure(c.Figure)
	switch {
	case c.Name == o.Winner:
		return text + " " + winnerMark
	case c.Plateau:
		return text + " " + mark
	}
	return text + "  "
}

// winnerMark is put on the configuration that was chosen.
const winnerMark = "!"

func searched(c tuner.Contender) string {
	if c.Searched == 0 {
		return "-"
	}
	return fmt.Sprintf("%+.1f %%", 100*(c.Searched-1))
}

func trialCount(c tuner.Contender) string {
	if c.Failed > 0 {
		return fmt.Sprintf("%d, %d failed", c.N, c.Failed)
	}
	return fmt.Sprint(c.N)
}

// TuneMeaning says what the table means.
func TuneMeaning(o tuner.Outcome, name string) []string {
	lines := []string{fmt.Sprintf("%s: %s, of race and confirmation, with the 95 %% interval; in search: one trial against the stock runs around it (above 0 is better)",
		column(o.Tuning.Load.Objective()), measure(o.Tuning.Load.Objective()))}
	if o.Winner != "" {
		lines = append(lines, fmt.Sprintf("%s chosen; %s not to be told from the best", winnerMark, mark))
	}
	if more := len(o.Contenders) - mostContenders; more > 0 {
		lines = append(lines, fmt.Sprintf("%d more were tried (--json has them)", more))
	}
	for _, c := range o.Contenders {
		if c.Failed > 0 {
			lines = append(lines, fmt.Sprintf("%s FAILED in %d trial(s):", c.Name, c.Failed), strings.TrimSuffix(indented(c.Reason), "\n"))
		}
	}
	if !o.Complete {
		lines = append(lines, fmt.Sprintf("this is not the whole study: go on with fbtune tune --resume %s", name))
	}
	return lines
}

// Effects returns the effects that the trials can tell, the largest first.
func Effects(o tuner.Outcome) []tuner.Influence {
	effects := slices.DeleteFunc(slices.Clone(o.Influences), func(i tuner.Influence) bool { return !i.Estimable })
	slices.SortStableFunc(effects, func(a, b tuner.Influence) int { return sign(distance(b) - distance(a)) })
	return effects
}

// influenceTable lays the effects out for a terminal, "" without one.
func influenceTable(o tuner.Outcome) string {
	g := EffectGrid(o)
	if len(g.Rows) == 0 {
		return ""
	}
	return g.text(1)
}

// EffectGrid has a row for each of Effects.
func EffectGrid(o tuner.Outcome) Grid {
	t := Grid{Header: []string{"setting", "value", "against", "effect [95 %]"}}
	for _, i := range Effects(o) {
		value := i.Value
		if value == "" {
			value = "a step up"
		}
		t.Rows = append(t.Rows, []string{i.Name, value, i.Against, fmt.Sprintf("%+.1f %% [%+.1f, %+.1f]", 100*(i.Ratio-1), 100*(i.Low-1), 100*(i.High-1))})
	}
	return t
}

// distance is how far an effect is from none.
func distance(i tuner.Influence) float64 {
	return max(i.Ratio, 1/max(i.Ratio, 1e-9))
}

// Omissions lists the settings that were not searched.
func Omissions(o tuner.Outcome) []string {
	var list []string
	for _, omitted := range o.Omitted {
		list = append(list, omitted.Name+": "+omitted.Reason)
	}
	for _, r := range o.Refused {
		list = append(list, fmt.Sprintf("%s = %s in %s: %s", r.Name, strings.Join(r.Values, ", "), r.Mode, r.Reason))
	}
	return list
}

// TuneMethod says how the numbers came about.
func TuneMethod(o tuner.Outcome) []string {
	e := o.Environment
	lines := []string{"", fmt.Sprintf("%d trials: %d of stock alone, %d in the search (%s), the rest in randomised blocks; margin %s",
		len(o.Trials), count(o, tuner.StageCalibration), count(o, tuner.StageSearch), o.Tuning.Sampler, percent(o.Tuning.Margin))}
	if o.Ended != "" {
		lines = append(lines, "the race ended because "+o.Ended)
	}
	lines = append(lines,
		fmt.Sprintf("overhead %.2f s a trial outside warm-up and window", o.OverheadTotal),
		loadLine(e, o.Load),
	)
	if o.Tuning.Source != "" {
		lines = append(lines, "current: "+o.Tuning.Source)
	}
	return append(lines, environmentLines(e)...)
}

func count(o tuner.Outcome, stage tuner.Stage) int {
	n := 0
	for _, t := range o.Trials {
		if t.Stage == stage {
			n++
		}
	}
	return n
}

// TunePlan says in a line how long a tuning will take at most.
func TunePlan(t tuner.Tuning) string {
	if t.Time > 0 {
		return fmt.Sprintf("about %s, by the length of a trial", t.Time)
	}
	return fmt.Sprintf("%d trials, at most %s", t.Trials, t.Bound().Round(time.Second))
}

// TuneBudget says in a line how the trials are shared out.
func TuneBudget(b tuner.Budget) string {
	text := fmt.Sprintf("%d trials: %d of stock alone, %d in the search, up to %d in the race, %d blocks of confirmation", b.Total, b.Calibration, b.Search, b.Race, b.Confirm)
	if b.Extension > 0 {
		text += fmt.Sprintf(" and %d more if they leave the verdict open", b.Extension)
	}
	return text
}
