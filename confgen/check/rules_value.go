package check

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// valueRules are about what the engine makes of a text that a person meant
// otherwise.
func valueRules() []Rule {
	return []Rule{
		{
			ID: "template", Severity: Error, find: perLine(template),
			About:  "a placeholder of a template that was not filled in",
			Source: "seen in repositories",
		},
		{
			ID: "reads-as-zero", Severity: Error, find: perLine(readsAsZero),
			About:  "a number that the engine reads as 0: a suffix other than one of k, m, g, blanks, points, words",
			Source: "src/common/config/config_file.cpp asInteger; measured on 4.0.5 and 5.0.4",
		},
		{
			ID: "suffix-in-2.5", Severity: Error, Before: v30, find: perLine(suffixIn25),
			About:  "a number with a suffix, which 2.5 does not know",
			Source: "25:src/common/config/config.cpp asInteger (atoi)",
		},
		{
			ID: "boolean", Severity: Error, find: perLine(booleans),
			About:  "a word that is no boolean to the engine, such as on or enabled; in 2.5 also true",
			Source: "src/common/config/config_file.cpp asBoolean; 25:src/common/config/config.cpp; measured on 4.0.5",
		},
		{
			ID: "word", Severity: Error, find: perLine(words),
			About:  "a word that the setting does not know and silently replaces by its default",
			Source: "src/common/config/config.cpp checkValues; measured on 4.0.5 and 3.0.11; issues 7231, 7994",
		},
		{
			ID: "overflow", Severity: Error, find: perLine(overflows),
			About:  "a number of which the engine keeps only the low digits",
			Source: "src/common/config/config.cpp (\"we shall not silently truncate\"); 50:src/lock/lock_proto.h:501; measured on 3.0.11, 4.0.5 and 5.0.4",
		},
		{
			ID: "out-of-bounds", Severity: Warning, find: perLine(outOfBounds),
			About:  "a number that the engine moves to a bound or replaces by the default",
			Source: "src/common/config/config.cpp checkValues and where the values are used: see fbtune settings NAME",
		},
		{
			ID: "unit", Severity: Error, find: perLine(units),
			About:  "a number that fits another unit: bytes taken for megabytes, pages for bytes",
			Source: "a vendor's installer (TempCacheLimit = 512); issue 7961 (thresholds in bytes)",
		},
		{
			ID: "no-effect-here", Severity: Warning, find: perLine(noEffectHere),
			About:  "a setting that works on Windows only, on another system",
			Source: "50:src/remote/server/os/win32/srvr_w32.cpp:220-224; 50:src/jrd/os/win32/winnt.cpp:1008-1020",
		},
	}
}

// perLine turns a look at one line into a rule about every line in force.
func perLine(look func(*subject, line) (Finding, bool)) func(*subject) []Finding {
	return func(s *subject) []Finding {
		var all []Finding
		for _, l := range s.lines {
			if f, ok := look(s, l); ok {
				f.File, f.Line, f.Name, f.Written = l.File, l.Line, l.row.Name, l.Raw
				all = append(all, f)
			}
		}
		return all
	}
}

// placeholder matches what templates put in the place of a value.
var placeholder = regexp.MustCompile(`^(!\w+!|@\w+@|%\w+%|\$\{\w+\}|\$\w+|\{\{.*\}\}|<[^<>]+>|(?i:change_?me|todo|xxx+|your[_-].*))$`)

func template(_ *subject, l line) (Finding, bool) {
	what := l.Value
	return Finding{}.does("put the value there", "takes %s as it stands", what), placeholder.MatchString(strings.TrimSpace(what))
}

func readsAsZero(s *subject, l line) (Finding, bool) {
	zero := l.row.Type == confgen.Integer && l.Int(s.Dialect()) == 0 && strings.Trim(l.Value, "0 \t-") != ""
	f := Finding{}.does("write "+repaired(l, s.Version), "reads this as 0")
	if means := s.means(l); means != "0" {
		f.EngineDoes += ", which means " + means
	}
	return f, zero && !placeholder.MatchString(l.Value)
}

// means is what the engine does with a line, in words.
func (s *subject) means(l line) string {
	means, err := l.row.Means(s.Version, s.mode, l.Value)
	if err != nil {
		return "that no database can be attached"
	}
	return orNothing(means)
}

// amount matches how people write amounts.
var amount = regexp.MustCompile(`(?i)^['"+]*([0-9][0-9_, ]*(?:\.[0-9]+)?)\s*([kmgt]?)i?(?:b|bytes?|pages?)?['";]*$`)

