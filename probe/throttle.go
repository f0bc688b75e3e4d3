package probe

import (
	"path"
	"slices"
	"strings"
)

// Throttle is a limit that a cgroup puts on the speed of a disk.
type Throttle struct {
	Disk  string `json:"disk"`
	Group string `json:"group"` // path of the cgroup inside its hierarchy
	Limit string `json:"limit"` // in the words of io.max: wbps=1048576 (bytes/s), riops=500 (operations/s)
	File  string `json:"file"`  // the file that states it
}

// throttleFiles are the files of cgroup v1, and what io.max of v2 calls their
// limit.
var throttleFiles = []struct{ file, name string }{
	{"blkio.throttle.read_bps_device", "rbps"},
	{"blkio.throttle.write_bps_device", "wbps"},
	{"blkio.throttle.read_iops_device", "riops"},
	{"blkio.throttle.write_iops_device", "wiops"},
}

// throttles returns the limits on the speed of disks, innermost first.
func (g groups) throttles(disks []string) []Throttle {
	numbers := map[string]string{} // MAJOR:MINOR -> disk
	for _, disk := range disks {
		if number, err := g.t.text(path.Join("sys/class/block", disk, "dev")); err == nil {
			numbers[number] = disk
		}
	}
	var all []Throttle
	// Lines are MAJOR:MINOR LIMIT...; files of v1 leave the name of the limit out.
	read := func(d groupDir, name, prefix string) {
		file := path.Join(d.dir, name)
		text, err := g.t.text(file)
		if err != nil {
			return // the controller is not there
		}
		for line := range strings.Lines(text) {
			fields := strings.Fields(line)
			if len(fields) < 2 || numbers[fields[0]] == "" {
				continue
			}
			limits := slices.DeleteFunc(fields[1:], func(limit string) bool { return strings.HasSuffix(limit, "=max") })
			if len(limits) > 0 {
				all = append(all, Throttle{numbers[fields[0]], d.group, prefix + strings.Join(limits, " "), file})
			}
		}
	}
	for _, d := range g.v2 {
		read(d, "io.max", "")
	}
	for _, d := range g.v1["blkio"] {
		for _, f := range throttleFiles {
			read(d, f.file, f.name+"=")
		}
	}
	return all
}
