package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// resultText draws what a study came to.
func resultText(p *tuner.Progress) (string, error) {
	switch {
	case p.Growth.Blocks > 0:
		return report.GrowthTable(p.GrowthResult()), nil
	case p.Tuning.Sampler == "":
		r := p.Result()
		return report.SweepTable(r) + "\n" + cellBars(r), nil
	}
	o, err := p.Outcome()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, sentence := range o.Sentences() {
		b.WriteString(sentence + "\n")
	}
	b.WriteString("\n" + ranking(o))
	if len(o.Verdicts) > 0 {
		b.WriteString("\n" + headStyle.Render("The winner against") + "\n")
	}
	for _, v := range o.Verdicts {
		fmt.Fprintf(&b, "%s  %s  %s\n", pad(v.Against, 10), intervalBar(v.Ratio, v.Low, v.High), v.Outcome)
	}
	b.WriteString(influences(o))
	return b.String(), nil
}

// influences draws what each setting does by itself, where the trials tell.
func influences(o tuner.Outcome) string {
	estimable := slices.DeleteFunc(slices.Clone(o.Influences), func(i tuner.Influence) bool { return !i.Estimable })
	if len(estimable) == 0 {
		return ""
	}
	widest := 0
	names := make([]string, len(estimable))
	for n, i := range estimable {
		names[n] = i.Name + " a step up"
		if i.Value != "" {
			names[n] = i.Name + " " + i.Value + ", not " + i.Against
		}
		widest = max(widest, len(names[n]))
	}
	text := "\n" + headStyle.Render("What the settings do, all others held") + "\n"
	for n, i := range estimable {
		text += pad(names[n], widest) + "  " + intervalBar(i.Ratio, i.Low, i.High) + "\n"
	}
	return text
}

// ranking lists the configurations that were raced, the best first. What they
// consist of is in the full report: that table is wider than a terminal.
func ranking(o tuner.Outcome) string {
	var b strings.Builder
	row := func(cells ...string) {
		fmt.Fprintf(&b, "%-10s%10s  %-18s%12s%8s  %s\n", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5])
	}
	row("", "score", "95 %", "memory", "trials", "")
	raced := slices.DeleteFunc(slices.Clone(o.Contenders), func(c tuner.Contender) bool { return c.High == 0 })
	slices.SortStableFunc(raced, func(x, y tuner.Contender) int {
		if x.P95+y.P95 > 0 {
			return cmp.Compare(x.P95, y.P95)
		}
		return cmp.Compare(y.OpsPerSecond, x.OpsPerSecond)
	})
	for _, c := range raced {
		says := ""
		switch {
		case c.Name == o.Winner:
			says = "winner"
		case c.Plateau:
			says = "* may be best"
		}
		row(c.Name, fmt.Sprintf("%.4g", c.OpsPerSecond+c.P95), fmt.Sprintf("[%.4g, %.4g]", c.Low, c.High), c.Memory.String(), strconv.Itoa(c.N), says)
	}
	return b.String()
}

// barWidth is how wide bars of results are.
const barWidth = 24

// cellBars draws the cells of a sweep beside each other.
func cellBars(r tuner.Result) string {
	top := 1.0
	for _, c := range r.Cells {
		top = max(top, c.OpsPerSecond, c.P95)
	}
	var b strings.Builder
	for _, c := range r.Cells {
		mark := " "
		if c.SameAsBest && c.High > 0 {
			mark = "*"
		}
		value := c.OpsPerSecond + c.P95 // one of them is 0
		fmt.Fprintf(&b, "%s %s %s%s\n", pad(c.Name, 20), bar(value/top, barWidth), strings.TrimSpace(fmt.Sprintf("%.0f", value)), mark)
	}
	return b.String()
}

// intervalBar draws a ratio with its interval on a scale from half to twice,
// with a line at 1.
func intervalBar(ratio, low, high float64) string {
	const lowest, highest = 0.5, 2.0
	at := func(x float64) int {
		x = min(max(x, lowest), highest)
		return int((x - lowest) / (highest - lowest) * (barWidth - 1))
	}
	line := []rune(strings.Repeat("·", barWidth))
	line[at(1)] = '│'
	for i := at(low); i <= at(high); i++ {
		line[i] = '─'
	}
	line[at(ratio)] = '●'
	return fmt.Sprintf("%s %.2f [%.2f, %.2f]", string(line), ratio, low, high)
}
