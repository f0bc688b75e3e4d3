package differential

import (
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Macros.

// expands are the macros that are known in every root.
var expands = []string{"root", "dir_conf", "dir_msg", "this"}

func (d dice) macro() string {
	name := d.pick(d.pick(expands...), d.pick("install", "dir_secDb", "dir_plugins", "dir_udf", "dir_sample", "dir_sampleDb", "dir_intl"), d.pick("bogus", "", "root ", " root", "dir_log", "dir_bin", "dir_lock"))
	name = d.pick(name, name, d.cased(name))
	return d.pick("$("+name+")", "$("+name+")", "$("+name+")", "$("+name+")", "$("+name, "$"+name, "$ ("+name+")", "$(($("+name+"))", "${"+name+"}", "$("+name+"))", "$$("+name+")")
}

func (d dice) pathWithMacro() string {
	return d.pick("", "", "/", "x", `\`, "//", "/a/") + d.macro() + d.pick("", "/x", `\x\y`, "//x", "x", "/", "/a\\b", "#c", " # c") + d.pick("", "", d.macro(), ";"+d.macro()+"/tmp")
}

func freshMacro(d dice) input {
	switch d.IntN(4) {
	case 0:
		return databases("m = "+d.pick("$(root)", "$(this)", "$(ROOT)", "$(dir_conf)", d.macro())+d.pick("/../databases/", "/", `\..\databases\`, "//../databases/", "../databases/")+d.pick("t.fdb", "o.fdb", "link.fdb", "none.fdb")+"\n"+d.pick("", "{\n"+d.paged(d.pages())+"}\n"), d.pick("m", "m", database))
	case 1:
		return conf(d.line("DefaultDbCachePages", d.macro()+d.pages()))
	}
	key := d.pick(confgen.TempDirectories, "TempTableDirectory", "ExternalFileAccess", "SecurityDatabase", "AuditTraceConfigFile")
	value := d.pathWithMacro()
	return conf(d.line(key, d.pick(value, value, `"`+value+`"`)) + d.pick("", d.paged(d.pages())))
}

func mutateMacro(d dice, text string) string {
	switch d.IntN(3) {
	case 0:
		return d.addLine(text, d.pick(confgen.TempDirectories, "X")+" = "+d.pathWithMacro())
	case 1:
		return d.onValue(text, func(v string) string { return d.into(v, d.macro()) })
	}
	return d.intoLine(text, d.macro())
}

// Includes.

func (d dice) including() string { return d.pick("include", "include", "include", d.cased("include")) }

func (d dice) included() string {
	return d.pick("inc.conf", "inc-slots.conf", ".hidden.conf", "sub/x.conf", "sub/up.conf", "sub/this.conf", "w/a/x.conf", "bad.cf", "loop.cf", "nest.cf", "block.cf", "none.conf", "sub/none.conf", "none/x.conf", "sub", "link.conf", "sublink/x.conf", "alias.databases", "INC.conf",
		"./inc.conf", "sub/../inc.conf", "sub/./x.conf", "sub//x.conf", "../root/inc.conf", "../root/./sub/up.conf", "sub/x.conf/", "inc.conf/.", "..", ".", "sub/..",
		"$INC", "$ROOT/sub/x.conf", "$ROOT/./inc.conf", "$ROOT/sub/../inc.conf", "$ROOT//inc.conf", "$(root)/inc.conf", "$(this)/inc.conf", "$(dir_conf)/inc.conf", "$(dir_conf)inc.conf", "$(bogus)/inc.conf", "$(root", `$(root)\sub\x.conf`, `sub\x.conf`,
		`"inc.conf"`, "inc.conf # c", "inc.conf#c", "inc.conf inc-slots.conf", "= inc.conf", "\tinc.conf", "inc.conf\t", "inc.conf\r", "inc.conf }", "{ inc.conf", "{{", "inc.conf;", "")
}

// including lines go between settings at the top of either file, or into a block.
func (d dice) around(line string) input {
	n := d.pages()
	before, after := d.pick("", "", d.paged(n), "X = 1\n"), d.pick("", d.paged(n), "LockHashSlots = 1009\n")
	switch d.IntN(5) {
	case 0:
		return databases(d.pick("m = $DB\n{\n", "m = $DB {\n")+before+line+"\n"+after+"}\n", d.pick("m", database))
	case 1:
		return databases(d.pick("", "m = $DB\n")+line+"\n"+d.pick("", "o = $OTHERDB\n", "{\n"+after+"}\n"), d.pick("m", "inc", database))
	}
	return conf(before + line + d.pick("\n", "\n", "\r\n") + after)
}

func freshInclude(d dice) input {
	return d.around(d.pick("", "", " ") + d.including() + d.pick(" ", " ", "\t", "  ", "") + d.included())
}

func mutateInclude(d dice, text string) string {
	return d.addLine(text, d.including()+d.pick(" ", "\t", "  ")+d.included())
}

func (d dice) wildcard() string {
	w := d.pick("inc*.conf", "inc*", "*.conf", "i*f", "*-slots.conf", "*.c*f", "inc.con*", "in?.conf", "?nc.conf", "*idden.conf", ".h*", ".*", "none*", "*.none", "**", "*", "inc-*s.*", "*nc*.conf",
		"sub/*.conf", "s*/x.conf", "*/x.conf", "s*b/up.conf", "w/*/x.conf", "w/a*/x.conf", "w/*/none.conf", "*/*/x.conf", "sub*/x.conf", "sublink/*", "link*", "sub/../inc*.conf", "./inc*.conf", "*/../inc.conf", "sub/t*.conf", "../r*/inc.conf", "sub/*/x.conf", "sub/")
	return d.pick("", "", "", "", "$ROOT/", "$(root)/", "$(this)/", "./", "$ROOT//") + w
}

func freshWildcard(d dice) input {
	return d.around("include " + d.wildcard() + d.pick("", "", "", " ", " # c"))
}

func mutateWildcard(d dice, text string) string {
	return d.addLine(text, "include "+d.wildcard())
}

// Duplicates.

func freshDuplicate(d dice) input {
	var text strings.Builder
	for range 2 + d.IntN(3) {
		key := d.pick(confgen.DefaultDbCachePages, confgen.DefaultDbCachePages, d.cased(confgen.DefaultDbCachePages), confgen.ServerMode)
		value := d.pick(d.pages(), d.pages(), d.pages(), "", "2GB", `"`+d.pages()+`"`)
		text.WriteString(d.pick(d.line(key, value), d.line(key, value), d.line(key, value), key+"\n", "#"+d.line(key, value), "\n", "X"+d.line(key, value), "LockHashSlots = 1009\n"))
	}
	if d.once(4) { // many lines are sorted by another algorithm than a few
		return conf(strings.Repeat("X = 1\n", 5+d.IntN(40)) + text.String())
	}
	if d.once(4) {
		return databases("m = $DB\n{\n"+text.String()+"}\n", d.pick("m", database))
	}
	return conf(text.String())
}

func mutateDuplicate(d dice, text string) string {
	lines := strings.SplitAfter(text, "\n")
	again := strings.TrimSuffix(lines[d.IntN(len(lines))], "\n")
	if d.once(2) {
		again = d.onValue(again, func(v string) string { return replaceNumber(v, d.pages()) })
	}
	return d.addLine(text, again)
}

// Lines without an equals sign.

func freshNoEquals(d dice) input {
	n := d.pages()
	key := d.pick(confgen.DefaultDbCachePages, confgen.DefaultDbCachePages, d.key(confgen.Integer), d.key(confgen.Boolean), d.key(confgen.Text, confgen.Word))
	line := d.pick(key, key+" "+n, key+": "+n, key+":="+n, key+" == "+n, key+"\t"+n, key+" # = "+n, key+"$(root)", key+" $(bogus)", key+" {", "["+key+"]", key+"->"+n, d.cased(key), key+"\t", n)
	return conf(d.pick(line+"\n", line+"\n"+d.paged(d.pages()), d.paged(d.pages())+line+"\n", line))
}

func mutateNoEquals(d dice, text string) string {
	if at := strings.IndexByte(text, '='); at >= 0 && d.once(2) {
		return text[:at] + d.pick("", " ", ":", "==", "\uff1d", ":=") + text[at+1:]
	}
	return d.addLine(text, d.pick(confgen.DefaultDbCachePages, d.key(confgen.Integer), d.key(confgen.Boolean), "m")+d.pick("", " ", " "+d.pages()))
}

// Empty values.

func freshEmpty(d dice) input {
	key := d.pick(confgen.DefaultDbCachePages, confgen.ServerMode, d.key(confgen.Integer), d.key(confgen.Boolean), d.key(confgen.Text, confgen.Word))
	line := key + d.pick(" =", "=", " = ", " =\t", " = \r", ` = ""`, ` = " "`, ` = """"`, " = # c", "=#c", `= "" # c`, " = \x00", " ==", " = =", " = {{")
	return conf(d.pick(line+"\n", line+"\n"+d.paged(d.pages()), d.paged(d.pages())+line+"\n", line))
}

func mutateEmpty(d dice, text string) string {
	if d.once(3) {
		return d.addLine(text, d.pick(confgen.DefaultDbCachePages, d.key(confgen.Integer), d.key(confgen.Text, confgen.Word))+" ="+d.pick("", " ", ` ""`, " #"))
	}
	return d.onValue(text, func(v string) string { return d.pick("", "", `""`, " ", "#"+v, `"" `+v) })
}

// Keys.

func freshKey(d dice) input {
	key := d.pick(confgen.DefaultDbCachePages, d.key(confgen.Integer))
	key = d.pick(d.cased(key), d.cased(key), strings.ToUpper(key), strings.ToLower(key), key+"s", key[1:], key[:len(key)-1], "Firebird."+key, key+" "+key, d.into(key, d.pick(" ", "_", "-", ".", "\t", "$(root)", "@")), "DefaultDbCachePages", "DefaultDbCachesPages", "DatabaseCachePages", "InnodbBufferPool", "$(bogus)"+key, "include", key+"\v", strings.ReplaceAll(key, "i", "ı"))
	return conf(d.line(key, d.pages()) + d.pick("", d.paged(d.pages())))
}

func mutateKey(d dice, text string) string {
	return d.onLine(text, func(line string) string {
		key, rest, found := strings.Cut(line, "=")
		if found {
			rest = "=" + rest
		}
		return d.pick(d.cased(key), strings.ToUpper(key), d.into(key, d.pick(" ", "s", ".", "$(bogus)", "\t", "#"))) + rest
	})
}

// Braces in firebird.conf, where they are ordinary, but for doubled ones.

func (d dice) brace() string {
	return d.pick("{", "}", "{{", "}}", "{}", "}{", "{ {", "{{{", "}}}}", "{{}}", " {", " }", "{ # c", `"{"`)
}

func freshBrace(d dice) input {
	n := d.pages()
	return conf(d.pick(
		d.paged(n+d.brace()),
		d.paged(n+" "+d.brace()),
		d.paged(d.brace()+n),
		d.paged(`"`+n+`"`+d.brace()),
		d.paged(`"`+n+d.brace()+`"`),
		d.brace()+"\n"+d.paged(n),
		d.brace()+d.paged(n),
		"DefaultDbCachePages"+d.brace()+" = "+n+"\n",
		"TempDirectories = /tmp/"+d.brace()+n+d.brace()+"\n",
		d.brace()+"\n"+d.paged(n)+d.brace()+"\n",
		"X "+d.brace()+"\n"+d.paged(n)+"}\n",
	))
}

func mutateBrace(d dice, text string) string {
	if d.once(3) {
		return d.addLine(text, d.brace())
	}
	return d.intoLine(text, d.brace())
}
