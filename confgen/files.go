package confgen

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/templates"
)

// Base is what the files of an advice are made from. The zero Base stands for
// the templates of the version and architecture.
type Base struct {
	// Conf is a user's firebird.conf, in which only what the advice changes is
	// edited; nil is the template.
	Conf *fbconf.File
	// Kept is a firebird.conf whose settings that the advice does not touch,
	// such as ports and directories, are carried over into the template; nil
	// is none.
	Kept *fbconf.File
	// Aliases is a user's databases.conf, or aliases.conf of 2.5, which keeps
	// all it holds; nil is the template.
	Aliases *fbconf.File
}

// ConfFile is a configuration file made from an advice.
type ConfFile struct {
	Name    string // firebird.conf, databases.conf, aliases.conf
	Content []byte
}

// explanation marks the comments that fbtune writes and replaces.
const explanation = "fbtune: "

// Files returns the advice as a pair of configuration files: firebird.conf and
// databases.conf, or aliases.conf of 2.5. Above each changed setting stands
// why, with the formula and its inputs. They are read back as the engine does;
// the error is for a base in which a value cannot be changed safely, and says
// what to do.
func (a Advice) Files(base Base) ([]ConfFile, error) {
	conf, err := a.conf(base)
	if err != nil {
		return nil, err
	}
	aliases, err := a.aliases(base.Aliases)
	if err != nil {
		return nil, err
	}
	return []ConfFile{
		{fbconf.FirebirdConf.String(), conf},
		{a.aliasesKind().String(), aliases.Bytes()},
	}, nil
}

// conf returns firebird.conf.
func (a Advice) conf(base Base) ([]byte, error) {
	if base.Conf != nil {
		file := base.Conf.Clone()
		for _, rec := range a.Settings {
			if !rec.Changed {
				continue
			}
			if err := write(file, rec); err != nil {
				return nil, err
			}
		}
		return file.Bytes(), nil
	}
	content, err := templates.Conf(a.Version.Line().String(), string(a.Mode))
	if err != nil {
		return nil, err
	}
	file := fbconf.Parse(a.withHead(content), fbconf.Options{Dialect: a.Version.dialect()})
	for _, rec := range a.Settings {
		if err := write(file, rec); err != nil {
			return nil, err
		}
	}
	if err := a.carry(file, base.Kept); err != nil {
		return nil, err
	}
	return append(file.Bytes(), a.tail()...), nil
}

// write puts a recommendation into a file, with its reason above.
func write(file *fbconf.File, rec Recommendation) error {
	if err := file.Set(rec.Name, rec.Value); err != nil {
		return err
	}
	return file.Explain(rec.Name, explanation, reasonLines(rec))
}

// carry copies the settings of another file that the advice says nothing about.
func (a Advice) carry(file, kept *fbconf.File) error {
	if kept == nil {
		return nil
	}
	for _, s := range kept.Settings() {
		advised := slices.ContainsFunc(a.Settings, func(r Recommendation) bool { return strings.EqualFold(r.Name, s.Key) })
		if advised || !s.InForce || !s.HasValue {
			continue
		}
		if err := file.Set(s.Key, s.Raw); err != nil {
			return err
		}
		if err := file.Explain(s.Key, explanation, wrap(fmt.Sprintf("kept from %s:%d", s.File, s.Line))); err != nil {
			return err
		}
	}
	return nil
}

// aliasesKind is the file that names databases in the version.
func (a Advice) aliasesKind() fbconf.Kind {
	if a.Version.AtLeast(v30) {
		return fbconf.DatabasesConf
	}
	return fbconf.AliasesConf
}

// aliases returns databases.conf, or aliases.conf of 2.5.
func (a Advice) aliases(base *fbconf.File) (*fbconf.File, error) {
	var file *fbconf.File
	if base != nil {
		file = base.Clone()
	} else {
		kind := a.aliasesKind()
		content, err := templates.Aliases(a.Version.Line().String(), kind.String())
		if err != nil {
			return nil, err
		}
		file = fbconf.Parse(content, fbconf.Options{Kind: kind, Dialect: a.Version.dialect()})
	}
	if err := a.secure(file); err != nil {
		return nil, err
	}
	for _, d := range a.Databases {
		if err := a.writeDatabase(file, d); err != nil {
			return nil, err
		}
	}
	return file, nil
}

