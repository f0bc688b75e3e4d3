package dbheader

import (
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// ODS is a version of the on-disk structure.
type ODS struct{ Major, Minor int }

// engines are the on-disk structures of the versions: what each creates, and
// from which minor version on it opens older ones (src/jrd/ods.h, ODS_RELEASED
// and ODS_CURRENT; src/jrd/ods.cpp, isSupported).
var engines = [...]struct {
	firebird       confgen.Version
	major          int
	oldest, newest int
}{
	{confgen.Version{Major: 2, Minor: 0, Patch: confgen.AnyPatch}, 11, 0, 0},
	{confgen.Version{Major: 2, Minor: 1, Patch: confgen.AnyPatch}, 11, 0, 1},
	{confgen.Version{Major: 2, Minor: 5, Patch: confgen.AnyPatch}, 11, 0, 2},
	{confgen.Version{Major: 3, Minor: 0, Patch: confgen.AnyPatch}, 12, 0, 2},
	{confgen.Version{Major: 4, Minor: 0, Patch: confgen.AnyPatch}, 13, 0, 0},
	{confgen.Version{Major: 5, Minor: 0, Patch: confgen.AnyPatch}, 13, 0, 1},
	{confgen.Version{Major: 6, Minor: 0, Patch: confgen.AnyPatch}, 14, 0, 0},
}

// String returns "13.1".
func (o ODS) String() string { return fmt.Sprintf("%d.%d", o.Major, o.Minor) }

// MarshalText writes the ODS as String does.
func (o ODS) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Firebird returns the oldest version that opens databases of this ODS, and
// false when it is of none that fbtune knows.
func (o ODS) Firebird() (confgen.Version, bool) {
	for _, e := range engines {
		if o.within(e.major, e.oldest, e.newest) {
			return e.firebird, true
		}
	}
	return confgen.Version{}, false
}

// OpenedBy reports whether a version opens databases of this ODS, which it
// does of its own and of older minor versions.
func (o ODS) OpenedBy(v confgen.Version) bool {
	for _, e := range engines {
		if e.firebird == v.Line() {
			return o.within(e.major, e.oldest, e.newest)
		}
	}
	return false
}

func (o ODS) within(major, oldest, newest int) bool {
	return o.Major == major && oldest <= o.Minor && o.Minor <= newest
}
