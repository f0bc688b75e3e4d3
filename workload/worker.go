package workload

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// A worker reconnects after defaultReconnectAfter transactions and up to a
// half more, because the driver keeps 68 bytes of each until the connection
// ends. The spread keeps workers from doing so together.
const (
	defaultReconnectAfter = 4000
	reconnectSpread       = 2
)

// Back-off after a conflict: about as long as an operation takes, so that the
// other transaction has ended by then.
const (
	minBackoffMillis = 1
	maxBackoffMillis = 5
)

// maxUnseen is how often in a row an operation may not find a row that must
// exist. Firebird 3.0.11 was seen once, in several hundred thousand operations
// under READ COMMITTED, to update no row of DISTRICT although every row is there
// for good; the next try finds it. What is missing for good fails the run.
const maxUnseen = 3

// worker runs operations on one connection, one after the other.
type worker struct {
	target   Target
	session  *session
	calls    [kinds]*statement
	deck     *deck
	inputs   *inputs
	recorder *recorder
	backoff  lcg
	clock    func() time.Duration // since the run's epoch
	schedule *schedule            // of an open loop; nil: begin the next when the last has ended
	stop     <-chan struct{}      // closed: end after the operation in hand
	dial     *sync.Mutex          // held while connecting: two at once would wait a second (see connectAll)

	reconnectAfter int // least transactions on a session before it is replaced
	reconnectAt    int // transactions on this session after which it is replaced
	reconnects     int64
	unseen         int64 // attempts repeated because a row that must exist was not found
}

// connect opens the worker's session and prepares its calls, inside an
// explicit transaction as every statement of a session.
func (w *worker) connect(ctx context.Context) error {
	w.dial.Lock()
	defer w.dial.Unlock()
	s, err := connect(ctx, w.target)
	if err != nil {
		return err
	}
	w.session = s
	w.reconnectAt = w.reconnectAfter + w.backoff.between(0, w.reconnectAfter/reconnectSpread)
	return s.within(ctx, readCommittedNoWait, func() error {
		for k, op := range operations {
			if w.calls[k], err = s.prepare(ctx, op.call, op.params); err != nil {
				return fmt.Errorf("%w; was this database loaded by another version of fbtune?", err)
			}
		}
		return nil
	})
}

// reconnect replaces the session, between two operations.
func (w *worker) reconnect(ctx context.Context) error {
	err := w.session.close()
	w.session = nil
	if err != nil {
		return fmt.Errorf("disconnect: %w", err)
	}
	w.reconnects++
	return w.connect(ctx)
}

// run works until stop is closed, ctx ends, or an error is severe. It leaves the session open.
func (w *worker) run(ctx context.Context) error {
	for !w.stopped() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if w.session.begun >= w.reconnectAt {
			if err := w.reconnect(ctx); err != nil {
				return err
			}
		}
		k := w.deck.next()
		w.inputs.draw(k)
		due, ok := w.await(ctx)
		if !ok {
			continue
		}
		if err := w.operate(ctx, k, due); err != nil {
			return err
		}
	}
	return nil
}

// stopped reports whether no further operation is to begin.
func (w *worker) stopped() bool {
	select {
	case <-w.stop:
		return true
	default:
		return false
	}
}

// await waits until the worker's next operation is due and returns that
// moment; false when the run or ctx ended first. An operation that is late
// already, and every one of a closed loop, is due at once.
func (w *worker) await(ctx context.Context) (due time.Duration, ok bool) {
	if w.schedule == nil {
		return w.clock(), true
	}
	due = w.schedule.take()
	early := due - w.clock()
	if early <= 0 {
		return due, true
	}
	timer := time.NewTimer(early)
	defer timer.Stop()
	select {
	case <-timer.C:
		return due, true
	case <-w.stop:
	case <-ctx.Done():
	}
	return 0, false
}

// operate runs the operation that was drawn to its commit, its planned
// rollback, or an error that is counted. Only a severe error is returned.
func (w *worker) operate(ctx context.Context, k kind, due time.Duration) error {
	begun := w.clock()
	for unseen := 0; ; {
		err := w.attempt(ctx, k)
		now := w.clock()
		if err == nil {
			s := span{due: due, begun: begun, ended: now}
			if w.inputs.rollback {
				w.recorder.rolledBack(k, s)
				return nil
			}
			return w.recorder.committed(k, s)
		}
		class, code := classify(err)
		switch class {
		case classConflict:
			w.recorder.retried(k, now)
		case classUnseen:
			if unseen++; unseen > maxUnseen {
				return fmt.Errorf("%s: not found in %d tries: %w", operations[k].name, unseen, err)
			}
			w.unseen++
			w.recorder.retried(k, now)
		case classCounted:
			w.recorder.failed(k, code, now)
			return nil
		default:
			return fmt.Errorf("%s: %w", operations[k].name, err)
		}
		if w.stopped() {
			return nil
		}
		time.Sleep(time.Duration(w.backoff.between(minBackoffMillis, maxBackoffMillis)) * time.Millisecond)
	}
}

// attempt runs one transaction: begin, one call, commit or the planned rollback.
func (w *worker) attempt(ctx context.Context, k kind) error {
	if err := w.session.begin(ctx, readCommittedNoWait); err != nil {
		return err
	}
	row, err := w.calls[k].call(ctx, w.inputs.drawn...)
	if err == nil && k == newOrder {
		err = w.judgeNewOrder(row[0])
	}
	if err != nil {
		if rerr := w.session.rollback(); rerr != nil {
			return errors.Join(err, fmt.Errorf("roll back: %w", rerr))
		}
		return err
	}
	if w.inputs.rollback {
		return w.session.rollback()
	}
	return w.session.commit()
}

// judgeNewOrder compares a new order's status with what was planned.
func (w *worker) judgeNewOrder(status any) error {
	missing, err := integer(status)
	if err != nil {
		return err
	}
	if (missing == 1) != w.inputs.rollback {
		return fmt.Errorf("an order met an unknown item: %t, planned: %t; the data do not fit the scale", missing == 1, w.inputs.rollback)
	}
	return nil
}
