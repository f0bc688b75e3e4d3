package confgen

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// Chosen is a configuration that was found otherwise than by rules, such as by
// measuring.
type Chosen struct {
	Version  Version
	Mode     Mode
	Head     []string // what a file made from nothing begins with, a paragraph each
	Settings []ChosenSetting
}

// ChosenSetting is one setting of it.
type ChosenSetting struct {
	Name, Value string
	Why         string // stands above its line
}

// Files returns the configuration as a pair of files, with nothing in them but
// what was chosen and what the base holds. The rules of [Advice.Files] hold.
func (c Chosen) Files(base Base) ([]ConfFile, error) {
	a := Advice{Version: c.Version, Mode: c.Mode}
	var file *fbconf.File
	if base.Conf != nil {
		file = base.Conf.Clone()
	} else {
		var head bytes.Buffer
		for i, paragraph := range c.Head {
			if i > 0 {
				head.WriteString("#\n")
			}
			for _, line := range wrap(paragraph) {
				fmt.Fprintf(&head, "# %s\n", line)
			}
		}
		head.WriteString("\n")
		file = fbconf.Parse(head.Bytes(), fbconf.Options{Dialect: c.Version.dialect()})
		for _, s := range c.Settings {
			a.Settings = append(a.Settings, Recommendation{Name: s.Name})
		}
		if err := a.carry(file, base.Kept); err != nil {
			return nil, err
		}
	}
	for _, s := range c.sorted() {
		if err := file.Set(s.Name, s.Value); err != nil {
			return nil, err
		}
		if err := file.Explain(s.Name, explanation, wrap(s.Why)); err != nil {
			return nil, err
		}
	}
	aliases, err := a.aliases(base.Aliases)
	if err != nil {
		return nil, err
	}
	return []ConfFile{
		{fbconf.FirebirdConf.String(), file.Bytes()},
		{a.aliasesKind().String(), aliases.Bytes()},
	}, nil
}

// Performance returns the settings of a set that a load could feel, which are
// what a measurement is about.
func Performance(current map[string]Current) map[string]string {
	felt := map[string]string{}
	for name, value := range current {
		if row, ok := Lookup(name); ok && (len(row.FeltBy) > 0 || row.Name == ServerMode) {
			felt[row.Name] = value.Value
		}
	}
	return felt
}

// Values returns the advice as settings, those of the named databases not
// among them: what a measurement on a database of its own tries.
func (a Advice) Values() map[string]string {
	values := map[string]string{ServerMode: string(a.Mode)}
	for _, rec := range a.Settings {
		values[rec.Name] = rec.Value
	}
	return values
}

// sorted returns the chosen settings in the order of the catalogue.
func (c Chosen) sorted() []ChosenSetting {
	order := func(name string) int {
		return slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
	}
	sorted := slices.Clone(c.Settings)
	slices.SortStableFunc(sorted, func(a, b ChosenSetting) int { return order(a.Name) - order(b.Name) })
	return sorted
}
