package check

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// fileRules are about the files as texts.
func fileRules() []Rule {
	return []Rule{
		{
			ID: "server-down", Severity: ServerDown, find: faults,
			About:  "a file that the engine refuses or does not survive",
			Source: "src/common/config/config_file.cpp, src/common/db_alias.cpp; issues 8485, 9107; measured on 3.0.11, 4.0.5 and 5.0.4",
		},
		{
			ID: "git-lfs-pointer", Severity: Error, find: lfsPointers,
			About:  "a pointer of Git LFS in the place of the file",
			Source: "seen in repositories",
		},
		{
			ID: "build-template", Severity: Note, find: buildTemplates,
			About:  "a stock file before the build of Firebird filled it in",
			Source: "builds/install/misc/firebird.conf.in",
		},
		{
			ID: "utf-16", Severity: Error, find: utf16Files,
			About:  "a file in UTF-16, which the engine reads as nothing",
			Source: "measured on 4.0.5 with what PowerShell writes",
		},
		{
			ID: "file-name", Severity: Error, find: wrongNames,
			About:  "a name like that of a configuration file, which the engine never opens",
			Source: "src/common/config/config.h CONFIG_FILE; src/common/db_alias.cpp",
		},
		{
			ID: "grammar", Severity: Error, find: grammar,
			About:  "lines that the engine passes over in silence, or misreads",
			Source: "src/common/config/config_file.cpp; issue 7545; measured on 3.0.11, 4.0.5 and 5.0.4",
		},
		{
			ID: "duplicate", Severity: Error, find: duplicates,
			About:  "a setting given twice: the first line counts, in 2.5 the last; which is formally up to the C library's sort",
			Source: "src/common/classes/array.h; measured on 3.0.11 and 4.0.5",
		},
		{
			ID: "empty-value", Severity: Error, find: emptyValues,
			About:  "a setting without a value, which is 0, false or empty and not the default",
			Source: "src/common/config/config_file.cpp; measured on 3.0.11 and 4.0.5",
		},
	}
}

func faults(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		fault := f.Fault()
		if fault == nil {
			continue
		}
		text := strings.Join(strings.Fields(strings.ReplaceAll(fault.Text, "\n", " ")), " ")
		if fault.Log != "" {
			text += "; firebird.log: " + fault.Log
		}
		if strings.Contains(text, "master parameter is missing") {
			text += "; before 3.0.13, 4.0.6 and 5.0.3 it crashes"
		}
		finding := Finding{File: fault.File, Line: fault.Line, Written: lineOf(f, fault)}.
			does("correct or delete the line; keep a copy of a file that works", "refuses the file (%s): %s", fault.Effect, text)
		if strings.HasPrefix(text, "1 bad lines") && buildMark.MatchString(finding.Written) {
			continue // 2.5 counts them; the rule of templates says it
		}
		all = append(all, finding)
	}
	return all
}

// buildMark matches a line that Firebird's build fills in when it makes its
// stock firebird.conf.
var buildMark = regexp.MustCompile(`^@[A-Z_]+@$`)

func buildTemplates(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		for i, l := range strings.Split(string(f.text), "\n") {
			if l = strings.TrimSpace(l); !buildMark.MatchString(l) {
				continue
			}
			does := "ignores the line"
			if f.Fault() != nil {
				does = fmt.Sprintf("refuses the file as it is (%s)", f.Fault().Effect)
			}
			all = append(all, Finding{File: f.Name(), Line: i + 1, Written: l}.
				does("use the file that the build makes of it", "%s: it is in a template of Firebird's build, which fills it in", does))
		}
	}
	return all
}

// lineOf is the text of the line of a fault, "" when it stands in an included
// file.
func lineOf(f file, fault *fbconf.Fault) string {
	lines := strings.Split(string(f.text), "\n")
	if fault.File != f.Name() || fault.Line < 1 || fault.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[fault.Line-1])
}

func lfsPointers(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		if lfsPointer(f.text) {
			all = append(all, Finding{File: f.Name(), Line: 1, Written: "version https://git-lfs.github.com/..."}.
				does("get the file itself with git lfs pull", "finds no setting: every one has its default"))
		}
	}
	return all
}

func lfsPointer(text []byte) bool {
	return bytes.HasPrefix(text, []byte("version https://git-lfs.github.com/"))
}

func utf16Files(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		if bytes.HasPrefix(f.text, []byte("\xff\xfe")) || bytes.HasPrefix(f.text, []byte("\xfe\xff")) {
			all = append(all, Finding{File: f.Name(), Line: 1}.
				does("save the file as ASCII or as UTF-8 without byte order mark", "reads no setting from a file in UTF-16"))
		}
	}
	return all
}

// nearNames are names that were meant to be those of configuration files.
var nearNames = map[string]string{
	"database.conf": "databases.conf", "databases.cfg": "databases.conf", "databases.conf.txt": "databases.conf", "databases.config": "databases.conf",
	"alias.conf": "aliases.conf", "aliases.conf.txt": "aliases.conf",
	"firebird.cfg": "firebird.conf", "firebird.config": "firebird.conf", "firebird.conf.txt": "firebird.conf", "firebird.ini": "firebird.conf", "fbird.conf": "firebird.conf",
}

