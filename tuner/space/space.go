// Package space holds the configurations that a search may try: for every
// setting a ladder of explicit values.
//
// A space is built from the settings catalogue for one version of Firebird, the
// architectures to choose from, the load and the memory cap. It holds only what
// the load can feel; everything else is listed with the reason. What cannot fit
// the memory is refused before it runs.
package space

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// A Dimension is a setting that the points of a space differ in.
type Dimension struct {
	Name       string // Firebird's spelling
	Words      bool   // whether its values have no order
	Durability bool   // whether it trades safety of data for speed

	ladders map[confgen.Mode]Ladder
}

// Ladder returns the values of the dimension in an architecture, and false
// where the setting has no effect, as GCPolicy has none in Classic.
func (d Dimension) Ladder(mode confgen.Mode) (Ladder, bool) {
	ladder, ok := d.ladders[mode]
	return ladder, ok
}

// Off is the rung of a dimension that has no ladder in a point's architecture.
const Off = -1

// A Point is one configuration of a space: a rung for every dimension, in the
// order of Space.Dimensions, or Off. Points belong to their space.
type Point []int

// An Omission is a setting that a space leaves out.
type Omission struct {
	Name   string `json:"name"`
	Reason string `json:"reason"` // why, and what to do to have it all the same
}

// A Space is the set of configurations that a search may try.
type Space struct {
	Version confgen.Version
	Modes   []confgen.Mode // to choose from, at least one
	Load    Load
	Cap     confgen.Bytes // of the server's memory; 0 is none

	// Dimensions are what points differ in; ServerMode is the first of them
	// when there is a choice.
	Dimensions []Dimension
	// Held is written in every point: what was fixed, and what keeps points
	// comparable.
	Held map[string]string
	// Omitted are settings that are not exercised.
	Omitted []Omission
	// Refused are values that the ladders leave out.
	Refused []Refusal
	// Flags are warnings that belong beside every result of the space.
	Flags []string

	written map[string]written  // settings whose text depends on the rest of the point
	cells   map[string]struct{} // by Key: all there is of a recorded space; nil otherwise
}

// written is how a setting is written whose text depends on the rest of the
// point.
type written struct {
	text    func(settings map[string]string) string // instead of the rung's
	instead []string                                // what text may return beside the rungs
}

// Mode returns the architecture of a point.
func (s *Space) Mode(p Point) confgen.Mode {
	if s.choosesMode() {
		return s.Modes[p[0]]
	}
	return s.Modes[0]
}

// choosesMode reports whether ServerMode is a dimension.
func (s *Space) choosesMode() bool {
	return len(s.Dimensions) > 0 && s.Dimensions[0].Name == confgen.ServerMode
}

// Ladder returns the ladder of dimension i in the architecture of p, and false
// where it has none.
func (s *Space) Ladder(i int, p Point) (Ladder, bool) { return s.Dimensions[i].Ladder(s.Mode(p)) }

// Value returns the text of a point's rung in dimension i, "" for Off.
func (s *Space) Value(i int, p Point) string {
	if ladder, ok := s.Ladder(i, p); ok {
		return ladder.Values[p[i]]
	}
	return ""
}

// Settings returns a point as written in firebird.conf, what is held included.
func (s *Space) Settings(p Point) map[string]string {
	settings := maps.Clone(s.Held)
	if settings == nil {
		settings = make(map[string]string, len(s.Dimensions))
	}
	for i, d := range s.Dimensions {
		if text := s.Value(i, p); text != "" {
			settings[d.Name] = text
		}
	}
	for name, w := range s.written {
		if _, ok := settings[name]; ok {
			settings[name] = w.text(settings)
		}
	}
	return settings
}

// Key returns the point's rungs in words, the same for the same configuration
// of spaces with the same dimensions: "ServerMode=Classic
// DefaultDbCachePages=256".
func (s *Space) Key(p Point) string {
	words := make([]string, 0, len(s.Dimensions))
	for i, d := range s.Dimensions {
		if text := s.Value(i, p); text != "" {
			words = append(words, d.Name+"="+text)
		}
	}
	return strings.Join(words, " ")
}

