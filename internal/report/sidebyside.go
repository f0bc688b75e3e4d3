package report

import (
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// ratioHead says above a table of ratios what is divided by what.
func ratioHead(figures, first, second string) string {
	return fmt.Sprintf("%s, %s divided by %s\n[95 %% interval, each for itself: of 20 equal tests one misses 1]; ~ cannot be told apart\n\n", figures, second, first)
}

// metrics is a table of what a second place is to a first one.
func metrics(first, second string, compared []sidebyside.Metric) string {
	var b strings.Builder
	b.WriteString(ratioHead("Ratios", first, second))
	t := newTable(left, right, left).Headers("figure", "blocks", "ratio")
	for _, m := range compared {
		t.Row(m.Name, fmt.Sprint(m.Blocks), ratioText(m.Ratio, m.Low, m.High, m.Bounded))
	}
	b.WriteString(render(t))
	return b.String()
}
