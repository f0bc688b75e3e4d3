package confgen

import (
	"fmt"
	"strings"
	"unicode"
)

// commentWidth is the width to which comments are wrapped, with their "# ".
const commentWidth = 100

// reasonLines returns what stands above a changed setting.
func reasonLines(rec Recommendation) []string {
	text := fmt.Sprintf("%s: %s.", rec.Means, rec.Why)
	if rec.Changed {
		if rec.CurrentSource == fromDefault {
			text += fmt.Sprintf(" Default: %s.", rec.CurrentMeans)
		} else {
			text += fmt.Sprintf(" Before: %s (%s: %s).", rec.CurrentMeans, rec.CurrentSource, rec.Current)
		}
		if rec.Risk != "" {
			text += fmt.Sprintf(" Mind: %s.", rec.Risk)
		}
	}
	return wrap(text)
}

// budgetTable returns a budget as aligned lines.
func budgetTable(b Budget) []string {
	var lines []string
	for _, l := range append(b.Lines[:len(b.Lines):len(b.Lines)], b.Total) {
		row := fmt.Sprintf("%-18s %10s %10s %10s  ", l.Name, l.Now, l.Expected, l.Worst)
		for i, part := range wrapTo(l.Formula, commentWidth-len(row)-len("# ")) {
			if i > 0 {
				row = strings.Repeat(" ", len(row))
			}
			lines = append(lines, row+part)
		}
	}
	return lines
}

// wrap breaks a text into lines that fit behind "# fbtune: ".
func wrap(text string) []string { return wrapTo(text, commentWidth-len("# "+explanation)) }

// wrapTo breaks a text into lines of at most width characters, at blanks. Line
// ends and other control characters in it count as blanks, so that no text can
// end a comment.
func wrapTo(text string, width int) []string {
	var lines []string
	line := ""
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	for _, word := range words {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
