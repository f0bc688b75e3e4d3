package check

import (
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// nameRules are about the names of settings: the engine ignores those it does
// not know without a word.
func nameRules() []Rule {
	const ignored = "src/common/config/config.cpp loadValues: names not in the table are never looked at; measured on 4.0.5"
	return []Rule{
		{
			ID: "misspelt", Severity: Error, Source: ignored,
			About: "a name that is one or two letters from that of a setting",
			find: unknown(func(s *subject, l fbconf.Setting) (Finding, bool) {
				near, ok := confgen.Suggest(l.Key, s.Version)
				return about(l, l.Key).does("write "+near.Name, "ignores it: there is no such setting"), ok
			}),
		},
		{
			ID: "no-such-setting", Severity: Error, Source: ignored,
			About: "a name that is passed on in advice and never was a setting",
			find: each(func(_ *subject, l fbconf.Setting) (Finding, bool) {
				instead, ok := confgen.Imagined(l.Key)
				return about(l, l.Key).does(instead, "ignores it: no version of Firebird has this setting"), ok
			}),
		},
		{
			ID: "unknown-setting", Severity: Warning, Source: ignored,
			About: "a name that is no setting",
			find: unknown(func(s *subject, l fbconf.Setting) (Finding, bool) {
				_, near := confgen.Suggest(l.Key, s.Version)
				return about(l, l.Key).does("delete the line", "ignores it: there is no such setting"), !near
			}),
		},
		{
			ID: "vendor-setting", Severity: Warning, Source: "IBSurgeon's firebird.conf of HQbird; RED SOFT's test scripts",
			About: "a setting that only the distribution of a vendor knows",
			find: each(func(_ *subject, l fbconf.Setting) (Finding, bool) {
				vendor, ok := confgen.LookupVendor(l.Key)
				return about(l, vendor.Name).does(fmt.Sprintf("delete the line, unless the server is %s", vendor.Vendor), "ignores it in stock Firebird: it is a setting of %s", vendor.Vendor), ok
			}),
		},
		{
			ID: "old-setting", Severity: Warning, Source: "B1_5_Release, B2_0_Release, B2_1_Release:src/common/config/config.cpp",
			About: "a setting of Firebird 1.5 to 2.1",
			find: each(func(s *subject, l fbconf.Setting) (Finding, bool) {
				instead, ok := confgen.Forerunner(l.Key)
				if instead != "" {
					instead = "; now it is " + instead
				}
				return about(l, l.Key).does("delete the line"+instead, "ignores it: a setting of Firebird before 2.5, and this is read as %s", s.Version), ok
			}),
		},
		{
			ID: "old-version", Severity: Warning, Source: "B1_5_Release, B2_0_Release, B2_1_Release:src/common/config/config.cpp",
			About: "a file of Firebird 1.5 to 2.1, whose settings and defaults fbtune does not know",
			find:  oldFiles,
		},
		{
			ID: "other-version", Severity: Warning, Source: "the tables of entries of 2.5 to 6.0, by tag",
			About: "a setting that this version does not know",
			find: each(func(s *subject, l fbconf.Setting) (Finding, bool) {
				row, ok := confgen.Lookup(l.Key)
				if _, known := row.In(s.Version); !ok || known {
					return Finding{}, false
				}
				return about(l, row.Name).does("delete the line", "ignores it: Firebird %s does not know it (%s)", s.Version, lifetime(row)), true
			}),
		},
		{
			ID: "name-case", Severity: Error, Before: v30, Source: "25:src/common/config/config_file.cpp; it compares names as the file system does",
			About: "a name in other letters than 2.5 has it, on Linux",
			find: each(func(s *subject, l fbconf.Setting) (Finding, bool) {
				row, ok := confgen.Lookup(l.Key)
				_, known := row.In(s.Version)
				return about(l, l.Key).does("write "+row.Name, "ignores it: 2.5 tells upper and lower case letters apart"), ok && known && !s.sameCase(l.Key, row.Name)
			}),
		},
		{
			ID: "server-setting-in-block", Severity: Error, From: v30, Source: "src/common/config/config.cpp loadValues, is_global; measured on 3.0.11 and 4.0.5 (ServerMode)",
			About: "a setting of the whole server in the block of a database",
			find:  serverSettingsInBlocks,
		},
		{
			ID: "setting-outside-block", Severity: Error, From: v30, Source: "src/common/db_alias.cpp; measured on 4.0.5",
			About: "a setting at the top of databases.conf, where only aliases stand",
			find:  settingsOutsideBlocks,
		},
	}
}

// each turns a look at one line into a rule about every line that gives a
// value, whether the setting is known or not.
func each(look func(*subject, fbconf.Setting) (Finding, bool)) func(*subject) []Finding {
	return func(s *subject) []Finding {
		var all []Finding
		settings := confSettings(s.Conf)
		for _, a := range s.aliases() {
			settings = append(settings, a.Settings...)
		}
		for _, l := range settings {
			if !l.HasValue || l.ShadowedBy != nil {
				continue
			}
			if f, ok := look(s, l); ok {
				all = append(all, f)
			}
		}
		return all
	}
}

// unknown is each for names that nothing is known about.
func unknown(look func(*subject, fbconf.Setting) (Finding, bool)) func(*subject) []Finding {
	return each(func(s *subject, l fbconf.Setting) (Finding, bool) {
		_, known := confgen.Lookup(l.Key)
		_, vendor := confgen.LookupVendor(l.Key)
		_, old := confgen.Forerunner(l.Key)
		_, imagined := confgen.Imagined(l.Key)
		if known || vendor || old || imagined || strings.HasPrefix(l.Key, "\xef\xbb\xbf") {
			return Finding{}, false
		}
		return look(s, l)
	})
}

// lifetime says which versions know a setting: "from 5.0 on", "up to 5.0".
func lifetime(row confgen.Setting) string {
	first, last := row.Eras[0], row.Eras[len(row.Eras)-1]
	if last.Removed {
		return fmt.Sprintf("%s has it, from %s on it is gone", first.From.Line(), last.From.Line())
	}
	return fmt.Sprintf("from %s on", first.From)
}

// oldFiles finds files that were written for Firebird before 2.5, commented
// settings included.
func oldFiles(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		if names := forerunners(f.text); len(names) > 0 {
			all = append(all, Finding{File: f.Name()}.does("take the firebird.conf of the version that runs and put into it what you changed",
				"knows none of %s, which are of Firebird 1.5 to 2.1: the file is older than any version fbtune knows", strings.Join(names[:min(len(names), 3)], ", ")))
		}
	}
	return all
}

