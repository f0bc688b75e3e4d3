package confgen

import (
	"fmt"
	"strings"
)

// SettingFacts is a row of the catalogue for people and programs.
type SettingFacts struct {
	Name          string     `json:"name"`
	Topic         Topic      `json:"topic"`
	Vendor        Vendor     `json:"vendor"` // empty for Firebird's own
	Type          Type       `json:"type"`
	Unit          Unit       `json:"unit"`
	Platform      Platform   `json:"platform"` // where it has an effect; empty: anywhere
	Effect        string     `json:"effect"`
	Restart       Restart    `json:"restart"`
	FeltBy        []Load     `json:"felt_by"`
	Memory        Memory     `json:"memory"` // line of the memory budget
	MemoryFormula string     `json:"memory_formula"`
	Durability    bool       `json:"durability"`
	Source        string     `json:"source"`
	Versions      []EraFacts `json:"versions"` // oldest first; empty for a vendor's
	In            *EraChosen `json:"in,omitempty"`
}

// EraFacts is what holds for a setting from a version on.
type EraFacts struct {
	From           Version  `json:"from"`
	Known          bool     `json:"known"` // false when it was removed
	Default        ByMode   `json:"default"`
	WindowsDefault *ByMode  `json:"windows_default,omitempty"` // where it differs
	Scope          Scope    `json:"scope"`
	Bounds         []string `json:"bounds"` // what becomes of numbers and words
}

// EraChosen is what holds in the version that was asked for.
type EraChosen struct {
	Firebird Version `json:"firebird"`
	EraFacts
}

// Facts returns the row; of the versions it names v alone too, unless that is
// the zero Version.
func (s Setting) Facts(v Version) SettingFacts {
	facts := SettingFacts{
		Name: s.Name, Topic: s.Topic, Type: s.Type, Unit: s.Unit, Platform: s.Platform, Effect: s.Effect, Restart: s.Restart,
		FeltBy: append([]Load{}, s.FeltBy...), Memory: s.Memory, MemoryFormula: s.Memory.Formula(), Durability: s.Durability, Source: s.Source,
		Versions: []EraFacts{},
	}
	for _, era := range s.Eras {
		facts.Versions = append(facts.Versions, era.facts(s))
	}
	if era, known := s.In(v); known {
		facts.In = &EraChosen{v, era.facts(s)}
	}
	return facts
}

// Facts returns a vendor's setting as a row.
func (s VendorSetting) Facts() SettingFacts {
	return SettingFacts{
		Name: s.Name, Vendor: s.Vendor, Effect: s.Effect + " Ignored by stock Firebird.", Source: s.Source,
		FeltBy: []Load{}, Versions: []EraFacts{},
	}
}

func (e Era) facts(s Setting) EraFacts {
	facts := EraFacts{From: e.From, Known: !e.Removed, Default: e.Default, Scope: e.Scope, Bounds: []string{}}
	if e.Removed {
		return facts
	}
	if e.Windows != (ByMode{}) {
		facts.WindowsDefault = &e.Windows
	}
	facts.Bounds = append(facts.Bounds, e.Bounds.describe()...)
	facts.Bounds = append(facts.Bounds, e.Use.describe()...)
	if e.AtMost != "" {
		facts.Bounds = append(facts.Bounds, "more than "+e.AtMost+" becomes that")
	}
	if len(e.Words) > 0 {
		how := "in any case"
		if !e.Fold {
			how = "spelled exactly so"
		}
		quoted := make([]string, len(e.Words))
		for i, w := range e.Words {
			quoted[i] = w
			if w == "" {
				quoted[i] = "nothing"
			}
		}
		facts.Bounds = append(facts.Bounds, fmt.Sprintf("%s, %s; every other word silently becomes the default", strings.Join(quoted, ", "), how))
	}
	return facts
}

// describe says in words what becomes of numbers, a rule each.
func (b Bounds) describe() []string {
	var rules []string
	add := func(format string, args ...any) { rules = append(rules, fmt.Sprintf(format, args...)) }
	switch {
	case b.Int32:
		add("only the low 32 bits are kept, as a signed number")
	case b.Uint32:
		add("only the low 32 bits are kept")
	}
	if b.Modulo != 0 {
		add("taken modulo %d", b.Modulo)
	}
	if b.Negative != Kept {
		add("below 0 %s", b.becomes(b.Negative, 0))
	}
	if b.Low != Kept {
		add("less than %d %s", b.Min, b.becomes(b.Low, b.Min))
	}
	if b.High != Kept {
		add("more than %d %s", b.Max, b.becomes(b.High, b.Max))
	}
	if b.Zero {
		add("0 stays 0")
	}
	if b.Multiple != 0 {
		add("rounded up to a multiple of %d", b.Multiple)
	}
	return rules
}

// becomes says what a fate makes of a number.
func (b Bounds) becomes(f Fate, bound int64) string {
	switch f {
	case Clamped:
		return fmt.Sprintf("becomes %d", bound)
	case Zeroed:
		return "becomes 0"
	case Replaced:
		return fmt.Sprintf("becomes %d", b.Instead)
	case Fatal:
		return "makes every attach fail"
	}
	return "becomes the default"
}
