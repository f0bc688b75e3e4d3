package fbconf

import "strings"

// blanks are the characters the engine trims from lines, keys and values.
const blanks = " \t\r"

// text is a piece of a line that still knows where in the file's raw line each
// of its bytes stands, so that an edit can replace exactly what the engine read.
type text struct {
	s    string
	base int   // offset of s[0] in the raw line, when at is nil
	at   []int // offset of every byte, once bytes were removed in between
}

// pos is the offset in the raw line of byte i; i may be len(t.s).
func (t text) pos(i int) int {
	switch {
	case t.at == nil:
		return t.base + i
	case i < len(t.at):
		return t.at[i]
	case len(t.at) == 0:
		return t.base
	}
	return t.at[len(t.at)-1] + 1
}

// slice is the bytes i to j of t.
func (t text) slice(i, j int) text {
	sub := text{s: t.s[i:j], base: t.pos(i)}
	if t.at != nil {
		sub.at = t.at[i:j]
	}
	return sub
}

// collapse halves every doubled brace, which stands for one ordinary brace.
// ordinary marks the bytes of the result that came from a pair; it is nil when
// there was none.
func (t text) collapse() (collapsed text, ordinary []bool) {
	if !strings.Contains(t.s, "{{") && !strings.Contains(t.s, "}}") {
		return t, nil
	}
	out := make([]byte, 0, len(t.s))
	at := make([]int, 0, len(t.s))
	for i := 0; i < len(t.s); i++ {
		c := t.s[i]
		pair := (c == '{' || c == '}') && i+1 < len(t.s) && t.s[i+1] == c
		out = append(out, c)
		at = append(at, t.pos(i))
		ordinary = append(ordinary, pair)
		if pair {
			i++
		}
	}
	return text{s: string(out), base: t.base, at: at}, ordinary
}

// trim is t without the given characters at both ends.
func (t text) trim(cutset string) text {
	from := len(t.s) - len(strings.TrimLeft(t.s, cutset))
	return t.slice(from, max(from, len(strings.TrimRight(t.s, cutset))))
}

// item is one line that the engine looks at: trimmed, not empty, no comment.
type item struct {
	text text
	line int // 1-based
}

// stream is a file, or a block of one, as a sequence of items.
type stream struct {
	file  string // path, for messages, $(this) and relative includes
	main  bool   // whether this is the file that was parsed, not an included one
	items []item
}

// next takes the first item off the stream.
func (s *stream) next() (item, bool) {
	if len(s.items) == 0 {
		return item{}, false
	}
	it := s.items[0]
	s.items = s.items[1:]
	return it, true
}

// splitLines cuts text after every newline; the pieces joined are the text.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// significant lists the lines that the engine of 3.0 and later does not skip.
func significant(lines []string) []item {
	var items []item
	for i, raw := range lines {
		t := text{s: strings.TrimSuffix(raw, "\n")}.trim(blanks)
		if t.s != "" && t.s[0] != '#' {
			items = append(items, item{text: t, line: i + 1})
		}
	}
	return items
}
