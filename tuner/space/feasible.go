package space

import (
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// A Load is the load that points are measured with.
type Load struct {
	Connections int           // of OLTP
	Reports     int           // further connections that sort
	PageSize    confgen.Bytes // of the database; 0 is the version's default
	Database    confgen.Bytes // size of the database's file; 0 is not known
}

// feels returns the kinds of work that the load does.
func (l Load) feels() []confgen.Load {
	kinds := []confgen.Load{confgen.FeltByOLTP}
	if l.Reports > 0 {
		kinds = append(kinds, confgen.FeltBySort)
	}
	return kinds
}

// Candidate returns a point as the memory model sees it.
func (s *Space) Candidate(p Point) confgen.Candidate {
	return s.candidate(s.Mode(p), s.Settings(p))
}

func (s *Space) candidate(mode confgen.Mode, settings map[string]string) confgen.Candidate {
	return confgen.Candidate{
		Version: s.Version, Mode: mode, Settings: settings,
		Connections: s.Load.Connections + s.Load.Reports, Sorters: s.Load.Reports + 1,
		Databases: []confgen.Database{{Name: "trial", Size: s.Load.Database, PageSize: s.Load.PageSize}},
	}
}

// Fits reports whether Feasible has no objection to a point.
func (s *Space) Fits(p Point) bool {
	if s.cells != nil {
		_, recorded := s.cells[s.Key(p)]
		return recorded
	}
	settings := s.Settings(p)
	if s.contradiction(s.Mode(p), settings) != nil {
		return false
	}
	if s.Cap == 0 {
		return true
	}
	need, err := confgen.Required(s.candidate(s.Mode(p), settings))
	return err == nil && need <= s.Cap
}

// Feasible returns why a point must not be run, or nil: its memory in the worst
// case is above the cap (a [*confgen.DoesNotFit]), its lock table would crash
// the server, or its values contradict each other.
func (s *Space) Feasible(p Point) error {
	if s.cells != nil {
		if !s.Fits(p) {
			return fmt.Errorf("%s is not among the recorded configurations", s.Key(p))
		}
		return nil
	}
	settings := s.Settings(p)
	if err := s.contradiction(s.Mode(p), settings); err != nil || s.Cap == 0 {
		return err
	}
	return confgen.Fits(s.candidate(s.Mode(p), settings), s.Cap)
}

// contradiction returns why settings cannot go together, or nil.
func (s *Space) contradiction(mode confgen.Mode, settings map[string]string) error {
	slots, memory := number(s.Version, mode, settings, confgen.LockHashSlots), number(s.Version, mode, settings, confgen.LockMemSize)
	if least := int64(confgen.LockTableLeast(s.Version, slots)); memory < least {
		return fmt.Errorf("%d slots need a LockMemSize of %d bytes, and it is %d: the server would crash at the first attach (Firebird issue 8885)", slots, least, memory)
	}
	for name := range settings {
		row, known := confgen.Lookup(name)
		era, in := row.In(s.Version)
		if !known || !in || era.AtMost == "" {
			continue
		}
		if n, most := number(s.Version, mode, settings, name), number(s.Version, mode, settings, era.AtMost); n > most {
			return fmt.Errorf("%s = %d is more than %s = %d: the engine would take %d", name, n, era.AtMost, most, most)
		}
	}
	return nil
}

// number returns what the engine makes of an integer setting of a
// configuration, or of its default where that does not set it; 0 where the
// version does not know it.
func number(v confgen.Version, mode confgen.Mode, settings map[string]string, name string) int64 {
	row, _ := confgen.Lookup(name)
	text, set := lookup(settings, name)
	if !set {
		text, _ = row.Default(v, mode)
	}
	n, err := row.Number(v, mode, text)
	if err != nil {
		return 0
	}
	return n
}