// forerunners returns the settings of Firebird before 2.5 that a text names at
// the start of a line, commented out or not.
func forerunners(text []byte) []string {
	var names []string
	for line := range strings.Lines(string(text)) {
		name, _, ok := strings.Cut(strings.TrimLeft(line, "# \t"), "=")
		if _, old := confgen.Forerunner(strings.TrimSpace(name)); ok && old {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

func serverSettingsInBlocks(s *subject) []Finding {
	var all []Finding
	for _, a := range s.aliases() {
		for _, l := range a.Settings {
			row, ok := confgen.Lookup(l.Key)
			era, known := row.In(s.Version)
			if ok && known && l.HasValue && era.Scope == confgen.ServerScope {
				all = append(all, about(l, row.Name).does("move it to firebird.conf", "ignores it in the block of %s: in Firebird %s it is a setting of the whole server", a.Name, s.Version))
			}
		}
	}
	return all
}

func settingsOutsideBlocks(s *subject) []Finding {
	var all []Finding
	for _, a := range s.aliases() {
		if row, ok := confgen.Lookup(a.Name); ok {
			all = append(all, Finding{File: a.File, Line: a.Line, Name: row.Name, Written: a.Raw}.
				does("put it into the block of a database, or into firebird.conf", "takes it for an alias of a database %s", orNothing(a.Path)))
		}
	}
	return all
}
