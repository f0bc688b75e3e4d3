package check

import (
	"path"
	"slices"
	"strings"
)

// accessRules are about plugins, users and the places of databases.
func accessRules() []Rule {
	return []Rule{
		{
			ID: "plugin-name", Severity: Error, From: v30, find: perLine(pluginNames),
			About:  "a plugin that is not there under this name: names are those of files, and upper and lower case letters differ",
			Source: "30:src/yvalve/PluginManager.cpp; builds/install/misc/plugins.conf",
		},
		{
			ID: "legacy-users", Severity: Note, From: v30, find: perView(legacyUsers),
			About:  "a login whose users nothing can make",
			Source: "doc/README.security_database.txt; builds/install/misc/firebird.conf",
		},
		{
			ID: "wire-crypt-login", Severity: Warning, From: v30, find: perView(wireCryptLogin),
			About:  "a login that gives no key for the encryption that is required",
			Source: "30:src/remote/server/server.cpp; doc/README.providers.html; builds/install/misc/firebird.conf (WireCrypt)",
		},
		{
			ID: "providers", Severity: Warning, From: v30, find: perLine(providers),
			About:  "two engines at once, or none of this version",
			Source: "issues 7357, 7535",
		},
		{
			ID: "security-database", Severity: Error, From: v30, find: perView(securityDatabase),
			About:  "a security database of another version, or with a name that is likely a slip",
			Source: "src/common/config/config.cpp getDefaultSecurityDb; a report with security3.fdb3",
		},
		{
			ID: "database-access", Severity: Warning, find: perLine(databaseAccess),
			About:  "places of databases that leave out the security database",
			Source: "src/common/config/dir_list.cpp; 50:src/jrd/jrd.cpp:8597,9706; jacobalberty/firebird-docker issues 21, 51, 83",
		},
		{
			ID: "open-directories", Severity: Note, find: perLine(openDirectories),
			About:  "files of the server that any user of a database can read or write",
			Source: "src/common/config/dir_list.cpp; builds/install/misc/firebird.conf",
		},
	}
}

// pluginLists are the plugins Firebird comes with, by setting.
var pluginLists = map[string][]string{
	"AuthServer":  {"Srp", "Srp224", "Srp256", "Srp384", "Srp512", "Legacy_Auth", "Win_Sspi"},
	"AuthClient":  {"Srp", "Srp224", "Srp256", "Srp384", "Srp512", "Legacy_Auth", "Win_Sspi"},
	"UserManager": {"Srp", "Legacy_UserManager"},
}

// splitList returns the items of a list of plugins: commas, blanks and
// semicolons separate them.
func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;", r) })
}

func pluginNames(s *subject, l line) (Finding, bool) {
	known, ok := pluginLists[l.row.Name]
	if !ok {
		return Finding{}, false
	}
	for _, name := range splitList(l.Value) {
		at := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
		switch {
		case at >= 0 && known[at] != name && !s.Windows:
			return Finding{}.does("write "+known[at], "finds no plugin %s: it tells upper and lower case letters apart", name), true
		case at < 0 && slices.Contains(pluginLists["AuthServer"], name): // as a user manager
			return Finding{}.does("write "+strings.Join(known, " or "), "finds no plugin %s that keeps users: it only lets them in", name), true
		case at < 0:
			return Finding{}.does("check that the plugin is in plugins/", "looks for a plugin %s, which does not come with Firebird", name).as(Note), true
		case name == "Win_Sspi" && !s.Windows && l.row.Name == "AuthClient":
			return Finding{}.does("leave it out", "has no plugin Win_Sspi outside Windows and tries the next").as(Note), true
		case name == "Win_Sspi" && !s.Windows:
			return Finding{}.does("leave it out", "has no plugin Win_Sspi outside Windows").as(Warning), true
		}
	}
	return Finding{}, false
}

func legacyUsers(_ *subject, v view) (Finding, bool) {
	auth, _ := v.Get("AuthServer")
	users, _ := v.Get("UserManager")
	return at(auth).does("add Legacy_UserManager to UserManager, or leave out Legacy_Auth", "lets in users by Legacy_Auth%s, but no user manager makes such users", v.of()),
		auth.Set && slices.Contains(splitList(auth.Value), "Legacy_Auth") && !slices.Contains(splitList(users.Value), "Legacy_UserManager")
}

