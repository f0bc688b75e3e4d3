package trial

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// Replacement is a line that the copy has and the configuration has not, so
// that the private server does not meet the one that is in use.
type Replacement struct {
	File string `json:"file"` // its name
	Line int    `json:"line"` // from 1; 0 when the copy got a line of its own
	Name string `json:"name"`
	Was  string `json:"was"` // as written; empty when it was not
	Why  string `json:"why"`
}

// ties are the settings that tie a configuration to the server it is for, and
// what the private server has instead.
var ties = []struct {
	name   string
	always bool // whether a line is added when there is none
	value  func(own private.Belongings, v confgen.Version) string
	why    string
}{
	{"RemoteServicePort", true, func(own private.Belongings, _ confgen.Version) string { return fmt.Sprint(own.Port) }, "the port may be in use"},
	{"RemoteBindAddress", true, func(own private.Belongings, _ confgen.Version) string { return own.Address }, "the private server listens on the loopback address alone"},
	{"SecurityDatabase", true, func(own private.Belongings, _ confgen.Version) string { return own.SecurityDatabase }, "it has users of its own"},
	{"TempDirectories", true, func(own private.Belongings, _ confgen.Version) string { return own.Temporary }, "it has a directory of its own"},
	{"TempTableDirectory", false, func(own private.Belongings, _ confgen.Version) string { return own.Temporary }, "it has a directory of its own"},
	{"RemoteAuxPort", false, fixed("0"), "the port may be in use"},
	{"RemoteAccess", false, fixed("true"), "fbtune asks over the network"},
	{"DatabaseAccess", false, fixed("Full"), "the database of the trial lies elsewhere"},
	{"WireCrypt", false, fixed("Enabled"), "fbtune's own client may not have what is asked for"},
	{"AuthServer", false, byDefault("AuthServer"), "its one user logs in with Srp"},
	{"AuditTraceConfigFile", false, fixed(""), "nothing is to be written into your audit"},
}

func fixed(value string) func(private.Belongings, confgen.Version) string {
	return func(private.Belongings, confgen.Version) string { return value }
}

func byDefault(name string) func(private.Belongings, confgen.Version) string {
	return func(_ private.Belongings, v confgen.Version) string {
		value, _ := confgen.Default(name, v, confgen.Super) // "" stands for the default, too
		return value
	}
}

// securityAlias is the entry of databases.conf whose block counts for the
// security database.
const securityAlias = "security.db"

// candidate is a configuration on its way to a private server.
type candidate struct {
	version  confgen.Version
	dir      string // of the server's own firebird.conf
	conf     *fbconf.File
	database *fbconf.File
	included []string // files it reads besides
	disk     fs.FS

	replaced []Replacement
	notes    []string
}

// newCandidate reads the files. A server without a firebird.conf is one with an
// empty one.
func newCandidate(rules compare.Rules, t Texts) *candidate {
	seen := &recorder{FS: rules.Host, opened: map[string]bool{}}
	rules.Host = seen
	if t.Conf == nil {
		t.Conf = []byte{}
	}
	side := rules.Read("", t)
	c := &candidate{
		version: rules.Version, dir: filepath.Dir(t.ConfPath), disk: seen.FS,
		conf: side.Files.Conf, database: side.Files.Databases, replaced: []Replacement{},
	}
	for name := range seen.opened {
		c.included = append(c.included, name)
	}
	slices.Sort(c.included)
	return c
}

// belong returns the files with which the private server starts.
func (c *candidate) belong(own private.Belongings) map[string][]byte {
	files := map[string][]byte{}
	c.include(files)
	files["firebird.conf"] = c.server(own)
	if c.database != nil {
		files["databases.conf"] = c.databases(own)
	}
	return files
}

// server is firebird.conf with the ties cut. What cannot be replaced on its
// line, for that is in an included file, or because the file is faulty, is
// given before all others: from 3.0 on the first line counts.
func (c *candidate) server(own private.Belongings) []byte {
	var first bytes.Buffer
	for _, tie := range ties {
		line, set := c.conf.Lookup(tie.name)
		value := tie.value(own, c.version)
		if !set && !tie.always || set && line.Raw == value {
			continue
		}
		r := Replacement{File: "firebird.conf", Name: tie.name, Why: tie.why}
		if err := c.conf.Set(tie.name, value); err != nil {
			fmt.Fprintf(&first, "%s = %s\n", tie.name, value)
		} else if set {
			r.Line = line.Line
		}
		if set {
			r.Was = line.Raw
		}
		c.replaced = append(c.replaced, r)
	}
	return append(first.Bytes(), c.conf.Bytes()...)
}

// databases is databases.conf with the security database's block for that of
// the private server.
func (c *candidate) databases(own private.Belongings) []byte {
	for _, a := range c.database.Aliases() {
		if a.Name != securityAlias || a.Ignored != "" {
			continue
		}
		if err := c.database.Set(securityAlias, own.SecurityDatabase); err == nil {
			c.replaced = append(c.replaced, Replacement{
				File: "databases.conf", Line: a.Line, Name: securityAlias, Was: a.Raw, Why: "it has users of its own",
			})
		}
		break
	}
	return c.database.Bytes()
}

// include copies what the files include from their directory. What lies
// elsewhere the private server reads where it is.
func (c *candidate) include(files map[string][]byte) {
	for _, name := range c.included {
		path := "/" + name // as in the file system rooted there
		below, err := filepath.Rel(c.dir, path)
		if err != nil || !filepath.IsLocal(below) {
			c.notes = append(c.notes, fmt.Sprintf("%s is included from outside %s; if the trial does not find it, let everyone read it", path, c.dir))
			continue
		}
		content, err := fs.ReadFile(c.disk, name)
		if err != nil {
			c.notes = append(c.notes, fmt.Sprintf("%s is included but cannot be read: %v", path, err))
			continue
		}
		files[below] = content
	}
}

// fatal is why the engine would not work with the files by the rules that
// fbtune knows, or "".
func (c *candidate) fatal() string {
	files := confgen.Files{Version: c.version, Conf: c.conf, Databases: c.database}
	return cmp.Or(files.Show("").Fatal, c.fault())
}

// fault is why the engine would not work with the files although it started, or
// "": a fault of their grammar, or a setting in the block of a database, to
// none of which the trial attaches.
func (c *candidate) fault() string {
	for _, f := range []*fbconf.File{c.conf, c.database} {
		if f != nil && f.Fault() != nil {
			return fmt.Sprintf("%s: %s", filepath.Base(f.Name()), f.Fatal())
		}
	}
	if c.database == nil {
		return ""
	}
	files := confgen.Files{Version: c.version, Conf: c.conf, Databases: c.database}
	for _, a := range c.database.Aliases() {
		if fatal := files.Show(a.Name).Fatal; fatal != "" {
			return fmt.Sprintf("databases.conf, %s: %s", a.Name, fatal)
		}
	}
	return ""
}

// recorder is a file system that notes which files were opened.
type recorder struct {
	fs.FS
	opened map[string]bool
}

// Open implements fs.FS.
func (r *recorder) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		r.opened[strings.TrimPrefix(name, "/")] = true
	}
	return f, nil
}

// ReadLink implements fs.ReadLinkFS.
func (r *recorder) ReadLink(name string) (string, error) { return fs.ReadLink(r.FS, name) }

// Lstat implements fs.ReadLinkFS.
func (r *recorder) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(r.FS, name) }
