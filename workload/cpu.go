package workload

import (
	"fmt"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
)

// cpuSample is the processor time used up to one moment, in seconds.
type cpuSample struct {
	busy, idle     float64 // of the machine, all processors together
	client, server float64
}

// sampleCPU reads the machine's and the processes' counters. serverCPU may be nil.
func sampleCPU(serverCPU func() (time.Duration, error)) (cpuSample, error) {
	times, err := cpu.Times(false)
	if err != nil {
		return cpuSample{}, fmt.Errorf("read the machine's processor times: %w", err)
	}
	if len(times) != 1 {
		return cpuSample{}, fmt.Errorf("read the machine's processor times: %d rows instead of one", len(times))
	}
	m := times[0]
	s := cpuSample{
		// User time contains guests' time already.
		busy: m.User + m.Nice + m.System + m.Irq + m.Softirq + m.Steal,
		idle: m.Idle + m.Iowait,
	}
	own, err := ownCPU()
	if err != nil {
		return cpuSample{}, fmt.Errorf("read fbtune's own processor time: %w", err)
	}
	s.client = own.Seconds()
	if serverCPU != nil {
		d, err := serverCPU()
		if err != nil {
			return cpuSample{}, fmt.Errorf("read the server's processor time: %w", err)
		}
		s.server = d.Seconds()
	}
	return s, nil
}

// usedCPU returns what was used between two samples. The machine's counters
// have a resolution of 10 ms on Linux, so a difference may fall below 0 by as
// much and is then 0.
func usedCPU(from, to cpuSample) CPU {
	busy := to.busy - from.busy
	c := CPU{
		Client: max(0, to.client-from.client),
		Server: max(0, to.server-from.server),
		Idle:   max(0, to.idle-from.idle),
	}
	c.Others = max(0, busy-c.Client-c.Server)
	if total := c.Client + c.Server + c.Others; total > 0 {
		c.ClientShare = c.Client / total
	}
	return c
}
