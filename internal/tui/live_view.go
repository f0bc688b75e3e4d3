package tui

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
)

// Heights and widths of the parts of the screen.
const (
	chartLeast  = 5
	chartMost   = 12
	twoCharts   = 100 // columns from which speed and best so far are side by side
	trialsLeast = 4
)

func (l live) View(width, height int) string {
	head := l.head(width)
	log := l.log(height)
	room := height - strings.Count(head, "\n") - 1 - len(log)
	chart := min(max(room/2, chartLeast), chartMost)
	if room < chartLeast+trialsLeast+1 {
		chart = 0
	}
	parts := []string{head}
	if chart > 0 {
		parts = append(parts, l.charts(width, chart))
	}
	if rest := room - chart; rest >= 2 {
		parts = append(parts, fit(l.table.view(width, rest), width, rest))
	}
	for _, line := range log {
		parts = append(parts, faintStyle.Render(fit(line, width, 1)))
	}
	return strings.Join(parts, "\n")
}

// head says how far the study is, and what runs.
func (l live) head(width int) string {
	p := &l.state
	lines := []string{l.extent(), l.running(), l.last(), l.memory()}
	if p.Ended {
		lines[1] = headStyle.Render("done")
		if p.Cause != "" {
			lines[1] = headStyle.Render("stopped: ") + strings.SplitN(p.Cause, "\n", 2)[0]
		}
	} else if l.ended && l.err != nil {
		lines[1] = alarmStyle.Render(l.err.Error())
	}
	if l.paused {
		lines[0] = headStyle.Render("PAUSED after this trial; p goes on") + "  " + lines[0]
	}
	if l.said != "" {
		lines[0] = headStyle.Render(l.said) + "  " + lines[0]
	}
	return fit(strings.Join(lines, "\n"), width, len(lines))
}

// extent says how many trials there are, and the time that is left.
func (l live) extent() string {
	p := &l.state
	switch planned := p.Planned(); {
	case p.Tuning.Sampler == "" && p.Blocks() == 0:
		return "preparing"
	case p.Ended:
		return fmt.Sprintf("%d of %d trials", len(p.Trials), max(planned, len(p.Trials)))
	case planned == 0:
		return fmt.Sprintf("tuning: %d trials, %s in all", len(p.Trials), p.Tuning.Time)
	case p.Tuning.Sampler != "":
		return fmt.Sprintf("tuning: %d of %d trials, about %s left", len(p.Trials), planned, p.Left(l.now).Round(time.Second))
	default:
		return fmt.Sprintf("%s: %d of %d trials, about %s left", cmp.Or(p.Plan.Param, "growth"), len(p.Trials), planned, p.Left(l.now).Round(time.Second))
	}
}

// running says what runs now.
func (l live) running() string {
	p := &l.state
	switch {
	case p.Loading != "":
		return fmt.Sprintf("loading the database: %s, %d of %d", p.Loading, p.Done, p.Total)
	case p.Cell == "":
		return ""
	}
	where := fmt.Sprintf("block %d", p.Block+1)
	if p.Stage != "" {
		where = string(p.Stage)
	}
	text := fmt.Sprintf("%s: %s, %s", where, headStyle.Render(p.Cell), p.Phase)
	if p.Tick.Ops > 0 {
		text += fmt.Sprintf("; %d ops/s, p95 %s, %d retries", p.Tick.Ops, p.Tick.P95.Round(100*time.Microsecond), p.Tick.Retries)
	}
	return text
}

// last says what the last trial showed besides its score. It is known only when
// a trial ended: to ask a server while it is measured disturbs it.
func (l live) last() string {
	if len(l.state.Trials) == 0 {
		return ""
	}
	t := l.state.Trials[len(l.state.Trials)-1]
	if t.Result == nil {
		return "last trial: " + t.Cell + " " + strings.SplitN(t.Reason, "\n", 2)[0]
	}
	r := t.Result
	whole := r.CPU.Client + r.CPU.Server + r.CPU.Others + r.CPU.Idle
	share := func(seconds float64) string { return fmt.Sprintf("%.0f %%", 100*seconds/max(whole, 1e-9)) }
	return fmt.Sprintf("last trial: %s, p95 %.3g ms, %d retries; CPU server %s, client %s, others %s, idle %s",
		t.Cell, r.Latency.P95, r.Retries, share(r.CPU.Server), share(r.CPU.Client), share(r.CPU.Others), share(r.CPU.Idle))
}

// memory is what the last configuration may need, of what the server may have.
func (l live) memory() string {
	need, limit, ok := l.state.Memory()
	if !ok {
		return ""
	}
	return fmt.Sprintf("memory of it: %s at most %s of the cap of %s", bar(float64(need)/float64(limit), 12), need, limit)
}

// log are the last lines that were written for a person.
func (l live) log(height int) []string {
	most := 2
	if height > 30 {
		most = 5
	}
	if height < 20 {
		most = 0
	}
	notes := l.state.Notes
	return notes[max(0, len(notes)-most):]
}

// charts draws the speed of the last minutes and the best so far.
func (l live) charts(width, height int) string {
	speed := func(w int) string {
		return captioned("operations per second, the last minutes", l.state.speed, w, height)
	}
	best := func(w int) string { return captioned("best ops/s so far, by trial", l.state.best, w, height) }
	switch {
	case width >= twoCharts:
		left := width * 3 / 5
		return lipgloss.JoinHorizontal(lipgloss.Top, lipgloss.NewStyle().Width(left).Render(speed(left-2)), best(width-left))
	case l.best:
		return best(width)
	}
	return speed(width)
}

// captioned is a chart under its name.
func captioned(name string, values []float64, width, height int) string {
	return faintStyle.Render(fit(name, width, 1)) + "\n" + line(values, width, height-1)
}
