package fbconf

// Place is a line of a file.
type Place struct {
	File string
	Line int // 1-based
}

// Setting is one line that gives a key.
type Setting struct {
	// Key is spelled as in the file.
	Key string
	// Raw is the value as written, without quotes, before macros.
	Raw string
	// Value is the text the engine works with.
	Value string
	// HasValue tells whether the line has an "=". A line without one is a key
	// without value and has no effect since 3.0.11 and 4.0.3.
	HasValue bool
	// Place is where the line stands; in an included file, that file's name.
	Place
	// InForce tells whether this line decides the value of its key. Whether the
	// key is known, and may stand here, is not asked.
	InForce bool
	// ShadowedBy is the line that decides instead, nil for the deciding line.
	ShadowedBy *Place

	held string // the value when it holds a NUL, which may spoil a number
}

// Int is the value as an integer parameter of the dialect's version takes it.
func (s Setting) Int(d Dialect) int64 { return d.Int(s.text()) }

// Bool is the value as a boolean parameter of the dialect's version takes it.
func (s Setting) Bool(d Dialect) bool { return d.Bool(s.text()) }

// text is the value as the engine's conversions see it.
func (s Setting) text() string {
	if s.held != "" {
		return s.held
	}
	return s.Value
}

// Settings lists every setting of a firebird.conf, included files among them,
// in the order the engine reads them. The top level of databases.conf and
// aliases.conf holds aliases, see Aliases, so there it is empty.
func (f *File) Settings() []Setting {
	if f.opts.Kind != FirebirdConf {
		return nil
	}
	return f.opts.Dialect.settings(f.config)
}

// Lookup is the setting in force for a key.
func (f *File) Lookup(key string) (Setting, bool) {
	return InForce(f.Settings(), key, f.opts.Dialect)
}

// InForce is the setting among several that decides a key.
func InForce(settings []Setting, key string, d Dialect) (Setting, bool) {
	for _, s := range settings {
		if s.InForce && d.sameKey(s.Key, key) {
			return s, true
		}
	}
	return Setting{}, false
}

// deciding is the entry the engine finds for a key: the first since 3.0, because
// glibc's qsort keeps the order of equal names (the C standard does not promise
// it, and Windows does not do it), and the last in 2.5, which inserts each entry
// before its equals.
func (d Dialect) deciding(c *config, key string) *entry {
	var found *entry
	for _, e := range c.entries {
		if d.sameKey(e.name, key) {
			if !d.Legacy() {
				return e
			}
			found = e
		}
	}
	return found
}

// counts tells whether a deciding entry sets its key.
func (d Dialect) counts(e *entry) bool {
	if d.Legacy() {
		return e.value != "" // an empty value means the default
	}
	return e.hasValue || e.block != nil || !d.has(bareKeyIgnored)
}

// settings turns entries into settings.
func (d Dialect) settings(c *config) []Setting {
	deciding := make(map[string]*entry, len(c.entries))
	for _, e := range c.entries {
		k := d.keyOf(e.name)
		if _, seen := deciding[k]; !seen || d.Legacy() {
			deciding[k] = e
		}
	}
	list := make([]Setting, 0, len(c.entries))
	for _, e := range c.entries {
		s := Setting{
			Key:      e.name,
			Raw:      e.literal,
			Value:    cString(e.value),
			HasValue: e.hasValue,
			Place:    Place{File: e.file, Line: e.line},
		}
		if s.Value != e.value {
			s.held = e.value
		}
		if by := deciding[d.keyOf(e.name)]; by != e {
			s.ShadowedBy = &Place{File: by.file, Line: by.line}
		} else {
			s.InForce = d.counts(e)
		}
		list = append(list, s)
	}
	return list
}