func wireCryptLogin(s *subject, v view) (Finding, bool) {
	auth, _ := v.Get("AuthServer")
	crypt, _ := v.Get("WireCrypt")
	plugins := splitList(auth.Value)
	if crypt.Means != "Required" || !slices.Contains(plugins, "Legacy_Auth") {
		return Finding{}, false
	}
	f := at(auth).does("write WireCrypt = Enabled, or leave out Legacy_Auth", "refuses every login by Legacy_Auth%s: it gives no key, and WireCrypt is Required", v.of())
	if len(plugins) == 1 {
		f = f.does("write WireCrypt = Enabled, or AuthServer = Srp256", "lets nobody in over the network%s: Legacy_Auth gives no key, and WireCrypt is Required", v.of()).as(Error)
	}
	if s.Conf == nil && !crypt.Set {
		f = f.as(Note) // the firebird.conf that was not given may say otherwise
	}
	return f, true
}

func providers(s *subject, l line) (Finding, bool) {
	if l.row.Name != "Providers" {
		return Finding{}, false
	}
	var engines []string
	for _, name := range splitList(l.Value) {
		if strings.HasPrefix(name, "Engine") {
			engines = append(engines, name)
		}
	}
	own := engineOf(s.Version)
	switch {
	case len(engines) > 1:
		return Finding{}.does("use one engine; run a server of its own for databases of the other", "asks %s in turn for each database, which costs processor time in SuperClassic and Classic, and needs lock directories apart", strings.Join(engines, " and ")), true
	case len(engines) == 1 && engines[0] != own:
		return Finding{}.does("write "+own, "opens databases with %s, and Firebird %s comes with %s", engines[0], s.Version, own), true
	}
	return Finding{}, false
}

func securityDatabase(s *subject, v view) (Finding, bool) {
	in, _ := v.Get("SecurityDatabase")
	base := strings.ToLower(path.Base(strings.ReplaceAll(in.Value, `\`, "/")))
	own := securityFile(s.Version)
	switch {
	case !in.Set || in.Value == "":
	case strings.HasPrefix(base, "security") && strings.HasSuffix(base, ".fdb") && len(base) == len(own) && base != own:
		return at(in).does("name "+own, "takes %s, which is that of another version%s", base, v.of()), true
	case strings.ContainsAny(in.Value, `/\`) && !strings.HasSuffix(base, ".fdb") && !strings.HasSuffix(base, ".gdb"):
		return at(in).does("check the name, such as "+own, "takes %s%s as it stands", base, v.of()).as(Warning), true
	}
	return Finding{}, false
}

func databaseAccess(s *subject, l line) (Finding, bool) {
	if l.row.Name != "DatabaseAccess" {
		return Finding{}, false
	}
	word, list, _ := strings.Cut(strings.TrimSpace(l.Value), " ")
	security, known := s.views[0].Get("SecurityDatabase")
	switch {
	case strings.EqualFold(word, "Full"):
		return Finding{}, false
	case strings.EqualFold(word, "None"):
		if s.Version.AtLeast(v30) && !s.hasAlias(securityAlias) {
			return Finding{}.does("write security.db into databases.conf", "opens databases by alias only, and databases.conf, as far as it was given, has no security.db"), s.Databases != nil
		}
		return Finding{}, false
	case !strings.EqualFold(word, "Restrict"):
		return Finding{}.does("write Full, None or Restrict with a list of directories", "does not know %q and takes None: databases open by alias only", word).as(Error), true
	case known && security.Set && strings.HasPrefix(security.Value, "/") && !within(security.Value, list):
		return Finding{}.does("add its directory to the list", "refuses the security database %s, for it is in none of %s: nobody can log in", security.Value, list).as(Error), true
	case known && !security.Set:
		return Finding{}.does("add the directory of "+securityFile(s.Version)+" to the list, if it is not below one of them", "refuses databases outside %s, the security database among them: then nobody can log in (\"Install incomplete\")", strings.TrimSpace(list)), true
	}
	return Finding{}, false
}

// within reports whether a file is below one of the directories of a list.
func within(file, list string) bool {
	for dir := range strings.SplitSeq(list, ";") {
		dir = strings.TrimRight(strings.TrimSpace(dir), "/")
		if dir != "" && strings.HasPrefix(file, dir+"/") {
			return true
		}
	}
	return false
}

func openDirectories(_ *subject, l line) (Finding, bool) {
	open := l.row.Name == "ExternalFileAccess" || l.row.Name == "UdfAccess"
	return Finding{}.does("write None, or Restrict with a directory", "lets whoever can create a table or a function reach every file the server can"),
		open && strings.EqualFold(strings.TrimSpace(l.Value), "Full")
}
