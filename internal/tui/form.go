package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// fieldKind is how a field is filled in.
type fieldKind int

const (
	textField   fieldKind = iota // typed
	choiceField                  // one of a list, by left and right
	tickField                    // on or off, by space or enter
	button                       // does something, by enter
)

// field is a line of a form.
type field struct {
	kind    fieldKind
	label   string
	flag    string // of the command line; "" when it becomes none
	hint    string // what an empty text stands for
	input   textinput.Model
	choices []string // the first is the default, which becomes no flag
	at      int      // of choices
	on      bool
}

// Fields of each kind.
func text(label, flag, hint, value string) field {
	input := textinput.New()
	input.Prompt, input.Placeholder = "", hint
	input.SetValue(value)
	return field{kind: textField, label: label, flag: flag, hint: hint, input: input}
}

func choice(label, flag string, choices ...string) field {
	return field{kind: choiceField, label: label, flag: flag, choices: choices}
}

func tick(label, flag string, on bool) field {
	return field{kind: tickField, label: label, flag: flag, on: on}
}

func action(label string) field { return field{kind: button, label: label} }

// value is what a field holds.
func (f field) value() string {
	if f.kind == choiceField {
		return f.choices[f.at]
	}
	return strings.TrimSpace(f.input.Value())
}

// args are the flags that a field stands for.
func (f field) args() []string {
	switch {
	case f.flag == "":
	case f.kind == tickField && f.on:
		return []string{f.flag}
	case f.kind == choiceField && f.at > 0, f.kind == textField && f.value() != "":
		return []string{f.flag, f.value()}
	}
	return nil
}

// form is a list of fields, one of which has the focus.
type form struct {
	fields []field
	at     int
}

// newForm returns a form whose first field has the focus.
func newForm(fields ...field) form {
	f := form{fields: fields}
	f.focus(0)
	return f
}

// focus moves to another field, and on from the last to the first.
func (f *form) focus(to int) {
	f.fields[f.at].input.Blur()
	f.at = (to + len(f.fields)) % len(f.fields)
	if f.fields[f.at].kind == textField {
		f.fields[f.at].input.Focus()
	}
}

// typing reports whether letters go into a field.
func (f form) typing() bool { return f.fields[f.at].kind == textField }

// args are the flags of all fields.
func (f form) args() []string {
	var args []string
	for _, field := range f.fields {
		args = append(args, field.args()...)
	}
	return args
}

// value is what the field of a label holds.
func (f form) value(label string) string {
	for _, field := range f.fields {
		if field.label == label {
			return field.value()
		}
	}
	return ""
}

// update takes a key. It returns the form, the label of the button that was
// pressed, and whether a value changed.
func (f form) update(msg tea.KeyMsg) (_ form, pressed string, changed bool) {
	f.fields = append([]field{}, f.fields...)
	on := &f.fields[f.at]
	switch name := msg.String(); {
	case name == "up" || name == "shift+tab":
		f.focus(f.at - 1)
	case name == "down" || name == "tab" || name == "enter" && on.kind == textField || name == "enter" && on.kind == choiceField:
		f.focus(f.at + 1)
	case name == "enter" && on.kind == button:
		return f, on.label, false
	case on.kind == tickField && (name == " " || name == "enter"):
		on.on = !on.on
		return f, "", true
	case on.kind == choiceField && (name == "left" || name == "right" || name == " "):
		step := 1
		if name == "left" {
			step = len(on.choices) - 1
		}
		on.at = (on.at + step) % len(on.choices)
		return f, "", true
	case on.kind == textField:
		before := on.input.Value()
		on.input, _ = on.input.Update(msg) // the command only blinks
		return f, "", on.input.Value() != before
	}
	return f, "", false
}

// view draws the form.
func (f form) view(width int) string {
	label := 0
	for _, field := range f.fields {
		if field.kind != button {
			label = max(label, lipgloss.Width(field.label)+2)
		}
	}
	var b strings.Builder
	for i, field := range f.fields {
		var line string
		switch field.kind {
		case textField:
			field.input.Width = max(width-label-6, 8)
			line = pad(field.label, label) + field.input.View()
			if i != f.at && field.value() == "" {
				line = pad(field.label, label) + faintStyle.Render(field.hint)
			}
		case choiceField:
			line = pad(field.label, label) + "‹ " + field.choices[field.at] + " ›"
		case tickField:
			line = pad(field.label, label) + box(field.on)
		case button:
			line = "[ " + field.label + " ]"
		}
		b.WriteString(marked(i == f.at, line) + "\n")
	}
	return b.String()
}

// box shows whether something is ticked.
func box(on bool) string {
	if on {
		return "[x]"
	}
	return "[ ]"
}

// pad fills a text up to a width.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-lipgloss.Width(text), 0))
}
