package firebird

import (
	"cmp"
	"path/filepath"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// Dirs returns what macros of configuration files stand for, as measured on
// 3.0.11 and 4.0.5 (src/common/utils.cpp, getPrefix), in a server whose root is
// the given directory, as FIREBIRD sets it; "" is the installation's own.
func (i Installation) Dirs(root string) fbconf.Dirs {
	root = cmp.Or(root, i.base)
	parts := root // of the installation
	if i.layout.fixed {
		parts = i.base
	}
	sample := cmp.Or(i.layout.sample, filepath.Join(parts, "examples"))
	return fbconf.Dirs{
		Root: root, Conf: root, Install: i.built(), Msg: i.message(root),
		SecDB:   cmp.Or(i.layout.secDB, parts),
		Plugins: filepath.Join(parts, "plugins"), UDF: filepath.Join(parts, "UDF"), Intl: filepath.Join(parts, "intl"),
		Sample: sample, SampleDB: filepath.Join(sample, "empbuild"),
	}
}

// built is the directory that the installation was built for, which is not
// where it lies when it was unpacked elsewhere.
func (i Installation) built() string {
	if i.loader == "" {
		return i.base
	}
	rel, err := filepath.Rel(i.Root, i.base)
	if err != nil {
		return i.base // both are absolute
	}
	return filepath.Join("/", rel)
}

// message is the directory of firebird.msg, which follows the root in official
// builds only; Debian's look where they were built for unless FIREBIRD_MSG says
// otherwise.
func (i Installation) message(root string) string {
	if i.layout.anywhere && i.loader == "" {
		return root
	}
	return i.built()
}

// Log is the path of the server's log when its root is the installation's own.
func (i Installation) Log() string {
	return filepath.Join(cmp.Or(i.layout.logDir, i.base), i.layout.logName)
}
