package space

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Options is what a space is built for.
type Options struct {
	Version confgen.Version
	Modes   []confgen.Mode // to choose from; none is all, or Super alone where Only does not name ServerMode
	Load    Load
	Cap     confgen.Bytes // of the server's memory; 0 is none

	Only   []string // the settings to exercise; none is those the load feels
	Fix    []string // Key=Value, in every point
	Ranges []string // Key=lo..hi, exercised with a ladder in that range

	// Include are configurations whose values the ladders must hold, such as
	// the present and the advised one. A range is not widened for them.
	Include []map[string]string
}

// Build returns the space of some options. The error says what to change in
// them.
func Build(o Options) (*Space, error) {
	b := builder{Options: o}
	for _, step := range []func() error{b.read, b.choose, b.chooseModes, b.makeLadders} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("build the search space: %w", err)
		}
	}
	s := b.space
	for _, step := range []func() error{s.dropTooLarge, s.dropSingle, s.pinCacheMode, b.flag} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("build the search space: %w", err)
		}
	}
	if len(s.Dimensions) == 0 {
		return nil, fmt.Errorf("build the search space: no setting is left to choose; name some by --only, or fix fewer")
	}
	return s, nil
}

// A builder is a space in the making.
type builder struct {
	Options
	space  *Space
	only   []string // Firebird's spelling
	ranges map[string]span
	chosen []row
}

// read parses what a person wrote.
func (b *builder) read() error {
	held, err := confgen.ParseSettings(b.Fix, b.Version)
	if err != nil {
		return err
	}
	b.space = &Space{Version: b.Version, Load: b.Load, Cap: b.Cap, Held: held, written: map[string]written{}}
	for _, name := range b.Only {
		row, known := confgen.Lookup(name)
		if !known {
			if near, ok := confgen.Suggest(name, b.Version); ok {
				return fmt.Errorf("only %s: no such setting is known; did you mean %s?", name, near.Name)
			}
			return fmt.Errorf("only %s: no such setting is known; fbtune settings lists them", name)
		}
		if _, in := row.In(b.Version); !in {
			return fmt.Errorf("only %s: Firebird %s does not know it; leave it out", row.Name, b.Version)
		}
		b.only = append(b.only, row.Name)
	}
	b.ranges = map[string]span{}
	for _, text := range b.Ranges {
		r, err := parseRange(text, b.Version)
		if err != nil {
			return err
		}
		if _, twice := b.ranges[r.name]; twice {
			return fmt.Errorf("range %q: %s is given twice", text, r.name)
		}
		b.ranges[r.name] = r
	}
	for name := range held {
		_, ranged := b.ranges[name]
		if ranged || slices.Contains(b.only, name) {
			return fmt.Errorf("%s is fixed and to be exercised at once; leave out one of both", name)
		}
	}
	return nil
}

// choose picks the settings to exercise, and notes why others are left out.
func (b *builder) choose() error {
	names := slices.Clone(b.only)
	for _, r := range rows() {
		names = append(names, r.name)
	}
	for name := range b.ranges {
		names = append(names, name)
	}
	order := map[string]int{} // of the table; others come after it
	for i, r := range rows() {
		order[r.name] = i + 1 - len(rows())
	}
	slices.Sort(names)
	names = slices.Compact(names)
	slices.SortStableFunc(names, func(x, y string) int { return order[x] - order[y] })
	for _, name := range names {
		setting, _ := confgen.Lookup(name)
		if _, in := setting.In(b.Version); !in {
			continue
		}
		if reason := b.leaveOut(setting); reason != "" {
			if _, fixed := b.space.Held[name]; !fixed && name != confgen.ServerMode {
				b.space.Omitted = append(b.space.Omitted, Omission{Name: name, Reason: reason})
			}
			continue
		}
		r := rowOf(name)
		_, ranged := b.ranges[name]
		switch {
		case isCacheMode(name) && (ranged || name != cacheModeSetting(b.Version)):
			return fmt.Errorf("%s has no range: what matters is whether the system's cache is used; name %s by --only, or fix it", name, cacheModeSetting(b.Version))
		case setting.Type == confgen.Text:
			return fmt.Errorf("only %s: it is a text, without values to try; fix it by --fix, or leave it out", name)
		case setting.Type == confgen.Integer && r.super == nil && !ranged && !isCacheMode(name):
			return fmt.Errorf("only %s: fbtune has no values of it to try; give some by --range %s=lo..hi", name, name)
		}
		b.chosen = append(b.chosen, r)
	}
	return nil
}

// leaveOut returns why a setting is not exercised, "" when it is.
func (b *builder) leaveOut(setting confgen.Setting) string {
	_, ranged := b.ranges[setting.Name]
	_, fixed := b.space.Held[setting.Name]
	named := ranged || slices.Contains(b.only, setting.Name)
	felt := slices.ContainsFunc(setting.FeltBy, func(l confgen.Load) bool { return slices.Contains(b.Load.feels(), l) })
	switch {
	case fixed:
		return "fixed"
	case named:
		return ""
	case setting.Name == confgen.ServerMode && (len(b.Modes) > 1 || len(b.Modes) == 0 && len(b.only) == 0):
		return ""
	case isCacheMode(setting.Name) && setting.Name != cacheModeSetting(b.Version):
		return fmt.Sprintf("%s overrides it", cacheModeSetting(b.Version))
	case len(b.only) > 0:
		return "not named by --only"
	case setting.Durability:
		return "it trades safety of data for speed; name it by --only if you mean it"
	case !felt && slices.Contains(setting.FeltBy, confgen.FeltBySort):
		return "the load does not feel it: nothing sorts; give --reports, or name it by --only"
	case !felt:
		return fmt.Sprintf("the load does not feel it (it is felt by %s); name it by --only", words(setting.FeltBy))
	}
	return ""
}

