package confgen

import (
	"fmt"
	"strconv"
	"strings"
)

// Type is the type of a setting's value.
type Type string

// Types of settings.
const (
	Integer Type = "integer"
	Boolean Type = "boolean"
	Word    Type = "word" // one of a few words
	Text    Type = "text" // a path, an address, a list of names
)

// Unit is what an integer setting counts.
type Unit string

// Units of settings.
const (
	NoUnit           Unit = ""
	UnitPages        Unit = "pages"
	UnitBytes        Unit = "bytes"
	UnitMebibytes    Unit = "MiB"
	UnitSlots        Unit = "slots"
	UnitMilliseconds Unit = "ms"
	UnitSeconds      Unit = "seconds"
	UnitMinutes      Unit = "minutes"
	UnitPercent      Unit = "percent of RAM"
	UnitTries        Unit = "tries"
	UnitWrites       Unit = "page writes"
	UnitWorkers      Unit = "workers"
	UnitConnections  Unit = "connections"
	UnitCharacters   Unit = "characters"
	UnitMask         Unit = "bit mask of CPUs"
)

// Scope is where a setting may be written.
type Scope string

// Scopes.
const (
	ServerScope   Scope = "server"   // firebird.conf only; ignored inside a block of databases.conf
	DatabaseScope Scope = "database" // firebird.conf, or a database's block in databases.conf
)

// Platform is where a setting has an effect.
type Platform string

// Platforms.
const (
	Anywhere    Platform = ""
	WindowsOnly Platform = "windows"
)

// Topic groups settings for a reader.
type Topic string

// Topics, in the order of the catalogue.
const (
	TopicCache    Topic = "page cache and files"
	TopicSort     Topic = "sorts and temporary data"
	TopicLock     Topic = "lock table"
	TopicEngine   Topic = "engine"
	TopicServer   Topic = "server process"
	TopicNetwork  Topic = "network"
	TopicAccess   Topic = "access and security"
	TopicLanguage Topic = "SQL and compatibility"
)

// Load is a kind of work by which a setting can be felt.
type Load string

// Kinds of work.
const (
	FeltByOLTP    Load = "oltp"
	FeltBySort    Load = "sort"
	FeltByLoad    Load = "load"    // loading, restoring, growing
	FeltByConnect Load = "connect" // many connections, or connecting often
)

// Memory names the line of the memory budget that a setting moves.
type Memory string

// Lines of the budget.
const (
	NoMemory         Memory = ""
	MemoryPageCache  Memory = "page cache"
	MemoryLockTable  Memory = "lock table"
	MemorySort       Memory = "sort memory"
	MemoryNetwork    Memory = "network buffers"
	MemoryStatements Memory = "statement cache"
	MemoryShared     Memory = "shared tables" // of events, snapshots and transaction states
)

// Formula says how a setting of the line becomes memory.
func (m Memory) Formula() string {
	return map[Memory]string{
		MemoryPageCache:  "pages x (page size + 0.6 KB to manage it): per database in Super, per connection in SuperClassic and Classic; taken as the cache fills, not at the start",
		MemoryLockTable:  "per database: 8 B a slot + 64 KB + each connection's locks, with about 100 B for each page it caches in SuperClassic and Classic; grown in steps of LockMemSize",
		MemorySort:       "TempCacheLimit per server up to 3.0, per database from 4.0 on (per connection in SuperClassic of 4.0.0 to 4.0.4 and 5.0.0), per connection in Classic; beside it 128 KB for each running sort",
		MemoryNetwork:    "two buffers per connection",
		MemoryStatements: "per connection, as statements are prepared and no longer in use",
		MemoryShared:     "per database, doubled when full",
	}[m]
}

// Restart is what makes a changed setting take effect.
type Restart string

// Restarts.
const (
	RestartServer   Restart = "server restart"
	RestartDatabase Restart = "server restart, or the database's last disconnect when written in databases.conf"
	RestartClient   Restart = "the next connection of a client that reads the file"
)

// ByMode is a value for each architecture.
type ByMode struct {
	Super        string `json:"Super"`
	SuperClassic string `json:"SuperClassic"`
	Classic      string `json:"Classic"`
}

// same returns one value for all architectures.
func same(value string) ByMode { return ByMode{value, value, value} }

// shared returns a value for Super and another for the two architectures that
// give every connection its own cache.
func shared(super, others string) ByMode { return ByMode{super, others, others} }

// In returns the value for a mode.
func (b ByMode) In(mode Mode) string {
	switch mode {
	case SuperClassic:
		return b.SuperClassic
	case Classic:
		return b.Classic
	}
	return b.Super
}

// Era is what holds for a setting from one version on, until the next Era of
// the same setting.
type Era struct {
	From    Version // with a patch level where the change came with one
	Removed bool    // true when the setting is unknown from then on

	Default ByMode // as the engine prints it, in full
	Windows ByMode // default on Windows where it differs; zero otherwise
	Scope   Scope

	Bounds Bounds // applied when the file is read: RDB$CONFIG prints what they leave
	Use    Bounds // applied after that, where the value is used
	AtMost string // a setting whose value bounds this one from above; empty without one

	Words     []string // what a Word may be; empty otherwise
	Fold      bool     // whether Words are compared without regard to case
	WordsKept bool     // whether RDB$CONFIG prints a word that is not among Words; the engine uses the default all the same
}

