package workload

import (
	"fmt"
	"math"
)

// SchemaVersion is the version of the tables, the procedures and the way their
// data are made. A database loaded under another version holds other data and
// must be loaded anew.
const SchemaVersion = 1

// The cardinalities of one full warehouse, from the TPC-C standard, 1.2.1.
const (
	districtsPerWarehouse    = 10
	fullCustomersPerDistrict = 3000
	fullItems                = 100000
	// undeliveredTenths of a district's first orders are still undelivered (900 of 3000).
	undeliveredTenths = 3
	// lastNames is how many last names three syllables make.
	lastNames = 1000
)

// Limits of a Scale.
const (
	maxWarehouses  = 9999 // what the packed order lines of a new order hold
	minCardinality = 0.01 // 30 customers a district: below, an order has no room for distinct items and names
)

// Scale says how much data a database holds. Equal scales make equal data.
type Scale struct {
	Warehouses  int     `json:"warehouses"`
	Cardinality float64 `json:"cardinality"` // fraction (0, 1] of the rows a TPC-C warehouse has
	Seed        int64   `json:"seed"`        // of the generators; any value
}

// Default returns ten full warehouses, about 1 GB.
func Default() Scale { return Scale{Warehouses: 10, Cardinality: 1, Seed: 1} }

// Quick returns ten warehouses at a tenth of the rows, about 100 MB. It keeps
// the ten warehouses because with fewer, hot rows decide and no cache is felt.
func Quick() Scale { return Scale{Warehouses: 10, Cardinality: 0.1, Seed: 1} }

// cardinalitySteps is how finely a cardinality is computed: to three customers
// a district.
const cardinalitySteps = 1000

// ScaleOfSize returns the scale whose loaded file comes closest to a size in
// bytes. Up to ten full warehouses, about 1 GB, it is ten warehouses with a part
// of their rows: with fewer, hot rows decide and no cache is felt, so that a
// series of sizes would differ in more than size. Above, it is as many full
// warehouses as fit.
func ScaleOfSize(bytes, seed int64) (Scale, error) {
	s := Default()
	s.Seed = seed
	rows := float64(bytes - emptyFileBytes)
	if ten := float64(s.Warehouses*fullWarehouseBytes + fullItemBytes); rows < ten {
		s.Cardinality = math.Round(rows/ten*cardinalitySteps) / cardinalitySteps
	} else {
		s.Warehouses = int(math.Round((rows - fullItemBytes) / fullWarehouseBytes))
	}
	if s.Validate() != nil {
		smallest := Scale{Warehouses: Default().Warehouses, Cardinality: minCardinality}
		largest := Scale{Warehouses: maxWarehouses, Cardinality: 1}
		return Scale{}, fmt.Errorf("a database of %d MiB: give a size from %d MiB to %d GiB", bytes>>20, smallest.EstimatedBytes()>>20+1, largest.EstimatedBytes()>>30)
	}
	return s, nil
}

// Validate reports a scale that cannot be loaded.
func (s Scale) Validate() error {
	if s.Warehouses < 1 || s.Warehouses > maxWarehouses {
		return fmt.Errorf("%d warehouses: give a number from 1 to %d", s.Warehouses, maxWarehouses)
	}
	if !(s.Cardinality >= minCardinality && s.Cardinality <= 1) {
		return fmt.Errorf("cardinality %g: give a fraction from %g to 1", s.Cardinality, minCardinality)
	}
	return nil
}

// customers returns the customers of a district, which is also the number of its first orders.
func (s Scale) customers() int {
	return int(math.Round(fullCustomersPerDistrict * s.Cardinality))
}

// items returns the rows of ITEM, which is also the stock rows of a warehouse.
func (s Scale) items() int { return int(math.Round(fullItems * s.Cardinality)) }

// names returns how many of the thousand last names occur in every district:
// the first customers get them in sequence, so that every look-up finds a row.
func (s Scale) names() int { return min(lastNames, s.customers()) }

// undelivered returns how many of a district's first orders are not delivered yet.
func (s Scale) undelivered() int { return s.customers() * undeliveredTenths / 10 }

// Bytes of a loaded file, measured with Firebird 3.0.11 at 8 KiB pages: what an
// empty database takes, and what each warehouse and the items add at full
// cardinality. See TestEstimatedBytes, which loads and compares.
const (
	emptyFileBytes     = 2 << 20
	fullWarehouseBytes = 97 << 20
	fullItemBytes      = 10 << 20
)

// EstimatedBytes returns the size of the loaded file in bytes, for checks of
// free space: measured sizes scaled by rows, within a tenth at 8 KiB pages.
func (s Scale) EstimatedBytes() int64 {
	rows := s.Cardinality * (float64(s.Warehouses)*fullWarehouseBytes + fullItemBytes)
	return emptyFileBytes + int64(rows)
}