func wrongNames(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		if meant, ok := nearNames[strings.ToLower(filepath.Base(f.Name()))]; ok {
			all = append(all, Finding{File: f.Name()}.does("name it "+meant, "never opens a file of this name"))
		}
	}
	return all
}

// grammarSeverities are the severities of fbconf's warnings, as far as the
// grammar rule passes them on.
var grammarSeverities = map[fbconf.WarningKind]Severity{
	fbconf.NoEquals: Error, fbconf.BareKeyWins: Error, fbconf.KeyNotASCII: Error, fbconf.ByteOrderMark: Error,
	fbconf.NULBytes: Error, fbconf.LoneCR: Warning, fbconf.HashInQuotes: Error,
	fbconf.IncludeUnread: Note, fbconf.IncludeNothing: Warning, fbconf.IncludeOrder: Warning,
	fbconf.BraceComment: Error, fbconf.SecondBlock: Error, fbconf.AliasIgnored: Error, fbconf.AliasEmpty: Error, fbconf.NotRead: Error,
}

func grammar(s *subject) []Finding {
	var all []Finding
	for _, f := range s.files() {
		if lfsPointer(f.text) {
			continue
		}
		for _, w := range f.Warnings() {
			severity, ok := grammarSeverities[w.Kind]
			refused := f.Fault() != nil && f.Fault().File == w.File && f.Fault().Line == w.Line
			if !ok || refused || w.Kind == fbconf.AliasIgnored && s.settingAt(w.Line) {
				continue
			}
			does, instead, _ := cutLast(w.Text, "; ")
			finding := Finding{File: w.File, Line: w.Line, EngineDoes: "passes over this: " + does, Instead: instead, Severity: severity}
			if w.File == f.Name() && w.Line > 0 {
				finding.Written = textOf(f.text, w.Line)
			}
			if !buildMark.MatchString(finding.Written) {
				all = append(all, finding)
			}
		}
	}
	return all
}

// settingAt reports whether the alias in a line of databases.conf is a setting
// that stands outside of blocks, for which there is a rule of its own.
func (s *subject) settingAt(line int) bool {
	for _, a := range s.aliases() {
		if _, ok := confgen.Lookup(a.Name); ok && a.Line == line {
			return true
		}
	}
	return false
}

// textOf is a line of a text, trimmed and with what cannot be shown escaped.
func textOf(text []byte, line int) string {
	lines := strings.Split(string(text), "\n")
	if line > len(lines) {
		return ""
	}
	quoted := fmt.Sprintf("%q", strings.TrimSpace(lines[line-1]))
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// cutLast cuts a text at the last separator.
func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

func duplicates(s *subject) []Finding {
	all := s.shadowed(confSettings(s.Conf))
	for _, a := range s.aliases() {
		all = append(all, s.shadowed(a.Settings)...)
	}
	return all
}

// confSettings returns the lines of a firebird.conf, none of none.
func confSettings(conf *fbconf.File) []fbconf.Setting {
	if conf == nil {
		return nil
	}
	return conf.Settings()
}

// shadowed returns the lines that other lines of the same setting hide. Those
// that say the same are less bad.
func (s *subject) shadowed(settings []fbconf.Setting) []Finding {
	var all []Finding
	for _, setting := range settings {
		if setting.ShadowedBy == nil || !setting.HasValue {
			continue
		}
		by, _ := fbconf.InForce(settings, setting.Key, s.Dialect())
		f := about(setting, setting.Key).does("keep one of the lines; to change a setting edit the line in force",
			"ignores this line: line %d counts, with %s", setting.ShadowedBy.Line, orNothing(by.Raw))
		if s.Windows && !s.Dialect().Legacy() {
			f.EngineDoes = fmt.Sprintf("takes this line or line %d, whichever its sort leaves first on Windows", setting.ShadowedBy.Line)
		}
		if by.Value == setting.Value {
			f = f.as(Warning)
		}
		all = append(all, f)
	}
	return all
}

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

func emptyValues(s *subject) []Finding {
	return each(func(s *subject, l fbconf.Setting) (Finding, bool) {
		row, ok := confgen.Lookup(l.Key)
		if _, known := row.In(s.Version); !ok || !known || l.Value != "" {
			return Finding{}, false
		}
		def, _ := row.Default(s.Version, s.mode)
		defMeans, _ := row.Means(s.Version, s.mode, def) // a default is always good
		means, err := row.Means(s.Version, s.mode, "")
		if s.Dialect().Legacy() {
			means, err = defMeans, nil
		}
		f := about(l, row.Name).does(fmt.Sprintf("delete the line for the default, %s, or give a value", orNothing(defMeans)), "takes it as %s", orNothing(means))
		if means == defMeans {
			f = f.as(Note)
		}
		return f, err == nil // without a number no database can be attached: a rule of values
	})(s)
}
