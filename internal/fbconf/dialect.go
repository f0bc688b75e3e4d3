package fbconf

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Dialect is the grammar of one Firebird version on one family of operating
// systems. The zero value is the newest 5.0 on a POSIX system.
type Dialect struct {
	// Major and Minor name the branch: 2.5, 3.0, 4.0, 5.0 or 6.0.
	Major, Minor int
	// Patch is the third number of the version. Grammar was corrected in patch
	// releases, so it matters; NewestPatch stands for "not known".
	Patch int
	// Build is the fourth number, 0 for "that of the release". Distributions
	// package builds from between releases: Debian 12's 3.0.11.33637 lacks
	// corrections that the release of 3.0.11 has.
	Build int
	// Windows selects the path rules of Windows: backslashes, drive letters,
	// and names compared without regard to case.
	Windows bool
}

// NewestPatch is the patch level of a version given without one: the newest of
// its branch.
const NewestPatch = math.MaxInt

// ParseDialect reads a version such as "2.5", "3.0", "4.0.3" or "5.0.4.1812"
// into the dialect of that version on a POSIX system.
func ParseDialect(version string) (Dialect, error) {
	fields := strings.Split(version, ".")
	numbers := []int{0, 0, NewestPatch, 0}
	for i, field := range fields {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return Dialect{}, fmt.Errorf("read Firebird version %q: %q is not a number; write it like 3.0 or 4.0.3", version, field)
		}
		if i < len(numbers) {
			numbers[i] = n
		}
	}
	d := Dialect{Major: numbers[0], Minor: numbers[1], Patch: numbers[2], Build: numbers[3]}
	if !d.known() {
		return Dialect{}, fmt.Errorf("read Firebird version %q: fbtune knows 2.5, 3.0, 4.0, 5.0 and 6.0; name one of these", version)
	}
	return d, nil
}

// String spells the dialect as a version, with patch level and build when they
// are known.
func (d Dialect) String() string {
	d = d.orDefault()
	if d.Patch == NewestPatch {
		return fmt.Sprintf("%d.%d", d.Major, d.Minor)
	}
	if d.Build == 0 {
		return fmt.Sprintf("%d.%d.%d", d.Major, d.Minor, d.Patch)
	}
	return fmt.Sprintf("%d.%d.%d.%d", d.Major, d.Minor, d.Patch, d.Build)
}

// Legacy tells whether the dialect is that of 2.5: plain atoi numbers, no
// includes, no macros, no blocks, and the last of several duplicates counts.
func (d Dialect) Legacy() bool {
	return d.orDefault().Major == 2
}

func (d Dialect) orDefault() Dialect {
	if d.Major == 0 {
		return Dialect{Major: 5, Patch: NewestPatch, Windows: d.Windows}
	}
	return d
}

func (d Dialect) known() bool {
	return d.Major == 2 && d.Minor == 5 || d.Major >= 3 && d.Major <= 6 && d.Minor == 0
}

// change is a correction of the grammar that some patch release brought.
type change int

const (
	// bareKeyIgnored: a known key on a line without "=" no longer counts as an
	// empty value (issue 7545).
	bareKeyIgnored change = iota
	// remoteAliasAllowed: an alias may name a database on another server.
	remoteAliasAllowed
	// orphanBlockReported: a "{" without an alias is an illegal line and no
	// longer a crash (issue 8485). The text for a missing "}" changed with it.
	orphanBlockReported
	// emptyAliasIsName: an attachment by an alias without a path opens the file
	// of that name; before, it opens none.
	emptyAliasIsName
	// emptyAliasIgnored: an alias without a path is logged and ignored (9107).
	emptyAliasIgnored
	// includeReworked: every directory that a wildcard matches is searched, "*"
	// matches hidden names, a directory must be one itself (not a link to one),
	// ".", ".." and "//" are folded in a relative path and not followed in an
	// absolute one, and databases.conf takes each included file once.
	includeReworked
)

// release is a patch level, and the build that followed the change's commit.
type release struct{ patch, build int }

// never marks a change that a branch did not get.
var never = release{math.MaxInt, math.MaxInt}

// changes holds, per change, the first release of each branch that has it, read
// from the tags and the build numbers in FirebirdSQL/firebird. 2.5 has none of
// them and 6.0 all. 3.0.15, 4.0.8 and 5.0.5 are the unreleased heads of August
// 2026.
var changes = [...]struct{ v3, v4, v5 release }{
	bareKeyIgnored:      {release{11, 33683}, release{3, 2930}, release{}},
	remoteAliasAllowed:  {release{11, 33638}, release{3, 2864}, release{}},
	orphanBlockReported: {release{13, 33806}, release{6, 3194}, release{3, 1636}},
	emptyAliasIsName:    {never, release{}, release{}},
	emptyAliasIgnored:   {release{15, 33883}, release{8, 3316}, release{5, 1874}},
	includeReworked:     {never, release{}, release{}},
}

// has tells whether the dialect's version contains the change.
func (d Dialect) has(c change) bool {
	d = d.orDefault()
	var first release
	switch d.Major {
	case 2:
		return false
	case 3:
		first = changes[c].v3
	case 4:
		first = changes[c].v4
	case 5:
		first = changes[c].v5
	}
	if d.Build != 0 {
		return d.Build >= first.build
	}
	return d.Patch >= first.patch && first != never
}

// missedBracket is the engine's text for a block without its closing brace.
func (d Dialect) missedBracket() string {
	if d.has(orphanBlockReported) {
		return "missed closing bracket '}'"
	}
	return "< missed closing bracket '}' >"
}

// keyOf is the form of a parameter name under which equal names meet: names are
// compared without regard to ASCII case since 3.0, and by the operating system's
// rule for file names in 2.5.
func (d Dialect) keyOf(name string) string {
	if d.Legacy() && !d.Windows {
		return name
	}
	return foldASCII(name)
}

// sameKey tells whether two parameter names are one.
func (d Dialect) sameKey(a, b string) bool {
	return d.keyOf(a) == d.keyOf(b)
}

// foldASCII maps A-Z to a-z and leaves every other byte alone, as strcasecmp
// does in the C locale that the server runs in.
func foldASCII(s string) string {
	fold := func(c byte) byte {
		if 'A' <= c && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}
	for i := range len(s) {
		if fold(s[i]) != s[i] {
			b := []byte(s)
			for j := range b {
				b[j] = fold(b[j])
			}
			return string(b)
		}
	}
	return s
}
