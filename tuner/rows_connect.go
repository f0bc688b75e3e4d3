package tuner

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/isql"
	"github.com/fbtune/fbtune/workload"
)

// fullPath is a path that does not depend on where a server was started, on
// Unix, on a drive or a share of Windows. An alias is none.
var fullPath = regexp.MustCompile(`^(/|[A-Za-z]:[\\/]|\\\\)`)

// errForeign is the error of a database that fbtune leaves alone.
var errForeign = errors.New("there is a database that is not fbtune's; give the path of a new one")

// dropTimeout bounds the removal of a database, for which the server may first
// have to undo what was interrupted.
const dropTimeout = time.Minute

// dropInterval is how long a server is left alone that refused it.
const dropInterval = time.Second

// RowsConnected runs the insert, update and delete test on a server that fbtune
// does not control. Where there is no database at the target it is created, by
// the isql of the installation that client finds, and dropped afterwards. One
// that carries fbtune's marker is used, and any other is left alone.
func RowsConnected(ctx context.Context, target workload.Target, client func() (firebird.Installation, error), n, pageSize int, sink Sink) (RowsTrial, error) {
	_, _, err := workload.ReadMarker(ctx, target)
	switch {
	case err == nil, errors.Is(err, workload.ErrIncomplete):
		t, err := driveRows(ctx, target, n, sink)
		t.Warnings = append(t.Warnings, "the database was there before, and may have its pages already; for figures that compare give the path of a new one")
		return t, err
	case errors.Is(err, workload.ErrNoMarker):
		return RowsTrial{}, fmt.Errorf("%s: %w", target.Path, errForeign)
	case !workload.CannotOpen(err):
		return RowsTrial{}, err
	case !fullPath.MatchString(target.Path):
		return RowsTrial{}, fmt.Errorf("%w; to have the database created give its full path on the server", err)
	}
	inst, err := client()
	if err != nil {
		return RowsTrial{}, fmt.Errorf("create %s: %w; fbtune needs its isql for that", target.Path, err)
	}
	return rowsCreated(ctx, target, inst, n, pageSize, sink)
}

// rowsCreated runs the test on a database of its own.
func rowsCreated(ctx context.Context, target workload.Target, inst firebird.Installation, n, pageSize int, sink Sink) (t RowsTrial, err error) {
	if err := isql.Create(ctx, inst, target, pageSize); err != nil {
		return t, err
	}
	token, err := workload.MarkRows(ctx, target)
	if err != nil {
		return t, fmt.Errorf("%w; the new database is left there, remove it yourself", err)
	}
	defer func() { err = errors.Join(err, drop(context.WithoutCancel(ctx), target, inst, token)) }()
	return driveRows(ctx, target, n, sink)
}

// drop removes the database that a run created, once nobody uses it.
func drop(ctx context.Context, target workload.Target, inst firebird.Installation, token string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, dropTimeout, errors.New("it is still in use"))
	defer cancel()
	for {
		ours, err := workload.MarkedBy(ctx, target, token)
		switch {
		case err != nil:
			return fmt.Errorf("%w; the database of this run is left there, remove it yourself", err)
		case !ours:
			return fmt.Errorf("%s is not the database of this run any more: it is left alone", target.Path)
		}
		if err = isql.Drop(ctx, inst, target); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(dropInterval):
		}
	}
}
