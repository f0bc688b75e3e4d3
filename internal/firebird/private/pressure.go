package private

import (
	"context"
	"errors"
	"os"
	"time"

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

// errPressure is why a thrashing server was killed.
var errPressure = errors.New("the machine stood still for want of memory (/proc/pressure/memory): lower DefaultDbCachePages or the --cap")

// watchPressure kills the process when the machine thrashes. Kernels without
// pressure information have the cap alone.
func (p *process) watchPressure(ctx context.Context) {
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
			p.accuse(errPressure)
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
