package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// Colours for light and dark terminals. None carries a meaning of its own: what
// is chosen has a mark, and what is bad a word.
var (
	accent = lipgloss.AdaptiveColor{Light: "#00608A", Dark: "#5FB8E8"}
	muted  = lipgloss.AdaptiveColor{Light: "#5A5A5A", Dark: "#9A9A9A"}
	alarm  = lipgloss.AdaptiveColor{Light: "#A02020", Dark: "#FF8F7A"}

	titleStyle  = lipgloss.NewStyle().Bold(true).Foreground(accent)
	headStyle   = lipgloss.NewStyle().Bold(true)
	faintStyle  = lipgloss.NewStyle().Foreground(muted)
	alarmStyle  = lipgloss.NewStyle().Foreground(alarm)
	chosenStyle = lipgloss.NewStyle().Bold(true).Foreground(accent)
)

// chosen marks the line that a key would act on.
const chosen = "› "

// marked returns a line with or without the mark.
func marked(on bool, line string) string {
	if on {
		return chosenStyle.Render(chosen + line)
	}
	return "  " + line
}

// fit cuts a text to a width and a number of lines.
func fit(text string, width, height int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	lines = lines[:min(len(lines), max(height, 0))]
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, max(width, 1), "…")
	}
	return strings.Join(lines, "\n")
}

// wrapped breaks a text into lines of a width.
func wrapped(text string, width int) string { return ansi.Wrap(text, max(width, 10), "") }

// bind names a key and what it does.
func bind(keys, does string) key.Binding {
	names := strings.Split(keys, "/")
	shown := strings.NewReplacer("up", "↑", "down", "↓", "left", "←", "right", "→").Replace(keys)
	for i, name := range names {
		if name == "space" {
			names[i] = " "
		}
	}
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(shown, does))
}

// bar draws a share of a whole, with its outline, so that it reads without
// colour.
func bar(share float64, width int) string {
	width = max(width, 1)
	full := min(max(int(share*float64(width)+0.5), 0), width)
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}
