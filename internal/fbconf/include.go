package fbconf

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// includeDepth is how deep includes may nest (INCLUDE_LIMIT).
const includeDepth = 64

// includeBudget bounds the files one Parse reads. The engine has no bound: an
// include inside a block that leads back to its own file ends in a stack
// overflow, and a chain of files that each include the next twice in 2^64 reads.
const includeBudget = 4096

// include reads the files that an include line names, into c.
func (r *reader) include(c *config, s *stream, it item, target string, depth int) {
	target = cString(target)
	if depth >= includeDepth {
		r.includeFault(s, it, target, "Include depth too big")
		return
	}
	if r.opts.Files == nil {
		r.warn(IncludeUnread, s.file, it.line, fmt.Sprintf("include %s was not read: no files were given to read it from; check it with the files beside it", target))
		return
	}
	if unresolved(target) {
		r.warn(IncludeUnread, s.file, it.line, fmt.Sprintf("include %s was not read: its directory is not known; name the installation's root", target))
		return
	}

	full := target
	if r.paths.relative(target) {
		full = r.concat(r.paths.directory(s.file), target)
	}
	prefix, components := r.components(full)
	if components == nil { // "include /", seen on 3.0.11
		r.fault = &Fault{
			Effect: ServerCrashes,
			Text:   "segmentation fault: include without a file name",
			File:   s.file,
			Line:   it.line,
		}
		return
	}
	g := glob{reader: r, config: c, depth: depth + 1}
	wild := strings.ContainsAny(full, "?*")
	wildDirectory := strings.Contains(strings.Join(components[:len(components)-1], ""), "*")
	var found bool
	if r.opts.Dialect.has(includeReworked) {
		found = g.walk(prefix, components)
	} else {
		found = g.walkOnce(prefix, &components)
	}
	if r.fault != nil {
		return
	}
	switch {
	case !found && !wild:
		r.includeFault(s, it, target, "File to include not found")
	case !found:
		r.warn(IncludeNothing, s.file, it.line, r.nothingMatched(full))
	case wildDirectory && !r.opts.Dialect.has(includeReworked):
		r.warn(IncludeOrder, s.file, it.line, fmt.Sprintf("include %s: 3.0 searches only one of the directories that match, the first in the order of the disk, and reads further matches as files; name the directory", target))
	case wild && g.parsed > 1:
		r.warn(IncludeOrder, s.file, it.line, fmt.Sprintf("include %s matches %d files, and the engine reads them in the order of the directory, which is not that of their names; set each key in one file only", target, g.parsed))
	}
}

func (r *reader) nothingMatched(path string) string {
	if strings.Contains(path, "?") && !r.paths.windows {
		return fmt.Sprintf("include %s reads nothing: outside Windows ? is an ordinary character to the engine; use * or the full name", path)
	}
	return fmt.Sprintf("include %s matches no file and is skipped; check the path", path)
}

func (r *reader) includeFault(s *stream, it item, target, why string) {
	r.fault = &Fault{
		Effect: r.parseEffect(),
		Text:   fmt.Sprintf("Invalid include operator in %s for <%s>\n-%s", s.file, target, why),
		File:   s.file,
		Line:   it.line,
	}
}

// components splits a path for the walk: the root it starts from and the names
// below, nil when there are none. On Windows the drive belongs to the root.
func (r *reader) components(path string) (root string, names []string) {
	sep := string(r.paths.separator())
	if r.paths.windows {
		path = r.paths.fix(path)
	}
	if r.paths.hasDrive(path) {
		root, path = path[:2], path[2:]
	}
	if rest := strings.TrimLeft(path, sep); rest != path {
		root, path = root+sep, rest
	}
	if path == "" {
		return root, nil
	}
	return root, strings.Split(path, sep)
}

// glob walks the directories of one include.
type glob struct {
	*reader
	config *config
	depth  int
	parsed int // files read
}

