package replay

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes the outcomes as a table, a block of lines for each surface, and
// the decision below it.
func Print(to io.Writer, outcomes []Outcome, d Decision) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, s := range surfaces(outcomes) {
		fmt.Fprintf(w, "%s: %d cells, noise %.1f %%", s.Name, len(s.Points), 100*s.Sigma())
		for _, target := range Targets {
			fmt.Fprintf(w, ", %.1f %% of them within %g %% of the best", 100*s.Share(target), 100*target)
		}
		fmt.Fprintln(w)
		columns := []string{"sampler"}
		for _, checkpoint := range Checkpoints {
			columns = append(columns, fmt.Sprintf("%% of best after %d", checkpoint))
		}
		for _, target := range Targets {
			columns = append(columns, fmt.Sprintf("trials to %g %%", 100*target))
		}
		fmt.Fprintln(w, strings.Join(columns, "\t")+"\t")
		for _, o := range outcomes {
			if o.Surface == s {
				fmt.Fprintln(w, strings.Join(o.row(), "\t")+"\t")
			}
		}
		fmt.Fprintln(w)
	}
	for _, reason := range d.Reasons {
		fmt.Fprintln(w, reason)
	}
	fmt.Fprintf(w, "default: %s\n", d.Sampler)
	return w.Flush()
}

// row is an outcome as a line.
func (o Outcome) row() []string {
	row := []string{o.Sampler}
	if o.Unfit != "" {
		return append(row, o.Unfit)
	}
	for i := range Checkpoints {
		row = append(row, fmt.Sprintf("%.2f", 100*o.Mean(i)))
	}
	for i := range Targets {
		text := fmt.Sprint(o.Median(i))
		if o.Median(i) > len(o.Surface.Points) {
			text = "never"
		}
		row = append(row, text)
	}
	return row
}
