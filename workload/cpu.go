package workload

import (
	"fmt"
	"time"

	"github.com/shirou/gopsutil/v3/cpu"
)

// cpuSample is the processor time used up to one moment, in seconds.
type cpuSample struct {
	busy, idle     float64 // of the machine, all processors together
	stolen         float64 // part of busy, kept by a hypervisor
	client, server float64
	serverKnown    bool
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
		busy:   m.User + m.Nice + m.System + m.Irq + m.Softirq + m.Steal,
		idle:   m.Idle + m.Iowait,
		stolen: m.Steal,
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
		s.server, s.serverKnown = d.Seconds(), true
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
	c.Stolen = min(max(0, to.stolen-from.stolen), c.Others)
	if used := c.Client + c.Server + c.Others; used > 0 {
		c.ClientShare = c.Client / used
	}
	return c
}

// total is the time of all processors, busy or idle.
func (c CPU) total() float64 { return c.Client + c.Server + c.Others + c.Idle }