// walk reads every file that the names, patterns included, lead to from dir and
// tells whether there was one. The engine scans each directory of the path, so
// even a plain name is looked up in its directory's listing.
func (g *glob) walk(dir string, names []string) bool {
	found := false
	for _, e := range g.list(dir, names[0]) {
		path := g.paths.join(dir, e.Name())
		switch {
		case len(names) > 1:
			if e.IsDir() {
				found = g.walk(path, names[1:]) || found
			}
		case g.takes(path):
			found = g.read(path) || found
		}
		if g.fault != nil {
			break
		}
	}
	return found
}

// walkOnce is walk as 3.0 has it. It takes the names off one list and never puts
// them back, so only the first match of a directory pattern is searched, and the
// further matches are themselves read as files.
func (g *glob) walkOnce(dir string, names *[]string) bool {
	pattern := (*names)[0]
	*names = (*names)[1:]
	found := false
	for _, name := range g.listOnce(dir, pattern) {
		path := g.paths.join(dir, name)
		if len(*names) > 0 {
			found = found || g.walkOnce(path, names)
		} else {
			found = g.read(path) || found
		}
		if g.fault != nil {
			break
		}
	}
	return found
}

// listOnce is the names of a directory that match a pattern as 3.0 takes them:
// hidden ones only where the pattern begins with a dot, and then also "..".
func (g *glob) listOnce(dir, pattern string) []string {
	entries, err := fs.ReadDir(g.opts.Files, g.paths.fsName(dir))
	if err != nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if g.matches(pattern, name) && (name[0] != '.' || pattern[0] == '.') {
			names = append(names, name)
		}
	}
	add("..")
	for _, e := range entries {
		add(e.Name())
	}
	return names
}

// list is the entries of a directory that match a pattern, sorted by name. A
// directory that cannot be read has none, for the engine as well.
func (g *glob) list(dir, pattern string) []fs.DirEntry {
	entries, err := fs.ReadDir(g.opts.Files, g.paths.fsName(dir))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !g.matches(pattern, e.Name()) })
}

// takes tells whether a file is to be read: databases.conf of 4.0 and later
// reads each file once.
func (g *glob) takes(path string) bool {
	if g.config.included == nil {
		return true
	}
	if g.config.included[path] {
		return false
	}
	g.config.included[path] = true
	return true
}

// read parses one included file. A directory opens but holds no line.
func (g *glob) read(path string) bool {
	if g.budget--; g.budget < 0 {
		g.fault = &Fault{
			Effect: ServerCrashes,
			Text:   fmt.Sprintf("includes of %s lead to more than %d files; remove the loop", g.opts.Name, includeBudget),
			File:   path,
		}
		return true
	}
	content, err := fs.ReadFile(g.opts.Files, g.paths.fsName(path))
	if err != nil {
		info, statErr := fs.Stat(g.opts.Files, g.paths.fsName(path))
		return statErr == nil && info.IsDir() && !errors.Is(err, fs.ErrPermission)
	}
	g.parsed++
	lines := splitLines(string(content))
	s := &stream{file: path, items: significant(lines)}
	g.lineWarnings(path, lines)
	g.parse(s, g.config, g.depth)
	return true
}

// matches compares a directory entry with one component of an include. Outside
// Windows the engine knows "*" only: "?" matches itself, and "*" before further
// text does not match at the end of the name.
func (g *glob) matches(pattern, name string) bool {
	if g.paths.windows {
		return wildMatch(foldASCII(pattern), foldASCII(name), true)
	}
	return wildMatch(pattern, name, false)
}

func wildMatch(pattern, name string, question bool) bool {
	for pattern != "" {
		switch {
		case pattern == "*":
			return true
		case pattern[0] == '*':
			for i := range len(name) {
				if wildMatch(pattern[1:], name[i:], question) {
					return true
				}
			}
			return false
		case name == "" || pattern[0] != name[0] && !(question && pattern[0] == '?'):
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return name == ""
}
