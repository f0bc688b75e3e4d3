package probe

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
)

// Pressure is how much work stood still for want of memory (the kernel's
// pressure stall information).
type Pressure struct {
	Some Stall `json:"some"` // at least one task waited
	Full Stall `json:"full"` // all tasks waited
}

// Stall is the share of time that was lost, in percent over the last 10, 60
// and 300 seconds, and in total since the machine or the cgroup started.
type Stall struct {
	Avg10  float64       `json:"avg10"`
	Avg60  float64       `json:"avg60"`
	Avg300 float64       `json:"avg300"`
	Total  time.Duration `json:"total_ns"`
}

// ReadPressure reads /proc/pressure/memory under fsys, the root of a machine.
// On kernels without it the error is [fs.ErrNotExist].
func ReadPressure(fsys fs.FS) (Pressure, error) {
	data, err := fs.ReadFile(fsys, "proc/pressure/memory")
	if err != nil {
		return Pressure{}, fmt.Errorf("read memory pressure: %w", err)
	}
	return ParsePressure(string(data))
}

// ParsePressure reads the text of /proc/pressure/memory, or of memory.pressure
// of a cgroup:
//
//	some avg10=0.00 avg60=0.00 avg300=0.00 total=0
//	full avg10=0.00 avg60=0.00 avg300=0.00 total=0
func ParsePressure(text string) (Pressure, error) {
	var p Pressure
	seen := 0
	for line := range strings.Lines(text) {
		kind, values, _ := strings.Cut(strings.TrimSpace(line), " ")
		into, ok := map[string]*Stall{"some": &p.Some, "full": &p.Full}[kind]
		if !ok {
			continue
		}
		stall, err := parseStall(values)
		if err != nil {
			return Pressure{}, fmt.Errorf("parse memory pressure %q: %w", line, err)
		}
		*into = stall
		seen++
	}
	if seen == 0 {
		return Pressure{}, fmt.Errorf("parse memory pressure: no line starts with some or full in %.40q", text)
	}
	return p, nil
}

// parseStall reads the values of one line.
func parseStall(text string) (Stall, error) {
	var s Stall
	averages := map[string]*float64{"avg10": &s.Avg10, "avg60": &s.Avg60, "avg300": &s.Avg300}
	for field := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(field, "=")
		if name == "total" {
			micros, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return Stall{}, err
			}
			s.Total = time.Duration(micros) * time.Microsecond
			continue
		}
		into, ok := averages[name]
		if !ok {
			continue // a later kernel's
		}
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return Stall{}, err
		}
		*into = n
	}
	return s, nil
}
