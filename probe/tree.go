package probe

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// tree reads the files of a Linux machine under its root.
type tree struct{ fsys fs.FS }

// text returns the content of a file without the blanks around it. The error
// is short enough to be the reason of an absent fact.
func (t tree) text(file string) (string, error) {
	data, err := fs.ReadFile(t.fsys, strings.TrimPrefix(file, "/"))
	if err != nil {
		return "", fmt.Errorf("%s: %w", rooted(file), cause(err))
	}
	return strings.TrimSpace(string(data)), nil
}

// cause strips the path from an error of package fs, which names the file
// without its leading slash.
func cause(err error) error {
	if pathError, ok := err.(*fs.PathError); ok {
		return pathError.Err
	}
	return err
}

// rooted returns a file's name as a person on that machine would write it.
func rooted(file string) string { return path.Join("/", file) }

// word returns the content of a file as a fact.
func (t tree) word(file string) Fact[string] {
	text, err := t.text(file)
	if err != nil {
		return missing[string]("%v", err)
	}
	if text == "" {
		return missing[string]("%s is empty", rooted(file))
	}
	return known(text, rooted(file))
}

// integer returns the number a file holds as a fact.
func (t tree) integer(file string) Fact[int64] {
	text, err := t.text(file)
	if err != nil {
		return missing[int64]("%v", err)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return missing[int64]("%s holds %.20q, not a number", rooted(file), text)
	}
	return known(n, rooted(file))
}

// exists reports whether there is a file of that name.
func (t tree) exists(file string) bool {
	_, err := fs.Stat(t.fsys, strings.TrimPrefix(file, "/"))
	return err == nil
}

// names returns the names in a directory, none when it cannot be read.
func (t tree) names(dir string) []string {
	entries, err := fs.ReadDir(t.fsys, strings.TrimPrefix(dir, "/"))
	if err != nil {
		return nil // an absent directory holds nothing
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// follow returns where a relative symbolic link leads, or "" when file is not
// one. Links to /sys are all relative.
func (t tree) follow(file string) string {
	target, err := fs.ReadLink(t.fsys, file)
	if err != nil {
		return ""
	}
	return path.Join(path.Dir(file), target)
}

// table reads "key: value" lines, as /proc's files have them, into a map. Of a
// repeated key the first line counts.
func table(text string) map[string]string {
	values := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, seen := values[key]; ok && !seen {
			values[key] = strings.TrimSpace(value)
		}
	}
	return values
}
