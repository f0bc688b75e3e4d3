package space

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/fbtune/fbtune/confgen"
)

// Of returns the space of which the given configurations are all there is: its
// ladders are the values they have, and no other combination is feasible. A
// setting that the configurations of an architecture do not have is not a
// dimension there.
func Of(v confgen.Version, cells []map[string]string) (*Space, error) {
	if len(cells) == 0 {
		return nil, errors.New("make a space of configurations: there are none")
	}
	s := &Space{Version: v, written: map[string]written{}, cells: make(map[string]struct{}, len(cells))}
	texts := map[string]map[confgen.Mode][]string{}
	for _, cell := range cells {
		mode := modeOf(cell)
		if !slices.Contains(s.Modes, mode) {
			s.Modes = append(s.Modes, mode)
		}
		for name, text := range cell {
			if texts[name] == nil {
				texts[name] = map[confgen.Mode][]string{}
			}
			texts[name][mode] = append(texts[name][mode], text)
		}
	}
	slices.SortFunc(s.Modes, func(x, y confgen.Mode) int {
		return slices.Index(confgen.Modes(), x) - slices.Index(confgen.Modes(), y)
	})
	names := slices.Sorted(maps.Keys(texts))
	slices.SortStableFunc(names, func(x, y string) int { // ServerMode is the first
		return boolOrder(x == confgen.ServerMode) - boolOrder(y == confgen.ServerMode)
	})
	for _, name := range names {
		d, err := s.recorded(name, texts[name])
		if err != nil {
			return nil, err
		}
		if name != confgen.ServerMode || len(s.Modes) > 1 {
			s.Dimensions = append(s.Dimensions, d)
		}
	}
	for _, cell := range cells {
		p, exact, err := s.Point(cell)
		if err != nil || !exact {
			return nil, errors.Join(err, fmt.Errorf("make a space of configurations: %v is not a point of it", cell))
		}
		if key := s.Key(p); s.Fits(p) {
			return nil, fmt.Errorf("make a space of configurations: %s is given twice", key)
		}
		s.cells[s.Key(p)] = struct{}{}
	}
	return s, nil
}

func boolOrder(first bool) int {
	if first {
		return 0
	}
	return 1
}

// modeOf returns the architecture of a configuration.
func modeOf(cell map[string]string) confgen.Mode {
	text, set := lookup(cell, confgen.ServerMode)
	if !set {
		return confgen.Super
	}
	return confgen.EngineMode(text)
}

// recorded makes the dimension of a setting from the texts it has in each
// architecture.
func (s *Space) recorded(name string, texts map[confgen.Mode][]string) (Dimension, error) {
	setting, known := confgen.Lookup(name)
	if _, in := setting.In(s.Version); !known || !in {
		return Dimension{}, fmt.Errorf("make a space of configurations: Firebird %s does not know %s", s.Version, name)
	}
	d := Dimension{
		Name: setting.Name, Words: setting.Type != confgen.Integer || isCacheMode(setting.Name),
		Durability: setting.Durability, ladders: map[confgen.Mode]Ladder{},
	}
	for mode, list := range texts {
		if name == confgen.ServerMode {
			d.ladders[mode] = wordLadder(modeWords(s.Modes), string(confgen.Super))
			continue
		}
		def, _ := setting.Default(s.Version, mode)
		if d.Words {
			slices.Sort(list)
			list = slices.Compact(list)
			if d.Name == confgen.FileSystemCacheThreshold && !slices.Contains(list, def) {
				// Stock has fewer pages than its threshold: the system's cache is
				// used, as it is with the highest recorded.
				def = slices.MaxFunc(list, func(a, b string) int {
					return cmp.Compare(confgen.ParseSize(a), confgen.ParseSize(b))
				})
			}
			d.ladders[mode] = wordLadder(list, def)
			continue
		}
		var numbers []int64
		for _, text := range list {
			n, err := setting.Number(s.Version, mode, text)
			if err != nil {
				return Dimension{}, err
			}
			numbers = append(numbers, n)
		}
		ladder, err := numberLadder(setting, s.Version, mode, numbers)
		if err != nil {
			return Dimension{}, err
		}
		d.ladders[mode] = ladder
	}
	return d, nil
}
