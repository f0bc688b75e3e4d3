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
			if d.PageSize = Bytes(ParseSize(value)); d.PageSize == 0 {
				return fail("page-size %q is not a number of bytes, such as 8192", value)
			}
		default:
			return fail("%q is neither size= nor page-size=", field)
		}
	}
	return d, nil
}
