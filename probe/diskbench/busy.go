package diskbench

import (
	"context"
	"fmt"
	"os"

	"github.com/shirou/gopsutil/v3/cpu"
	"github.com/shirou/gopsutil/v3/process"
)

// mostOthers is the part of the processors that other programs may take before
// figures are doubted: whoever returns from a disk that answers in microseconds
// has to wait for a processor then.
const mostOthers = 0.25

// processors is how the processor time of the machine was spent so far, in
// seconds of all processors together.
type processors struct{ busy, idle, own float64 }

// readProcessors reads the counters of the system, which not every system has.
func readProcessors(ctx context.Context) (processors, error) {
	all, err := cpu.TimesWithContext(ctx, false)
	if err != nil {
		return processors{}, err
	}
	self, err := process.NewProcessWithContext(ctx, int32(os.Getpid()))
	if err != nil {
		return processors{}, err
	}
	own, err := self.TimesWithContext(ctx)
	if err != nil {
		return processors{}, err
	}
	var p processors
	for _, t := range all {
		p.busy += t.User + t.System + t.Nice + t.Irq + t.Softirq + t.Steal
		p.idle += t.Idle + t.Iowait
	}
	p.own = own.User + own.System
	return p, nil
}

// others is the part of the processors that other programs, and the host of a
// virtual machine, took between two readings; 0 when nothing passed.
func others(before, after processors) float64 {
	busy := after.busy - before.busy
	all := busy + after.idle - before.idle
	if all <= 0 {
		return 0
	}
	return max(0, busy-(after.own-before.own)) / all
}

// busyWarning is the doubt about figures measured while others took a part of
// the processors, or none.
func busyWarning(part float64) []string {
	if part <= mostOthers {
		return nil
	}
	return []string{fmt.Sprintf("other programs took %.0f %% of the processors: short operations waited for one, not for the disk; repeat it when they are idle", 100*part)}
}
