package probe

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Busy is a process that reads or writes much just now.
type Busy struct {
	PID   int    `json:"pid"`
	Name  string `json:"name"`                   // of its program, as /proc/PID/comm has it
	Read  Bytes  `json:"read_bytes_per_second"`  // from disks
	Write Bytes  `json:"write_bytes_per_second"` // to be written to disks
}

// busyFrom is the rate from which a process is listed.
const busyFrom = MiB

// counters are what a process has read and written so far.
type counters struct {
	name        string
	read, write int64
}

// readBusy compares the counters of all processes over a short time.
func readBusy(ctx context.Context, sys System, t tree) Fact[[]Busy] {
	if sys.Sample <= 0 {
		return missing[[]Busy]("not sampled")
	}
	before, start := ioCounters(t), time.Now()
	if len(before) == 0 {
		return missing[[]Busy]("no /proc/PID/io can be read; run as root")
	}
	timer := time.NewTimer(sys.Sample)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return missing[[]Busy]("%v", ctx.Err())
	case <-timer.C:
	}
	return known(busiest(before, ioCounters(t), time.Since(start)), "/proc/PID/io over "+sys.Sample.String())
}

// ioCounters reads the counters of the processes that may be looked at, by PID.
func ioCounters(t tree) map[int]counters {
	all := map[int]counters{}
	for _, name := range t.names("proc") {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		io, err := t.text(path.Join("proc", name, "io"))
		if err != nil {
			continue // it ended, or is another user's
		}
		values := table(io)
		read, errRead := strconv.ParseInt(values["read_bytes"], 10, 64)
		write, errWrite := strconv.ParseInt(values["write_bytes"], 10, 64)
		comm, err := t.text(path.Join("proc", name, "comm"))
		if err != nil || errRead != nil || errWrite != nil {
			continue
		}
		all[pid] = counters{strings.TrimSpace(comm), read, write}
	}
	return all
}

// busiest returns the processes at or above busyFrom, the busiest first. A
// process that was not there before is left out: its counters have no start.
func busiest(before, after map[int]counters, elapsed time.Duration) []Busy {
	all := []Busy{}
	for pid, now := range after {
		was, ok := before[pid]
		if !ok || was.name != now.name {
			continue
		}
		rate := func(n int64) Bytes { return Bytes(float64(n) / elapsed.Seconds()) }
		b := Busy{pid, now.name, rate(now.read - was.read), rate(now.write - was.write)}
		if b.Read+b.Write >= busyFrom {
			all = append(all, b)
		}
	}
	slices.SortFunc(all, func(a, b Busy) int {
		if d := (b.Read + b.Write) - (a.Read + a.Write); d != 0 {
			return int(max(-1, min(1, d)))
		}
		return a.PID - b.PID
	})
	return all
}
