package workload

import (
	"context"
	"time"
)

// WithReconnectAfter returns the plan with workers that reconnect after n transactions.
func (p Plan) WithReconnectAfter(n int) Plan {
	p.reconnectAfter = n
	return p
}

// Way is a way to load, for the profile that compares them (ways_linux_test.go).
type Way struct {
	Connections  int  // that make rows or send them
	Indexers     int  // connections that make keys and indexes, one table each; 0 means as the loader does
	ForcedWrites bool // on all the time

	// Rows makes the tables' rows come from the client, by Send. Without them
	// the server generates the rows, as the loader does.
	Rows []TableRows
	Send Sender
}

// Load fills an empty database in the way, without the checks of [Load], and
// returns how long the rows and the indexes took.
func (w Way) Load(ctx context.Context, t Target, scale Scale) (data, index time.Duration, err error) {
	l := loader{target: t, scale: scale, connections: w.Connections, progress: func(LoadProgress) {}}
	if err := l.prepare(ctx); err != nil {
		return 0, 0, err
	}
	if w.ForcedWrites {
		if _, err := forceWrites(ctx, t); err != nil {
			return 0, 0, err
		}
	}
	start := time.Now()
	if err := l.makeSchema(ctx); err != nil {
		return 0, 0, err
	}
	if w.Send == nil {
		err = l.makeData(ctx)
	} else {
		err = runJobs(ctx, t, w.Connections, sendJobs(w.Rows, w.Send))
	}
	if err != nil {
		return 0, 0, err
	}
	data = time.Since(start)
	start = time.Now()
	if w.Indexers == 0 {
		err = l.makeIndexes(ctx)
	} else {
		err = indexByTable(ctx, t, w.Indexers)
	}
	if err != nil {
		return 0, 0, err
	}
	index = time.Since(start)
	_, err = forceWrites(ctx, t)
	return data, index, err
}
