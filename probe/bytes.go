package probe

import (
	"fmt"
	"strings"
)

// Bytes is an amount of memory or storage in bytes.
type Bytes int64

// Units of Bytes, powers of 1024 as Firebird's k, m and g suffixes are.
const (
	KiB Bytes = 1 << (10 * (iota + 1))
	MiB
	GiB
	TiB
	PiB
)

// byteUnits are the units of Bytes.String, largest first.
var byteUnits = [...]struct {
	size Bytes
	name string
}{{PiB, "PiB"}, {TiB, "TiB"}, {GiB, "GiB"}, {MiB, "MiB"}, {KiB, "KiB"}}

// String returns b in the largest unit that keeps it at one or more, with at
// most one digit after the point: "24.0 GiB" is written "24 GiB".
func (b Bytes) String() string {
	if b < 0 {
		return fmt.Sprintf("%d B", int64(b))
	}
	for _, u := range byteUnits {
		if b >= u.size {
			number := fmt.Sprintf("%.1f", float64(b)/float64(u.size))
			return strings.TrimSuffix(number, ".0") + " " + u.name
		}
	}
	return fmt.Sprintf("%d B", int64(b))
}
