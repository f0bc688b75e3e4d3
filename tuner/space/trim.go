package space

import (
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/confgen"
)

// roomToGrow is how many times the pages of its database a cache may have: more
// is memory that no load can fill.
const roomToGrow = 1.25

// dropTooLarge takes off the rungs that cannot be felt, because the cache holds
// the whole database already, and those that cannot fit the cap whatever the
// other settings are.
func (s *Space) dropTooLarge() error {
	for _, mode := range s.Modes {
		if err := s.Feasible(s.cheapest(mode)); err != nil {
			return fmt.Errorf("not even the smallest values of %s can run: %w", mode, err)
		}
		for i := range s.Dimensions {
			d := &s.Dimensions[i]
			ladder, ok := d.ladders[mode]
			if !ok || d.Words {
				continue
			}
			whole := s.holdsAll(d.Name, ladder)
			kept := ladder.keep(func(rung int) bool { return rung <= whole && s.canFit(mode, i, rung) })
			if off := len(ladder.Values) - len(kept.Values); off > 0 {
				reason := fmt.Sprintf("a cache of %s pages holds the whole database", ladder.Values[whole])
				if whole == len(ladder.Values)-1 || len(kept.Values) <= whole {
					reason = fmt.Sprintf("the rest cannot fit in %s", s.Cap)
				}
				s.Refused = append(s.Refused, Refusal{Name: d.Name, Mode: mode, Values: dropped(ladder, kept), Reason: reason})
			}
			d.ladders[mode] = kept
		}
	}
	return nil
}

// A Refusal is values of a setting that were left out of its ladder.
type Refusal struct {
	Name   string       `json:"name"`
	Mode   confgen.Mode `json:"mode"`
	Values []string     `json:"values"`
	Reason string       `json:"reason"`
}

// dropped returns the values of a ladder that are not in another.
func dropped(from, kept Ladder) []string {
	return slices.DeleteFunc(slices.Clone(from.Values), func(text string) bool { return slices.Contains(kept.Values, text) })
}

// holdsAll returns the first rung of the page cache that holds the whole
// database with room to grow, the last rung of any other ladder.
func (s *Space) holdsAll(name string, ladder Ladder) int {
	last := len(ladder.Values) - 1
	if name != confgen.DefaultDbCachePages || s.Load.Database == 0 {
		return last
	}
	pageSize := s.Load.PageSize
	if pageSize == 0 {
		pageSize = 8 * confgen.KiB
	}
	need := int64(roomToGrow * float64(s.Load.Database) / float64(pageSize))
	if at := slices.IndexFunc(ladder.numbers, func(n int64) bool { return n >= need }); at >= 0 {
		return max(at, ladder.Default)
	}
	return last
}

// cheapest returns the point of an architecture with the lowest rungs, which
// needs the least memory.
func (s *Space) cheapest(mode confgen.Mode) Point {
	p := s.Default(mode)
	for i, d := range s.Dimensions {
		if p[i] != Off && !d.Words {
			p[i] = 0
		}
	}
	return p
}

// canFit reports whether a rung fits with the lowest ones of all else.
func (s *Space) canFit(mode confgen.Mode, dimension, rung int) bool {
	p := s.cheapest(mode)
	p[dimension] = rung
	need, err := confgen.Required(s.Candidate(p))
	return err == nil && (s.Cap == 0 || need <= s.Cap)
}

// keep returns a ladder of the rungs that ok accepts.
func (l Ladder) keep(ok func(rung int) bool) Ladder {
	kept := Ladder{Default: Off}
	for i := range l.Values {
		if !ok(i) {
			continue
		}
		if i == l.Default {
			kept.Default = len(kept.Values)
		}
		kept.Values = append(kept.Values, l.Values[i])
		kept.numbers = append(kept.numbers, l.numbers[i])
	}
	kept.place()
	return kept
}

// dropSingle removes dimensions of which one value is left everywhere, which is
// held then.
func (s *Space) dropSingle() error {
	s.Dimensions = slices.DeleteFunc(s.Dimensions, func(d Dimension) bool {
		for _, mode := range s.Modes {
			if ladder, ok := d.ladders[mode]; ok && len(ladder.Values) > 1 {
				return false
			}
		}
		s.Omitted = append(s.Omitted, Omission{Name: d.Name, Reason: "one value of it is left to try"})
		return true
	})
	return nil
}
