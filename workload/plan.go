package workload

import (
	"errors"
	"fmt"
	"time"
)

// Plan says how Run drives the load.
type Plan struct {
	Connections int // that run operations, one after the other without think time
	Reports     int // further connections that sort, not part of the score

	// Rate makes the load an open loop: so many operations per second of all
	// connections together begin when a schedule says, drawn from Seed as a
	// Poisson process, and what is late begins at once. 0 is a closed loop: a
	// connection's next operation begins when its last has ended.
	Rate float64

	Warmup    time.Duration // 0 means automatic: until throughput is flat, or at a Rate no queue is left
	WarmupMax time.Duration // end of an automatic warm-up; 0 means 15 s
	Duration  time.Duration // of the measured window

	// Seed of the operations' inputs. Equal seeds give every connection the
	// same inputs in the same order; how far it gets depends on the server.
	Seed int64

	// ServerCPU returns the processor time all server processes have used so
	// far. It may be nil: the server is then counted among the others.
	ServerCPU func() (time.Duration, error)

	// MemoryStall returns how long work on this machine has stood still so far
	// because other programs want memory. It may be nil: then this is not
	// known. A server that reclaims memory below a cap of its own stands still
	// in the machine's counters too, for 2.5 % of the time with 100 MB of
	// database below 96 MiB: who caps it takes that off.
	MemoryStall func() (Stall, error)

	// OnTick, if set, is called once a second from one goroutine. It never
	// runs inside an operation, and a slow one delays only further ticks.
	OnTick func(Tick)

	// reconnectAfter is set by tests; 0 means defaultReconnectAfter.
	reconnectAfter int
}

// Validate reports a plan that cannot be run.
func (p Plan) Validate() error {
	switch {
	case p.Connections < 1:
		return fmt.Errorf("%d connections: give at least 1", p.Connections)
	case p.Reports < 0:
		return fmt.Errorf("%d reports: give 0 or more", p.Reports)
	case p.Duration <= 0:
		return fmt.Errorf("a window of %s: give a duration above 0", p.Duration)
	case p.Warmup < 0 || p.WarmupMax < 0:
		return errors.New("a negative warm-up: give 0 for an automatic one")
	case !(p.Rate >= 0 && p.Rate <= maxRate): // NaN too
		return fmt.Errorf("a rate of %g operations per second: give one up to %.0f, or 0 for as fast as the server answers", p.Rate, maxRate)
	case p.Rate > 0 && p.Rate*p.Duration.Seconds() < minOffered:
		return fmt.Errorf("%g operations per second make fewer than %d in %s; give a higher rate or a longer window", p.Rate, minOffered, p.Duration)
	}
	return nil
}