// Ladders returns all values that each setting has in the settings of points,
// as a study keeps them (study.Space).
func (s *Space) Ladders() map[string][]string {
	ladders := map[string][]string{}
	add := func(name, text string) {
		if !slices.Contains(ladders[name], text) {
			ladders[name] = append(ladders[name], text)
		}
	}
	for name, text := range s.Held {
		add(name, text)
	}
	for _, d := range s.Dimensions {
		for _, mode := range s.Modes {
			for _, text := range d.ladders[mode].Values {
				add(d.Name, text)
			}
		}
	}
	for name, w := range s.written {
		for _, text := range w.instead {
			add(name, text)
		}
	}
	return ladders
}

// Default returns the point of an architecture of the space in which every
// setting has the engine's default, or the lowest rung where a range leaves
// that out.
func (s *Space) Default(mode confgen.Mode) Point {
	p := make(Point, len(s.Dimensions))
	for i, d := range s.Dimensions {
		ladder, ok := d.Ladder(mode)
		switch {
		case d.Name == confgen.ServerMode:
			p[i] = max(0, slices.Index(s.Modes, mode))
		case !ok:
			p[i] = Off
		default:
			p[i] = max(0, ladder.Default)
		}
	}
	return p
}

// Point returns the point of the space that a configuration is, or comes
// nearest to; what it does not set has the engine's default. exact reports
// whether every dimension has the very value. The error is for an architecture
// that is not in the space.
func (s *Space) Point(settings map[string]string) (p Point, exact bool, err error) {
	mode := s.Modes[0]
	if text, ok := lookup(settings, confgen.ServerMode); ok {
		mode = confgen.EngineMode(text)
	} else if slices.Contains(s.Modes, confgen.Super) {
		mode = confgen.Super
	}
	if !slices.Contains(s.Modes, mode) {
		return nil, false, fmt.Errorf("ServerMode %s is not among the architectures of the search; name it by --modes", mode)
	}
	p, exact = s.Default(mode), true
	for i, d := range s.Dimensions {
		ladder, ok := d.Ladder(mode)
		if !ok || d.Name == confgen.ServerMode {
			continue
		}
		text, set := lookup(settings, d.Name)
		if isCacheMode(d.Name) && s.cells == nil {
			text, set = s.cacheModeOf(mode, settings), true
		}
		if !set {
			exact = exact && ladder.Default >= 0
			continue
		}
		rung, same := ladder.nearest(s.Version, mode, d.Name, text)
		p[i], exact = rung, exact && same
	}
	return p, exact, nil
}

// lookup returns a setting by its name in any case.
func lookup(settings map[string]string, name string) (string, bool) {
	for key, value := range settings {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// Size returns the number of combinations of rungs, feasible or not; it
// saturates at MaxInt.
func (s *Space) Size() int {
	if s.cells != nil {
		return len(s.cells)
	}
	total := 0
	for _, mode := range s.Modes {
		n := 1
		for _, d := range s.Dimensions {
			if ladder, ok := d.Ladder(mode); ok && d.Name != confgen.ServerMode {
				n = product(n, len(ladder.Values))
			}
		}
		total = max(total, total+n)
	}
	return total
}

// All returns every combination of rungs, feasible or not, architecture by
// architecture, the last dimension changing fastest.
func (s *Space) All() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for _, mode := range s.Modes {
			p := s.Default(mode)
			for i := range p {
				if p[i] != Off && s.Dimensions[i].Name != confgen.ServerMode {
					p[i] = 0
				}
			}
			for more := true; more; more = s.next(p) {
				if !yield(slices.Clone(p)) {
					return
				}
			}
		}
	}
}

// next moves p to the next combination within its architecture, and returns
// false after the last.
func (s *Space) next(p Point) bool {
	for i := len(p) - 1; i >= 0; i-- {
		ladder, ok := s.Ladder(i, p)
		if !ok || s.Dimensions[i].Name == confgen.ServerMode {
			continue
		}
		if p[i]++; p[i] < len(ladder.Values) {
			return true
		}
		p[i] = 0
	}
	return false
}

// Points returns the feasible points, in the order of All.
func (s *Space) Points() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for p := range s.All() {
			if s.Fits(p) && !yield(p) {
				return
			}
		}
	}
}
