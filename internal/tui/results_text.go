package tui

import (
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// resultText draws what a study came to.
func resultText(p *tuner.Progress) (string, error) {
	if p.Tuning.Sampler == "" {
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
	b.WriteString("\n" + report.ContendersTable(o))
	if len(o.Verdicts) > 0 {
		b.WriteString("\n" + headStyle.Render("The winner against") + "\n")
	}
	for _, v := range o.Verdicts {
		fmt.Fprintf(&b, "%s  %s  %s\n", pad(v.Against, 10), intervalBar(v.Ratio, v.Low, v.High), v.Outcome)
	}
	if len(o.Influences) > 0 {
		b.WriteString("\n" + headStyle.Render("What the settings do, all others held") + "\n")
	}
	for _, i := range o.Influences {
		if !i.Estimable {
			continue
		}
		what := i.Name + " a step up"
		if i.Value != "" {
			what = i.Name + " " + i.Value + ", not " + i.Against
		}
		fmt.Fprintf(&b, "%s  %s\n", pad(what, 36), intervalBar(i.Ratio, i.Low, i.High))
	}
	return b.String(), nil
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
		fmt.Fprintf(&b, "%s%s %s%s\n", pad(c.Name, 20), bar(value/top, barWidth), strings.TrimSpace(fmt.Sprintf("%.0f", value)), mark)
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
