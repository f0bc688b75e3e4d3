package confgen

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"
	"unicode"

	"github.com/fbtune/fbtune/templates"
)

// commentWidth is the width to which comments are wrapped, with their "# ".
const commentWidth = 100

// confGroup is a group of settings in the template of firebird.conf.
type confGroup struct {
	Title, Rule string
	Settings    []confSetting
}

// confSetting is a setting in the template: its comment, wrapped, and its
// line, commented out when it is the default.
type confSetting struct {
	Comment []string
	Line    string
}

// Conf returns the advice as a firebird.conf.
func (a Advice) Conf() ([]byte, error) {
	var groups []confGroup
	for _, rec := range a.Settings {
		if len(groups) == 0 || groups[len(groups)-1].Title != rec.Group {
			groups = append(groups, confGroup{Title: rec.Group, Rule: strings.Repeat("-", len(rec.Group))})
		}
		last := &groups[len(groups)-1]
		last.Settings = append(last.Settings, confSetting{Comment: comment(rec), Line: confLine(rec)})
	}
	var also []string
	for _, text := range a.Also {
		also = append(also, wrap(text)...)
	}
	return fill("firebird.conf.tmpl", map[string]any{
		"Advice": a, "Groups": groups, "Budget": budgetTable(a.Budget), "Also": also,
	})
}

// comment returns what stands above a setting.
func comment(rec Recommendation) []string {
	setting, _ := Lookup(rec.Name) // rules are about settings of the catalogue
	lines := append(wrap(setting.Effect), wrap("Why "+rec.Means+": "+rec.Why+".")...)
	if rec.Changed {
		lines = append(lines, wrap(fmt.Sprintf("Before: %s (%s: %s).", rec.CurrentMeans, rec.CurrentSource, rec.Current))...)
		if rec.Risk != "" {
			lines = append(lines, wrap("Mind: "+rec.Risk+".")...)
		}
	}
	return lines
}

// confLine returns the line of a setting, commented out when it changes nothing
// and is at its default.
func confLine(rec Recommendation) string {
	line := rec.Name + " = " + rec.Value
	if !rec.Changed && (rec.Value == rec.Default || parsesAs(rec.Value, rec.Default)) {
		return "#" + line
	}
	return line
}

// parsesAs reports whether two numbers are the same when read.
func parsesAs(a, b string) bool { return ParseSize(a) != 0 && ParseSize(a) == ParseSize(b) }

// confDatabase is a database in the template of databases.conf.
type confDatabase struct {
	Comment    []string
	Name, Path string
	Pages      Pages
}

// DatabasesConf returns the advice as a databases.conf.
func (a Advice) DatabasesConf() ([]byte, error) {
	var databases []confDatabase
	for _, d := range a.Databases {
		path := d.Path
		if strings.ContainsAny(path, "# ") {
			path = `"` + path + `"` // an unquoted # begins a comment
		}
		databases = append(databases, confDatabase{Comment: wrap("Why: " + d.Why + "."), Name: d.Name, Path: path, Pages: d.Pages})
	}
	return fill("databases.conf.tmpl", map[string]any{
		"Advice": a, "Databases": databases, "SecurityPages": SecurityCachePages(a.Version),
		"SecurityFile": fmt.Sprintf("security%d.fdb", a.Version.Major),
	})
}

// fill executes a template of the templates package.
func fill(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(templates.Conf, "conf/"+name)
	if err != nil {
		return nil, fmt.Errorf("parse template %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("fill template %s: %w", name, err)
	}
	return b.Bytes(), nil
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

// wrap breaks a text into lines that fit behind "# ".
func wrap(text string) []string { return wrapTo(text, commentWidth-len("# ")) }

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
