package differential

import (
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Byte order marks, and bytes that are not ASCII.

const bom = "\xef\xbb\xbf"

func (d dice) foreign() string {
	return d.pick(bom, "\u00a0", "\xa0", "é", "\xea\xe5\xf8", "\u200b", "\uff1d", "\u2013", "\xff", "\xfe\xff", "“", "”", "\u3000", "\x85", "\u2028", "ß", "\x1a", "\x7f", "\x01")
}

func freshForeign(d dice) input {
	n := d.pages()
	key := d.pick(confgen.DefaultDbCachePages, confgen.ServerMode, confgen.TempDirectories)
	return conf(d.pick(
		bom+d.paged(n),
		bom+"# c\n"+d.paged(n),
		bom+"\n"+d.paged(n),
		bom+d.paged(n)+d.paged(d.pages()),
		d.foreign()+d.paged(n)+d.pick("", d.paged(d.pages())),
		d.intoLine(d.paged(n), d.foreign()),
		key+d.foreign()+"="+d.foreign()+n+"\n",
		"# "+d.foreign()+"\n"+d.paged(n),
		"TempDirectories = /tmp/"+d.foreign()+n+"\n",
		d.paged(d.foreign()+n+d.foreign()),
		d.paged(n+" # "+d.foreign()+d.foreign()),
	))
}

func mutateForeign(d dice, text string) string {
	if d.once(3) {
		return bom + d.pick("", "# c\n", "\n", " ") + text
	}
	return d.into(text, d.foreign())
}

// NUL bytes, and UTF-16 as PowerShell writes it.

// wide is ASCII text in UTF-16.
func (d dice) wide(text string) string {
	var b strings.Builder
	bigEndian := d.once(4)
	for i := range len(text) {
		if bigEndian {
			b.WriteByte(0)
		}
		b.WriteByte(text[i])
		if !bigEndian {
			b.WriteByte(0)
		}
	}
	return b.String()
}

func freshNUL(d dice) input {
	n := d.pages()
	return conf(d.pick(
		d.into(d.paged(n), "\x00"),
		d.into(d.paged(n), "\x00")+d.paged(d.pages()),
		d.paged(n)+d.wide("ServerMode = Classic\r\n"),
		d.pick("", "\xff\xfe")+d.wide(d.paged(n)),
		d.pick("", "\xff\xfe")+d.wide(d.pick("# c\r\n", "\r\n", "; c\n")+d.paged(n)),
		"TempDirectories = "+d.into("/tmp/"+n, "\x00")+"\n",
		"TempDirectories = $(root"+d.into(")/"+n, "\x00")+"\n",
		"include inc.conf\x00"+n+"\n",
		d.into("include inc"+d.pick(".conf", "*"), "\x00")+"\n"+d.paged(n),
		"\x00\n"+d.paged(n),
	))
}

func mutateNUL(d dice, text string) string {
	switch d.IntN(3) {
	case 0:
		return d.onLine(text, func(line string) string { return d.wide(line) })
	case 1:
		return d.into(d.into(text, "\x00"), "\x00")
	}
	return d.into(text, "\x00")
}

// Carriage returns, and the ends of lines and of the file.

func freshReturn(d dice) input {
	n := d.pages()
	lines := d.line(confgen.DefaultDbCachePages, n) + d.pick("", "ServerMode = Classic\n", "# c\n", "X\n", "LockHashSlots = 1009 # c\n", "TempDirectories = \"/tmp\"\n")
	switch d.IntN(6) {
	case 0:
		return conf(strings.ReplaceAll(lines, "\n", "\r\n"))
	case 1:
		return conf(strings.ReplaceAll(lines, "\n", "\r"))
	case 2:
		return conf(strings.TrimSuffix(lines, "\n") + d.pick("", "\r", "\r\r\n", "\n\n\n", "\n\r", "\f", "\x1a"))
	case 3:
		return conf(strings.ReplaceAll(lines, "\n", d.pick("\r\r\n", "\n\r", "\\\n", " \r \r\n", "\n\r\n", "\v\n", "\u2028")))
	case 4:
		text := strings.ReplaceAll("m = $DB\n{\n"+d.settings()+"}\n", "\n", d.pick("\r\n", "\r\n", "\r", " \r\n", "\n\r"))
		return databases(strings.TrimSuffix(text, d.pick("\n", "\r\n", "x")), d.pick("m", database))
	}
	return conf(d.into(lines, "\r"))
}

func mutateReturn(d dice, text string) string {
	switch d.IntN(4) {
	case 0:
		return strings.ReplaceAll(text, "\n", d.pick("\r\n", "\r", "\n\r", "\r\r\n", "\r\n\r\n"))
	case 1:
		return strings.TrimSuffix(text, "\n") + d.pick("", "\r", "\r\n\r\n", " ", "\n ", "\n#")
	}
	return d.into(text, d.pick("\r", "\r", "\n", "\r\n"))
}
