package probe

import (
	"strconv"
	"strings"
)

// stealColumn is the place of the stolen time on the line "cpu" of /proc/stat,
// after user nice system idle iowait irq softirq (proc_stat(5)). The times of
// guests after it are part of user and nice.
const stealColumn = 8

// steal returns the share of CPU time since the start of the machine that the
// hypervisor gave to others, in percent.
func steal(t tree) Fact[float64] {
	const file = "/proc/stat"
	text, err := t.text(file)
	if err != nil {
		return missing[float64]("%v", err)
	}
	first, _, _ := strings.Cut(text, "\n")
	fields := strings.Fields(first)
	if len(fields) <= stealColumn || fields[0] != "cpu" {
		return missing[float64]("%s has no stolen time", file)
	}
	var all, stolen float64
	for _, field := range fields[1 : stealColumn+1] {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return missing[float64]("%s: %.30q is not a number", file, field)
		}
		all, stolen = all+ticks, ticks
	}
	if all == 0 {
		return missing[float64]("%s counts no time", file)
	}
	return known(100*stolen/all, file+" since the start")
}
