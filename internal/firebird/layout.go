package firebird

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// layout is where a packager puts the parts of a Firebird. Relative paths are
// below the root.
type layout struct {
	kind     string
	roots    []string // where to look, as glob patterns
	anywhere bool     // whether any directory may be the root
	server   string
	isql     string
	locks    string   // fb_lock_print
	stat     string   // gstat
	base     string   // directory of plugins, intl, firebird.msg, as a glob pattern
	conf     string   // directory of firebird.conf, databases.conf, plugins.conf
	loader   string   // the dynamic loader of its own, as a glob pattern; "" when the machine's serves
	copied   []string // parts of base that another root must hold as real files
	linked   []string // parts of base that another root may link
	logDir   string   // the compiled-in directory of the log; "" when it lies in the root
	logName  string

	// Directories that macros stand for.
	fixed  bool   // whether they are compiled in, apart from the root and its files
	secDB  string // of the security database; "" when it lies in the root
	sample string // of the examples; "" when they lie in the root
}

// Parts of a root. Debian's 3.0 has the way to its plugins compiled in; all
// others look for them in their root, and before 5.0 refuse them there when
// they are links (40:src/common/os/posix/mod_loader.cpp:186-199).
var (
	compiledIn = []string{"intl", "firebird.msg"}
	movable    = []string{"plugins", "intl", "firebird.msg"}
)

// layouts are the packagers known. Where several claim a directory the first
// has it.
var layouts = [...]layout{
	{
		kind: "Debian package", roots: []string{"/usr/lib/*/firebird/3.0"},
		server: "/usr/sbin/firebird", isql: "/usr/bin/isql-fb", locks: "/usr/bin/fb_lock_print", stat: "/usr/bin/fbstat",
		base: ".", conf: "/etc/firebird/3.0", linked: compiledIn,
		logDir: "/var/log/firebird", logName: "firebird3.0.log",
		fixed: true, secDB: "/var/lib/firebird/3.0/system", sample: "/usr/share/doc/firebird3.0-common-doc/examples",
	},
	{
		// Its bin beside the plugins holds scripts that set FIREBIRD themselves.
		kind: "Debian package", roots: []string{"/usr/lib/*/firebird/4.0"},
		server: "/usr/lib/firebird/4.0/bin/firebird", isql: "/usr/lib/firebird/4.0/bin/isql-fb", locks: "/usr/lib/firebird/4.0/bin/fb_lock_print", stat: "/usr/lib/firebird/4.0/bin/fbstat",
		base: ".", conf: "/etc/firebird/4.0", copied: movable, logName: "firebird4.0.log",
	},
	{
		// The same beside another Debian, by debian/unpack-4.0.sh.
		kind: "unpacked Debian package", anywhere: true,
		server: "usr/lib/firebird/4.0/bin/firebird", isql: "usr/lib/firebird/4.0/bin/isql-fb", locks: "usr/lib/firebird/4.0/bin/fb_lock_print", stat: "usr/lib/firebird/4.0/bin/fbstat",
		base: "usr/lib/*/firebird/4.0", conf: "etc/firebird/4.0", loader: "usr/lib/*/ld-linux*.so.*", copied: movable,
		logName: "firebird4.0.log",
	},
	{
		// Its programs and plugins look for libraries in the lib beside them
		// ($ORIGIN/../lib), its engine from 4.0 on for time zones in tzdata.
		kind: "official build", roots: []string{"/opt/firebird", "/usr/local/firebird"}, anywhere: true,
		server: "bin/firebird", isql: "bin/isql", locks: "bin/fb_lock_print", stat: "bin/gstat",
		base: ".", conf: ".", copied: movable, linked: []string{"lib", "tzdata"}, logName: "firebird.log",
	},
}

// claims reports whether root is laid out so: it is one of the places to look,
// or may be anywhere and holds the server.
func (l layout) claims(root string) bool {
	known := slices.ContainsFunc(l.roots, func(pattern string) bool {
		ok, err := filepath.Match(pattern, root)
		return ok && err == nil
	})
	if known || !l.anywhere {
		return known
	}
	_, err := os.Stat(below(root, l.server))
	return err == nil
}

// below returns path below root, or path itself when it is absolute.
func below(root, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}

// only returns the one file that matches a pattern. The error of none is
// fs.ErrNotExist.
func only(pattern string) (string, error) {
	found, err := filepath.Glob(pattern)
	switch {
	case err != nil:
		return "", fmt.Errorf("look for %s: %w", pattern, err)
	case len(found) == 0:
		return "", fmt.Errorf("look for %s: %w; unpack it again", pattern, fs.ErrNotExist)
	case len(found) > 1:
		return "", fmt.Errorf("look for %s: there is more than one, %s and %s; remove what does not belong to this Firebird", pattern, found[0], found[1])
	}
	return found[0], nil
}
