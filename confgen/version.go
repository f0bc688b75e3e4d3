package confgen

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// AnyPatch as Version.Patch stands for the newest patch level of a version.
const AnyPatch = -1

// Version is a version of Firebird: 3.0, or 3.0.11.
type Version struct {
	Major, Minor int
	Patch        int // AnyPatch when not stated
}

// ParseVersion reads "3.0" or "3.0.11". It also takes what a server prints,
// such as "LI-V3.0.11.33637 Firebird 3.0", and ignores the build number.
func ParseVersion(text string) (Version, error) {
	digits := strings.TrimSpace(text)
	for _, kind := range []string{"-V", "-T"} { // a release, a test build
		if _, number, ok := strings.Cut(digits, kind); ok {
			digits = number
		}
	}
	digits, _, _ = strings.Cut(digits, " ")
	fields := strings.Split(digits, ".")
	if len(fields) < 2 || len(fields) > 4 {
		return Version{}, versionError(text)
	}
	numbers := [3]int{2: AnyPatch}
	for i, field := range fields[:min(len(fields), len(numbers))] {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return Version{}, versionError(text)
		}
		numbers[i] = n
	}
	v := Version{numbers[0], numbers[1], numbers[2]}
	if len(fields) == 4 { // a build number is read past, but must be one
		if _, err := strconv.ParseUint(fields[3], 10, 64); err != nil {
			return Version{}, versionError(text)
		}
	}
	return v, nil
}

func versionError(text string) error {
	return fmt.Errorf("parse Firebird version %q: write it as 3.0 or 3.0.11", text)
}

// String returns "3.0", or "3.0.11" when the patch level is stated.
func (v Version) String() string {
	if v.Patch == AnyPatch {
		return fmt.Sprintf("%d.%d", v.Major, v.Minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// Line returns v without its patch level: 3.0 for 3.0.11.
func (v Version) Line() Version { return Version{v.Major, v.Minor, AnyPatch} }

// Compare orders versions; AnyPatch is the newest patch level of its line.
func (v Version) Compare(o Version) int {
	return cmp.Or(
		cmp.Compare(v.Major, o.Major),
		cmp.Compare(v.Minor, o.Minor),
		// As unsigned, AnyPatch is larger than every stated patch level.
		cmp.Compare(uint(v.Patch), uint(o.Patch)),
	)
}

// AtLeast reports whether v is o or newer.
func (v Version) AtLeast(o Version) bool { return v.Compare(o) >= 0 }

// Dialect returns the grammar of the version's configuration files, on a POSIX
// system.
func (v Version) Dialect() fbconf.Dialect { return v.dialect() }

// dialect returns the grammar of the version's configuration files.
func (v Version) dialect() fbconf.Dialect {
	d := fbconf.Dialect{Major: v.Major, Minor: v.Minor, Patch: v.Patch}
	if v.Patch == AnyPatch {
		d.Patch = fbconf.NewestPatch
	}
	return d
}

// MarshalText writes the version as String does.
func (v Version) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what ParseVersion reads.
func (v *Version) UnmarshalText(text []byte) error {
	parsed, err := ParseVersion(string(text))
	if err == nil {
		*v = parsed
	}
	return err
}
