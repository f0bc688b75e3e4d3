package tuner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/tuner/sidebyside"
	"github.com/fbtune/fbtune/workload"
	"github.com/fbtune/fbtune/workload/rows"
)

// RowsTrial is a run of the insert, update and delete test with what it ran on.
type RowsTrial struct {
	rows.Run
	Server    *rows.Server        // nil when it is not known
	Effective []running.Effective // of a private server
}

// Rows runs the insert, update and delete test on a new database, which is
// removed afterwards. After an error the trial has the phases that ended.
func (b *Bench) Rows(ctx context.Context, c Cell, n int, sink Sink) (t RowsTrial, err error) {
	path := filepath.Join(b.scratch, "rows.fdb")
	size := confgen.Bytes(rows.EstimatedBytes(n))
	if disk := b.env.Host.Disk; disk.Free.Known() && disk.Free.Or(0) < size {
		return t, fmt.Errorf("run %d rows: %s free in %s, about %s needed; free some, choose another --path, or fewer --rows", n, disk.Free.Or(0), disk.Path, size)
	}
	candidate := b.env.Candidate(c)
	candidate.Connections, candidate.Sorters = 1, 1
	candidate.Databases = []confgen.Database{{Name: "rows", Path: path, Size: size, PageSize: confgen.Bytes(b.load.PageSize)}}
	if err := confgen.Fits(candidate, b.limit); err != nil {
		return t, err
	}
	if err := b.server.CreateDatabase(ctx, path, b.load.PageSize); err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, os.Remove(path)) }()
	if err := b.server.Start(ctx, private.Config{Settings: c.Settings, Database: path}); err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, b.server.Stop(context.WithoutCancel(ctx))) }()
	if t, err = b.runRows(ctx, path, n, sink); err != nil && ctx.Err() == nil {
		err = b.blame(err, "does not carry the test")
	}
	return t, err
}

// runRows runs the test on the running server.
func (b *Bench) runRows(ctx context.Context, path string, n int, sink Sink) (t RowsTrial, err error) {
	effective, err := b.server.Running().Effective(ctx)
	if err != nil {
		return t, err
	}
	for _, wrong := range running.Contradictions(effective) {
		return t, fmt.Errorf("%s is %s in the running server (%s)", wrong.Name, wrong.Value, wrong.Note)
	}
	target := b.server.Running().Target(path)
	if _, err := workload.MarkRows(ctx, target); err != nil {
		return t, err
	}
	t, err = driveRows(ctx, target, n, sink)
	t.Effective = effective
	if err != nil {
		return t, err
	}
	for _, f := range b.server.Running().Findings() {
		if f.Fatal {
			return t, fmt.Errorf("%s (firebird.log: %s)", f.Means, f.Text)
		}
		t.Warnings = append(t.Warnings, f.Means+" (firebird.log: "+f.Text+")")
	}
	return t, nil
}

// driveRows runs the test on a marked database and tells each phase.
func driveRows(ctx context.Context, target workload.Target, n int, sink Sink) (RowsTrial, error) {
	run, server, err := workload.RunRows(ctx, target, workload.RowsPlan{Rows: n, Ended: func(p rows.Phase) {
		sink.Note("%s: %.0f rows/s, %.1f s and %.2f s for the commit", p.Name, p.RowsPerSecond, p.Seconds, p.CommitSeconds)
	}})
	return RowsTrial{Run: run, Server: &server}, err
}

// CompareRows compares runs in a second place with those in a first one, block
// by block.
func CompareRows(first, second []RowsTrial) ([]sidebyside.Metric, error) {
	var figures []sidebyside.Figure[RowsTrial]
	for _, name := range rows.Names {
		figure := func(unit string, of func(rows.Phase) float64) sidebyside.Figure[RowsTrial] {
			return sidebyside.Figure[RowsTrial]{Name: name + " " + unit, Of: func(t RowsTrial) (float64, bool) {
				p, ok := t.Phase(name)
				return of(p), ok
			}}
		}
		figures = append(figures, figure("rows/s", func(p rows.Phase) float64 { return p.RowsPerSecond }),
			figure("commit s", func(p rows.Phase) float64 { return p.CommitSeconds }))
	}
	return sidebyside.CompareAll(figures, first, second)
}
