package fbconf

import (
	"io/fs"
	"strings"
)

// Dirs are the directories of an installation that macros stand for. A macro
// whose directory is empty here is left as it is written.
type Dirs struct {
	Root     string // $(root): the root of the instance
	Install  string // $(install)
	Conf     string // $(dir_conf)
	SecDB    string // $(dir_secDb)
	Plugins  string // $(dir_plugins)
	UDF      string // $(dir_udf)
	Sample   string // $(dir_sample)
	SampleDB string // $(dir_sampleDb)
	Intl     string // $(dir_intl)
	Msg      string // $(dir_msg)
}

// macros are the names that may stand in $(...), apart from $(this). The engine
// compares the first two exactly and the others without regard to case.
var macros = []struct {
	name  string
	exact bool
	dir   func(Dirs) string
}{
	{"root", true, func(d Dirs) string { return d.Root }},
	{"install", true, func(d Dirs) string { return d.Install }},
	{"dir_conf", false, func(d Dirs) string { return d.Conf }},
	{"dir_secdb", false, func(d Dirs) string { return d.SecDB }},
	{"dir_plugins", false, func(d Dirs) string { return d.Plugins }},
	{"dir_udf", false, func(d Dirs) string { return d.UDF }},
	{"dir_sample", false, func(d Dirs) string { return d.Sample }},
	{"dir_sampledb", false, func(d Dirs) string { return d.SampleDB }},
	{"dir_intl", false, func(d Dirs) string { return d.Intl }},
	{"dir_msg", false, func(d Dirs) string { return d.Msg }},
}

// expand replaces the macros of a value read from the named file. It returns
// false for an unknown macro and for one that is not closed: both make the line
// illegal. A value that holds a macro also gets its separators fixed. What
// follows a NUL is not looked at.
func (r *reader) expand(value, file string) (string, bool) {
	head := cString(value)
	expanded, ok := r.expandMacros(head, file)
	return expanded + value[len(head):], ok
}

func (r *reader) expandMacros(value, file string) (string, bool) {
	for from := 0; ; {
		start := strings.Index(value[from:], "$(")
		if start < 0 {
			return value, true
		}
		start += from
		length := strings.IndexByte(value[start:], ')')
		if length < 0 {
			return "", false
		}
		end := start + length + 1
		dir, known := r.macro(value[start+2:end-1], file)
		if !known {
			return "", false
		}
		value = r.paths.fix(value)
		if dir == "" {
			from = end
			continue
		}
		dir = r.paths.fix(dir)
		sep := r.paths.separator()
		if start > 0 && value[start-1] == sep && dir[0] == sep {
			start--
		}
		if end < len(value) && value[end] == sep && dir[len(dir)-1] == sep {
			end++
		}
		value = value[:start] + dir + value[end:]
		from = start + len(dir)
	}
}

// macro is the directory that a name stands for, and whether it is a macro.
func (r *reader) macro(name, file string) (dir string, known bool) {
	if name == "this" {
		return r.paths.directory(r.followLink(file)), true
	}
	for _, m := range macros {
		if m.name == name || !m.exact && m.name == foldASCII(name) {
			return m.dir(r.opts.Dirs), true
		}
	}
	return "", false
}

// followLink is the target of a file that is a symbolic link, one step as the
// engine takes it, or the file itself.
func (r *reader) followLink(file string) string {
	if r.opts.Files == nil || r.paths.windows {
		return file
	}
	target, err := fs.ReadLink(r.opts.Files, r.paths.fsName(file))
	if err != nil || target == "" { // not a link, or a file system without links
		return file
	}
	if r.paths.relative(target) {
		return r.concat(r.paths.directory(file), target)
	}
	return target
}

// concat puts a relative path below a directory as the version does it.
func (r *reader) concat(dir, rest string) string {
	if r.opts.Dialect.has(includeReworked) {
		return r.paths.fold(dir, rest)
	}
	return r.paths.join(dir, rest)
}

// unresolved tells whether an expanded value still begins with a macro, because
// the caller gave no directory for it.
func unresolved(expanded string) bool {
	return strings.HasPrefix(expanded, "$(")
}
