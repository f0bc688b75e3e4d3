package confgen

import (
	"fmt"
	"strconv"
)

// PublishedValue is what a published rule gives for a setting, beside ours.
type PublishedValue struct {
	Name   string `json:"name"`   // of a database: "NAME: DefaultDbCachePages"
	Ours   string `json:"ours"`   // as written
	Theirs string `json:"theirs"` // as written
	Rule   string `json:"rule"`
}

// publishedFor is where IBSurgeon's calculator is known: its eight published
// outputs are for Firebird 5.0 in Super (cc.ib-aid.com, as collected in github
// CarlHarvey90/FB5-Config-Generator, 2025).
var publishedFor = struct {
	version Version
	mode    Mode
}{v50, Super}

// publishedConstants are the settings that are the same in all outputs.
var publishedConstants = []struct{ name, value, rule string }{
	{LockMemSize, "20M", "the same in all outputs (30M for the main database)"},
	{LockHashSlots, "40099", "the same in all outputs"},
	{UseFileSystemCache, "true", "the same in all outputs"},
	{InlineSortThreshold, "16384", "the same in all outputs"},
	{MaxParallelWorkers, "64", "the same in all outputs"},
	{ParallelWorkers, "1", "the same in all outputs"},
}

// ComparePublished puts the rule of IBSurgeon's configuration calculator, as
// fitted to its published outputs, beside an advice. The error is for a version
// and architecture of which no output is known.
func (a Advice) ComparePublished() ([]PublishedValue, error) {
	if a.Version.Line() != publishedFor.version.Line() || a.Mode != publishedFor.mode {
		return nil, fmt.Errorf("compare with ibsurgeon: outputs of its calculator are known for Firebird %s in %s only, not for %s in %s; leave --compare out, or ask for those",
			publishedFor.version.Line(), publishedFor.mode, a.Version, a.Mode)
	}
	ours := map[string]string{}
	for _, rec := range a.Settings {
		ours[rec.Name] = rec.Value
	}
	var all []PublishedValue
	add := func(name, mine, theirs, rule string) {
		all = append(all, PublishedValue{Name: name, Ours: mine, Theirs: theirs, Rule: rule})
	}
	const cacheRule = "25 % of RAM / page size, of the main database (exact in all outputs)"
	for _, d := range a.Databases {
		add(d.Name+": "+DefaultDbCachePages, strconv.FormatInt(int64(d.Pages), 10), strconv.FormatInt(int64(a.Memory/4/d.PageSize), 10), cacheRule)
	}
	add(DefaultDbCachePages, ours[DefaultDbCachePages], "50K", "the same in all outputs, for databases that are not named")
	temp, rule := a.Memory*2/15, "RAM / 7.5, rounded up to a MiB (outputs for 16 and 20 GiB)"
	if a.Memory < 16*GiB {
		temp, rule = a.Memory/8, "RAM / 8 (output for 12 GiB)"
	}
	add(TempCacheLimit, ours[TempCacheLimit], FormatSize(roundUp(temp, MiB), a.Version), rule+", for the main database; 256M for others")
	statements := min(32*MiB, a.Memory/20/Bytes(a.Connections))
	add(MaxStatementCacheSize, ours[MaxStatementCacheSize], FormatSize((statements+MiB/2)/MiB*MiB, a.Version), "5 % of RAM / users, at most 32M")
	for _, c := range publishedConstants {
		mine, advised := ours[c.name]
		if !advised {
			mine, _ = Default(c.name, a.Version, a.Mode)
			mine += " (default)"
		}
		add(c.name, mine, c.value, c.rule)
	}
	return all, nil
}
