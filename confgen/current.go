package confgen

import (
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// ReadCurrent returns the settings in force in a firebird.conf, as the engine
// takes them, with the file and line each comes from. The error is for a file
// with which the server would not start, in the engine's own words.
func ReadCurrent(file *fbconf.File) (map[string]Current, error) {
	if fatal := file.Fatal(); fatal != "" {
		return nil, fmt.Errorf("read %s: the server would not start with it: %s", file.Name(), fatal)
	}
	current := map[string]Current{}
	for _, row := range All() {
		if s, ok := file.Lookup(row.Name); ok {
			current[row.Name] = Current{Value: s.Value, Source: fmt.Sprintf("%s:%d", s.File, s.Line)}
		}
	}
	return current, nil
}

// ParseDatabase reads a database that a person wrote as
// NAME=PATH[,size=20G][,page-size=8192].
func ParseDatabase(text string) (Database, error) {
	fail := func(format string, args ...any) (Database, error) {
		return Database{}, fmt.Errorf("database %q: %s", text, fmt.Sprintf(format, args...))
	}
	fields := strings.Split(text, ",")
	name, path, ok := strings.Cut(fields[0], "=")
	if !ok || name == "" || path == "" {
		return fail("write NAME=PATH, such as erp=/data/erp.fdb,size=20G,page-size=8192")
	}
	d := Database{Name: name, Path: path}
	for _, field := range fields[1:] {
		key, value, _ := strings.Cut(field, "=")
		switch key {
		case "size":
			size, err := ParseSizeFlag(value)
			if err != nil {
				return fail("%v", err)
			}
			d.Size = size
		case "page-size":
			if d.PageSize = Bytes(ParseSize(value)); d.PageSize <= 0 {
				return fail("page-size %q is not a number of bytes, such as 8192", value)
			}
		default:
			return fail("%q is neither size= nor page-size=", field)
		}
	}
	return d, nil
}

// ReadCaches takes the present page caches of an input's databases from a
// databases.conf. It returns what a person should know: the databases with a
// cache of their own that the input does not name.
func ReadCaches(file *fbconf.File, in *Input) []string {
	var notes []string
	for _, alias := range file.Aliases() {
		if alias.Ignored != "" || strings.EqualFold(alias.Name, securityAlias) {
			continue
		}
		row, _ := Lookup(DefaultDbCachePages) // a row of the catalogue
		line, set := fbconf.InForce(alias.Settings, DefaultDbCachePages, in.Version.dialect())
		if !set {
			continue
		}
		mode := in.Mode
		if mode == "" {
			mode = EngineMode(in.Current[ServerMode].Value)
		}
		pages, err := row.Number(in.Version, mode, line.Value)
		named := false
		for i := range in.Databases {
			if d := &in.Databases[i]; d.Path == alias.Path || strings.EqualFold(d.Name, alias.Name) {
				named = true
				if err == nil {
					d.Pages = Pages(pages)
				}
			}
		}
		if !named {
			notes = append(notes, fmt.Sprintf("%s:%d gives %s a cache of %d pages, which the budget does not hold: name it with --database %s=%s", alias.File, line.Line, alias.Name, pages, alias.Name, alias.Path))
		}
	}
	return notes
}
