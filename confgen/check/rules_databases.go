package check

import (
	"fmt"
	"path"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// securityAlias is the alias that databases.conf must have.
const securityAlias = "security.db"

// databaseRules are about databases.conf and aliases.conf.
func databaseRules() []Rule {
	return []Rule{
		{
			ID: "security-db", Severity: Warning, From: v30, find: securityBlocks,
			About:  "a security database without its alias or without a small cache of its own",
			Source: "CORE-2013, issue 2450; builds/install/misc/databases.conf; jacobalberty/firebird-docker issue 83",
		},
		{
			ID: "bare-path-block", Severity: Error, From: v30, find: barePaths,
			About:  "a block on a path without an alias",
			Source: "issues 8050, 9107; measured on 3.0.11: every attach fails; 4.0.5 and 5.0.4: works",
		},
	}
}

// hasAlias reports whether databases.conf has an alias.
func (s *subject) hasAlias(name string) bool {
	_, ok := s.alias(name)
	return ok
}

// alias returns an alias of databases.conf by its name, in any case.
func (s *subject) alias(name string) (fbconf.Alias, bool) {
	for _, a := range s.aliases() {
		if strings.EqualFold(a.Name, name) {
			return a, true
		}
	}
	return fbconf.Alias{}, false
}

func securityBlocks(s *subject) []Finding {
	if s.Databases == nil || s.Databases.Fault() != nil {
		return nil
	}
	own := securityFile(s.Version)
	small := confgen.SecurityCachePages(s.Version)
	file := s.Databases.Name()
	a, ok := s.alias(securityAlias)
	if !ok {
		return []Finding{Finding{File: file, Name: securityAlias}.does(
			"take it over from the stock databases.conf: security.db = $(dir_secDb)/"+own+", with a block of RemoteAccess = false and a small DefaultDbCachePages",
			"does not know security.db, by which tools reach the users, and gives the security database a page cache as large as any other's")}
	}
	var all []Finding
	base := path.Base(strings.ReplaceAll(a.Path, `\`, "/"))
	if strings.HasPrefix(base, "security") && len(base) == len(own) && !strings.EqualFold(base, own) {
		all = append(all, Finding{File: a.File, Line: a.Line, Name: securityAlias, Written: a.Raw, Severity: Error}.
			does("name "+own, "finds the users of another version there: Firebird %s has %s", s.Version, own))
	}
	pages, in, _ := s.viewNamed(a.Name).number(confgen.DefaultDbCachePages)
	if s.mode == confgen.Super && pages > 2048 {
		if !in.Set || in.File != file {
			in = confgen.InForce{File: a.File, Line: a.Line, Name: securityAlias, Raw: a.Raw}
		}
		all = append(all, at(in).does(fmt.Sprintf("write a block for security.db with DefaultDbCachePages = %d", small), "gives the security database a page cache of %d pages", pages))
	}
	return all
}

// viewNamed returns the settings in force for an alias, those of the server
// when it has no block.
func (s *subject) viewNamed(alias string) view {
	for _, v := range s.views {
		if v.alias == alias {
			return v
		}
	}
	return s.views[0]
}

// viewOfDatabase returns the settings in force for a database: those of the block that
// its alias, or another alias of the same file, has.
func (s *subject) viewOfDatabase(name, path string) view {
	for _, a := range s.aliases() {
		if a.HasBlock && a.Ignored == "" && (a.Path == path || strings.EqualFold(a.Name, name)) {
			return s.viewNamed(a.Name)
		}
	}
	return s.views[0]
}

func barePaths(s *subject) []Finding {
	var all []Finding
	for _, a := range s.aliases() {
		if a.Path == "" && a.HasBlock && strings.ContainsAny(a.Name, `/\`) {
			all = append(all, Finding{File: a.File, Line: a.Line, Name: a.Name}.
				does("write alias = "+a.Name, "takes the path for an alias without a database: works in 4.0.5 and 5.0.4, makes every attach fail in 3.0.11, and newer ones ignore the block"))
		}
	}
	return all
}
