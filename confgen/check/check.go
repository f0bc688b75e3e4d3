// Package check finds what is wrong with the configuration of a Firebird
// server.
//
// A rule is a row of a table (rules.go): what it looks for, in which versions,
// and where that is known from. Rules look at a Subject, which is the files of
// one server read by the rules of its version, and return findings that say
// what the engine does and what to write instead.
package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/probe"
)

// Severity says how bad a finding is.
type Severity string

// Severities, worst first.
const (
	ServerDown Severity = "server down" // the server does not start, or no database can be attached
	Error      Severity = "error"       // a line does something else than it says, or nothing
	Warning    Severity = "warning"     // costs speed, memory or safety
	Note       Severity = "note"        // worth knowing
)

// Severities returns all severities, worst first.
func Severities() []Severity { return []Severity{ServerDown, Error, Warning, Note} }

// AtLeast reports whether s is as bad as o or worse.
func (s Severity) AtLeast(o Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), o)
}

// Finding is something in a configuration that a person should look at.
type Finding struct {
	Rule       string   `json:"rule"` // stable name of the rule
	Severity   Severity `json:"severity"`
	File       string   `json:"file"`
	Line       int      `json:"line"` // from 1; 0 when it is about the file, or about what is not in it
	Name       string   `json:"name"` // the setting or alias; empty when it is about the file
	Written    string   `json:"written"`
	EngineDoes string   `json:"engine_does"`
	Instead    string   `json:"instead"` // what to write or do
	Source     string   `json:"source"`
}

// Input is what is known about a server. Files must be read; the rest may be
// missing.
type Input struct {
	confgen.Files
	ConfText, DatabasesText []byte // the files as they are on disk

	Host          *probe.Host        // the machine; without it memory is not looked at
	Connections   int                // at the same time, at most; 0 stands for 20
	Open          []confgen.Database // open at the same time; none stands for the aliases
	DatabaseFiles []DatabaseFile     // those whose files are known
	Addresses     []string           // network addresses of the machine; empty when not known

	// Directory looks at a directory; nil when the files are not of this machine.
	Directory     func(path string) Directory
	DefaultTemp   string // where sorts go without TempDirectories; empty when not known
	LockDirectory string // where lock tables are; empty when not known

	Log     []LogLine // what firebird.log tells
	LogPath string
	Now     time.Time // when the log was read; the zero Time takes nothing in it for history
}

// subject is an Input with what rules ask for time and again.
type subject struct {
	Input
	mode      confgen.Mode
	modeKnown bool // false for a 2.5, whose files do not say it
	lines     []line
	views     []view
}

// line is a line in force that gives a setting the version knows.
type line struct {
	fbconf.Setting
	row   confgen.Setting
	era   confgen.Era
	alias string // the database in whose block it stands; empty for firebird.conf
}

// view is the settings in force for the server, or for a database with a block
// of its own.
type view struct {
	alias string // empty for the server
	confgen.Shown
}

// Run returns the findings about a server, worst first.
func Run(in Input) []Finding { return run(in, rules()) }

// Headers returns the findings about the headers of databases of a server whose
// files are not known, worst first.
func Headers(v confgen.Version, databases []DatabaseFile) []Finding {
	return run(Input{Files: confgen.Files{Version: v}, DatabaseFiles: databases}, headerRules())
}

func run(in Input, rules []Rule) []Finding {
	s := newSubject(in)
	var all []Finding
	for _, r := range rules {
		if !r.applies(in.Version) {
			continue
		}
		for _, f := range r.find(s) {
			f.Rule, f.Source = r.ID, r.Source
			if f.Severity == "" {
				f.Severity = r.Severity
			}
			if f.File == "" {
				f.File = s.file()
			}
			all = append(all, f)
		}
	}
	return sorted(all)
}

// sorted puts the worst first and removes what was found twice.
func sorted(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			slices.Index(Severities(), a.Severity)-slices.Index(Severities(), b.Severity),
			strings.Compare(a.File, b.File),
			a.Line-b.Line,
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Name, b.Name),
		)
	})
	return slices.CompactFunc(all, func(a, b Finding) bool {
		return a.Rule == b.Rule && a.File == b.File && a.Line == b.Line && a.Name == b.Name
	})
}

// newSubject reads what rules ask for.
func newSubject(in Input) *subject {
	s := &subject{Input: in, mode: in.ServerMode()}
	s.modeKnown = in.Version.AtLeast(firstWithMode) || in.Mode != ""
	s.views = []view{{Shown: in.Show("")}}
	if in.Conf != nil {
		s.addLines(in.Conf.Settings(), "")
	}
	for _, a := range s.aliases() {
		if a.HasBlock && a.Ignored == "" {
			s.addLines(a.Settings, a.Name)
			s.views = append(s.views, view{a.Name, in.Show(a.Name)})
		}
	}
	return s
}

// firstWithMode is the version from which firebird.conf chooses the
// architecture.
var firstWithMode = confgen.Version{Major: 3}

// addLines adds those of the settings that have an effect.
func (s *subject) addLines(settings []fbconf.Setting, alias string) {
	for _, setting := range settings {
		row, ok := confgen.Lookup(setting.Key)
		era, known := row.In(s.Version)
		if ok && known && setting.InForce && s.sameCase(setting.Key, row.Name) && (alias == "" || era.Scope == confgen.DatabaseScope) {
			s.lines = append(s.lines, line{setting, row, era, alias})
		}
	}
}

// sameCase reports whether the version takes key for a setting's name: 2.5
// compares them as the file system does.
func (s *subject) sameCase(key, name string) bool {
	return key == name || !s.Dialect().Legacy() || s.Windows
}

// aliases returns the aliases of databases.conf or aliases.conf.
func (s *subject) aliases() []fbconf.Alias {
	if s.Databases == nil {
		return nil
	}
	return s.Databases.Aliases()
}

// files returns the files with their text.
func (s *subject) files() []file {
	var all []file
	if s.Conf != nil {
		all = append(all, file{s.Conf, s.ConfText})
	}
	if s.Databases != nil {
		all = append(all, file{s.Databases, s.DatabasesText})
	}
	return all
}

type file struct {
	*fbconf.File
	text []byte
}

// file is the name of the file that findings without one are about.
func (s *subject) file() string {
	for _, f := range s.files() {
		return f.Name()
	}
	return ""
}

// number returns an integer setting of a view after its bounds; ok is false
// when the version does not know it.
func (v view) number(name string) (n int64, in confgen.InForce, ok bool) {
	in, ok = v.Get(name)
	return in.Number, in, ok
}

// at starts a finding about a setting in force.
func at(in confgen.InForce) Finding {
	return Finding{File: in.File, Line: in.Line, Name: in.Name, Written: in.Raw}
}

// about starts a finding about a line.
func about(l fbconf.Setting, name string) Finding {
	return Finding{File: l.File, Line: l.Line, Name: name, Written: l.Raw}
}

// does fills in what the engine does and what to write instead.
func (f Finding) does(instead, format string, args ...any) Finding {
	f.Instead, f.EngineDoes = instead, fmt.Sprintf(format, args...)
	return f
}

// as changes the severity from that of the rule.
func (f Finding) as(severity Severity) Finding {
	f.Severity = severity
	return f
}
