package fbconf

import (
	"path"
	"strings"
)

// paths are the path rules of one family of operating systems, as Firebird's
// PathUtils has them.
type paths struct {
	windows bool
}

func (p paths) separator() byte {
	if p.windows {
		return '\\'
	}
	return '/'
}

// fix turns the other system's separators into this one's, up to a NUL.
func (p paths) fix(s string) string {
	from, to := `\`, "/"
	if p.windows {
		from, to = to, from
	}
	head := cString(s)
	return strings.ReplaceAll(head, from, to) + s[len(head):]
}

// relative tells whether the engine holds a path for relative. An empty path is
// relative on Windows only.
func (p paths) relative(path string) bool {
	if !p.windows {
		return path != "" && path[0] != '/'
	}
	if p.hasDrive(path) {
		path = path[2:]
	}
	return path == "" || path[0] != '\\' && path[0] != '/'
}

func (p paths) hasDrive(path string) bool {
	return p.windows && len(path) > 2 && path[1] == ':' && isLetter(path[0])
}

func isLetter(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z'
}

// remote tells whether a path names a database on a host, as host:path or
// [address]/port:path.
func (p paths) remote(path string) bool {
	from := 0
	if strings.HasPrefix(path, "[") {
		from = strings.IndexByte(path, ']')
		if from < 0 || from == len(path)-1 {
			return false
		}
	}
	colon := strings.IndexByte(path[from:], ':')
	if colon < 0 {
		return false
	}
	colon += from
	if colon == 0 || colon == len(path)-1 {
		return false
	}
	return !(p.windows && colon == 1 && isLetter(path[0]))
}

// directory is the path without its last component.
func (p paths) directory(path string) string {
	if p.windows {
		path = p.fix(path)
	}
	i := strings.LastIndexByte(path, p.separator())
	if i < 0 {
		return ""
	}
	return path[:i]
}

// join puts a name below a directory.
func (p paths) join(dir, name string) string {
	if dir == "" {
		return name
	}
	sep := string(p.separator())
	return strings.TrimSuffix(dir, sep) + sep + name
}

// fold puts a relative path below a directory and folds its ".", ".." and empty
// pieces, the way PathUtils::concatPath does since 4.0. Such a piece at the end
// leaves a separator there.
func (p paths) fold(dir, rest string) string {
	if dir == "" {
		return rest
	}
	sep := string(p.separator())
	result := strings.TrimSuffix(dir, sep)
	for piece := range strings.SplitSeq(rest, sep) {
		switch piece {
		case "", ".":
		case "..":
			if i := strings.LastIndex(result, sep); i >= 0 {
				result = result[:i]
			}
		default:
			result += sep + piece
		}
	}
	switch rest[strings.LastIndex(rest, sep)+1:] {
	case "", ".", "..":
		result += sep
	}
	return result
}

// same compares two names of files or aliases.
func (p paths) same(a, b string) bool {
	return p.key(a) == p.key(b)
}

// key is the form of a name under which equal names meet.
func (p paths) key(name string) string {
	if p.windows {
		return foldASCII(name)
	}
	return name
}

// fsName is the name under which a path stands in an fs.FS rooted at "/": on
// Windows the drive is its first element.
func (p paths) fsName(name string) string {
	if p.windows {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	name = path.Clean("/" + name)[1:]
	if name == "" {
		return "."
	}
	return name
}
