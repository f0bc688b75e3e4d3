package inspect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fbtune/fbtune/internal/firebird/configtable"
	"github.com/fbtune/fbtune/workload"
)

// watch looks at the database as long as it is to be watched, once at least.
func (d *Database) watch(ctx context.Context, t workload.Target, o Options) (err error) {
	m, err := attach(t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.db.Close()) }()
	first, err := m.look(ctx)
	if err != nil {
		return fmt.Errorf("look at %s: %w", t.Path, err)
	}
	d.take(first)
	if d.Server.AtLeast(configtable.First) {
		if d.Config, err = m.config(ctx); err != nil {
			d.unknown("configuration: %v; give SYSDBA by ISC_USER", err)
		}
	}
	local := d.local(t)
	local.look(ctx, d, o.Installations)
	sum := newSum(first)
	if o.Watch > 0 {
		o.note("watching %s for %s", t.Path, o.Watch)
	}
	started := time.Now()
	for left := o.Watch; left > 0; left = o.Watch - time.Since(started) {
		if err := pause(ctx, min(left, between(o.Watch))); err != nil {
			return err
		}
		next, err := m.look(ctx)
		if err != nil {
			return fmt.Errorf("look at %s: %w", t.Path, err)
		}
		sum.add(next)
		local.again(d)
	}
	d.Activity = sum.activity()
	if o.Watch > 0 {
		d.Activity.Watched = time.Since(started)
		local.last(ctx, d, o.Installations)
	}
	d.Statistics.Header.Transactions = d.Activity.Counters
	d.readLimbo(t)
	return nil
}

// shortestPause is between two looks at least: a look takes an answer of every
// process in Classic.
const shortestPause = time.Second

// mostLooks bounds how often is looked in a long watch.
const mostLooks = 120

// between returns the time between two looks of a watch.
func between(watch time.Duration) time.Duration { return max(shortestPause, watch/mostLooks) }

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sum adds up the looks of a watch.
type sum struct {
	looks       int
	peak        int
	first, last look
	attachments IO // of all attachments but fbtune's
}

func newSum(first look) *sum {
	return &sum{looks: 1, peak: first.attachments, first: first, last: first}
}

// add adds a look: what each attachment did since the last one, which for a new
// one is all it did.
func (s *sum) add(next look) {
	for id, io := range next.others {
		s.attachments = s.attachments.plus(io.minus(s.last.others[id]))
	}
	s.looks, s.peak, s.last = s.looks+1, max(s.peak, next.attachments), next
}

// activity returns what the looks showed. Super counts pages for the database,
// attachments that came and went between two looks among them; in SuperClassic
// and Classic only attachments have counts.
func (s *sum) activity() *Activity {
	io := s.last.database.minus(s.first.database).minus(s.last.own.minus(s.first.own))
	if s.attachments.Fetches > io.Fetches {
		io = s.attachments
	}
	return &Activity{
		PageBuffers: s.last.buffers, Attachments: s.last.attachments, Peak: s.peak, Looks: s.looks, IO: io,
		Counters: s.last.counters, Transactions: append([]Transaction{}, s.last.transactions...), Limbo: []int64{},
	}
}