// secure gives databases.conf the entry of the security database, without which
// that would have the server's whole cache too (issue 2450).
func (a Advice) secure(file *fbconf.File) error {
	if !a.Version.AtLeast(v30) || aliasOf(file, securityAlias, "") != "" {
		return nil
	}
	if err := file.Set(securityAlias, fmt.Sprintf("$(dir_secDb)/security%d.fdb", a.Version.Major)); err != nil {
		return err
	}
	for _, line := range [][2]string{{"RemoteAccess", "false"}, {DefaultDbCachePages, fmt.Sprint(SecurityCachePages(a.Version))}} {
		if err := file.SetInBlock(securityAlias, line[0], line[1]); err != nil {
			return err
		}
	}
	return file.Explain(securityAlias, explanation, wrap("the security database, with a small cache of its own; without this block it would have the server's DefaultDbCachePages too"))
}

// writeDatabase puts a database into the file, unless it is there as advised.
func (a Advice) writeDatabase(file *fbconf.File, d DatabaseAdvice) error {
	name := aliasOf(file, d.Name, d.Path)
	known := name != ""
	if !known {
		if aliasOf(file, d.Name, "") != "" {
			return fmt.Errorf("%s: the alias %s stands for another file than %s there; give the database another NAME", file.Name(), d.Name, d.Path)
		}
		name = d.Name
		if err := file.Set(name, d.Path); err != nil {
			return err
		}
	}
	if !a.Version.AtLeast(v30) || known && !d.Changed {
		return nil
	}
	if err := file.SetInBlock(name, DefaultDbCachePages, fmt.Sprint(d.Pages)); err != nil {
		return err
	}
	return file.Explain(name, explanation, wrap(fmt.Sprintf("%d page buffers: %s.", d.Pages, d.Why)))
}

// aliasOf returns an alias in force for a database: the one of that name, or,
// given a path, one that stands for it, that name before others. It returns ""
// when there is none.
func aliasOf(file *fbconf.File, name, path string) string {
	found := ""
	for _, alias := range file.Aliases() {
		named := strings.EqualFold(alias.Name, name)
		switch {
		case alias.Ignored != "":
		case path == "" && named, path != "" && alias.Path == path && named:
			return alias.Name
		case path != "" && alias.Path == path:
			found = alias.Name
		}
	}
	return found
}

// withHead replaces the head of a template: all up to its first empty line.
func (a Advice) withHead(template []byte) []byte {
	_, body, _ := bytes.Cut(template, []byte("\n\n"))
	var b bytes.Buffer
	for _, text := range []string{
		fmt.Sprintf("firebird.conf for Firebird %s, %s: advised by fbtune.", a.Version, a.Mode),
		"",
		fmt.Sprintf("Memory for Firebird: %s (%s).", a.Memory, a.MemorySource),
		fmt.Sprintf("Load: %d connections, %s. %s: %s.", a.Connections, a.Workload, a.Mode, a.ModeWhy),
	} {
		if text == "" {
			b.WriteString("#\n")
		}
		for _, line := range wrap(text) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
	}
	b.WriteString("\n")
	b.Write(body)
	return b.Bytes()
}

// tail returns the memory budget and what is to be done besides, as comments.
func (a Advice) tail() []byte {
	var b bytes.Buffer
	b.WriteString(heading("Memory needed (now, expected, worst case)"))
	for _, line := range budgetTable(a.Budget) {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	b.WriteString(heading("To do besides"))
	for _, text := range a.Also {
		for _, line := range wrap(text) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
	}
	return b.Bytes()
}

// heading returns a title in a comment, with an empty line before it.
func heading(title string) string {
	return fmt.Sprintf("\n# %s\n# %s\n", title, strings.Repeat("-", len(title)))
}
