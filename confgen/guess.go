package confgen

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Lines returns the versions the catalogue covers, oldest first, each as its
// newest patch level.
func Lines() []Version {
	lines := []Version{v25, v30, v40, v50, v60}
	for i := range lines {
		lines[i] = lines[i].Line()
	}
	return lines
}

// Patterns by which a file tells its version.
var (
	headline   = regexp.MustCompile(`(?m)^#.*Firebird version (\d\.\d) configuration file`)
	anyKey     = regexp.MustCompile(`(?m)^[ \t]*#?[ \t]*([A-Za-z][A-Za-z0-9]*)[ \t]*=[ \t]*([^\r\n#]*)`)
	suffixed   = regexp.MustCompile(`^[0-9]+[KkMmGg][ \t]*$`)
	securityDB = regexp.MustCompile(`security([3-6])\.fdb`)
)

// GuessVersion returns the version a configuration file was most likely written
// for, with the reason: from its headline, from the names in it, commented ones
// included, that only some versions know, from suffixes, which 2.5 does not
// know, and from the name of the security database. Of several that fit it is
// the oldest from 3.0 on. sure is false when they all fit.
func GuessVersion(content []byte) (v Version, why string, sure bool) {
	if match := headline.FindSubmatch(content); match != nil {
		if v, err := ParseVersion(string(match[1])); err == nil && slices.Contains(Lines(), v) {
			return v, "its headline says so", true
		}
	}
	if match := securityDB.FindSubmatch(content); match != nil {
		return Version{int(match[1][0] - '0'), 0, AnyPatch}, fmt.Sprintf("it names %s", match[0]), true
	}
	fit, names := fitting(content)
	for _, v := range fit {
		if v.AtLeast(v30) || len(fit) == 1 {
			return v, reason(names), len(fit) < len(Lines())
		}
	}
	return Version{3, 0, AnyPatch}, "nothing in it tells the version", false
}

// reason names what told a version.
func reason(names []string) string {
	if len(names) == 0 {
		return "nothing in it tells the version"
	}
	return "from " + strings.Join(names[:min(len(names), 3)], ", ") + " in it"
}

// fitting returns the versions that know the most of the names in a file, and
// the names that told them apart.
func fitting(content []byte) (fit []Version, told []string) {
	count := map[Version]int{}
	seen := map[string]bool{}
	for _, match := range anyKey.FindAllSubmatch(content, -1) {
		row, ok := Lookup(string(match[1]))
		if !ok {
			continue
		}
		modern := suffixed.Match(bytes.TrimSpace(match[2])) && row.Type == Integer
		all := true
		for _, v := range Lines() {
			_, known := row.In(v)
			all = all && known
			if known && !seen[row.Name] {
				count[v]++
			}
			if modern && v.AtLeast(v30) {
				count[v]++
			}
		}
		if !seen[row.Name] && (!all || modern) {
			told = append(told, row.Name)
		}
		seen[row.Name] = true
	}
	most := 0
	for _, n := range count {
		most = max(most, n)
	}
	for _, v := range Lines() {
		if count[v] == most {
			fit = append(fit, v)
		}
	}
	return fit, told
}

// drivePath is a line that gives a path with a drive letter, or a name of the
// kernel of Windows.
var drivePath = regexp.MustCompile(`(?m)^[ \t]*[^#\r\n=]+=[^#\r\n]*(\b[A-Za-z]:[\\/]|Global\\)`)

// GuessWindows reports whether a configuration file is that of a Windows
// machine: a line in force names a drive.
func GuessWindows(content []byte) bool { return drivePath.Match(content) }
