package confgen

import (
	"fmt"
	"slices"
	"strings"
)

// pageSizes are the page sizes a database can have, with the version each came
// with (src/jrd/ods.h). Firebird takes every other number for a smaller one of
// them, in silence.
var pageSizes = []struct {
	size Bytes
	from Version
}{
	{4 * KiB, Version{2, 5, 0}},
	{8 * KiB, Version{2, 5, 0}},
	{16 * KiB, Version{2, 5, 0}},
	{32 * KiB, Version{4, 0, 0}},
}

// PageSizes returns the page sizes a version has, smallest first.
func PageSizes(v Version) []Bytes {
	var sizes []Bytes
	for _, row := range pageSizes {
		if v.AtLeast(row.from) {
			sizes = append(sizes, row.size)
		}
	}
	return sizes
}

// CheckPageSize returns an error that names the page sizes a version has when
// size is none of them.
func CheckPageSize(size Bytes, v Version) error {
	sizes := PageSizes(v)
	if slices.Contains(sizes, size) {
		return nil
	}
	names := make([]string, len(sizes))
	for i, s := range sizes {
		names[i] = fmt.Sprint(int64(s))
	}
	return fmt.Errorf("a page size of %d bytes: Firebird %s has %s; give one of these", size, v, strings.Join(names, ", "))
}
