package fbconf

import (
	"slices"
	"strings"
)

// spellings are the ways to write a value, plainest first: as it is, with its
// braces doubled, in quotes, and both. Which of them the engine reads back as
// the value is found by trying.
func (f *File) spellings(value string) []string {
	if f.opts.Dialect.Legacy() {
		if f.opts.Kind == AliasesConf {
			return []string{value, `"` + value + `"`}
		}
		return []string{value}
	}
	doubled := strings.NewReplacer("{", "{{", "}", "}}").Replace(value)
	return []string{value, doubled, `"` + value + `"`, `"` + doubled + `"`}
}

// replacements are the attempts to put a value in the place of an entry's.
func (f *File) replacements(e *entry, value string) [][]string {
	if e.hasValue && e.literal == value && f.opts.Dialect.counts(e) {
		return [][]string{f.lines}
	}
	raw := f.lines[e.line-1]
	head, tail := raw[:e.span[0]], raw[e.span[1]:]
	if !e.hasValue {
		head += " = "
	} else if e.span[0] == e.span[1] && strings.HasSuffix(head, " =") {
		head += " "
	}
	if e.span[0] == e.span[1] && strings.HasPrefix(tail, "#") {
		tail = " " + tail
	}
	var attempts [][]string
	for _, spelled := range f.spellings(value) {
		lines := slices.Clone(f.lines)
		lines[e.line-1] = head + spelled + tail
		attempts = append(attempts, lines)
	}
	return attempts
}

// newBlocks are the attempts to give an alias a block with one line.
func (f *File) newBlocks(alias *entry, key, value string) [][]string {
	margin := indent(f.lines[alias.line-1])
	var attempts [][]string
	for _, spelled := range f.spellings(value) {
		attempts = append(attempts, f.insert(alias.line-1,
			margin+"{",
			margin+"\t"+key+" = "+spelled,
			margin+"}"))
	}
	return attempts
}

// blockLines are the attempts to add a line to a block: beside the commented
// default if the block has one, else before the closing brace.
func (f *File) blockLines(owner *entry, key, value string) [][]string {
	last := owner.closing - 2 // index of the line before the brace
	margin := indent(f.lines[owner.line-1]) + "\t"
	for _, e := range owner.block.entries {
		if e.main && e.line < owner.closing {
			margin = indent(f.lines[e.line-1])
		}
	}
	inside := func(i int) bool { return owner.opening-1 < i && i <= last }
	at, found := f.commented(key, inside)
	var attempts [][]string
	for _, spelled := range f.spellings(value) {
		line := key + " = " + spelled
		if found {
			attempts = append(attempts, f.insert(at, indent(f.lines[at])+line))
		}
		attempts = append(attempts, f.insert(last, margin+line))
	}
	return attempts
}

// commented is the index of the line that gives a key in a comment, among the
// lines that where allows. "#Key = value" goes before "# Key = value", which may
// be prose, and a later line before an earlier one, which may be an example.
func (f *File) commented(key string, where func(i int) bool) (int, bool) {
	best, tight := -1, false
	for i, raw := range f.lines {
		body, ok := strings.CutPrefix(strings.TrimLeft(raw, blanks), "#")
		name, _, equals := strings.Cut(body, "=")
		if !ok || !equals || !where(i) || !f.opts.Dialect.sameKey(strings.Trim(name, blanks), key) {
			continue
		}
		isTight := body[0] != ' ' && body[0] != '\t'
		if isTight || !tight {
			best, tight = i, isTight
		}
	}
	return best, best >= 0
}

// outsideBlocks allows the lines that are in no block of the file.
func (f *File) outsideBlocks() func(i int) bool {
	inside := make([]bool, len(f.lines))
	for _, e := range f.config.entries {
		if e.block != nil && e.main {
			for i := e.line; i < e.closing; i++ {
				inside[i] = true
			}
		}
	}
	return func(i int) bool { return !inside[i] }
}

// insert is the file's lines with new ones after index i (-1 for the start).
// They end as the lines around them do, and a file without a final newline
// stays without one.
func (f *File) insert(i int, added ...string) []string {
	eol := f.lineEnding(i)
	lines := slices.Clone(f.lines)
	for j := range added {
		added[j] += eol
	}
	if i >= 0 && !strings.HasSuffix(lines[i], "\n") {
		lines[i] += eol
		added[len(added)-1] = strings.TrimSuffix(added[len(added)-1], eol)
	}
	return slices.Insert(lines, i+1, added...)
}

// lineEnding is that of line i, or of the nearest line before it that has one.
func (f *File) lineEnding(i int) string {
	for ; i >= 0; i-- {
		switch {
		case strings.HasSuffix(f.lines[i], "\r\n"):
			return "\r\n"
		case strings.HasSuffix(f.lines[i], "\n"):
			return "\n"
		}
	}
	return "\n"
}

// indent is the white space a line begins with.
func indent(line string) string {
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