// repaired is how a number that reads as 0 was probably meant.
func repaired(l line, v confgen.Version) string {
	match := amount.FindStringSubmatch(strings.TrimSpace(l.Value))
	def, _ := l.row.Default(v, confgen.Super)
	if match == nil {
		return "a number, such as the default of " + def
	}
	digits := strings.NewReplacer("_", "", ",", "", " ", "").Replace(match[1])
	unit := map[string]float64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}[strings.ToLower(match[2])]
	number, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil:
		return "a number, such as the default of " + def
	case l.row.Unit == confgen.UnitPages && unit > 1:
		return fmt.Sprintf("a number of pages: %s is %d pages of 8 KB", strings.TrimSpace(l.Value), int64(number*unit/8192))
	case l.row.Unit == confgen.UnitBytes:
		return confgen.FormatSize(confgen.Bytes(number*unit), v)
	}
	return strconv.FormatInt(int64(number*unit), 10)
}

// modern matches a number of 3.0 and later that 2.5 reads otherwise.
var modern = regexp.MustCompile(`(?i)^\s*-*([0-9]+)\s*([kmg])\w*$`)

func suffixIn25(s *subject, l line) (Finding, bool) {
	match := modern.FindStringSubmatch(l.Value)
	if match == nil || l.row.Type != confgen.Integer {
		return Finding{}, false
	}
	unit := map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}[strings.ToLower(match[2])]
	number, err := strconv.ParseInt(match[1], 10, 32)
	instead := "a number without suffix, up to 2147483647"
	if full := number * unit; err == nil && full <= 1<<31-1 {
		instead = strconv.FormatInt(full, 10)
	}
	return Finding{}.does("write "+instead, "reads only the digits: %s", s.means(l)), true
}

func booleans(s *subject, l line) (Finding, bool) {
	if l.row.Type != confgen.Boolean || l.Value == "" {
		return Finding{}, false
	}
	err := l.row.CheckValue(s.Version, l.Value)
	return Finding{}.does("write "+strings.Join(confgen.BooleanWords(s.Version), " or "), "reads this as %t", l.Bool(s.Dialect())), err != nil
}

func words(s *subject, l line) (Finding, bool) {
	if l.row.Type != confgen.Word || l.Value == "" {
		return Finding{}, false
	}
	err := l.row.CheckValue(s.Version, l.Value)
	var known []string
	for _, w := range l.era.Words {
		if w != "" {
			known = append(known, w)
		}
	}
	return Finding{}.does("write one of "+strings.Join(known, ", "), "does not know this word and takes %s without a message", s.means(l)), err != nil
}

func overflows(s *subject, l line) (Finding, bool) {
	n := l.Int(s.Dialect())
	over := l.row.Type == confgen.Integer && l.row.Overflows(s.Version, n)
	if full, err := strconv.ParseInt(strings.TrimSpace(l.Value), 10, 64); err == nil && full > 1<<31-1 && s.Dialect().Legacy() {
		n, over = full, l.row.Type == confgen.Integer // 2.5 has 32 bits from the start
	}
	instead := "write a smaller number"
	switch {
	case l.row.Name == confgen.LockHashSlots:
		instead = "write 65521 or less"
	case l.row.Name == confgen.DefaultDbCachePages:
		instead = "write a number of pages that fits in memory"
	case s.Dialect().Legacy():
		instead = "write 2147483647 or less"
	}
	f := Finding{}.does(instead, "keeps only the low digits of %d: %s", n, s.means(l))
	if _, err := l.row.Number(s.Version, s.mode, l.Value); err != nil {
		f = f.does(instead, "keeps nothing of %d: no database can be attached", n).as(ServerDown)
	}
	return f, over
}

func outOfBounds(s *subject, l line) (Finding, bool) {
	asked := l.Int(s.Dialect())
	if _, over := overflows(s, l); over || l.row.Type != confgen.Integer || strings.Trim(l.Value, "0123456789-kKmMgG \t") != "" {
		return Finding{}, false // another rule
	}
	if _, err := l.row.Number(s.Version, s.mode, l.Value); err != nil {
		return Finding{}.does("write the default or more", "cannot work with this: no database can be attached").as(ServerDown), true
	}
	taken, _ := s.viewOf(l).Get(l.row.Name) // the version knows it
	if taken.Number == asked || l.Value == "" {
		return Finding{}, false
	}
	f := Finding{}.does(fmt.Sprintf("write what you want to have: %d, or another value within the bounds", taken.Number), "takes %d instead of %d, without a message", taken.Number, asked)
	switch {
	case l.era.AtMost != "" && asked > 0:
		f.Instead = fmt.Sprintf("raise %s to %d or more, or lower this", l.era.AtMost, asked)
	case asked == -1, l.era.Use.Multiple != 0 && taken.Number-asked < l.era.Use.Multiple && asked >= l.era.Use.Min:
		f = f.as(Note) // -1 is how people write the default; rounding does no harm
	}
	return f, true
}

