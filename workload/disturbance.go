package workload

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v3/mem"
)

// Stall is how long work stood still for want of memory since some fixed
// moment, as the kernel counts it (pressure stall information).
type Stall struct {
	Some time.Duration // at least one task waited
	Full time.Duration // all tasks that were not idle waited
}

// reading is what a machine and the processes of a run had used up to one moment.
type reading struct {
	at     time.Duration // since the run's epoch
	cpu    cpuSample
	stall  Stall // 0 where Plan.MemoryStall is nil
	swapIn int64 // pages read from swap space; 0 where it is not known
}

// read takes a reading. Nothing is read between the two of a window.
func (p Plan) read(clock func() time.Duration) (reading, error) {
	r := reading{at: clock()}
	var err error
	if r.cpu, err = sampleCPU(p.ServerCPU); err != nil {
		return r, err
	}
	if p.MemoryStall != nil {
		if r.stall, err = p.MemoryStall(); err != nil {
			return r, fmt.Errorf("read the machine's memory pressure: %w", err)
		}
	}
	r.swapIn, err = sampleSwapIn()
	return r, err
}

// gopsutilPage is the page gopsutil takes for every kernel's when it turns
// the pages of /proc/vmstat into bytes.
const gopsutilPage = 4096

// sampleSwapIn returns how many pages the kernel has read from swap space; 0
// where it does not say, which is everywhere but on Linux.
func sampleSwapIn() (int64, error) {
	if runtime.GOOS != "linux" {
		return 0, nil
	}
	swap, err := mem.SwapMemory()
	if err != nil {
		return 0, fmt.Errorf("read the machine's swap counters: %w", err)
	}
	return int64(swap.Sin / gopsutilPage), nil
}

// usage is what was used between two readings.
type usage struct {
	seconds     float64
	cpu         CPU
	serverKnown bool
	stall       Stall
	swapIn      int64
}

// between returns what was used from one reading to another.
func between(from, to reading) usage {
	return usage{
		seconds:     (to.at - from.at).Seconds(),
		cpu:         usedCPU(from.cpu, to.cpu),
		serverKnown: to.cpu.serverKnown,
		stall:       Stall{Some: to.stall.Some - from.stall.Some, Full: to.stall.Full - from.stall.Full},
		swapIn:      to.swapIn - from.swapIn,
	}
}

// disturbance is one way in which what is not measured spoils a window. The
// limits are fixed and of causes only, so that a repetition favours no result.
type disturbance struct {
	of    func(usage) float64
	limit float64
	text  string // format of the value and the limit
	todo  string
}

var disturbances = []disturbance{
	// What the kernel does in nobody's name for the load itself (interrupts, the
	// loopback, writing back) was 0.11 to 0.19 on a machine of two processors
	// that did nothing else, in eight windows of all architectures. Whatever
	// comes on top is taken from a server that keeps both busy.
	{usage.foreign, 0.30, "other programs took %.2f processors (limit %.2f)", "end them"},
	// The server loses about as much as is stolen. Runs of one configuration
	// differ by 2 to 3 % on a quiet machine, in which this hides; windows in a
	// virtual machine that is left alone had up to 0.1 %.
	{usage.stolen, 2, "the hypervisor gave %.1f %% of the processors' time to other machines (limit %.0f %%)", "use a machine or an hour with less of it"},
	// One of twenty connections that stands for 1 % of the time costs far less
	// than that noise; but memory that is short at all is short in bursts. With
	// enough of it every window had 0 here, however busy the processors.
	{usage.stalledSome, 1, "work stood still for want of memory for %.2f %% of the time (limit %.0f %%)", "end what takes the memory, or lower the server's"},
	// All of them standing is lost for the score second for second.
	{usage.stalledFull, 0.5, "all work stood still for want of memory for %.2f %% of the time (limit %.1f %%)", "end what takes the memory, or lower the server's"},
	// The same 1 %, for kernels that do not count stalls: swap is read 8 pages
	// at once, and a disk that rotates takes 10 ms for it.
	{usage.swappedIn, 10, "%.0f pages a second were read from swap space (limit %.0f)", "end what takes the memory, or lower the server's"},
}

// foreign is what programs that are neither fbtune nor the server took, in
// processors; 0 when the server's time cannot be told from theirs.
func (u usage) foreign() float64 {
	if !u.serverKnown {
		return 0
	}
	return max(0, u.cpu.Others-u.cpu.Stolen) / u.seconds
}

// stolen is the part of all processors' time that a hypervisor kept, in per cent.
func (u usage) stolen() float64 {
	if total := u.cpu.total(); total > 0 {
		return 100 * u.cpu.Stolen / total
	}
	return 0
}

func (u usage) stalledSome() float64 { return 100 * u.stall.Some.Seconds() / u.seconds }
func (u usage) stalledFull() float64 { return 100 * u.stall.Full.Seconds() / u.seconds }
func (u usage) swappedIn() float64   { return float64(u.swapIn) / u.seconds }

// disturbed returns what disturbed a window, "" for nothing, and a warning for
// each cause.
func disturbed(u usage) (text string, warnings []string) {
	var causes []string
	for _, d := range disturbances {
		if v := d.of(u); v > d.limit {
			cause := fmt.Sprintf(d.text, v, d.limit)
			causes = append(causes, cause)
			warnings = append(warnings, cause+"; "+d.todo+" and measure again")
		}
	}
	return strings.Join(causes, "; "), warnings
}
