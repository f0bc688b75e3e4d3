package fbconf

import (
	"fmt"
	"strings"
)

// explainIndent begins the second and later lines of an explanation.
const explainIndent = "#   "

// Explain puts a comment directly above the line that decides a key of
// firebird.conf or names an alias, in place of the one that an earlier Explain
// with the same mark left there. The first line begins with "# " and the mark,
// such as "fbtune: ", the others are set in. The rules of Set hold: nothing but
// the comment changes, or there is an error and the file is unchanged. Without
// lines an earlier comment is removed.
func (f *File) Explain(name, mark string, lines []string) error {
	what := fmt.Sprintf("explain %s in %s", name, f.opts.Name)
	e := f.deciding(name)
	if f.opts.Kind != FirebirdConf {
		e, _ = f.ownerOf(name)
	}
	if e == nil {
		return fmt.Errorf("%s: no line gives it; set it first", what)
	}
	if err := f.editable(what, e); err != nil {
		return err
	}
	for _, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			return fmt.Errorf("%s: %q has a line end; give a line each", what, line)
		}
	}
	at := e.line - 1 // index of the line itself
	first := f.explained(at, mark)
	margin := indent(f.lines[at])
	added := make([]string, len(lines))
	for i, line := range lines {
		added[i] = margin + explainIndent + line
		if i == 0 {
			added[i] = margin + "# " + mark + line
		}
	}
	without := *f
	without.lines = append(append([]string{}, f.lines[:first]...), f.lines[at:]...)
	attempt := without.lines
	if len(added) > 0 {
		attempt = without.insert(first-1, added...)
	}
	target := target{
		find: func(g *File) *entry {
			if g.opts.Kind == FirebirdConf {
				return g.deciding(name)
			}
			e, _ := g.ownerOf(name)
			return e
		},
		value: e.literal,
	}
	return f.try(what, target, [][]string{attempt})
}

// explained is the index of the first line of the explanation above the line
// with index at, or at itself when there is none.
func (f *File) explained(at int, mark string) int {
	for i := at - 1; i >= 0; i-- {
		line := strings.TrimLeft(f.lines[i], " \t")
		switch {
		case strings.HasPrefix(line, "# "+mark):
			return i
		case !strings.HasPrefix(line, explainIndent):
			return at
		}
	}
	return at
}
