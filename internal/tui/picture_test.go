package tui

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// pictures are the screens that docs shows.
var pictures = []string{"home", "recommend-read", "sweep-values", "live", "results-tune"}

// The pictures of docs are the screens of the recorded study, in the colours of
// a dark terminal.
func TestPictures(t *testing.T) {
	profile, dark := lipgloss.ColorProfile(), lipgloss.HasDarkBackground()
	lipgloss.SetColorProfile(termenv.TrueColor)
	lipgloss.SetHasDarkBackground(true)
	defer lipgloss.SetColorProfile(profile)
	defer lipgloss.SetHasDarkBackground(dark)
	for _, name := range pictures {
		for _, tour := range tours {
			if tour.name != name {
				continue
			}
			const width, height = 110, 30
			driven(t, width, height, func(d *driver) {
				tour.way(d)
				picture(t, filepath.Join("../../docs", "tui-"+name+".svg"), svg(d.model.View(), width, height))
			})
		}
	}
}

// picture compares a picture with the file of docs.
func picture(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it by go test ./internal/tui -update", err)
	}
	if got != string(want) {
		t.Errorf("%s is not what the screen looks like; write it by go test ./internal/tui -update", path)
	}
}

// graphic is a change of colours or weight in a terminal's text.
var graphic = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// svg draws the text of a terminal.
func svg(text string, width, height int) string {
	const column, row, margin = 8.4, 18, 12
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14">`+"\n",
		float64(width)*column+2*margin, height*row+2*margin)
	b.WriteString(`<rect width="100%" height="100%" rx="6" fill="#16181d"/>` + "\n")
	for y, line := range strings.Split(text, "\n") {
		x, style := 0, ""
		for line != "" {
			part, codes := line, ""
			if at := graphic.FindStringSubmatchIndex(line); at != nil {
				part, codes, line = line[:at[0]], line[at[2]:at[3]], line[at[1]:]
			} else {
				line = ""
			}
			if strings.TrimSpace(part) != "" {
				fmt.Fprintf(&b, `<text x="%.1f" y="%d" textLength="%.1f" xml:space="preserve" %s>%s</text>`+"\n",
					margin+float64(x)*column, margin+(y+1)*row-4, float64(lipgloss.Width(part))*column, attributes(style), html.EscapeString(part))
			}
			x += lipgloss.Width(part)
			style = codes
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// attributes are those of a text that follows codes such as 1;38;2;95;184;232.
func attributes(codes string) string {
	fill, weight := "#d8dee9", ""
	list := strings.Split(codes, ";")
	for i, code := range list {
		switch {
		case code == "1" && i == 0:
			weight = ` font-weight="bold"`
		case code == "38" && len(list) > i+4:
			fill = "rgb(" + strings.Join(list[i+2:i+5], ",") + ")"
		}
	}
	return `fill="` + fill + `"` + weight
}
