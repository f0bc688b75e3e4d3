package differential

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// mostMemory is the most that an input may have the engine take by what fbtune
// says of it. Larger ones are not asked about; should fbtune be wrong, the cap
// of the engine ends it.
const mostMemory = 256 * confgen.MiB

// tooLarge is the error of an input that is not asked about.
type tooLarge struct{ name, means string }

func (e tooLarge) Error() string { return fmt.Sprintf("too large to ask: %s is %s", e.name, e.means) }

// foretell says what the engine makes of an input, the way fbtune show does.
// The input was written before, for it may include itself.
func (e *engine) foretell(in input) (answer, error) {
	in = in.expanded(e.paths)
	files := confgen.Files{
		Version:   e.version,
		Conf:      e.parse(fbconf.FirebirdConf, in),
		Databases: e.parse(fbconf.DatabasesConf, in),
	}
	shown := files.Show(in.attach)
	for _, file := range []*fbconf.File{files.Conf, files.Databases} {
		if fault := file.Fault(); fault != nil && fault.Effect == fbconf.ServerCrashes {
			return answer{fate: dies, words: fault.Text}, nil
		} else if fault != nil {
			return answer{fate: refuses, words: shown.Fatal}, nil
		}
	}
	if err := affordable(shown); err != nil {
		return answer{}, err
	}
	database, _ := files.Databases.Database(in.attach)
	path, known := e.isDatabase(database.Path)
	switch {
	case !known:
		return answer{fate: nowhere, words: database.Path}, nil
	case shown.Fatal != "":
		return answer{fate: broken, words: shown.Fatal}, nil
	}
	pages, _ := shown.Get(confgen.DefaultDbCachePages)
	if want := fmt.Sprintf("%d pages", pages.Number); pages.Means != want {
		return answer{}, fmt.Errorf("%d page buffers are said to be %q", pages.Number, pages.Means)
	}
	return answer{fate: works, path: path, pages: pages.Number, settings: e.foretellTable(shown)}, nil
}

// parse reads a file of an input as this engine does.
func (e *engine) parse(kind fbconf.Kind, in input) *fbconf.File {
	text := ""
	if in.kind == kind {
		text = in.text
	}
	return fbconf.Parse([]byte(text), fbconf.Options{
		Name: filepath.Join(e.root, kind.String()), Kind: kind, Dialect: e.dialect,
		Dirs: e.dirs, Files: diskOrder{fbconf.HostFiles()}, FileID: fileID,
	})
}

// affordable returns a [tooLarge] for settings with which an attachment takes
// much memory or disk.
func affordable(shown confgen.Shown) error {
	for _, s := range shown.Settings {
		row, _ := confgen.Lookup(s.Name) // shown are rows of the catalogue
		most := int64(mostMemory)
		switch {
		case row.Memory == confgen.MemoryPageCache && row.Unit == confgen.UnitPages:
			most /= pageSize
		case row.Memory == confgen.MemoryLockTable && row.Unit == confgen.UnitBytes, row.Memory == confgen.MemoryShared:
		default:
			continue
		}
		if s.Number > most {
			return tooLarge{s.Name, s.Means}
		}
	}
	return nil
}

// longestValue is what a column of RDB$CONFIG holds.
const longestValue = 255

// foretellTable returns the rows of RDB$CONFIG, or nil when the engine has no
// such table or cannot fill it: one value that is too long or not UTF-8 is enough
// for that, and so is the want of temporary space.
func (e *engine) foretellTable(shown confgen.Shown) map[string]setting {
	if !e.configTable() || !temporarySpace(shown) {
		return nil
	}
	table := map[string]setting{}
	for _, s := range shown.Settings {
		if len(s.Value) > longestValue || !utf8.ValidString(s.Value) {
			return nil
		}
		row := setting{value: s.Value, set: s.Set}
		switch {
		case !s.Set:
			row.value = strings.ReplaceAll(s.Value, "$(dir_secDb)", filepath.Clean(e.dirs.SecDB)) // of SecurityDatabase
		case s.File == filepath.Join(e.root, "firebird.conf"):
			row.source = "firebird.conf"
		case s.File == filepath.Join(e.root, "databases.conf"):
			row.source = "/databases.conf"
		default:
			row.source = anySource
		}
		table[s.Name] = row
	}
	return table
}

// temporarySpace reports whether a query finds room for a block of temporary
// data: in memory, or in one of the directories.
func temporarySpace(shown confgen.Shown) bool {
	limit, _ := shown.Get(confgen.TempCacheLimit)
	block, _ := shown.Get(confgen.TempBlockSize)
	directories, _ := shown.Get(confgen.TempDirectories)
	if limit.Number >= block.Number || !directories.Set {
		return true
	}
	return slices.ContainsFunc(strings.Split(directories.Value, ";"), func(dir string) bool {
		info, err := os.Stat(dir)
		return err == nil && info.IsDir()
	})
}

// isDatabase returns the path, without links, of one of the engine's databases.
func (e *engine) isDatabase(path string) (string, bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	return real, filepath.IsAbs(path) && filepath.Dir(real) == e.databases
}

// fileID identifies a file by its path without links; the files of the tests
// have no second name but by links.
func fileID(path string) string {
	if !filepath.IsAbs(path) {
		return "" // it would be looked for where the engine runs
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return real
}

// diskOrder lists directories in the order of the disk, as the engine reads
// them: where several files match a wildcard, the first has the word.
type diskOrder struct{ fs.FS }

// ReadDir lists a directory without sorting it.
func (d diskOrder) ReadDir(name string) (entries []fs.DirEntry, err error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	return dir.ReadDir(-1)
}

// ReadLink reads a symbolic link.
func (d diskOrder) ReadLink(name string) (string, error) { return fs.ReadLink(d.FS, name) }

// Lstat describes a file without following it.
func (d diskOrder) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(d.FS, name) }
