package differential

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// apart are the settings whose meaning, whatever the grammar, can keep an
// attachment or its queries from working; no text gives them a value.
var apart = []string{
	"Providers",               // without the engine's there is no engine
	"DatabaseAccess",          // None and other directories forbid the path
	"SecurityDatabase",        // bytes that are no characters here are an error
	"DefaultTimeZone",         // an unknown region is an error
	"MaxIdentifierByteLength", // too short for the names in a query
	"MaxIdentifierCharLength",
	"SnapshotsMemSize",    // a few bytes hold no table: no transaction starts
	"TipCacheBlockSize",   // the same, and a crash now and then
	confgen.TempBlockSize, // a negative number crashes queries of 4.0.5
}

// rows are the settings of some types that 4.0 knows; 3.0 ignores those it does
// not.
func rows(types ...confgen.Type) []confgen.Setting {
	return slices.DeleteFunc(confgen.Known(confgen.Version{Major: 4, Patch: confgen.AnyPatch}), func(row confgen.Setting) bool {
		return !slices.Contains(types, row.Type) || slices.Contains(apart, row.Name)
	})
}

// key returns the name of a setting of a type, every second time that of the
// page buffers when it is one of these.
func (d dice) key(types ...confgen.Type) string {
	list := rows(types...)
	if list[0].Type == confgen.Integer && d.once(2) {
		return confgen.DefaultDbCachePages
	}
	return list[d.IntN(len(list))].Name
}

// replaceNumber replaces a run of digits in a value, or the value without one.
func replaceNumber(value, number string) string {
	from := strings.IndexAny(value, "0123456789")
	if from < 0 {
		return number
	}
	digits := len(value[from:]) - len(strings.TrimLeft(value[from:], "0123456789"))
	return value[:from] + number + value[from+digits:]
}

// Comments.

func (d dice) comment() string {
	return d.pick("#", "# c", "# c = 5", "# \"c", "#\"", "## c", "# { c", "# }", "#{", "# $(bogus", "#\t"+d.pages())
}

func freshComment(d dice) input {
	n := d.pages()
	return conf(d.pick(
		d.comment()+"\n"+d.paged(n),
		d.pick(" ", "\t", "  \t")+d.comment()+"\n"+d.paged(n),
		d.paged(n+d.pick("", " ", "\t", "k ")+d.comment()),
		d.paged("\""+n+"\""+d.pick("", " ", "\t")+d.comment()),
		d.pick(";", "//", "--", "!", "'", "rem", "/* c */")+d.pick("", " ")+d.paged(n)+d.pick("", d.paged(d.pages())),
		"DefaultDbCachePages "+d.comment()+" = "+n+"\n",
		"DefaultDbCachePages = "+d.comment()+n+"\n"+d.paged(d.pages()),
		"#"+d.paged(n)+d.paged(d.pages()),
	))
}

func mutateComment(d dice, text string) string {
	if d.once(3) {
		return d.addLine(text, d.comment())
	}
	return d.intoLine(text, d.comment())
}

// Quotes.

func freshQuotes(d dice) input {
	n := d.pages()
	value := d.pick(`"`+n+`"`, `" `+n+`"`, `"`+n+` "`, `""`+n+`""`, `"`+n+`" x`, `"`+n, n+`"`, `'`+n+`'`, `"`+n+`#5"`, `"`+n+`""5"`, `"" `+n, `"`+n+`"k`, `"`+n+`k"`, `"`+n+`" # c`, `"`+n+`"=`, `"="`+n, `"\"`+n, `"`+n+"\"\t")
	switch d.IntN(4) {
	case 0:
		return conf("TempDirectories = " + d.pick(`"/tmp/a b`+n+`"`, `"/tmp/`+n+`#d"`, `/tmp/"`+n+`"`, `"/tmp";"/`+n+`"`, `" /tmp/`+n+` "`, `"{`+n+`}"`) + "\n")
	case 1:
		return conf(d.pick(`"DefaultDbCachePages"`, `"DefaultDbCachePages`, `DefaultDbCachePages"`, `'DefaultDbCachePages'`) + d.pick(" = ", "=") + n + "\n")
	}
	return conf(d.paged(value))
}

func mutateQuotes(d dice, text string) string {
	switch d.IntN(3) {
	case 0:
		return d.onValue(text, func(v string) string { return `"` + v + `"` })
	case 1:
		return d.intoLine(d.intoLine(text, `"`), `"`)
	}
	return d.intoLine(text, d.pick(`"`, `""`, `'`, `" `, ` "`, `\"`))
}

// Blanks.

func (d dice) blank() string {
	return d.pick("", " ", "\t", "  ", "\t ", " \t ", "\v", "\f", "\r", " \r")
}

func freshBlanks(d dice) input {
	n := d.pages()
	return conf(d.blank() + "DefaultDbCachePages" + d.blank() + "=" + d.blank() + n[:1] + d.pick("", "", "", " ", "\t") + n[1:] + d.blank() + d.pick("\n", "\n", ""))
}

func mutateBlanks(d dice, text string) string {
	if d.once(4) {
		return d.addLine(text, d.blank())
	}
	return d.into(text, d.blank())
}

// Suffixes.

func (d dice) suffixed(number string) string {
	return number + d.pick("k", "K", "m", "M", "g", "G", "kb", "KB", "MB", "Gb", "KiB", " k", "\tM", "kk", "kM", "t", "P", "b", "%", " pages", "-k", "k-", "k5", "l", "k;", "k#", "\"k\"")
}

