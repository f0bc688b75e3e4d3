package probe

import (
	"fmt"
	"strconv"
	"strings"
)

// MemoryError says that the memory of a machine is unknown or absurd, so that
// nothing can be advised from it.
type MemoryError struct{ Reason string }

// Error ends with what to do.
func (e *MemoryError) Error() string {
	return "read the memory of this machine: " + e.Reason + "; state it by hand, for example --memory 16G"
}

// Bounds of what is believed to be a machine's memory.
const (
	leastMemory = 16 * MiB
	mostMemory  = PiB
)

// readMemory reads /proc/meminfo and the limits of the cgroups.
func readMemory(t tree, g groups) (Memory, error) {
	m := Memory{Limits: g.memoryLimits()}
	text, err := t.text("proc/meminfo")
	if err != nil {
		for _, f := range [...]*Fact[Bytes]{&m.Total, &m.Available, &m.SwapTotal, &m.SwapFree} {
			*f = missing[Bytes]("%v", err)
		}
	} else {
		values := table(text)
		m.Total = memInfo(values, "MemTotal")
		m.Available = memInfo(values, "MemAvailable")
		m.SwapTotal = memInfo(values, "SwapTotal")
		m.SwapFree = memInfo(values, "SwapFree")
	}
	return m, m.settle()
}

// memInfo returns a value of /proc/meminfo, which counts in kB of 1024 bytes.
func memInfo(values map[string]string, key string) Fact[Bytes] {
	text, ok := values[key]
	if !ok {
		return missing[Bytes]("/proc/meminfo has no %s", key)
	}
	kilobytes, err := strconv.ParseInt(strings.TrimSuffix(text, " kB"), 10, 64)
	if err != nil || kilobytes < 0 || kilobytes > int64(1<<62/KiB) {
		return missing[Bytes]("/proc/meminfo: %s is %.30q", key, text)
	}
	return known(Bytes(kilobytes)*KiB, "/proc/meminfo "+key)
}

// settle checks the memory and derives its usable part.
func (m *Memory) settle() error {
	fail := func(format string, args ...any) error {
		reason := fmt.Sprintf(format, args...)
		m.Usable = missing[Bytes]("%s", reason)
		return &MemoryError{Reason: reason}
	}
	total := m.Total
	switch {
	case !total.Known():
		return fail("%s", total.Missing)
	case total.Value < leastMemory || total.Value > mostMemory:
		return fail("%s says %s, which no machine for Firebird has", total.Source, total.Value)
	case m.Available.Known() && m.Available.Value > total.Value:
		return fail("%s says %s are available of %s", m.Available.Source, m.Available.Value, total.Value)
	}
	m.Usable = known(total.Value, total.Source)
	for _, limit := range m.Limits {
		if limit.Limit < leastMemory {
			return fail("%s limits it to %s, too little for Firebird", limit.File, limit.Limit)
		}
		if limit.Limit < m.Usable.Value {
			m.Usable = known(limit.Limit, limit.File)
		}
	}
	return nil
}
