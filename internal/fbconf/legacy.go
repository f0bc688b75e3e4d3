package fbconf

import (
	"fmt"
	"strings"
)

// readLegacy reads firebird.conf or aliases.conf by the rules of 2.5. A line
// without "=" is counted and skipped; a server that counted one in
// firebird.conf starts, logs the count and returns without serving.
func (r *reader) readLegacy(name string, lines []string, c *config) {
	bad := 0
	first := 0
	for i, raw := range lines {
		st, ok := r.scanLegacy(text{s: strings.TrimSuffix(raw, "\n")}, i+1)
		if !ok {
			bad++
			if first == 0 {
				first = i + 1
			}
			continue
		}
		if st != nil {
			c.entries = append(c.entries, r.entry(st, item{line: i + 1}, &stream{file: name, main: true}))
		}
	}
	if bad > 0 && r.opts.Kind == FirebirdConf {
		r.fault = &Fault{
			Effect: ServerExits,
			Text:   fmt.Sprintf("%d bad lines in %s", bad, name),
			File:   name,
			Line:   first,
		}
	}
}

// scanLegacy takes one line apart. It returns nil for an empty line or a
// comment, and false for a line that 2.5 calls illegal.
func (r *reader) scanLegacy(t text, line int) (*statement, bool) {
	aliases := r.opts.Kind == AliasesConf
	good := true
	if aliases {
		t, good = stripAliasComment(t)
	} else if i := strings.IndexByte(t.s, '#'); i >= 0 {
		if strings.Count(t.s[:i], `"`)%2 == 1 {
			r.warn(HashInQuotes, r.opts.Name, line, "2.5 cuts a value at # even inside quotes; choose a path without #")
		}
		t = t.slice(0, i)
	}
	from := len(t.s) - len(strings.TrimLeft(t.s, blanks))
	t = t.slice(from, len(t.s))
	if t.s == "" {
		return nil, true
	}
	equals := strings.IndexByte(t.s, '=')
	if !good || equals < 0 {
		r.warn(NoEquals, r.opts.Name, line, fmt.Sprintf("illegal line %q; write Key = value or delete it", cString(t.s)))
		return nil, false
	}

	st := &statement{name: strings.TrimRight(t.s[:equals], blanks), hasValue: true}
	// 2.5 skips every "=" and blank that follows the key, then trims the end.
	start := equals + len(t.s[equals:]) - len(strings.TrimLeft(t.s[equals:], "= \t"))
	end := max(start, len(strings.TrimRight(t.s, blanks)))
	st.setValue(t.slice(start, end))
	if v := st.value.s; aliases && len(v) > 1 && v[0] == '"' && v[len(v)-1] == '"' {
		st.value = st.value.slice(1, len(v)-1)
	}
	st.expanded = st.value.s
	if aliases {
		st.name = r.paths.fix(st.name)
		st.expanded = r.paths.fix(st.expanded)
	}
	return st, true
}

// stripAliasComment cuts the comment off a line of aliases.conf, where quotes
// protect a "#". It returns false for a quote before "=", for text after a
// closing quote, and for a quote that is never closed.
func stripAliasComment(t text) (text, bool) {
	equals, quoted := false, false
	for n := range len(t.s) {
		switch t.s[n] {
		case '"':
			if !equals {
				return t, false
			}
			quoted = !quoted
			if quoted {
				continue
			}
			rest := strings.TrimLeft(t.s[n+1:], blanks)
			if rest == "" || rest[0] == '#' {
				return t.slice(0, n+1), true
			}
			return t, false
		case '=':
			equals = true
		case '#':
			if !quoted {
				return t.slice(0, n), true
			}
		}
	}
	return t, !quoted
}
