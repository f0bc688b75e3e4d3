package space

import (
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

// FuzzRange gives a range and a held setting as a person may write them: the
// space either refuses them or holds only values that the setting may have.
func FuzzRange(f *testing.F) {
	for _, seed := range [][2]string{
		{"DefaultDbCachePages=1024..16384", "GCPolicy=combined"},
		{"LockMemSize=1M..64M", "ServerMode=Classic"},
		{"LockHashSlots=-1..9e99", "=x"},
		{"TempCacheLimit=..", "TempBlockSize=12XB"},
		{"DefaultDbCachePages=0..9223372036854775807", "DefaultDbCachePages='; drop table"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, ranged, held string) {
		v := confgen.Version{Major: 3, Patch: confgen.AnyPatch}
		s, err := Build(Options{Version: v, Load: oltp, Cap: 8 * confgen.GiB, Ranges: []string{ranged}, Fix: []string{held}})
		if err != nil {
			return
		}
		for name, values := range s.Ladders() {
			row, known := confgen.Lookup(name)
			if !known || len(values) == 0 {
				t.Fatalf("%q and %q give %s the values %q", ranged, held, name, values)
			}
			for _, value := range values {
				if err := row.CheckValue(v, value); err != nil {
					t.Errorf("%q and %q give %s = %q: %v", ranged, held, name, value, err)
				}
			}
		}
	})
}
