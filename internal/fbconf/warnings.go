package fbconf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// WarningKind names something that the engine passes over in silence.
type WarningKind string

// The kinds of warnings.
const (
	NoEquals       WarningKind = "no equals sign"
	Shadowed       WarningKind = "duplicate"
	BareKeyWins    WarningKind = "bare key hides value"
	EmptyValue     WarningKind = "empty value"
	KeyNotASCII    WarningKind = "key with foreign characters"
	ByteOrderMark  WarningKind = "byte order mark"
	NULBytes       WarningKind = "NUL bytes"
	LoneCR         WarningKind = "lone carriage return"
	HashInQuotes   WarningKind = "# in quotes"
	IncludeUnread  WarningKind = "include not read"
	IncludeNothing WarningKind = "include without match"
	IncludeOrder   WarningKind = "include order"
	BraceComment   WarningKind = "comment after brace"
	SecondBlock    WarningKind = "second block"
	AliasIgnored   WarningKind = "alias ignored"
	NotRead        WarningKind = "file not read"
	AliasEmpty     WarningKind = "alias without path"
)

// Warning is something the engine ignores or misreads without a word, and what
// to do about it.
type Warning struct {
	Kind WarningKind
	Place
	Text string
}

// Warnings lists what the engine would pass over in silence, by file and line.
func (f *File) Warnings() []Warning {
	return slices.Clone(f.warnings)
}

func (r *reader) warn(kind WarningKind, file string, line int, message string) {
	r.warnings = append(r.warnings, Warning{Kind: kind, Place: Place{File: file, Line: line}, Text: message})
}

// sortedWarnings puts the parsed file's warnings before those of its includes.
func (r *reader) sortedWarnings() []Warning {
	slices.SortStableFunc(r.warnings, func(a, b Warning) int {
		return cmp.Or(
			cmp.Compare(rank(a.File != r.opts.Name), rank(b.File != r.opts.Name)),
			strings.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
		)
	})
	return r.warnings
}

func rank(later bool) int {
	if later {
		return 1
	}
	return 0
}

const bom = "\xef\xbb\xbf"

// lineWarnings looks at the raw lines of a file.
func (r *reader) lineWarnings(file string, lines []string) {
	nul, cr := 0, 0
	for i, raw := range lines {
		if nul == 0 && strings.IndexByte(raw, 0) >= 0 {
			nul = i + 1
		}
		body := strings.TrimRight(raw, "\r\n")
		if cr == 0 && strings.IndexByte(body, '\r') >= 0 {
			cr = i + 1
		}
	}
	if len(lines) > 0 {
		if rest, ok := strings.CutPrefix(lines[0], bom); ok {
			r.bomWarning(file, strings.Trim(strings.TrimSuffix(rest, "\n"), blanks))
		}
	}
	if nul > 0 {
		r.warn(NULBytes, file, nul, "the file holds NUL bytes (UTF-16, as PowerShell's > and >> write?), which end a text for the engine; save it as ASCII or as UTF-8 without byte order mark")
	}
	if cr > 0 {
		r.warn(LoneCR, file, cr, "a carriage return inside a line does not end it, so the rest of the line belongs to the same setting or comment; end lines with LF or CR LF")
	}
}

func (r *reader) bomWarning(file, firstLine string) {
	if firstLine == "" || firstLine[0] == '#' {
		return // before a comment it is a key of its own, see bareKey
	}
	r.warn(ByteOrderMark, file, 1, fmt.Sprintf("the byte order mark becomes part of the first key, so %q has no effect; save the file without byte order mark, or begin it with a comment line", firstLine))
}

// entryWarnings looks at what was read.
func (r *reader) entryWarnings(f *File) {
	if r.opts.Kind == FirebirdConf {
		r.settingWarnings(r.opts.Dialect.settings(f.config))
		return
	}
	for _, a := range f.aliases {
		if a.Ignored != "" {
			r.warn(AliasIgnored, a.File, a.Line, a.Ignored+"; give each alias once, with an absolute path")
		} else if a.Path == "" {
			r.warn(AliasEmpty, a.File, a.Line, fmt.Sprintf("alias %s has no path, and versions differ in what they do (3.0 cannot attach to it, some builds crash); write alias = /path", a.Name))
		}
		r.settingWarnings(a.Settings)
	}
}

func (r *reader) settingWarnings(settings []Setting) {
	hidden := map[Place]int{} // line of a value that a line in force hides
	for _, s := range settings {
		if s.ShadowedBy != nil && s.HasValue {
			hidden[*s.ShadowedBy] = s.Line
		}
	}
	for _, s := range settings {
		switch {
		case s.ShadowedBy != nil:
			r.warn(Shadowed, s.File, s.Line, r.shadowText(s))
		case !s.HasValue:
			r.bareKey(s, hidden[s.Place])
		case s.Value == "":
			r.warn(EmptyValue, s.File, s.Line, r.emptyText(s))
		}
		if key := strings.TrimPrefix(s.Key, bom); s.HasValue && !isASCII(key) {
			r.warn(KeyNotASCII, s.File, s.Line, fmt.Sprintf("key %q holds characters that no key has (a no-break space?), so the line has no effect; type it again", s.Key))
		}
	}
}

func (r *reader) shadowText(s Setting) string {
	which := "first"
	switch {
	case r.opts.Dialect.Legacy():
		which = "last"
	case r.opts.Dialect.Windows:
		return fmt.Sprintf("%s is given at %s:%d, too, and on Windows which of them counts is left to the sort; keep one", s.Key, s.ShadowedBy.File, s.ShadowedBy.Line)
	}
	return fmt.Sprintf("%s has no effect here: the %s line that gives it counts, %s:%d; keep one", s.Key, which, s.ShadowedBy.File, s.ShadowedBy.Line)
}

func (r *reader) emptyText(s Setting) string {
	if r.opts.Dialect.Legacy() {
		return fmt.Sprintf("%s without a value means the default; delete the line", s.Key)
	}
	return fmt.Sprintf("%s without a value is set to 0, false or an empty text, not to its default; delete the line or give a value", s.Key)
}

// bareKey warns of a line without "=". hidden is the line of a value that it
// hides, or 0.
func (r *reader) bareKey(s Setting, hidden int) {
	if s.Key == bom {
		return // it stands before a comment and harms nothing
	}
	if hidden > 0 {
		r.warn(BareKeyWins, s.File, s.Line, fmt.Sprintf("%s without = hides the value that line %d gives; delete this line", s.Key, hidden))
		return
	}
	if s.InForce {
		r.warn(NoEquals, s.File, s.Line, fmt.Sprintf("%q has no =, and this version takes a known key without = for an empty value (0 or false); write Key = value or delete it", s.Key))
		return
	}
	r.warn(NoEquals, s.File, s.Line, fmt.Sprintf("%q has no =, so the line has no effect; write Key = value, or # before a comment", s.Key))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || s[i] == 0 {
			return false
		}
	}
	return true
}
