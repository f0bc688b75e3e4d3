package fbconf

import "fmt"

// reader is one pass of the engine over a file and its includes. It stops at
// the first fault, as the engine does.
type reader struct {
	opts     Options
	paths    paths
	scanner  scanner
	fault    *Fault
	warnings []Warning
	budget   int // files that may still be included
}

// entry is a key with its value, or an alias with its path, at its place.
type entry struct {
	name     string
	hasValue bool
	literal  string // value without quotes, before macros
	value    string // value the engine holds
	span     [2]int // where the value stands in its line, quotes included
	file     string
	line     int
	main     bool    // stands in the parsed file, not in an included one
	block    *config // the block that follows, or nil
	opening  int     // line of its "{"
	closing  int     // line of its "}"
}

// config is the list of entries of a file, its includes merged in, or a block.
type config struct {
	entries  []*entry
	included map[string]bool // files read so far, where each counts once
}

func (c *config) add(e *entry) *entry {
	c.entries = append(c.entries, e)
	return e
}

func newReader(opts Options) *reader {
	r := &reader{opts: opts, paths: paths{windows: opts.Dialect.Windows}, budget: includeBudget}
	r.scanner = scanner{blocks: opts.Kind == DatabasesConf, expand: r.expand}
	return r
}

// read reads the whole file.
func (r *reader) read(lines []string) *config {
	c := &config{}
	r.lineWarnings(r.opts.Name, lines)
	if r.opts.Dialect.Legacy() && r.opts.Kind == DatabasesConf {
		r.warn(NotRead, r.opts.Name, 0, "Firebird 2.5 does not read databases.conf; put aliases into aliases.conf and settings into firebird.conf")
		return c
	}
	if r.opts.Dialect.Legacy() {
		r.readLegacy(r.opts.Name, lines, c)
		return c
	}
	if r.opts.Kind == DatabasesConf && r.opts.Dialect.has(includeReworked) {
		c.included = map[string]bool{r.opts.Name: true}
	}
	r.parse(&stream{file: r.opts.Name, main: true, items: significant(lines)}, c, 0)
	return c
}

// entry makes the entry of a statement.
func (r *reader) entry(st *statement, it item, s *stream) *entry {
	return &entry{
		name:     st.name,
		hasValue: st.hasValue,
		literal:  st.value.s,
		value:    st.expanded,
		span:     st.span,
		file:     s.file,
		line:     it.line,
		main:     s.main,
	}
}

// parse reads a stream into c. depth counts the includes around it.
func (r *reader) parse(s *stream, c *config, depth int) {
	var previous *entry
	for r.fault == nil {
		it, ok := s.next()
		if !ok {
			return
		}
		var st statement
		kind := r.scanner.scan(it.text, s.file, &st)
		switch {
		case kind == badLine, kind == blockEnd, kind == plainLine && st.name == "":
			r.illegal(s, it, it.text.s)
		case kind == plainLine:
			previous = c.add(r.entry(&st, it, s))
		case kind == includeLine:
			r.include(c, s, it, st.expanded, depth)
		case kind == blockStart:
			if st.name != "" {
				previous = c.add(r.entry(&st, it, s))
			}
			r.block(s, it, &st, previous)
		}
	}
}

// block reads the lines of a block and attaches them to its owner. The lines
// are scanned twice, as the engine does: once in the outer file to find the end
// of the block, where a bad line is bad already, and once as a file of their own.
func (r *reader) block(s *stream, open item, st *statement, owner *entry) {
	if owner == nil && r.opts.Dialect.has(orphanBlockReported) {
		r.illegal(s, open, "master parameter is missing before subconfig start '{'")
		return
	}
	if st.comment {
		r.warn(BraceComment, s.file, open.line, `a comment after "{" makes the brace part of the text before it, so the block belongs to nothing; move the comment to its own line`)
	}
	if owner != nil && owner.block != nil {
		r.warn(SecondBlock, s.file, open.line, fmt.Sprintf("alias %s already has a block, and this one replaces it; merge the two", owner.name))
	}

	inner := &stream{file: s.file, main: s.main}
	end, ok := r.blockLines(s, open, st, inner)
	if !ok {
		return
	}
	c := &config{}
	r.parse(inner, c, 0)
	switch {
	case r.fault != nil:
	case owner == nil:
		r.fault = &Fault{
			Effect: ServerCrashes,
			Text:   `segmentation fault: "{" without an alias before it (Firebird issue 8485)`,
			File:   s.file,
			Line:   open.line,
		}
	default:
		owner.block, owner.opening, owner.closing = c, open.line, end
	}
}

// blockLines moves the lines up to the closing brace from s to inner and
// returns the line of the brace. st is the statement that opened the block; the
// engine goes on scanning with it.
func (r *reader) blockLines(s *stream, open item, st *statement, inner *stream) (end int, ok bool) {
	for level := 1; ; {
		it, ok := s.next()
		if !ok {
			r.illegal(s, open, r.opts.Dialect.missedBracket())
			return 0, false
		}
		switch r.scanner.scan(it.text, s.file, st) {
		case badLine:
			r.illegal(s, it, it.text.s)
			return 0, false
		case blockStart:
			level++
		case blockEnd:
			level--
			if level == 0 {
				if st.before.s != "" { // "Key = v }"
					inner.items = append(inner.items, item{text: st.before, line: it.line})
				}
				return it.line, true
			}
		}
		inner.items = append(inner.items, it)
	}
}

// illegal records the engine's fault for a line.
func (r *reader) illegal(s *stream, it item, line string) {
	r.fault = &Fault{
		Effect: r.parseEffect(),
		Text:   fmt.Sprintf("%s: illegal line <%s>", s.file, cString(line)),
		File:   s.file,
		Line:   it.line,
	}
}

// parseEffect is what an unreadable file of this kind does to the server.
func (r *reader) parseEffect() Effect {
	if r.opts.Kind == DatabasesConf {
		return AttachFails
	}
	return ServerExits
}