// Setting is one row of the catalogue.
type Setting struct {
	Name       string
	Topic      Topic
	Type       Type
	Unit       Unit
	Platform   Platform
	Effect     string // one sentence
	Restart    Restart
	FeltBy     []Load // none when it is about access, start or results, not about speed
	Memory     Memory
	Durability bool   // whether it trades safety of data for speed
	Source     string // files of Firebird, by branch: 30:src/... is B3_0_Release
	Eras       []Era  // oldest first
}

// In returns what holds for the setting in version v, and false when v does
// not know the setting.
func (s Setting) In(v Version) (Era, bool) {
	for i := len(s.Eras) - 1; i >= 0; i-- {
		if era := s.Eras[i]; v.AtLeast(era.From) {
			return era, !era.Removed
		}
	}
	return Era{}, false
}

// Default returns the built-in value of the setting on Linux, spelled in full,
// and false when v does not know the setting.
func (s Setting) Default(v Version, mode Mode) (string, bool) {
	era, ok := s.In(v)
	return era.Default.In(mode), ok
}

// unknown is the error of a version that does not know the setting.
func (s Setting) unknown(v Version) error {
	return fmt.Errorf("read %s: Firebird %s does not know it; remove it", s.Name, v)
}

// Number returns what the engine of version v makes of the text of an integer
// setting, after its bounds. The error is for a value with which no attach is
// possible, or a setting v does not know.
func (s Setting) Number(v Version, mode Mode, text string) (int64, error) {
	return s.number(v, mode, v.dialect().Int(text), text)
}

// number is Number of a number that was read already; text is for the error.
func (s Setting) number(v Version, mode Mode, n int64, text string) (int64, error) {
	era, ok := s.In(v)
	if !ok {
		return 0, s.unknown(v)
	}
	def := v.dialect().Int(era.Default.In(mode))
	n, good := era.Bounds.apply(n, def)
	if good {
		n, good = era.Use.apply(n, def)
	}
	if !good {
		return 0, fmt.Errorf("read %s = %s: Firebird %s cannot attach with it, for it keeps %d of it; write a number such as %s", s.Name, text, v, n, era.Default.In(mode))
	}
	return n, nil
}

// firstWithSuffixes is the version from which integers may carry k, m or g.
var firstWithSuffixes = Version{3, 0, 0}

// Means says what the engine of version v does with text: "2048 pages",
// "64 MiB", "SuperClassic".
func (s Setting) Means(v Version, mode Mode, text string) (string, error) {
	era, ok := s.In(v)
	if !ok {
		return "", s.unknown(v)
	}
	switch s.Type {
	case Boolean:
		return strconv.FormatBool(v.dialect().Bool(text)), nil
	case Word:
		return era.word(mode, text), nil
	case Text:
		return text, nil
	}
	n, err := s.Number(v, mode, text)
	if err != nil {
		return "", err
	}
	return s.measure(n), nil
}

// measure spells a number with its unit.
func (s Setting) measure(n int64) string {
	switch s.Unit {
	case UnitBytes:
		return Bytes(n).String()
	case UnitMebibytes:
		return times(n, MiB).String()
	case UnitMask:
		return cpus(uint64(n))
	case NoUnit:
		return strconv.FormatInt(n, 10)
	}
	if single, ok := singular[s.Unit]; ok && n == 1 {
		return "1 " + single
	}
	return fmt.Sprintf("%d %s", n, s.Unit)
}

// cpus spells a bit mask of CPUs.
func cpus(mask uint64) string {
	if mask == 0 {
		return "all CPUs"
	}
	var list []string
	for i := range 64 {
		if mask&(1<<i) != 0 {
			list = append(list, strconv.Itoa(i))
		}
	}
	return "CPU " + strings.Join(list, ", ")
}

// Overflows reports whether the engine of a version loses digits of a number
// this large, so that what it works with has nothing to do with what was
// written.
func (s Setting) Overflows(v Version, n int64) bool {
	era, known := s.In(v)
	return known && era.overflows(n)
}

// singular has the units that are counted.
var singular = map[Unit]string{
	UnitPages: "page", UnitSlots: "slot", UnitSeconds: "second", UnitMinutes: "minute", UnitTries: "try",
	UnitWrites: "page write", UnitWorkers: "worker", UnitConnections: "connection", UnitCharacters: "character",
}

// word returns the word the engine acts on: text when it is one it knows, else
// the default.
func (e Era) word(mode Mode, text string) string {
	for _, w := range e.Words {
		if w == text || e.Fold && strings.EqualFold(w, text) {
			return w
		}
	}
	return e.Default.In(mode)
}

// printed spells a value as RDB$CONFIG of 4.0 and newer does: numbers in full,
// after the bounds that are applied when the file is read.
func (s Setting) printed(v Version, mode Mode, n int64, on bool, text string) string {
	era, _ := s.In(v) // the caller asks for settings that v knows
	switch s.Type {
	case Boolean:
		return strconv.FormatBool(on)
	case Word:
		if word := era.word(mode, text); !era.WordsKept && !strings.EqualFold(word, text) {
			return word
		}
		return text
	case Text:
		return text
	}
	n, _ = era.Bounds.apply(n, v.dialect().Int(era.Default.In(mode))) // the configuration itself refuses nothing
	return strconv.FormatInt(n, 10)
}
