package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
)

// fileFlags say which server's files are read, and by which rules.
type fileFlags struct {
	version, mode string
	conf          string // firebird.conf
	databases     string // databases.conf, or aliases.conf of 2.5
	root          string // of an installation whose files are meant
}

// add adds the flags that say by which rules files are read.
func (f *fileFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.version, "firebird", "", "the `version` that reads the files, such as 3.0 or 4.0.3 (default: the installation's, else told from the files)")
	flags.StringVar(&f.mode, "mode", "", "Super, SuperClassic or Classic of a 2.5, whose files do not say it")
}

// serverFiles are a server's files as read, with what had to be assumed.
type serverFiles struct {
	confgen.Files
	Notes []string

	confPath, databasesPath string // as named; "" for none
	confText, databasesText []byte
}

// origin is what is known of where a server's files come from.
type origin struct {
	version string                   // of the installation they belong to; "" for none
	dirs    fbconf.Dirs              // what macros stand for; the zero Dirs leaves them as they are
	fileID  func(path string) string // by which two paths of one database are known; nil where they are not this machine's
}

// read reads the files of the flags, or those of the installation asked for,
// else of the newest one.
func (f *fileFlags) read(ctx context.Context) (serverFiles, error) {
	if f.conf != "" || f.databases != "" {
		files, err := f.named(ctx)
		if errors.Is(err, fs.ErrNotExist) {
			err = usagef("%w; check --conf and --databases", err)
		}
		return files, err
	}
	inst, err := firebird.Choose(ctx, f.root)
	if errors.Is(err, firebird.ErrNone) {
		return serverFiles{}, usagef("%w; or name files with --conf and --databases", err)
	} else if err != nil {
		return serverFiles{}, err
	}
	return f.installed(inst)
}

// installed reads the files of an installation. A file that is not there is an
// empty one to the engine from 4.0 on, and an error of firebird.conf before.
func (f *fileFlags) installed(inst firebird.Installation) (serverFiles, error) {
	databases := inst.DatabasesConf
	if _, err := os.Stat(databases); errors.Is(err, fs.ErrNotExist) {
		databases = ""
	}
	return f.parse(inst.FirebirdConf, databases, origin{inst.FullVersion(), inst.Dirs(""), fileID})
}

// named reads the files of the flags. Macros in them stand for the directories
// of the installation asked for, else of one that runs such files.
func (f *fileFlags) named(ctx context.Context) (serverFiles, error) {
	files, err := f.parse(f.conf, f.databases, origin{})
	if err != nil || !bytes.Contains(slices.Concat(files.confText, files.databasesText), []byte("$(")) {
		return files, err
	}
	inst, err := f.runs(ctx, files.Version)
	switch {
	case errors.Is(err, firebird.ErrNone):
		files.Notes = append(files.Notes, fmt.Sprintf("macros are shown as they stand, for no Firebird %s is here whose directories they would be; name its root with --firebird-root", files.Version.Line()))
		return files, nil
	case err != nil:
		return files, err
	}
	if files, err = f.parse(f.conf, f.databases, origin{dirs: inst.Dirs("")}); err == nil {
		files.Notes = append(files.Notes, fmt.Sprintf("macros stand for the directories of Firebird %s in %s; name another root with --firebird-root", inst.FullVersion(), inst.Root))
	}
	return files, err
}

// runs returns the installation asked for, else the newest of a version. The
// error is firebird.ErrNone when there is none.
func (f *fileFlags) runs(ctx context.Context, v confgen.Version) (firebird.Installation, error) {
	if f.root != "" {
		return firebird.At(ctx, f.root)
	}
	found, _ := firebird.Find(ctx) // of broken ones the directories are not known
	for _, inst := range found {
		if inst.Version.Line() == v.Line() {
			return inst, nil
		}
	}
	return firebird.Installation{}, firebird.ErrNone
}

// parse reads a pair of files, either of which may be "".
func (f *fileFlags) parse(conf, databases string, from origin) (serverFiles, error) {
	files := serverFiles{confPath: conf, databasesPath: databases}
	for _, f := range []struct {
		path string
		into *[]byte
	}{{conf, &files.confText}, {databases, &files.databasesText}} {
		if f.path == "" {
			continue
		}
		content, err := os.ReadFile(f.path)
		if err != nil {
			return serverFiles{}, fmt.Errorf("read the configuration: %w", err)
		}
		*f.into = content
	}
	both := slices.Concat(files.confText, []byte("\n"), files.databasesText)
	version := cmp.Or(f.version, from.version)
	if version == "" {
		v, why, sure := confgen.GuessVersion(both)
		if conf == "" && strings.Contains(strings.ToLower(filepath.Base(databases)), "aliases") {
			v, why, sure = confgen.Lines()[0], "only that has an aliases.conf", true
		}
		version = v.String()
		if !sure {
			why += ", so it is assumed"
		}
		files.Notes = append(files.Notes, fmt.Sprintf("read as files of Firebird %s (%s); say which it is with --firebird", v, why))
	}
	var err error
	if files.Version, err = knownVersion(version); err != nil {
		return files, usage(err)
	}
	dialect, err := fbconf.ParseDialect(version)
	if err != nil {
		return files, usage(err)
	}
	if f.mode != "" {
		if files.Mode, err = confgen.ParseMode(f.mode); err != nil {
			return files, usage(err)
		}
	}
	files.Windows = runtime.GOOS == "windows" && from.version != "" || confgen.GuessWindows(both)
	dialect.Windows = files.Windows
	if conf != "" {
		files.Conf, err = from.parse(conf, files.confText, fbconf.FirebirdConf, dialect)
	}
	if err == nil && databases != "" {
		kind := fbconf.DatabasesConf
		if dialect.Legacy() {
			kind = fbconf.AliasesConf
		}
		files.Databases, err = from.parse(databases, files.databasesText, kind, dialect)
	}
	return files, err
}

// parse parses a file as the engine would that opens it under this path. Macros
// of an origin without dirs are left as they are.
func (o origin) parse(path string, content []byte, kind fbconf.Kind, dialect fbconf.Dialect) (*fbconf.File, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", path, err)
	}
	return fbconf.Parse(content, fbconf.Options{
		Name: full, Kind: kind, Dialect: dialect, Dirs: o.dirs, Files: fbconf.HostFiles(), FileID: o.fileID,
	}), nil
}
