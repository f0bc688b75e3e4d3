package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/apply/trial"
)

// Applied is what apply or restore did, or would do.
type Applied struct {
	Target     apply.Target        `json:"target"`
	From       string              `json:"from"`
	Recovered  apply.Outcome       `json:"recovered"` // what an interrupted run before this one came to; empty without one
	Difference *compare.Difference `json:"difference"`
	Trial      *trial.Trial        `json:"trial"`
	Applied    bool                `json:"applied"`
	Replaced   apply.Replaced      `json:"replaced"`
	Besides    []string            `json:"besides"` // what must be done besides
	Notes      []string            `json:"notes"`
}

// Plan writes what is to be replaced, and what the trial showed.
func Plan(w io.Writer, a Applied) error {
	var b strings.Builder
	plan(&b, a)
	_, err := io.WriteString(w, b.String())
	return err
}

// Result writes what was done; with its plan, unless that was shown before.
func Result(w io.Writer, a Applied, planShown bool) error {
	var b strings.Builder
	if !planShown {
		plan(&b, a)
	}
	refused := a.Trial != nil && a.Trial.Refused != ""
	switch {
	case a.Applied:
		fmt.Fprint(&b, "\nReplaced\n")
		for _, path := range a.Replaced.Files {
			fmt.Fprintf(&b, "  %s\n", path)
		}
		if len(a.Replaced.Backups) > 0 {
			fmt.Fprintf(&b, "what was there is kept; fbtune restore --to %s %s puts it back\n", a.Target.Root, a.Replaced.Stamp)
		}
		for _, path := range a.Replaced.Backups {
			fmt.Fprintf(&b, "  %s\n", path)
		}
		section(&b, "To be done besides", a.Besides)
	case refused:
		fmt.Fprint(&b, "\nNothing was changed: the engine refuses the new files.\n")
	case a.Difference != nil && a.Difference.Same():
		fmt.Fprint(&b, "\nNothing to do.\n")
	default:
		fmt.Fprint(&b, "\nNothing was changed.\n")
		section(&b, "To be done after it", a.Besides)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func plan(b *strings.Builder, a Applied) {
	if a.Difference != nil {
		difference(b, *a.Difference, Replaced)
	}
	if t := a.Trial; t != nil {
		fmt.Fprintf(b, "\nTried on a private %s, with a copy in which these lines are replaced\n", t.Server)
		list := newTable(left, left, left, left)
		for _, r := range t.Replaced {
			line := "added"
			if r.Line > 0 {
				line = fmt.Sprintf("line %d", r.Line)
			} else if r.Was != "" {
				line = "before all"
			}
			list.Row("  "+r.File, line, r.Name, r.Why)
		}
		fmt.Fprint(b, render(list))
		outcome := cmp.Or(t.Refused, "the server started with it and answered a query")
		fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(outcome, "\n", "\n  "))
	}
	var notes []string
	if a.Recovered != "" && a.Recovered != apply.Nothing {
		notes = append(notes, fmt.Sprintf("an earlier run was interrupted; what it had begun was %s now", a.Recovered))
	}
	notes = append(notes, a.Notes...)
	if a.Trial != nil {
		notes = append(notes, a.Trial.Notes...)
	}
	section(b, "Notes", notes)
}

// Recovered writes what became of an interrupted run.
func Recovered(w io.Writer, a Applied) error {
	outcome := map[apply.Outcome]string{
		apply.Nothing:  "Nothing is pending.",
		apply.Finished: "The interrupted apply was finished: the new files are in place. Restart the server.",
		apply.Undone:   "What was interrupted was undone: the old files are in place.",
	}[a.Recovered]
	var b strings.Builder
	fmt.Fprintln(&b, outcome)
	if a.Recovered != apply.Nothing {
		section(&b, "Notes", a.Notes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Backups writes a list of backups, newest first.
func Backups(w io.Writer, target apply.Target, list []apply.Backup, pending *apply.Pending) error {
	var b strings.Builder
	if pending != nil {
		what, ends := "apply", "finishes or undoes it"
		if pending.Loan != nil {
			what, ends = "measurement on "+pending.Loan.Service, "puts back the file that was lent to it"
		}
		fmt.Fprintf(&b, "The %s of %s was interrupted; fbtune restore --to %s --pending %s.\n\n", what, pending.Started.Format("2006-01-02 15:04:05 MST"), target.Root, ends)
	}
	if len(list) == 0 {
		fmt.Fprintf(&b, "No backup of %s or %s.\n", target.FirebirdConf, target.DatabasesConf)
	} else {
		t := newTable(left, left, right, left).Headers("backup", "made", "bytes", "file")
		for _, backup := range list {
			stamp, made := backup.Stamp, backup.Made.Local().Format("2006-01-02 15:04:05 MST")
			for _, f := range backup.Files {
				t.Row(stamp, made, fmt.Sprint(f.Bytes), f.Backup)
				stamp, made = "", ""
			}
		}
		b.WriteString(render(t))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
