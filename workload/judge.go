package workload

import (
	"fmt"
	"math"
)

// Limits of a valid result.
const (
	maxMixDeviation = 2.0 // percentage points

	// A client that takes more of the busy processor time than this measures
	// itself as much as the server.
	maxClientShare = 0.35
	// With less idle time than this and a client that uses half a core, the
	// client may hold back the server.
	minIdleShare = 0.05
	halfACore    = 0.5
)

// judge returns why a result is not valid, and adds warnings to one that is.
func judge(res *Result, plan Plan) error {
	if res.CommittedTotal == 0 {
		return fmt.Errorf("no operation committed in %s (%d retries, errors by gds code %v); look into firebird.log", res.Window, res.Retries, res.Errors)
	}
	if err := checkMix(res, plan.Connections); err != nil {
		return err
	}
	if err := checkAdvance(res.Before, res.After); err != nil {
		return err
	}
	if res.Unseen > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d times the server did not find a row that is there, and found it on the next try", res.Unseen))
	}
	res.Warnings = append(res.Warnings, cpuWarnings(res.CPU, res.Window.Seconds())...)
	if res.OpenLoop != nil {
		res.Warnings = append(res.Warnings, res.OpenLoop.warnings(plan.Connections)...)
	}
	return nil
}

// checkMix compares the shares of the kinds with the planned ones.
//
// Every connection deals its operations from decks that hold the mix exactly,
// so chance comes in only by the decks begun at both ends of the window: for
// the share of new orders its standard deviation is 3.5 sqrt(c) / n for c
// connections and n operations. The comparison is made once 2 points are five
// of those and the operations cut off at the ends (two a connection) are 2 %.
func checkMix(res *Result, connections int) error {
	var n int64
	for _, op := range res.Operations {
		n += op.CommittedTotal + op.RolledBack
	}
	c := float64(connections)
	res.MixDeviation = 0
	worst := ""
	for _, op := range operations {
		o := res.Operations[op.name]
		share := 100 * float64(o.CommittedTotal+o.RolledBack) / float64(n)
		if d := math.Abs(share - float64(op.share)); d > res.MixDeviation {
			res.MixDeviation = d
			worst = fmt.Sprintf("%s is %.1f %% of the operations, planned %d %%", op.name, share, op.share)
		}
	}
	if float64(n) >= max(900*math.Sqrt(c), 100*c) && res.MixDeviation > maxMixDeviation {
		return fmt.Errorf("the mix of operations is off: %s; a kind fails or hangs (errors by gds code %v)", worst, res.Errors)
	}
	return nil
}

// checkAdvance reports whether a transaction that was open before the
// measurement still was at its end, when all connections were still open. It
// would be an implicit one that the driver orphaned (its issue 42), and slow
// everything down more and more.
func checkAdvance(before, after Transactions) error {
	if after.OldestActive >= before.Next {
		return nil
	}
	return fmt.Errorf("MON$OLDEST_ACTIVE went from %d to %d although %d transactions began since %d: a transaction from before the measurement is open; end the program that holds it (MON$TRANSACTIONS)",
		before.OldestActive, after.OldestActive, after.Next-before.Next, before.Next)
}

// cpuWarnings says where the processor time gives doubt about a window of so many seconds.
func cpuWarnings(c CPU, seconds float64) []string {
	var warnings []string
	if c.ClientShare > maxClientShare {
		warnings = append(warnings, fmt.Sprintf("fbtune itself took %.0f %% of the busy processor time (limit %.0f %%); run it on another machine or with fewer connections",
			100*c.ClientShare, 100*maxClientShare))
	}
	if total := c.total(); total > 0 && c.Idle/total < minIdleShare && c.Client > halfACore*seconds {
		warnings = append(warnings, fmt.Sprintf("the processors were busy all the time and fbtune took %.1f of them; the server may be faster than it looks", c.Client/seconds))
	}
	return warnings
}