// words joins kinds of load.
func words(loads []confgen.Load) string {
	names := make([]string, len(loads))
	for i, l := range loads {
		names[i] = string(l)
	}
	return strings.Join(names, ", ")
}

// chooseModes settles the architectures.
func (b *builder) chooseModes() error {
	s := b.space
	setting, _ := confgen.Lookup(confgen.ServerMode)
	_, chooses := setting.In(b.Version)
	i := slices.IndexFunc(b.chosen, func(r row) bool { return r.name == confgen.ServerMode })
	fixed, held := s.Held[confgen.ServerMode]
	switch {
	case held:
		s.Modes = []confgen.Mode{confgen.EngineMode(fixed)}
	case len(b.Modes) > 0:
		s.Modes = slices.Clone(b.Modes)
	case i >= 0:
		s.Modes = confgen.Modes()
	default:
		s.Modes = []confgen.Mode{confgen.Super}
	}
	slices.SortFunc(s.Modes, func(x, y confgen.Mode) int {
		return slices.Index(confgen.Modes(), x) - slices.Index(confgen.Modes(), y)
	})
	s.Modes = slices.Compact(s.Modes)
	if !chooses && len(s.Modes) > 1 || !chooses && len(b.Modes) == 0 {
		return fmt.Errorf("the architecture of Firebird %s is that of its program; give one by --mode", b.Version)
	}
	if len(s.Modes) == 1 {
		if i >= 0 {
			b.chosen = slices.Delete(b.chosen, i, i+1)
		}
		if chooses {
			s.Held[confgen.ServerMode] = string(s.Modes[0])
		}
	}
	return nil
}

// makeLadders makes the dimensions of the chosen settings.
func (b *builder) makeLadders() error {
	for _, r := range b.chosen {
		setting, _ := confgen.Lookup(r.name)
		d := Dimension{
			Name: r.name, Words: setting.Type != confgen.Integer || isCacheMode(r.name),
			Durability: setting.Durability, ladders: map[confgen.Mode]Ladder{},
		}
		for _, mode := range b.space.Modes {
			if r.modes != nil && !slices.Contains(r.modes, mode) {
				continue
			}
			ladder, err := b.ladder(r, setting, mode)
			if err != nil {
				return err
			}
			d.ladders[mode] = ladder
		}
		if len(d.ladders) == 0 {
			b.space.Omitted = append(b.space.Omitted, Omission{Name: r.name, Reason: fmt.Sprintf("it has no effect in %v", b.space.Modes)})
			continue
		}
		b.space.Dimensions = append(b.space.Dimensions, d)
	}
	for _, p := range partners {
		if _, held := b.space.Held[p.name]; held || !b.space.has(p.of) || b.space.has(p.name) {
			continue
		}
		i := b.space.index(p.of)
		ladder := b.space.Dimensions[i].ladders[b.space.Modes[0]]
		b.space.Held[p.name] = ladder.Values[len(ladder.Values)-1]
	}
	return nil
}

// ladder makes the ladder of a setting in an architecture.
func (b *builder) ladder(r row, setting confgen.Setting, mode confgen.Mode) (Ladder, error) {
	def, _ := setting.Default(b.Version, mode)
	era, _ := setting.In(b.Version)
	switch {
	case setting.Name == confgen.ServerMode:
		return wordLadder(modeWords(b.space.Modes), def), nil
	case isCacheMode(setting.Name):
		used, unused := cacheModeWords(b.Version)
		return wordLadder([]string{used, unused}, used), nil
	case setting.Type == confgen.Boolean:
		return wordLadder(confgen.BooleanWords(b.Version), boolean(b.Version, def)), nil
	case setting.Type == confgen.Word:
		return wordLadder(era.Words, def), nil
	}
	if ranged, ok := b.ranges[r.name]; ok {
		numbers := between(ranged.low, ranged.high, r.step, r.round)
		if n, err := defaultNumber(setting, b.Version, mode); err == nil && n >= ranged.low && n <= ranged.high {
			numbers = append(numbers, n)
		}
		return numberLadder(setting, b.Version, mode, numbers)
	}
	n, err := defaultNumber(setting, b.Version, mode)
	if err != nil {
		return Ladder{}, err
	}
	numbers := append(slices.Clone(r.numbers(mode)), n)
	for _, settings := range b.Include {
		text, set := lookup(settings, r.name)
		if word, chosen := lookup(settings, confgen.ServerMode); !set || chosen && confgen.EngineMode(word) != mode {
			continue
		}
		n, err := setting.Number(b.Version, mode, text)
		if err != nil {
			return Ladder{}, err
		}
		numbers = append(numbers, n)
	}
	return numberLadder(setting, b.Version, mode, numbers)
}

func modeWords(modes []confgen.Mode) []string {
	names := make([]string, len(modes))
	for i, m := range modes {
		names[i] = string(m)
	}
	return names
}

// flag warns of settings that trade safety of data for speed.
func (b *builder) flag() error {
	named := slices.Sorted(maps.Keys(b.space.Held))
	for _, d := range b.space.Dimensions {
		named = append(named, d.Name)
	}
	for _, name := range named {
		if setting, ok := confgen.Lookup(name); ok && setting.Durability {
			b.space.Flags = append(b.space.Flags, fmt.Sprintf("%s trades safety of data for speed: a crash of the machine can lose or damage what was committed", name))
		}
	}
	return nil
}

// index returns the position of a dimension, or -1.
func (s *Space) index(name string) int {
	return slices.IndexFunc(s.Dimensions, func(d Dimension) bool { return d.Name == name })
}

// has reports whether points differ in a setting.
func (s *Space) has(name string) bool { return s.index(name) >= 0 }
