package differential

import (
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Blocks of databases.conf that an administrator would write.

func (d dice) setting() string {
	return d.pick(d.paged(d.pages()), d.paged(d.pages()), d.line(d.key(confgen.Integer), d.pages()), "LockMemSize = 2M\n", "GCPolicy = background\n", "RemoteAccess = false\n", "# c\n", "\n", "\t# DefaultDbCachePages = 1\n", "ServerMode = Classic\n", "TcpRemoteBufferSize = 2K\n", "TempCacheLimit = 200M\n", "X = 1\n", "UseFileSystemCache = true\n")
}

func (d dice) settings() string {
	var text strings.Builder
	for range 1 + d.IntN(3) {
		text.WriteString(d.pick("", "\t", "  ") + d.setting())
	}
	return text.String()
}

func freshBlock(d dice) input {
	alias := d.pick("m", "m", "erp", "Erp", "m.fdb", "m-1", "a b", "security.db", "$DB")
	path := d.pick("$DB", "$DB", "$DB", `"$DB"`, "$OTHERDB", "$(root)/../databases/t.fdb")
	opening := d.pick("\n{\n", "\n{\n", " {\n", "\n\n# c\n\n{\n", "{\n", "\n  {\t\n", "\n{\r\n", " # c\n{\n")
	closing := d.pick("}\n", "}\n", "  }\n", "} # c\n", "}", d.line("DefaultDbCachePages", d.pages())[:len("DefaultDbCachePages")]+" = "+d.pages()+" }\n", "}\r\n", "}\n\n# c\n", "}\no = $OTHERDB\n", "}\nn = $DB\n")
	return databases(alias+" = "+path+opening+d.settings()+closing, d.pick(alias, alias, alias, database, d.cased(alias), "n", "$OTHERDB"))
}

func mutateBlock(d dice, text string) string {
	switch d.IntN(5) {
	case 0:
		return strings.Replace(text, "\n{", d.pick(" {", "{", "\n\n{", "\n# c\n{", "\n\t{", "\r\n{"), 1+d.IntN(2))
	case 1:
		return strings.Replace(text, "}", d.setting()+"}", 1+d.IntN(2))
	case 2:
		return d.onValue(text, func(v string) string { return replaceNumber(v, d.pages()) })
	case 3:
		return strings.Replace(text, "m = $DB", d.pick("m = $DB # c", `m="$DB"`, "n = $DB\nm = $DB", "m\t= $DB\t", "  m = $DB", "m = $OTHERDB", "m = $(root)/../databases/link.fdb"), 1)
	}
	return d.addLine(text, d.pick("", "# c", "\t", "o = $OTHERDB", "x = /none/x.fdb"))
}

// Blocks that do not do what they look like.

func (d dice) opening() string {
	return d.pick("{", "{ # c", "{{", "{ {", "{}", "{ }", "{ X = 1", "X = 1 {", "{ DefaultDbCachePages = "+d.pages(), "{#", "\t{ ", "{ #{", `"{"`, "{\x00", "{;", "# {")
}

func (d dice) closing() string {
	return d.pick("}", "} # c", "}}", "} x", "}#", "# }", "X = 1 }", "DefaultDbCachePages = "+d.pages()+" }", "DefaultDbCachePages = "+d.pages()+" } # c", "X = {{ }", "}\n}", "", "} {", `"}"`, "X }", "};", "DefaultDbCachePages = {{"+d.pages()+" }")
}

func freshTrap(d dice) input {
	alias := d.pick("m", "m", "m", "#m", "", "M", "$DB", "m = $OTHERDB\nm")
	head := d.pick(alias+" = $DB", alias+" = $DB", alias+" = $DB", alias, alias+" =", alias+" = x", `"m" = $DB`, alias+" = $(bogus)", "include inc.conf", "include alias.databases")
	var body strings.Builder
	for range d.IntN(3) {
		body.WriteString(d.pick(d.setting(), d.setting(), d.opening()+"\n", d.closing()+"\n", "include inc.conf\n", "include block.cf\n", "Y = $(bogus)\n", "\"q\" = 1\n", "Y = \"a # b\"\n", "= 1\n"))
	}
	return databases(head+d.pick("\n", "\n", " ", "\n\n", "\n# c\n")+d.opening()+"\n"+body.String()+d.closing()+d.pick("\n", ""), d.pick("m", "m", database, "{", "inc"))
}

func mutateTrap(d dice, text string) string {
	switch d.IntN(4) {
	case 0:
		return strings.Replace(text, "{", d.opening(), 1+d.IntN(2))
	case 1:
		return strings.Replace(text, "}", d.closing(), 1+d.IntN(2))
	case 2:
		return d.addLine(text, d.pick(d.opening(), d.closing()))
	}
	return d.intoLine(text, d.pick("{", "}", "{{", "}}", " { ", "{#"))
}

// Aliases.

func (d dice) path() string {
	return d.pick("$DB", "$DB", "$DB", "$OTHERDB", `"$DB"`, "$DB # c", "t.fdb", "./t.fdb", "../databases/t.fdb", "$(root)/../databases/t.fdb", "$(root)/../databases/link.fdb", "$(root)/../databases/other.fdb", "$(root)\\..\\databases\\t.fdb",
		"fbtune.invalid:$DB", "fbtune.invalid:/x.fdb", "[::1]:$DB", "inet://fbtune.invalid/x", "C:\\db\\x.fdb", "/none/x.fdb", "$ROOT", "$ROOT/inc.conf", "", `""`, "$DB ", "$DB;", "//$DB", "$DB\t# c", "'$DB'", "m")
}

func (d dice) alias() string {
	name := d.pick("m", "m", "a", "b", "M", "m.fdb", "x y", "m\\n", "m/n", "é", "$DB", "security.db", "$(root)")
	text := d.pick("", " ") + name + d.pick(" = ", "=", " =", "\t= ") + d.path() + "\n"
	if d.once(3) {
		text += "{\n" + d.paged(d.pages()) + "}\n"
	}
	return text
}

func freshAlias(d dice) input {
	var text strings.Builder
	for range 1 + d.IntN(3) {
		text.WriteString(d.alias())
	}
	return databases(text.String(), d.pick("m", "m", "m", "a", "b", "M", "x y", "m/n", "m\\n", " m", database, "$OTHERDB"))
}

func mutateAlias(d dice, text string) string {
	if d.once(3) {
		return d.addLine(text, strings.TrimSuffix(d.alias(), "\n"))
	}
	return strings.Replace(text, " = $DB", d.pick(" = ", "=", "  =\t")+d.path(), 1+d.IntN(2))
}
