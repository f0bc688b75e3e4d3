package fbconf

import "strings"

// lineKind is what one line is to the engine.
type lineKind int

const (
	badLine lineKind = iota
	plainLine
	includeLine
	blockStart
	blockEnd
)

// statement is one line taken apart.
type statement struct {
	name     string // the key, or the alias
	hasValue bool   // whether an "=" was seen
	value    text   // without blanks and quotes, before macros; for an include its path
	span     [2]int // where the value stands in the raw line, quotes included
	expanded string // value with its macros replaced
	before   text   // what stood before a closing "}"
	comment  bool   // whether a "#" followed the opening "{"
}

// scanner takes lines apart by the rules of 3.0 and later.
type scanner struct {
	// blocks tells whether "{" and "}" delimit blocks (databases.conf) or are
	// ordinary characters (firebird.conf).
	blocks bool
	// expand replaces the macros of a value; false makes the line illegal.
	expand func(value, file string) (string, bool)
}

const includeWord = "include"

// scan reads one line of the named file into st. The engine keeps one record
// while it looks for the end of a block, so a name that st already holds stays
// and changes how quotes and "=" are judged; callers do the same.
func (sc scanner) scan(line text, file string, st *statement) lineKind {
	t, ordinary := line.collapse()
	quotes := 0 // 1 inside a quoted value, 2 after it: nothing may follow
	end := -1   // where a comment or "{" ends the value
	valueAt := 0
	opened := false

	for n := 0; n < len(t.s); n++ {
		switch c := t.s[n]; c {
		case '"':
			if st.name == "" || quotes >= 2 {
				return badLine
			}
			quotes++
		case '=':
			if st.name == "" {
				st.name = key(t.s[:n])
				if st.name == "" {
					return badLine
				}
				valueAt = n + 1
				st.hasValue = true
			} else if quotes >= 2 {
				return badLine
			}
		case '#':
			if quotes != 1 {
				st.comment = opened
				end = n
				n = len(t.s)
			}
		case ' ', '\t':
			if n == len(includeWord) && st.name == "" && foldASCII(t.s[:n]) == includeWord {
				st.setValue(line.slice(n, len(line.s)).trim(blanks))
				return sc.finish(st, file, includeLine)
			}
		case '\r':
		case '{', '}':
			if ordinary != nil && ordinary[n] {
				continue
			}
			if !sc.blocks {
				if quotes >= 2 {
					return badLine
				}
				continue
			}
			if quotes == 1 {
				continue
			}
			if c == '}' {
				rest := strings.TrimLeft(t.s[n+1:], blanks)
				if rest != "" && rest[0] != '#' {
					return badLine
				}
				st.before = t.slice(0, n)
				return blockEnd
			}
			opened = true
			quotes = 2
			end = n
		default:
			if quotes >= 2 {
				return badLine
			}
		}
	}

	if quotes == 1 {
		return badLine
	}
	if end < 0 {
		end = len(t.s)
	}
	if st.name == "" {
		st.name = key(t.s[:end])
		bare := len(strings.TrimRight(t.s[:end], blanks))
		st.setValue(t.slice(bare, bare))
	} else {
		st.setValue(t.slice(valueAt, max(valueAt, end)).trim(blanks))
	}
	if opened {
		return sc.finish(st, file, blockStart)
	}
	return sc.finish(st, file, plainLine)
}

// setValue stores a trimmed value, and without its quotes.
func (st *statement) setValue(t text) {
	st.span = [2]int{t.pos(0), t.pos(len(t.s))}
	st.value = t
}

// finish strips the quotes, expands the macros and returns kind, or badLine
// when a macro is not one.
func (sc scanner) finish(st *statement, file string, kind lineKind) lineKind {
	if kind != includeLine { // an include takes its quotes for part of the path
		st.value = st.value.trim(`"`)
	}
	expanded, ok := sc.expand(st.value.s, file)
	if !ok {
		return badLine
	}
	st.expanded = expanded
	return kind
}

// key is the text before "=" as the engine keeps it: up to a NUL, right-trimmed.
func key(s string) string {
	return strings.TrimRight(cString(s), blanks)
}
