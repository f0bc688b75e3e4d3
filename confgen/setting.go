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
)

// Unit is what an integer setting counts.
type Unit string

// Units of settings.
const (
	NoUnit      Unit = ""
	UnitPages   Unit = "pages"
	UnitBytes   Unit = "bytes"
	UnitSlots   Unit = "slots"
	UnitSeconds Unit = "seconds"
	UnitPercent Unit = "percent of RAM"
	UnitTries   Unit = "tries"
	UnitWrites  Unit = "page writes"
	UnitMask    Unit = "bit mask of CPUs"
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
	NoMemory        Memory = ""
	MemoryPageCache Memory = "page cache"
	MemoryLockTable Memory = "lock table"
	MemorySort      Memory = "sort memory"
	MemoryNetwork   Memory = "network buffers"
)

// Restart is what makes a changed setting take effect.
type Restart string

// Restarts.
const (
	RestartServer   Restart = "server restart"
	RestartDatabase Restart = "server restart, or the database's last disconnect when written in databases.conf"
)

// ByMode is a value for each architecture.
type ByMode struct{ Super, SuperClassic, Classic string }

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

// Fate is what the engine does with a number outside a setting's bounds.
type Fate string

// Fates.
const (
	Kept      Fate = ""        // taken as it is
	Clamped   Fate = "clamped" // moved to the bound
	Defaulted Fate = "default" // replaced by the default
	Zeroed    Fate = "zero"    // replaced by 0
	Fatal     Fate = "fatal"   // no attach is possible
)

// Bounds are the numbers a setting takes and what happens to others. The zero
// Bounds takes every number.
type Bounds struct {
	Min, Max int64 // inclusive; both 0 when there are none

	Negative Fate // decided first
	Low      Fate // below Min
	High     Fate // above Max

	Int32    bool  // whether only the low 32 bits are kept, as a signed number, before all else
	Modulo   int64 // when not 0, taken modulo this before the bounds
	Multiple int64 // when not 0, rounded up to a multiple of this at last
}

// Era is what holds for a setting from one version on, until the next Era of
// the same setting.
type Era struct {
	From    Version // with a patch level where the change came with one
	Removed bool    // true when the setting is unknown from then on

	Default ByMode // as the engine prints it, in full
	Windows ByMode // default on Windows where it differs; zero otherwise
	Scope   Scope
	Bounds  Bounds
	Words   []string // what a Word may be; empty otherwise
	Fold    bool     // whether Words are compared without regard to case
}

// Setting is one row of the catalogue.
type Setting struct {
	Name       string
	Type       Type
	Unit       Unit
	Platform   Platform
	Effect     string // one sentence
	Restart    Restart
	FeltBy     []Load
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

// Number returns what the engine of version v makes of the text of an integer
// setting, after its bounds. The error is for a value with which no attach is
// possible, or a setting v does not know.
func (s Setting) Number(v Version, mode Mode, text string) (int64, error) {
	era, ok := s.In(v)
	if !ok {
		return 0, fmt.Errorf("read %s: Firebird %s does not know it; remove it", s.Name, v)
	}
	n, b := v.dialect().Int(text), era.Bounds
	if b.Int32 {
		n = int64(int32(n))
	}
	if b.Modulo != 0 {
		n = int64(uint64(n) % uint64(b.Modulo))
	}
	fate, bound := Kept, int64(0)
	switch {
	case n < 0 && b.Negative != Kept:
		fate = b.Negative
	case n < b.Min:
		fate, bound = b.Low, b.Min
	case b.Max != 0 && n > b.Max:
		fate, bound = b.High, b.Max
	}
	switch fate {
	case Clamped:
		n = bound
	case Zeroed:
		n = 0
	case Defaulted:
		n = v.dialect().Int(era.Default.In(mode))
	case Fatal:
		return 0, fmt.Errorf("read %s = %s: Firebird cannot attach with more than %d; write less", s.Name, text, b.Max)
	}
	if b.Multiple != 0 {
		n = (n + b.Multiple - 1) / b.Multiple * b.Multiple
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
		return "", fmt.Errorf("read %s: Firebird %s does not know it; remove it", s.Name, v)
	}
	switch s.Type {
	case Boolean:
		return strconv.FormatBool(v.dialect().Bool(text)), nil
	case Word:
		return era.word(mode, text), nil
	}
	n, err := s.Number(v, mode, text)
	if err != nil {
		return "", err
	}
	switch s.Unit {
	case UnitBytes:
		return Bytes(n).String(), nil
	case NoUnit:
		return strconv.FormatInt(n, 10), nil
	}
	return fmt.Sprintf("%d %s", n, s.Unit), nil
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