func freshSuffix(d dice) input {
	return conf(d.line(d.key(confgen.Integer), d.suffixed(strconv.Itoa(d.IntN(90)))) + d.pick("", d.paged(d.pages())))
}

func mutateSuffix(d dice, text string) string {
	return d.onValue(text, func(v string) string { return replaceNumber(v, d.suffixed(strconv.Itoa(d.IntN(60)))) })
}

// Numbers.

func (d dice) number() string {
	n := d.pages()
	return d.pick("-"+n, "--"+n, "---"+n, "- "+n, "+"+n, "0"+n, "000"+n, "0x"+n, n+".5", n+".", "."+n, n+"e2", n+",5", "1_"+n, n+"-", n+"+1", n+"u", n+"L", "("+n+")",
		"1844674407370955"+strconv.Itoa(1000+d.IntN(2000)), "-1844674407370955"+strconv.Itoa(1000+d.IntN(2000)), strconv.Itoa(4294967296+d.IntN(1900)), "99999999999999999999"+n,
		"922337203685477"+strconv.Itoa(1000+d.IntN(9000)), strconv.Itoa(8589934592+d.IntN(1900)), "-"+strconv.Itoa(4294967296+d.IntN(1900)))
}

func freshNumber(d dice) input {
	return conf(d.line(d.key(confgen.Integer), d.number()) + d.pick("", d.paged(d.pages())))
}

func mutateNumber(d dice, text string) string {
	return d.onValue(text, func(v string) string { return replaceNumber(v, d.number()) })
}

// Booleans.

func (d dice) boolean() string {
	return d.pick("true", "yes", "y", "1", "0", "false", "no", "n", d.cased("true"), d.cased("yes"), d.cased("y"), "on", "enabled", "t", "truee", "true ;", "true # c", `"true"`, `"yes"`, "-1", "00", "01", "+1", "1x", "x1", " 1",
		"4294967296", "9999999999999999999", "0.9", ".9", "0x1", "true true", "ja", "yes\\", "'y'", strconv.Itoa(d.IntN(100)), strconv.Itoa(d.IntN(100))+d.pick("k", "true", " "))
}

func freshBoolean(d dice) input {
	return conf(d.line(d.key(confgen.Boolean), d.boolean()))
}

func mutateBoolean(d dice, text string) string {
	if d.once(2) {
		return d.addLine(text, strings.TrimSuffix(freshBoolean(d).text, "\n"))
	}
	return d.onLine(text, func(string) string { return d.key(confgen.Boolean) + " = " + d.boolean() })
}

// Words.

func (d dice) word() string {
	w := d.pick("Super", "SuperClassic", "Classic", "ThreadedDedicated", "ThreadedShared", "MultiProcess", "cooperative", "background", "combined", "Enabled", "Disabled", "Required", "SuperServer", "SharedCache", "Full", "None", "3.0", "2.5", "Srp")
	w = d.pick(w, d.cased(w), d.cased(w), strings.ToUpper(w), strings.ToLower(w))
	return d.pick(w, w, w, w+";", w+" # c", `"`+w+`"`, `" `+w+`"`, w+" x", w[1:], w[:len(w)-1], w+", Super", w+"\t", "\t"+w, w+"\xa0")
}

func freshWord(d dice) input {
	key := confgen.ServerMode
	if d.once(2) {
		key = d.key(confgen.Word, confgen.Text)
	}
	return conf(d.line(d.pick(key, d.cased(key)), d.word()))
}

func mutateWord(d dice, text string) string {
	if d.once(2) {
		return d.addLine(text, strings.TrimSuffix(freshWord(d).text, "\n"))
	}
	return d.onLine(text, func(string) string { return d.pick(confgen.ServerMode, d.key(confgen.Word)) + " = " + d.word() })
}

// Bounds.

// bound returns a number at, below or above a bound of a setting, or at one that
// all have.
func (d dice) bound(row confgen.Setting) string {
	era, _ := row.In(confgen.Version{Major: 4, Patch: confgen.AnyPatch})
	at := []int64{0, 1, -1, 101, 65521, 1 << 16, 1 << 31, 1 << 32, -1 << 31, era.Bounds.Min, era.Bounds.Max, era.Use.Min, era.Use.Max}
	n := at[d.IntN(len(at))] + int64(d.IntN(5)) - 2
	if n != 0 && n%1024 == 0 && d.once(2) {
		return strconv.FormatInt(n/1024, 10) + "K"
	}
	return strconv.FormatInt(n, 10)
}

func (d dice) bounded() string {
	list := rows(confgen.Integer)
	row := list[d.IntN(len(list))]
	if d.once(3) {
		row, _ = confgen.Lookup(d.pick(confgen.DefaultDbCachePages, confgen.LockHashSlots, confgen.LockMemSize, confgen.TempCacheLimit))
	}
	return row.Name + " = " + d.bound(row)
}

func freshBound(d dice) input {
	text := d.bounded() + "\n"
	if d.once(3) {
		text += d.bounded() + "\n"
	}
	return conf(text)
}

func mutateBound(d dice, text string) string {
	if d.once(2) {
		return d.addLine(text, d.bounded())
	}
	return d.onLine(text, func(string) string { return d.bounded() })
}
