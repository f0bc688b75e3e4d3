package fbconf

import (
	"fmt"
	"slices"
	"strings"
)

// Alias is one entry at the top of databases.conf or aliases.conf.
type Alias struct {
	// Name is the alias with the system's separators.
	Name string
	// Raw is the path as written, without quotes, before macros.
	Raw string
	// Path is the database file as the engine holds it, "" when the entry has
	// no value.
	Path string
	Place
	// HasBlock tells whether a block follows; Settings are its lines. The block
	// counts for the file, whatever alias or path is used to reach it.
	HasBlock bool
	Settings []Setting
	// Ignored is the engine's message when it drops the alias, else "".
	Ignored string
}

// Database is what the engine makes of the name given at an attachment.
type Database struct {
	// Path is the file; for a name that is no alias it is the name itself.
	Path string
	// IsAlias tells whether the name was an alias.
	IsAlias bool
	// Settings are the lines of the block that counts for the file.
	Settings []Setting
}

// database is one file that databases.conf names.
type database struct {
	path  string
	owner *entry // whose block counts, or nil
}

// Aliases lists the aliases in the order of the file.
func (f *File) Aliases() []Alias {
	return slices.Clone(f.aliases)
}

// Database resolves an alias or a path. It is false for a name that is neither
// an alias nor the path of a file named here; then no block applies.
func (f *File) Database(name string) (Database, bool) {
	p := paths{windows: f.opts.Dialect.Windows}
	name = strings.Trim(name, " ")
	for _, a := range f.aliases {
		if a.Ignored == "" && p.same(a.Name, p.fix(name)) {
			path := a.Path
			if path == "" && f.opts.Dialect.has(emptyAliasIsName) {
				path = name
			}
			return Database{Path: path, IsAlias: true, Settings: f.blockOf(f.lookup(a.Path))}, true
		}
	}
	if db := f.lookup(name); db != nil {
		return Database{Path: name, Settings: f.blockOf(db)}, true
	}
	return Database{Path: name}, false
}

// lookup finds a database by path, then by the identity of the file.
func (f *File) lookup(path string) *database {
	return f.databases.find(path, f.opts.fileID(path))
}

// databases are the files that databases.conf names, by path and by identity.
type databases struct {
	paths  paths
	byPath map[string]*database
	byID   map[string]*database
}

func newDatabases(p paths) databases {
	return databases{paths: p, byPath: map[string]*database{}, byID: map[string]*database{}}
}

func (d databases) find(path, id string) *database {
	if db := d.byPath[d.paths.key(path)]; db != nil {
		return db
	}
	if id == "" {
		return nil
	}
	return d.byID[id]
}

func (d databases) add(path, id string) *database {
	db := &database{path: path}
	d.byPath[d.paths.key(path)] = db
	if id != "" {
		d.byID[id] = db
	}
	return db
}

func (o Options) fileID(path string) string {
	if o.FileID == nil || path == "" {
		return ""
	}
	return o.FileID(path)
}

func (f *File) blockOf(db *database) []Setting {
	if db == nil || db.owner == nil {
		return nil
	}
	return f.opts.Dialect.settings(db.owner.block)
}

// resolve turns the entries of an alias file into aliases and databases, and
// finds what the engine calls a misconfigured server.
func (r *reader) resolve(f *File) {
	d := r.opts.Dialect
	f.databases = newDatabases(r.paths)
	f.aliases = make([]Alias, len(f.config.entries))
	order := make([]int, len(f.config.entries))
	for i, e := range f.config.entries {
		order[i] = i
		f.aliases[i] = Alias{
			Name:  r.paths.fix(e.name),
			Raw:   e.literal,
			Path:  r.paths.fix(cString(e.value)),
			Place: Place{File: e.file, Line: e.line},
		}
		f.aliases[i].Ignored = r.ignored(f.aliases[i])
		if e.block != nil {
			f.aliases[i].HasBlock = true
			f.aliases[i].Settings = d.settings(e.block)
		}
	}
	if r.fault != nil {
		return
	}
	if r.opts.Kind == AliasesConf {
		r.shadowAliases(f)
		return
	}
	// The engine works through its list sorted by name, so that is the order in
	// which it meets a contradiction.
	slices.SortStableFunc(order, func(a, b int) int {
		return strings.Compare(foldASCII(f.config.entries[a].name), foldASCII(f.config.entries[b].name))
	})
	taken := map[string]bool{}
	for _, i := range order {
		a, e := &f.aliases[i], f.config.entries[i]
		if a.Ignored != "" {
			continue
		}
		if !r.link(f, a, e) {
			return
		}
		if taken[r.paths.key(a.Name)] {
			r.misconfigured(e, fmt.Sprintf("Duplicated alias %s", a.Name))
			return
		}
		taken[r.paths.key(a.Name)] = true
	}
}

// link files an alias under its database; false after a fault.
func (r *reader) link(f *File, a *Alias, e *entry) bool {
	id := r.opts.fileID(a.Path)
	db := f.databases.find(a.Path, id)
	switch {
	case db == nil:
		db = f.databases.add(a.Path, id)
	case !r.paths.same(db.path, a.Path):
		r.misconfigured(e, fmt.Sprintf("Same ID for databases %s and %s", a.Path, db.path))
		return false
	case e.block != nil && db.owner != nil:
		r.misconfigured(e, fmt.Sprintf("Duplicated configuration for database %s", a.Path))
		return false
	}
	if e.block != nil {
		db.owner = e
	}
	return true
}

func (r *reader) misconfigured(e *entry, why string) {
	r.fault = &Fault{
		Effect: AttachFails,
		Text:   "Server misconfigured - contact administrator please",
		Log:    "File databases.conf contains bad data: " + why,
		File:   e.file,
		Line:   e.line,
	}
}

// ignored is the engine's message for an alias that it drops. Outside Windows
// an empty path is not relative, so it is kept until emptyAliasIgnored.
func (r *reader) ignored(a Alias) string {
	d := r.opts.Dialect
	if d.Legacy() && a.Path == "" {
		return fmt.Sprintf("alias %s has no path", a.Name)
	}
	if a.Path == "" && d.has(emptyAliasIgnored) {
		return fmt.Sprintf("Alias %s has no value, ignored", a.Name)
	}
	if !r.paths.relative(a.Path) || unresolved(a.Path) {
		return ""
	}
	if !d.has(remoteAliasAllowed) {
		return fmt.Sprintf("Value %s configured for alias %s is not a fully qualified path name, ignored", a.Path, a.Name)
	}
	if r.paths.remote(a.Path) {
		return ""
	}
	return fmt.Sprintf("Value %s configured for alias %s is not a fully qualified path name nor remote server reference, ignored", a.Path, a.Name)
}

// shadowAliases drops all but the last of equal aliases, as 2.5 does.
func (r *reader) shadowAliases(f *File) {
	last := map[string]int{}
	for i, a := range f.aliases {
		last[r.paths.key(a.Name)] = i
	}
	for i := range f.aliases {
		a := &f.aliases[i]
		by := f.aliases[last[r.paths.key(a.Name)]]
		if by.Line != a.Line {
			a.Ignored = fmt.Sprintf("alias %s is given again in line %d, which counts", a.Name, by.Line)
		} else if a.Ignored == "" {
			f.databases.add(a.Path, "")
		}
	}
}
