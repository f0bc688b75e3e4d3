package workload

import (
	"fmt"
	"time"
)

// Limits of an open loop.
const (
	// maxRate is more operations per second than one client can begin.
	maxRate = 1e6
	// minOffered is the fewest operations a window must be planned to hold:
	// of fewer, less than five lie beyond the 95th percentile.
	minOffered = 100
	// maxGrowth is the part of the operations due in the window by which the
	// backlog may grow in it. One operation behind each connection is allowed
	// in any case: a crowd at the last moment.
	maxGrowth = 0.01
)

// OpenLoop is how a load at a fixed rate kept its schedule in the window.
type OpenLoop struct {
	Rate     float64 `json:"rate"`                // asked for, operations per second
	Offered  float64 `json:"offered_per_second"`  // due in the window by the schedule
	Achieved float64 `json:"achieved_per_second"` // begun in the window, late ones included

	// Operations that were due while all connections were at work.
	BacklogBefore int64         `json:"backlog_before"` // when the window began
	Backlog       int64         `json:"backlog"`        // when it ended
	Behind        time.Duration `json:"behind_ns"`      // how long the first of those had been due

	// KeptUp is false when the backlog grew by more than one operation a
	// connection and 1 % of those due. Latencies then tell how long the window
	// was: they grow as long as it lasts.
	KeptUp bool `json:"kept_up"`
}

// openLoop compares what was due in the plan's window with what was begun.
func openLoop(plan Plan, due int64, before, after backlog) *OpenLoop {
	growth := after.operations - before.operations
	return &OpenLoop{
		Rate:          plan.Rate,
		Offered:       float64(due) / plan.Duration.Seconds(),
		Achieved:      float64(due-growth) / plan.Duration.Seconds(),
		BacklogBefore: before.operations,
		Backlog:       after.operations,
		Behind:        after.behind,
		KeptUp:        float64(growth) <= max(float64(plan.Connections), maxGrowth*float64(due)),
	}
}

// warnings says where the schedule was not kept.
func (o *OpenLoop) warnings(connections int) []string {
	var warnings []string
	if !o.KeptUp {
		warnings = append(warnings, fmt.Sprintf("the server did not keep up with %.6g operations per second: %.6g were begun and %d waited at the end, the first for %s; latencies grow with the window: give a lower rate or more connections",
			o.Offered, o.Achieved, o.Backlog, o.Behind.Round(time.Millisecond)))
	}
	if o.BacklogBefore > int64(connections) {
		warnings = append(warnings, fmt.Sprintf("%d operations waited when the window began, and their wait is in the latencies; give a longer warm-up or a lower rate", o.BacklogBefore))
	}
	return warnings
}

// settling tells, second by second of a warm-up, when it may end.
type settling struct {
	schedule    *schedule // nil in a closed loop
	connections int
	onTime      int // seconds in a row that ended without a queue
}

// done reports whether the load is steady after the given seconds, of which the
// last ended now. A closed loop is when its throughput is flat. The throughput
// of an open loop is the schedule's, flat or not: it is steady when three
// seconds in a row left no more than one operation waiting for each connection.
func (s *settling) done(seconds []int64, now time.Duration) bool {
	if s.schedule == nil {
		return steady(seconds)
	}
	if s.schedule.backlog(now).operations > int64(s.connections) {
		s.onTime = 0
		return false
	}
	s.onTime++
	return s.onTime >= steadyBins
}

// unsettled is the warning that a warm-up ended at its limit.
func (s *settling) unsettled(limit time.Duration) string {
	if s.schedule == nil {
		return fmt.Sprintf("throughput was not flat after a warm-up of %s; measured all the same", limit)
	}
	return fmt.Sprintf("operations waited for a connection all through a warm-up of %s; measured all the same", limit)
}
