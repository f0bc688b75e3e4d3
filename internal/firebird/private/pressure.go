package private

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
)

// Memory pressure is judged over windows of this length: when all tasks stood
// still for want of memory for more than half of three windows in a row, the
// machine is thrashing and the server goes before the machine does.
const (
	pressureWindow = 500 * time.Millisecond
	pressureLimit  = pressureWindow / 2
	pressureRuns   = 3
)

// watchPressure kills the process when the machine thrashes. Kernels without
// pressure information have the cap alone.
func (p *process) watchPressure(ctx context.Context, limit confgen.Bytes) {
	fsys := os.DirFS("/")
	last, err := probe.ReadPressure(fsys)
	if err != nil {
		return
	}
	tick := time.NewTicker(pressureWindow)
	defer tick.Stop()
	runs := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := probe.ReadPressure(fsys)
		if err != nil {
			return
		}
		if runs = thrashing(runs, now.Full.Total-last.Full.Total); runs >= pressureRuns {
			p.accuse(fmt.Errorf("the server stood still for want of memory, below its memory cap of %s or on the machine as a whole (/proc/pressure/memory): lower %s, or raise --cap",
				limit, confgen.DefaultDbCachePages))
			return
		}
		last = now
	}
}

// thrashing counts windows in a row in which more than the limit stood still.
func thrashing(runs int, stalled time.Duration) int {
	if stalled > pressureLimit {
		return runs + 1
	}
	return 0
}
