// Package compare says how two configurations of a Firebird server differ, as
// the engine takes them.
package compare

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// Difference is how configuration A differs from configuration B.
type Difference struct {
	Firebird confgen.Version `json:"firebird"` // by whose rules they were read
	Files    []string        `json:"files"`    // names of those compared
	A        Summary         `json:"a"`
	B        Summary         `json:"b"`
	// Settings have another effect in B. There are none when one of the two
	// is refused by the engine before it is read to the end.
	Settings []Setting `json:"settings"`
	// Lines are in one of the two only, beside those that give Settings.
	Lines []Line `json:"lines"`
}

// Summary is one configuration as a whole.
type Summary struct {
	Path  string       `json:"path"`
	Mode  confgen.Mode `json:"mode"`
	Fatal string       `json:"fatal"` // why a server would not work with it; empty when it does
}

// Setting is a setting that is not the same in A and B.
type Setting struct {
	Group    string          `json:"group"`              // topic of the catalogue
	Database string          `json:"database,omitempty"` // alias in databases.conf; empty for the server
	Name     string          `json:"name"`               // as in the catalogue, or AliasFile
	Restart  confgen.Restart `json:"restart"`            // what makes it take effect
	A        confgen.InForce `json:"a"`
	B        confgen.InForce `json:"b"`
}

// AliasFile is the name under which the file that an alias leads to is
// compared.
const AliasFile = "file"

// aliases is the group of AliasFile.
const aliases = "aliases"

// writingCounts are settings that have an effect by being written, even with
// their default: UseFileSystemCache overrides FileSystemCacheThreshold then
// (50:src/jrd/pag.cpp:1170-1177).
var writingCounts = []string{confgen.UseFileSystemCache}

// Compare returns how A differs from B. Both were read by the rules of one
// version; a file that one of them lacks is an empty one.
func Compare(a, b Side) Difference {
	d := Difference{Firebird: a.Files.Version, A: a.summary(), B: b.summary(), Files: []string{}, Settings: []Setting{}, Lines: []Line{}}
	if !a.faulty() && !b.faulty() {
		d.compareSettings("", a, b)
		d.compareAliases(a, b)
	}
	d.compareLines(a.Files.Conf, b.Files.Conf)
	d.compareLines(a.Files.Databases, b.Files.Databases)
	return d
}

// compareLines adds what else differs between two files of a kind.
func (d *Difference) compareLines(a, b *fbconf.File) {
	name := cmp.Or(b, a)
	if name == nil {
		return
	}
	file := filepath.Base(name.Name())
	d.Files = append(d.Files, file)
	d.Lines = append(d.Lines, lines(file, a, b, d.given(a, b))...)
}

// Same reports whether there is no difference at all, not even in text.
func (d Difference) Same() bool { return len(d.Settings) == 0 && len(d.Lines) == 0 }

// Changes reports whether a setting of that name differs, of the server or of a
// database.
func (d Difference) Changes(name string) bool {
	return slices.ContainsFunc(d.Settings, func(s Setting) bool { return s.Name == name })
}

// compareSettings adds the settings that differ for a database, or for the
// server when it is "". Of a database those count that its block gives: the
// others were compared for the server.
func (d *Difference) compareSettings(database string, a, b Side) {
	was, is := a.Files.Show(database), b.Files.Show(database)
	for _, row := range confgen.Known(d.Firebird) {
		from, _ := was.Get(row.Name) // of Known
		to, _ := is.Get(row.Name)
		written := slices.Contains(writingCounts, row.Name) && from.Set != to.Set
		if from.Means == to.Means && !written {
			continue
		}
		if database != "" && !givenBy(from, a.Files.Databases) && !givenBy(to, b.Files.Databases) {
			continue
		}
		d.Settings = append(d.Settings, Setting{
			Group: string(row.Topic), Database: database, Name: row.Name, Restart: row.Restart, A: from, B: to,
		})
	}
}

// givenBy reports whether a setting is in force because of a line of a file, or
// of one that it includes.
func givenBy(s confgen.InForce, file *fbconf.File) bool {
	if file == nil || !s.Set {
		return false
	}
	return slices.ContainsFunc(file.Aliases(), func(a fbconf.Alias) bool {
		return slices.ContainsFunc(a.Settings, func(line fbconf.Setting) bool { return line.File == s.File && line.Line == s.Line })
	})
}

// compareAliases adds what differs in databases.conf.
func (d *Difference) compareAliases(a, b Side) {
	type pair struct{ a, b string }
	compared := map[pair]bool{} // a block counts for the file, whatever alias leads there
	for _, name := range names(a.Files.Databases, b.Files.Databases) {
		from, to := alias(name, a.Files.Databases), alias(name, b.Files.Databases)
		if from.Means != to.Means {
			d.Settings = append(d.Settings, Setting{
				Group: aliases, Database: name, Name: AliasFile, Restart: confgen.RestartDatabase, A: from, B: to,
			})
		}
		if files := (pair{from.Means, to.Means}); !compared[files] {
			compared[files] = true
			d.compareSettings(name, a, b)
		}
	}
}

// names are the aliases of two files, in the order of the first, then the
// second.
func names(files ...*fbconf.File) []string {
	var all []string
	for _, f := range files {
		if f == nil {
			continue
		}
		for _, a := range f.Aliases() {
			if a.Ignored == "" && !slices.Contains(all, a.Name) {
				all = append(all, a.Name)
			}
		}
	}
	return all
}

// alias is the file that an alias leads to, as a setting.
func alias(name string, file *fbconf.File) confgen.InForce {
	if file != nil {
		for _, a := range file.Aliases() {
			if a.Ignored == "" && a.Name == name {
				return confgen.InForce{Name: AliasFile, Value: a.Path, Means: a.Path, Set: true, Raw: a.Raw, File: a.File, Line: a.Line}
			}
		}
	}
	return confgen.InForce{Name: AliasFile, Means: "no such alias"}
}

// given are the lines of two files that give the settings found different.
func (d *Difference) given(a, b *fbconf.File) (given [2]map[int]bool) {
	for side, file := range []*fbconf.File{a, b} {
		given[side] = map[int]bool{}
		for _, s := range d.Settings {
			at := [...]confgen.InForce{s.A, s.B}[side]
			if file != nil && at.Set && at.File == file.Name() {
				given[side][at.Line] = true
			}
		}
	}
	return given
}
