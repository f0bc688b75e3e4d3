package probe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mount is a line of /proc/self/mountinfo.
type mount struct {
	Device  string // MAJOR:MINOR
	Root    string // the directory of the file system that is mounted
	Point   string
	Type    string
	Source  string
	Options []string // of the mount and of the super block, without repetition
}

// mountInfo is where mounts are listed.
const mountInfo = "/proc/self/mountinfo"

// mounts are the mounts of this process, or why they are not known.
type mounts struct {
	all []mount
	err error
}

// readMounts reads the mounts of this process.
func readMounts(t tree) mounts {
	text, err := t.text(mountInfo)
	if err != nil {
		return mounts{err: err}
	}
	all, err := parseMountInfo(text)
	return mounts{all: all, err: err}
}

// parseMountInfo reads /proc/self/mountinfo, whose lines are
//
//	ID PARENT MAJ:MIN ROOT POINT OPTIONS [TAG...] - TYPE SOURCE SUPEROPTIONS
//
// with blanks in names written as octal escapes (proc_pid_mountinfo(5)).
func parseMountInfo(text string) ([]mount, error) {
	var all []mount
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		dash := slices.Index(fields, "-")
		if dash < 6 || len(fields) < dash+3 {
			return all, fmt.Errorf("%s: line %.60q is not a mount", mountInfo, line)
		}
		m := mount{
			Device: fields[2], Root: unescape(fields[3]), Point: unescape(fields[4]),
			Type: fields[dash+1], Source: unescape(fields[dash+2]),
			Options: strings.Split(fields[5], ","),
		}
		if len(fields) > dash+3 {
			for option := range strings.SplitSeq(fields[dash+3], ",") {
				if !slices.Contains(m.Options, option) {
					m.Options = append(m.Options, option)
				}
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// unescape replaces the octal escapes of /proc, such as \040 for a blank.
func unescape(name string) string {
	if !strings.Contains(name, `\`) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] == '\\' && i+3 < len(name) {
			if c, err := strconv.ParseUint(name[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// under returns the mount that holds path: the one with the longest mount
// point, of several on the same point the last, which covers the others.
func (m mounts) under(path string) (mount, error) {
	if m.err != nil {
		return mount{}, m.err
	}
	found := -1
	for i, candidate := range m.all {
		if within(path, candidate.Point) && (found < 0 || len(candidate.Point) >= len(m.all[found].Point)) {
			found = i
		}
	}
	if found < 0 {
		return mount{}, fmt.Errorf("%s lists no mount that holds %s", mountInfo, path)
	}
	return m.all[found], nil
}

// within reports whether path is dir or lies under it.
func within(path, dir string) bool {
	return dir == "/" || path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
