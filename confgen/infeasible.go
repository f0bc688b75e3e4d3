package confgen

import "fmt"

// Infeasible is the error of an Input whose connections do not fit in the
// memory, even with the smallest values that are advised.
type Infeasible struct {
	Memory      Bytes
	Mode        Mode
	Connections int
	Largest     int   // the largest number of connections that is feasible; 0 when there is none
	Needs       Bytes // what the smallest values need for the connections asked for, in the worst case
}

// Error ends with what to do.
func (e *Infeasible) Error() string {
	advice := "no connection fits; give more memory or fewer databases"
	if e.Largest > 0 {
		advice = fmt.Sprintf("the largest feasible number is %d; give fewer connections, more memory or another mode", e.Largest)
	}
	return fmt.Sprintf("advise: %d connections in %s need at least %s, and %s (%s less what the system needs) are there: %s",
		e.Connections, e.Mode, e.Needs, e.Memory-system(e.Memory), e.Memory, advice)
}

// infeasible returns the error for facts that do not fit in any architecture
// to choose from: of the one that can have the most connections.
func infeasible(f facts, all []choice) error {
	var most *Infeasible
	for _, c := range all {
		smallest := newSizing(f, c.mode)
		needs, err := Required(smallest.candidate())
		if err != nil {
			return err
		}
		fits := func(connections int64) bool {
			fewer := f
			fewer.Connections = int(connections)
			s := newSizing(fewer, c.mode)
			return s.fits()
		}
		no := &Infeasible{
			Memory: f.memory, Mode: c.mode, Connections: f.Connections, Needs: needs,
			Largest: int(largest(1, int64(f.Connections), fits)),
		}
		if most == nil || no.Largest > most.Largest {
			most = no
		}
	}
	return most
}
