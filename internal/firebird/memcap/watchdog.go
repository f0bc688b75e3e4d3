package memcap

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
)

// watchdog is the cap of last resort: it looks ten times a second.
type watchdog struct {
	limit probe.Bytes
	kills atomic.Int64
}

func newWatchdog(_ string, limit probe.Bytes) (Cap, error) {
	if _, err := os.Stat("/proc/self/smaps_rollup"); err != nil {
		return nil, fmt.Errorf("this kernel does not add up a process's memory: %w", err)
	}
	return &watchdog{limit: limit}, nil
}

func (w *watchdog) Kind() string                { return "watchdog" }
func (w *watchdog) Limit() probe.Bytes          { return w.limit }
func (w *watchdog) Wrap(argv []string) []string { return argv }
func (w *watchdog) HoldsFiles() bool            { return false }
func (w *watchdog) Kills() (int, error)         { return int(w.kills.Load()), nil }
func (w *watchdog) Close() error                { return nil }

// Watch adds up the proportional set size of the tree below root.
func (w *watchdog) Watch(ctx context.Context, root int) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		tree := Tree(root)
		if PSS(tree) > w.limit {
			w.kills.Add(1)
			Kill(tree)
		}
	}
}

// PSS returns the memory that processes use, shared pages counted once between
// their users. A process that ended meanwhile counts nothing.
func PSS(pids []int) probe.Bytes {
	var sum probe.Bytes
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue // ended
		}
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, "Pss:"); ok {
				kib := strings.TrimSuffix(strings.TrimSpace(value), " kB")
				sum += probe.Bytes(confgen.ParseSize(kib)) * confgen.KiB
			}
		}
	}
	return sum
}
