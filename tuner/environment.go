package tuner

import (
	"errors"
	"fmt"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner/golden"
)

// Environment is what figures depend on beside the configuration. Figures
// without it are worth little, so every result carries it.
type Environment struct {
	Fbtune    string                `json:"fbtune"` // version
	Firebird  firebird.Installation `json:"firebird"`
	Host      probe.Host            `json:"host"`
	Isolation string                `json:"isolation"`         // of the private server
	Database  golden.Copy           `json:"database,omitzero"` // every trial started from a copy of it; absent of a growth, which has one for each size
	CacheMode string                `json:"cache_mode"`
	Load      Load                  `json:"load"`
}

// warm is the cache mode of all trials: the fresh copy was just written, so it
// is in the operating system's cache.
const warm = "database file in the operating system's cache at the start of every trial (just copied)"

// below is the cache mode where the memory cap holds the file cache too.
const below = "database file read once below the memory cap before every trial, so that the cap holds what is cached of it"

// DefaultCap returns the memory cap of a private server when none is asked
// for: half of what this machine can use, and no more than four fifths of what
// is available now. The error is for a machine whose memory is not known.
func DefaultCap(host probe.Host) (confgen.Bytes, error) {
	if !host.Memory.Usable.Known() {
		return 0, &probe.MemoryError{Reason: "the memory of this machine is not known; give a cap, such as --cap 4G"}
	}
	limit := host.Memory.Usable.Or(0) / 2
	if host.Memory.Available.Known() {
		limit = min(limit, host.Memory.Available.Or(0)/5*4)
	}
	return limit / confgen.MiB * confgen.MiB, nil
}

// Candidate is a cell as the memory model sees it.
func (e Environment) Candidate(c Cell) confgen.Candidate {
	return confgen.Candidate{
		Version: e.Firebird.Version, Mode: c.Mode, Settings: c.Settings,
		Connections: e.Load.Connections + e.Load.Reports, Sorters: e.Load.Reports + 1,
		Databases: []confgen.Database{{
			Name: "trial", Path: e.Database.Path, Size: confgen.Bytes(e.Database.Bytes), PageSize: confgen.Bytes(e.Load.PageSize),
		}},
	}
}

// Same returns why trials measured in another environment cannot be compared
// with those of e, or nil.
func (e Environment) Same(other Environment) error {
	if fact := differing(append(e.likeness(other), likeness{"the database", e.Database.SHA256, other.Database.SHA256})); fact != nil {
		return fmt.Errorf("%s was %s and is %s now: start a new study", fact.name, fact.a, fact.b)
	}
	return nil
}

// Like returns why another machine must not work on a study that was begun in e,
// or nil: its verdicts would be for a mixture of machines. What both load must be
// the same rows in any case.
func (e Environment) Like(other Environment, mixed bool) error {
	if e.Database.Load.Checksum != other.Database.Load.Checksum || e.Database.Key != other.Database.Key {
		return errors.New("this machine loaded another database than the study has: run the same fbtune and the same version of Firebird on all machines")
	}
	if mixed {
		return nil
	}
	memory := likeness{"the memory", e.memory(), other.memory()}
	disk := likeness{"the file system", e.Host.Disk.FileSystem.String(), other.Host.Disk.FileSystem.String()}
	if fact := differing(append(e.likeness(other), memory, disk)); fact != nil {
		return fmt.Errorf("%s is %s where the study was begun and %s here: use like machines, or say --mixed", fact.name, fact.a, fact.b)
	}
	return nil
}

// likeness is a fact of two environments.
type likeness struct{ name, a, b string }

// differing returns the first fact that is not the same in both, or nil.
func differing(facts []likeness) *likeness {
	for _, fact := range facts {
		if fact.a != fact.b {
			return &fact
		}
	}
	return nil
}

// likeness lists what figures depend on wherever they are from.
func (e Environment) likeness(other Environment) []likeness {
	return []likeness{
		{"Firebird", e.Firebird.Build, other.Firebird.Build},
		{"the processor", e.Host.CPU.Model.String(), other.Host.CPU.Model.String()},
		{"the number of processors", e.Host.CPU.Usable.String(), other.Host.CPU.Usable.String()},
	}
}

// memory is what the machine can use, in steps of 256 MiB: two machines of one
// kind differ by what their firmware keeps.
func (e Environment) memory() string {
	if !e.Host.Memory.Usable.Known() {
		return e.Host.Memory.Usable.String()
	}
	const step = 256 * confgen.MiB
	return ((e.Host.Memory.Usable.Or(0) + step/2) / step * step).String()
}
