package tuner

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/workload"
)

// Growth is a series of database sizes. Each is loaded afresh, and driven by the
// same load in the same configuration.
type Growth struct {
	Sizes []Size `json:"sizes"`
	// Paths are the directories databases live in: one, which may be "" for the
	// work directory, or two that are compared.
	Paths    []string          `json:"paths"`
	Mode     confgen.Mode      `json:"mode"`
	Settings map[string]string `json:"settings"` // as written in firebird.conf, ServerMode among them
	Blocks   int               `json:"blocks"`
	Seed     uint64            `json:"seed"`      // of the order within blocks
	Load     Load              `json:"load"`      // of every trial but for the scale, which is the first size's
	Cap      confgen.Bytes     `json:"cap_bytes"` // of the server's memory, the file cache of its databases included
	Root     string            `json:"firebird_root"`

	// WithPublished says that IBSurgeon's series is shown beside this one.
	WithPublished bool `json:"with_published,omitempty"`
}

// Size is how much data one database of a growth holds.
type Size struct {
	Name  string         `json:"size"` // as it was asked for, such as 512M
	Scale workload.Scale `json:"scale"`
}

// Bytes is about how large the loaded database is.
func (s Size) Bytes() confgen.Bytes { return confgen.Bytes(s.Scale.EstimatedBytes()) }

// Validate reports what keeps the growth from being measured.
func (g Growth) Validate() error {
	var names []string
	scales := map[workload.Scale]string{}
	for _, s := range g.Sizes {
		if err := s.Scale.Validate(); err != nil {
			return err
		}
		if same, twice := scales[s.Scale]; twice && same != s.Name {
			return fmt.Errorf("growth: %s and %s come to the same database of about %s; leave one of them out", same, s.Name, s.Bytes())
		}
		scales[s.Scale] = s.Name
		names = append(names, s.Name)
	}
	switch {
	case len(g.Sizes) == 0:
		return errors.New("growth: give sizes, such as --sizes 128M,256M,512M,1G, or --warehouses 10,20,50")
	case repeated(names) != "":
		return fmt.Errorf("growth: %s is given twice; give each size once", repeated(names))
	case len(g.Paths) != 1 && len(g.Paths) != 2:
		return fmt.Errorf("growth on %d paths: give one, or two to compare", len(g.Paths))
	case repeated(g.Paths) != "":
		return fmt.Errorf("growth: --path %s is given twice; give two directories to compare", repeated(g.Paths))
	case g.Blocks < 1:
		return fmt.Errorf("growth in %d blocks: give at least 1, better 3 or more", g.Blocks)
	case g.Load.Duration <= 0:
		return errors.New("growth: give a window above 0, such as --duration 10s")
	case g.Load.Rate != 0:
		return errors.New("growth: throughput is what is measured; leave the rate out")
	}
	return g.Load.plan(1).Validate()
}

// Cells returns what is measured: each size of the plan on each path.
func (g Growth) Cells() []Cell {
	var cells []Cell
	for _, s := range g.Sizes {
		for _, path := range g.Paths {
			c := Cell{Name: s.Name, Mode: g.Mode, Value: s.Name, Settings: maps.Clone(g.Settings)}
			if len(g.Paths) > 1 {
				c.Name, c.Other = s.Name+" in "+path, path
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// place returns the size and the path of the cell with an index, by index.
func (g Growth) place(cell int) (size, path int) { return cell / len(g.Paths), cell % len(g.Paths) }

// Order returns the indices of the cells in the order of one block: the sizes in
// an order of that block's own, and of two paths now the one first, now the
// other, so that what is compared is measured one after the other.
func (g Growth) Order(block int) []int {
	var order []int
	for _, size := range rand.New(rand.NewPCG(g.Seed, uint64(block))).Perm(len(g.Sizes)) {
		var both []int
		for path := range g.Paths {
			both = append(both, size*len(g.Paths)+path) // the inverse of place
		}
		if block%2 == 1 {
			slices.Reverse(both)
		}
		order = append(order, both...)
	}
	return order
}

// Runs is how many trials the growth has.
func (g Growth) Runs() int { return g.Blocks * len(g.Sizes) * len(g.Paths) }

// copyRate is at what rate a bound reckons with a database being copied, flushed
// and read once, in bytes per second: that of a slow disk. The virtual disk of
// README takes 0.7 s for 1 GB.
const copyRate = 50e6

// Bound is the longest the growth is promised to take, and how much of that is
// for loading: at the slowest rate of the published series, which was measured on
// two SATA disks. A server that fails to start is not counted.
func (g Growth) Bound() (all, loading time.Duration) {
	for _, s := range g.Sizes {
		size := float64(s.Bytes())
		load := g.Load
		load.Scale = s.Scale
		trial := load.bound() + seconds(size/copyRate)
		loading += seconds(size/slowestPublishedLoad()) * time.Duration(len(g.Paths))
		all += trial * time.Duration(g.Blocks*len(g.Paths))
	}
	return (all + loading).Round(time.Second), loading.Round(time.Second)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Check reports, before anything is loaded, what would keep the growth from being
// measured: a configuration that does not fit the cap, as a [*confgen.DoesNotFit],
// and disks without room for the golden copies that are not there yet and for the
// largest of all databases once more with its growth. Each bench is for the path
// of its index.
func (g Growth) Check(benches []*Bench) error {
	env := benches[0].env
	for _, s := range g.Sizes {
		env.Database.Bytes = max(env.Database.Bytes, int64(s.Bytes()))
	}
	if err := confgen.Fits(env.Candidate(g.Cells()[0]), g.Cap); err != nil {
		return err
	}
	need := map[string]confgen.Bytes{} // by what is mounted
	for _, b := range benches {
		disk := b.env.Host.Disk
		room, err := b.room(g.Sizes)
		if err != nil {
			return err
		}
		at := disk.Source.Or(disk.Path)
		need[at] += room
		if free := disk.Free; free.Known() && free.Or(0) < need[at] {
			return fmt.Errorf("load %d databases in %s: %s free, %s needed for golden copies and a trial's copy; free some, choose another --path, or leave out the largest size",
				len(g.Sizes), disk.Path, free.Or(0), need[at])
		}
	}
	return nil
}

// room is how much the disk of a bench must have free.
func (b *Bench) room(sizes []Size) (confgen.Bytes, error) {
	var missing, largest confgen.Bytes
	for _, s := range sizes {
		has, err := b.has(s.Scale)
		if err != nil {
			return 0, err
		}
		if !has {
			missing += s.Bytes()
		}
		largest = max(largest, s.Bytes())
	}
	return missing + (roomFactor-1)*largest, nil
}
