package fbconf

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Set gives a key of firebird.conf its value, or an alias of databases.conf or
// aliases.conf its path. Only the value on the line in force changes; a key that
// no line gives gets a line of its own beside its commented default, such as
// "#DefaultDbCachePages = 2048", or at the end. The value is meant without
// quotes; it gets them where its text needs them. Macros in it stay macros.
//
// The edited file is read back: unless it gives the key exactly this value, and
// everything else as before, Set returns an error and the file is unchanged.
func (f *File) Set(key, value string) error {
	e := f.deciding(key)
	target := target{find: func(g *File) *entry { return g.deciding(key) }, value: value}
	what := fmt.Sprintf("set %s in %s", key, f.opts.Name)
	if err := f.editable(what, e); err != nil {
		return err
	}
	if e != nil {
		return f.try(what, target, f.replacements(e, value))
	}
	var attempts [][]string
	for _, spelled := range f.spellings(value) {
		line := key + " = " + spelled
		if i, ok := f.commented(key, f.outsideBlocks()); ok {
			attempts = append(attempts, f.insert(i, indent(f.lines[i])+line))
		}
		attempts = append(attempts, f.insert(len(f.lines)-1, line))
	}
	return f.try(what, target, attempts)
}

// SetInBlock gives a key its value in the block that counts for an alias of
// databases.conf, and makes the block when the alias's file has none. The rules
// of Set hold. When another alias of the same file carries the block, that block
// is edited: a second one would stop the server.
func (f *File) SetInBlock(alias, key, value string) error {
	what := fmt.Sprintf("set %s for %s in %s", key, alias, f.opts.Name)
	if f.opts.Kind != DatabasesConf || f.opts.Dialect.Legacy() {
		return fmt.Errorf("%s: only databases.conf of 3.0 and later has blocks; set it in firebird.conf", what)
	}
	if err := f.editable(what, nil); err != nil {
		return err
	}
	named, owner := f.ownerOf(alias)
	if named == nil {
		return fmt.Errorf("%s: there is no such alias; set the alias and its path first", what)
	}
	target := target{
		find: func(g *File) *entry {
			_, owner := g.ownerOf(alias)
			if owner == nil {
				return nil
			}
			return g.opts.Dialect.deciding(owner.block, key)
		},
		value: value,
	}
	if owner == nil {
		if err := f.editable(what, named); err != nil {
			return err
		}
		return f.try(what, target, f.newBlocks(named, key, value))
	}
	if err := f.editable(what, owner); err != nil {
		return err
	}
	e := f.opts.Dialect.deciding(owner.block, key)
	if err := f.editable(what, e); err != nil {
		return err
	}
	if e != nil {
		return f.try(what, target, f.replacements(e, value))
	}
	return f.try(what, target, f.blockLines(owner, key, value))
}

// Remove deletes every line that gives a key, so that its default counts again,
// or an alias that has no block. A key that the file does not give is no error.
func (f *File) Remove(key string) error {
	what := fmt.Sprintf("remove %s from %s", key, f.opts.Name)
	if err := f.editable(what, nil); err != nil {
		return err
	}
	gone := map[int]bool{}
	for _, e := range f.config.entries {
		if !f.sameName(e.name, key) {
			continue
		}
		if err := f.editable(what, e); err != nil {
			return err
		}
		if e.block != nil {
			return fmt.Errorf("%s: line %d starts a block, which would be left without its alias; remove both by hand", what, e.line)
		}
		gone[e.line] = true
	}
	if len(gone) == 0 {
		return nil
	}
	var lines []string
	for i, line := range f.lines {
		if !gone[i+1] {
			lines = append(lines, line)
		}
	}
	return f.try(what, target{find: func(g *File) *entry { return g.deciding(key) }, removed: key}, [][]string{lines})
}

// editable refuses what cannot be edited safely: a file with a fault, and an
// entry of an included file.
func (f *File) editable(what string, e *entry) error {
	switch {
	case f.fault != nil:
		return fmt.Errorf("%s: the engine rejects the file as it is (%s); correct that first", what, f.fault.Text)
	case e != nil && !e.main:
		return fmt.Errorf("%s: the line in force is in an included file; edit %s:%d", what, e.file, e.line)
	}
	return nil
}

// deciding is the entry at the top of the file that decides a key or an alias.
func (f *File) deciding(name string) *entry {
	if f.opts.Kind == FirebirdConf {
		return f.opts.Dialect.deciding(f.config, name)
	}
	named, _ := f.ownerOf(name)
	return named
}

// sameName tells whether two names at the top of the file are one: keys by the
// rule of keys, aliases by that of file names.
func (f *File) sameName(a, b string) bool {
	if f.opts.Kind == FirebirdConf {
		return f.opts.Dialect.sameKey(a, b)
	}
	p := paths{windows: f.opts.Dialect.Windows}
	return p.same(p.fix(a), p.fix(b))
}

// ownerOf is the entry of an alias in force, and the entry whose block counts
// for its file; nil where there is none.
func (f *File) ownerOf(alias string) (named, owner *entry) {
	p := paths{windows: f.opts.Dialect.Windows}
	for i, a := range f.aliases {
		if a.Ignored == "" && p.same(a.Name, p.fix(alias)) {
			if db := f.lookup(a.Path); db != nil {
				owner = db.owner
			}
			return f.config.entries[i], owner
		}
	}
	return nil, nil
}

// target is what an edit is to achieve.
type target struct {
	find    func(*File) *entry // the entry that decides, after the edit
	value   string
	removed string // the key that must be gone, for Remove
}

// errNotInForce explains an edit that the engine would not take.
var errNotInForce = errors.New("the engine would not read it back as given")

// try adopts the first attempt that achieves the target and changes nothing else.
func (f *File) try(what string, t target, attempts [][]string) error {
	err := errNotInForce
	for _, lines := range attempts {
		edited := Parse([]byte(strings.Join(lines, "")), f.opts)
		if err = f.verify(edited, t); err == nil {
			*f = *edited
			return nil
		}
	}
	return fmt.Errorf("%s to %q: %w; the file is unchanged, choose another value or edit it by hand", what, t.value, err)
}

// verify compares the edited file with this one.
func (f *File) verify(edited *File, t target) error {
	if edited.fault != nil {
		return fmt.Errorf("the engine would reject the file: %s", edited.fault.Text)
	}
	before, after := t.find(f), t.find(edited)
	skip := func(e *entry) bool { return e == before || e == after }
	if t.removed != "" {
		skip = func(e *entry) bool { return f.sameName(e.name, t.removed) }
		if after != nil {
			return errors.New("the key would still be set")
		}
	} else if after == nil || !after.hasValue || after.literal != t.value || !edited.opts.Dialect.counts(after) {
		return errNotInForce
	}
	if !slices.Equal(f.config.others(skip), edited.config.others(skip)) {
		return errors.New("other settings would change with it")
	}
	for i, a := range edited.aliases {
		if edited.config.entries[i] == after && a.Ignored != "" {
			return errors.New(a.Ignored)
		}
	}
	return nil
}

// others spells out every entry that is not skipped, blocks included.
func (c *config) others(skip func(*entry) bool) []string {
	var list []string
	for _, e := range c.entries {
		if !skip(e) {
			list = append(list, fmt.Sprintf("%q %q %q %t %q", e.name, e.literal, e.value, e.hasValue, e.file))
		}
		if e.block != nil {
			list = append(list, e.block.others(skip)...)
		}
	}
	return list
}
