package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// Side is one of two configurations.
type Side struct {
	Path  string // as a person named it
	Files confgen.Files
}

// Rules say how files are read.
type Rules struct {
	Version confgen.Version
	Dialect fbconf.Dialect // of the version, with its build where that is known
	Dirs    fbconf.Dirs
	Host    fs.FS // where includes are read
}

// NewRules returns the rules of a version on this machine.
func NewRules(v confgen.Version) (Rules, error) {
	dialect, err := fbconf.ParseDialect(v.String())
	return Rules{Version: v, Dialect: dialect, Host: fbconf.HostFiles()}, err
}

// Names of the files of a version.
func (r Rules) names() (conf, databases string, kind fbconf.Kind) {
	if r.Dialect.Legacy() {
		return "firebird.conf", "aliases.conf", fbconf.AliasesConf
	}
	return "firebird.conf", "databases.conf", fbconf.DatabasesConf
}

// Texts are the contents of a pair of files and the paths under which the
// engine opens them. A nil content stands for no file.
type Texts struct {
	ConfPath, DatabasesPath string
	Conf, Databases         []byte
}

// Over returns the texts with what they lack from others, and under the paths of
// those.
func (t Texts) Over(others Texts) Texts {
	if t.Conf != nil {
		others.Conf = t.Conf
	}
	if t.Databases != nil {
		others.Databases = t.Databases
	}
	return others
}

// Read reads the texts of a configuration that a person named path.
func (r Rules) Read(path string, t Texts) Side {
	_, _, kind := r.names()
	s := Side{Path: path, Files: confgen.Files{Version: r.Version}}
	if t.Conf != nil {
		s.Files.Conf = r.parse(t.ConfPath, t.Conf, fbconf.FirebirdConf)
	}
	if t.Databases != nil {
		s.Files.Databases = r.parse(t.DatabasesPath, t.Databases, kind)
	}
	return s
}

func (r Rules) parse(path string, content []byte, kind fbconf.Kind) *fbconf.File {
	return fbconf.Parse(content, fbconf.Options{Name: path, Kind: kind, Dialect: r.Dialect, Dirs: r.Dirs, Files: r.Host})
}

// ErrNone is the error of a directory without configuration files.
var ErrNone = errors.New("it holds neither firebird.conf nor databases.conf; name the directory of a server's configuration, or one file of it")

// Open reads the configuration at path: a directory that holds the files, or
// one file. A file is taken for what its name says, and for a firebird.conf
// when the name says nothing.
func (r Rules) Open(path string) (Side, error) {
	t, err := r.Find(path)
	if err != nil {
		return Side{}, err
	}
	return r.Read(path, t), nil
}

// Find reads the contents that Open reads.
func (r Rules) Find(path string) (Texts, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Texts{}, fmt.Errorf("read a configuration: %w", err)
	}
	conf, databases, _ := r.names()
	var t Texts
	switch {
	case info.IsDir():
		t.ConfPath, t.DatabasesPath = filepath.Join(path, conf), filepath.Join(path, databases)
	case isDatabases(filepath.Base(path)):
		t.DatabasesPath = path
	default:
		t.ConfPath = path
	}
	for _, file := range []struct {
		path string
		into *[]byte
	}{{t.ConfPath, &t.Conf}, {t.DatabasesPath, &t.Databases}} {
		if file.path == "" {
			continue
		}
		content, err := Content(file.path)
		if err != nil {
			return Texts{}, err
		}
		*file.into = content
	}
	if t.Conf == nil && t.Databases == nil {
		return Texts{}, fmt.Errorf("read a configuration in %s: %w", path, ErrNone)
	}
	return t, nil
}

// Content reads a file: nil when there is none, never nil when there is one.
func Content(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read a configuration: %w", err)
	case content == nil:
		return []byte{}, nil
	}
	return content, nil
}

// isDatabases tells databases.conf and aliases.conf from firebird.conf.
func isDatabases(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "databases") || strings.Contains(name, "aliases")
}

// Common leaves out the files that only one side has: it was named by a single
// file, or its directory is silent about the others. The error is for sides
// with nothing in common.
func Common(a, b Side) (Side, Side, error) {
	if a.Files.Conf == nil || b.Files.Conf == nil {
		a.Files.Conf, b.Files.Conf = nil, nil
	}
	if a.Files.Databases == nil || b.Files.Databases == nil {
		a.Files.Databases, b.Files.Databases = nil, nil
	}
	if a.Files.Conf == nil && a.Files.Databases == nil {
		return a, b, fmt.Errorf("compare %s and %s: one has a firebird.conf and the other a databases.conf only; name two of a kind", a.Path, b.Path)
	}
	return a, b, nil
}

// faulty reports whether the engine refuses a file before its end, so that what
// comes after is not known.
func (s Side) faulty() bool {
	for _, f := range []*fbconf.File{s.Files.Conf, s.Files.Databases} {
		if f != nil && f.Fault() != nil {
			return true
		}
	}
	return false
}

func (s Side) summary() Summary {
	return Summary{Path: s.Path, Mode: s.Files.ServerMode(), Fatal: s.Files.Show("").Fatal}
}
