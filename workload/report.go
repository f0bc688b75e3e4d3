package workload

import (
	"context"
	"database/sql/driver"
	"fmt"
	"sync/atomic"
	"time"
)

// reportRows is how many rows of stock a report sorts: about 30 MB with their
// texts, several times the smallest step of TempCacheLimit (8 MB), at every scale.
const reportRows = 100000

// reportQuery makes the server sort whole stock rows and gives back one.
const reportQuery = `SELECT COUNT(*) FROM (
	SELECT DISTINCT s_data, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, s_dist_09,
		s_dist_10, s_i_id, s_w_id
	FROM stock WHERE s_w_id BETWEEN ? AND ?)`

// reporter runs reports on one connection, one after the other.
type reporter struct {
	session *session
	query   *statement
	scale   Scale
	g       lcg
	clock   func() time.Duration
	window  *atomic.Pointer[window]
	ended   int64 // in the window
}

// connect opens the reporter's session and prepares its query.
func (r *reporter) connect(ctx context.Context, t Target) error {
	s, err := connect(ctx, t)
	if err != nil {
		return err
	}
	r.session = s
	return s.within(ctx, readOnly, func() error {
		r.query, err = s.prepare(ctx, reportQuery, 2)
		return err
	})
}

// span returns how many warehouses hold reportRows rows of stock, at most all.
func (r *reporter) span() int {
	return min(r.scale.Warehouses, (reportRows+r.scale.items()-1)/r.scale.items())
}

// run sorts until ctx ends. A report counts when it ends in the window: it may
// take a good part of it, so that starting inside is not asked for.
func (r *reporter) run(ctx context.Context) error {
	span := r.span()
	for ctx.Err() == nil {
		first := r.g.between(1, r.scale.Warehouses-span+1)
		args := []driver.Value{int64(first), int64(first + span - 1)}
		err := r.session.within(ctx, readOnly, func() error {
			row, err := r.query.call(ctx, args...)
			if err != nil {
				return err
			}
			rows, err := integer(row[0])
			if err != nil {
				return err
			}
			if want := int64(span * r.scale.items()); rows != want {
				return fmt.Errorf("%d rows of stock, want %d", rows, want)
			}
			return nil
		})
		if ctx.Err() != nil {
			return nil // ended on purpose, in the middle of a sort or not
		}
		if err != nil {
			return fmt.Errorf("report: %w", err)
		}
		if now := r.clock(); r.window.Load().holds(now, now) {
			r.ended++
		}
	}
	return nil
}
