package check

import "github.com/fbtune/fbtune/confgen"

// Rule is a row of the table of rules.
type Rule struct {
	ID       string          `json:"rule"`
	Severity Severity        `json:"severity"`        // of most of its findings
	From     confgen.Version `json:"from,omitzero"`   // the first version it is about; the zero Version is all
	Before   confgen.Version `json:"before,omitzero"` // the first version it is no longer about; the zero Version is none
	About    string          `json:"about"`           // what it looks for
	Source   string          `json:"source"`          // issue, file of Firebird, or where it was measured
	find     func(*subject) []Finding
}

// applies reports whether the rule is about a version.
func (r Rule) applies(v confgen.Version) bool {
	return v.AtLeast(r.From) && (r.Before == confgen.Version{} || !v.AtLeast(r.Before))
}

// Rules returns the table.
func Rules() []Rule { return rules() }

// rules returns the table, topic by topic.
func rules() []Rule {
	var all []Rule
	for _, topic := range [][]Rule{
		fileRules(), nameRules(), valueRules(), cacheRules(), sortRules(), lockRules(),
		engineRules(), accessRules(), networkRules(), databaseRules(), headerRules(), logRules(), directoryRules(), hostRules(), machineRules(),
	} {
		all = append(all, topic...)
	}
	return all
}

// Versions at which engines changed.
var (
	v30 = confgen.Version{Major: 3}
	v40 = confgen.Version{Major: 4}
	v50 = confgen.Version{Major: 5}
)

// doubt is how sure it is that a version has an error of Firebird.
type doubt int

const (
	unaffected doubt = iota
	maybe            // the patch level is not known
	affected
)

// suffers says whether a version has an error that was fixed in the given
// versions, one a line; lines that are not named never had it.
func suffers(v confgen.Version, fixed ...confgen.Version) doubt {
	for _, f := range fixed {
		switch {
		case f.Line() != v.Line():
		case v.Patch == confgen.AnyPatch:
			return maybe
		case !v.AtLeast(f):
			return affected
		}
	}
	return unaffected
}