// viewOf returns the settings in force where a line stands.
func (s *subject) viewOf(l line) view { return s.viewNamed(l.alias) }

// unitRules say from which number on, or up to which, a setting was probably
// meant in another unit. Limits are of what a machine can sensibly have.
var unitRules = []struct {
	name     string
	below    int64 // above 0 and less than this
	above    int64 // this and more; 0 is never
	severity Severity
	text     string
	instead  string
}{
	{confgen.TempCacheLimit, 64 << 10, 0, Error, "%d bytes, less than one block: every sort goes to files", "the limit is in bytes: write %[1]dM if megabytes are meant"},
	{confgen.TempCacheLimit, 1 << 20, 0, Warning, "%d bytes: nearly every sort goes to files", "write 8M or more"},
	{confgen.DefaultDbCachePages, 0, 1 << 24, Error, "%d pages, 128 GiB and more of 8 KB pages", "it is a number of pages, not of bytes: divide by the page size"},
	{confgen.FileSystemCacheThreshold, 0, 1 << 24, Warning, "%d pages, more than any cache has", "it is a number of pages, not of bytes: twice the page buffers is enough"},
	{confgen.InlineSortThreshold, 0, 64<<10 + 1, Warning, "%d bytes, more than any record has: every field goes through every sort", "it is the size of one record: write 1000 to 16384"},
	{"MaxUserTraceLogSize", 0, 100 << 10, Error, "%d MiB", "the size is in MiB: write 10 for 10 MiB"},
	{confgen.MaxStatementCacheSize, 0, 1 << 30, Error, "%d bytes for each connection", "write 2M to 32M: every connection has a cache of its own"},
	{confgen.MaxStatementCacheSize, 16 << 10, 0, Error, "%d bytes, too few for a statement", "the size is in bytes: write %[1]dM if megabytes are meant"},
	{"StatementTimeout", 0, 1<<32/1000 + 1, Error, "%d seconds, which times 1000 is too large for the engine's number", "the timeout is in seconds"},
	{"ExtConnPoolLifeTime", 0, 86401, Note, "%d seconds", "the time is in seconds, a day at most"},
}

func units(s *subject, l line) (Finding, bool) {
	n := l.Int(s.Dialect())
	for _, r := range unitRules {
		if r.name != l.row.Name || n <= 0 || !(n < r.below || r.above != 0 && n >= r.above) || s.meant(l, n) {
			continue
		}
		instead := r.instead
		if strings.Contains(instead, "%[1]d") {
			instead = fmt.Sprintf(instead, n)
		}
		return Finding{}.does(instead, "takes "+r.text, n).as(r.severity), true
	}
	return Finding{}, false
}

// meant reports whether a number that is large for most is right for this
// server: page buffers that its memory holds, a threshold that its caches need.
func (s *subject) meant(l line, n int64) bool {
	switch l.row.Name {
	case confgen.DefaultDbCachePages:
		return s.Host != nil && confgen.Pages(n).Of(8*confgen.KiB) <= s.Host.Memory.Usable.Or(0)
	case confgen.FileSystemCacheThreshold:
		const enough = 4
		return slices.ContainsFunc(s.views, func(v view) bool {
			pages, _, _ := v.number(confgen.DefaultDbCachePages)
			return n <= enough*pages
		})
	}
	return false
}

// windowsInstead is what to do elsewhere in place of a setting of Windows.
var windowsInstead = map[string]string{
	confgen.CpuAffinityMask:     "delete the line; use taskset, or CPUAffinity= in the service's unit",
	confgen.FileSystemCacheSize: "delete the line; the kernel sizes its own cache",
	"ProcessPriorityLevel":      "delete the line; use nice, or Nice= in the service's unit",
}

func noEffectHere(s *subject, l line) (Finding, bool) {
	if l.row.Platform != confgen.WindowsOnly || s.Windows {
		return Finding{}, false
	}
	instead, speed := windowsInstead[l.row.Name]
	f := Finding{}.does(orElse(instead, "delete the line"), "ignores it outside Windows")
	def, _ := l.row.Default(s.Version, s.mode)
	if !speed || l.Value == def {
		f = f.as(Note)
	}
	return f, true
}

func orElse(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}
