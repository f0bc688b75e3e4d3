package fbconf

import (
	"io/fs"
	"strings"
)

// Kind says which of Firebird's configuration files a text is.
type Kind int

// The files this package reads.
const (
	FirebirdConf  Kind = iota // firebird.conf: settings of the server
	DatabasesConf             // databases.conf of 3.0 and later: aliases with blocks
	AliasesConf               // aliases.conf of 2.5: aliases only
)

// String is the file's usual name.
func (k Kind) String() string {
	switch k {
	case DatabasesConf:
		return "databases.conf"
	case AliasesConf:
		return "aliases.conf"
	}
	return "firebird.conf"
}

// Options is what the engine knows when it opens a configuration file. The zero
// value reads a firebird.conf of 5.0 by itself, without includes.
type Options struct {
	// Name is the path under which the engine opens the file. It stands in
	// messages, and $(this) and relative includes start from its directory.
	Name string
	Kind Kind
	// Dialect is the version whose rules apply. For aliases.conf it is 2.5.
	Dialect Dialect
	// Dirs gives the values of macros.
	Dirs Dirs
	// Files is where included files are read, rooted at "/" (HostFiles is this
	// machine). Without it includes are reported as unread and skipped.
	Files fs.FS
	// FileID identifies an existing file, so that two paths to one database
	// are seen as one; it returns "" for a file that does not exist. Without
	// it paths are compared as text.
	FileID func(path string) string
}

// File is a configuration file as one version of the engine takes it. It holds
// every byte of its text; the methods that read it never change it.
type File struct {
	opts      Options
	lines     []string // with their newlines; joined they are the text
	config    *config
	fault     *Fault
	warnings  []Warning
	aliases   []Alias
	databases databases
}

// Parse reads a file. It accepts every text: what the engine would refuse is
// told by Fault.
func Parse(content []byte, opts Options) *File {
	if opts.Name == "" {
		opts.Name = opts.Kind.String()
	}
	if opts.Kind == AliasesConf && !opts.Dialect.Legacy() {
		opts.Dialect = Dialect{Major: 2, Minor: 5, Patch: NewestPatch, Windows: opts.Dialect.Windows}
	}
	f := &File{opts: opts, lines: splitLines(string(content))}
	r := newReader(opts)
	f.config = r.read(f.lines)
	if opts.Kind != FirebirdConf {
		r.resolve(f)
	}
	r.entryWarnings(f)
	f.fault = r.fault
	f.warnings = r.sortedWarnings()
	return f
}

// Bytes is the text of the file: what was parsed, byte for byte, with the edits
// made since.
func (f *File) Bytes() []byte {
	return []byte(strings.Join(f.lines, ""))
}

// Name is the path the file was parsed under.
func (f *File) Name() string {
	return f.opts.Name
}

// Fault is the reason why the engine would not work with this file, or nil.
// Reading stops at the first fault, so settings after it are not known.
func (f *File) Fault() *Fault {
	return f.fault
}

// Fatal is the engine's own text for the fault, "" when there is none.
func (f *File) Fatal() string {
	if f.fault == nil {
		return ""
	}
	return f.fault.Text
}

// Effect is what a fault does to the server.
type Effect string

// The effects of faults, as measured on 3.0.11 and 4.0.5.
const (
	// ServerExits: the server ends at its start and client tools that use the
	// same root fail as well.
	ServerExits Effect = "server exits at start"
	// AttachFails: every attachment to any database of the server fails. A
	// server that starts with such a databases.conf may exit at once.
	AttachFails Effect = "every attachment fails"
	// ServerCrashes: the process dies.
	ServerCrashes Effect = "server crashes"
)

// Fault is an error in a file that the engine does not survive.
type Fault struct {
	Effect Effect
	// Text is what the engine says to a client, or logs at its start. A second
	// line begins with "-", as isql prints it. Where the engine says nothing
	// because it crashes, or never ends, the words are fbtune's.
	Text string
	// Log is what firebird.log adds to Text, or "".
	Log string
	// File and Line (1-based, 0 when there is no single line) are the place.
	File string
	Line int
}

// Clone returns a copy that can be edited by itself.
func (f *File) Clone() *File { return Parse(f.Bytes(), f.opts) }
