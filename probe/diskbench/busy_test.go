package diskbench

import "testing"

func TestOthers(t *testing.T) {
	before := processors{busy: 100, idle: 1000, own: 10}
	for name, row := range map[string]struct {
		after processors
		want  float64
		warns bool
	}{
		"alone":              {processors{busy: 104, idle: 1006, own: 14}, 0, false},
		"a quarter":          {processors{busy: 103.5, idle: 1006.5, own: 11}, 0.25, false},
		"more":               {processors{busy: 109, idle: 1001, own: 11}, 0.8, true},
		"rounded by clocks":  {processors{busy: 103, idle: 1007, own: 13.1}, 0, false},
		"no time has passed": {before, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := others(before, row.after)
			if got != row.want || (busyWarning(got) != nil) != row.warns {
				t.Errorf("others took %v, warning %q; want %v, %t", got, busyWarning(got), row.want, row.warns)
			}
		})
	}
}
