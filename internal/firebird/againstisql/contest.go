package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/workload"
)

// contest holds a source database as a script and as a backup, and those who
// load it again.
type contest struct {
	server  *private.Server
	plan    plan
	dir     string
	source  workload.LoadResult
	indexes int64
	loaders []*loader // fbtune first
}

// loader is one way to come to the rows.
type loader struct {
	name  string
	empty bool // wants an empty database to load into
	run   func(ctx context.Context, database string) (untimed time.Duration, err error)
	took  []time.Duration // in each round, until all was on the disk
}

// newContest starts the server, loads the source, and writes it out as a
// script and as a backup.
func newContest(ctx context.Context, server *private.Server, p plan) (*contest, error) {
	dir, err := server.Scratch(filepath.Dir(server.Dir()))
	if err != nil {
		return nil, err
	}
	c := &contest{server: server, plan: p, dir: dir}
	isql := server.Installation.Isql()
	gbak := filepath.Join(filepath.Dir(isql), "gbak") // they lie side by side in every package
	source, script, backup := filepath.Join(dir, "source.fdb"), filepath.Join(dir, "rows.sql"), filepath.Join(dir, "rows.fbk")
	c.loaders = []*loader{
		{name: "fbtune's loader", empty: true, run: c.fbtune},
		{name: "isql over TCP", empty: true, run: func(ctx context.Context, database string) (time.Duration, error) {
			return 0, c.tool(ctx, isql, "-quiet", "-bail", "-i", script, c.remote(database))
		}},
		{name: "isql embedded", empty: true, run: func(ctx context.Context, database string) (time.Duration, error) {
			return 0, c.tool(ctx, isql, "-quiet", "-bail", "-i", script, database)
		}},
		{name: "gbak -c on the server", run: func(ctx context.Context, database string) (time.Duration, error) {
			return 0, c.tool(ctx, gbak, "-c", "-se", c.remote("service_mgr"), backup, database)
		}},
	}
	if err := server.CreateDatabase(ctx, source, pageSize); err != nil {
		return nil, err
	}
	if err := server.Start(ctx, private.Config{Settings: settings, Database: source}); err != nil {
		return nil, err
	}
	if c.source, err = workload.Load(ctx, server.Target(source), p.scale, workload.LoadOptions{}); err != nil {
		return nil, err
	}
	if c.indexes, err = activeIndexes(ctx, server.Target(source)); err != nil {
		return nil, err
	}
	if err := writeScript(ctx, script, server.Target(source), slices.Sorted(maps.Keys(c.source.RowsPerTable)), p.commit); err != nil {
		return nil, err
	}
	if err := server.Adopt(script); err != nil {
		return nil, err
	}
	return c, c.tool(ctx, gbak, "-b", "-se", c.remote("service_mgr"), source, backup)
}

// fbtune loads with fbtune's loader; its checks of what came out are not timed.
func (c *contest) fbtune(ctx context.Context, database string) (untimed time.Duration, err error) {
	res, err := workload.Load(ctx, c.server.Target(database), c.plan.scale, workload.LoadOptions{})
	return res.Check, err
}

// remote is how the tools name a database or the services of the server.
func (c *contest) remote(name string) string {
	return strings.Replace(c.server.Target("").Addr, ":", "/", 1) + ":" + name
}

// tool runs a program of the installation.
func (c *contest) tool(ctx context.Context, program string, args ...string) error {
	out, err := c.server.Client(ctx, program, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("run %s: %w: %s", filepath.Base(program), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// load runs one loader into a new database, notes the time, compares the
// database with the source, and removes it.
func (c *contest) load(ctx context.Context, l *loader) (err error) {
	database := filepath.Join(c.dir, "loading.fdb")
	if l.empty {
		if err := c.server.CreateDatabase(ctx, database, pageSize); err != nil {
			return err
		}
	}
	defer func() { err = errors.Join(err, os.Remove(database)) }()
	start := time.Now()
	untimed, err := l.run(ctx, database)
	if err != nil {
		return err
	}
	if err := flush(database); err != nil {
		return err
	}
	l.took = append(l.took, time.Since(start)-untimed)
	return c.identical(ctx, c.server.Target(database))
}

// identical reports a database that does not hold the source's rows and indexes.
func (c *contest) identical(ctx context.Context, t workload.Target) error {
	rows, checksum, err := workload.Digest(ctx, t)
	if err != nil {
		return err
	}
	if !maps.Equal(rows, c.source.RowsPerTable) || checksum != c.source.Checksum {
		return fmt.Errorf("other rows than the source's: %v and checksum %s, want %v and %s", rows, checksum, c.source.RowsPerTable, c.source.Checksum)
	}
	indexes, err := activeIndexes(ctx, t)
	if err == nil && indexes != c.indexes {
		err = fmt.Errorf("%d active indexes, want %d", indexes, c.indexes)
	}
	return err
}

// activeIndexes counts the indexes of tables that are not the system's.
func activeIndexes(ctx context.Context, t workload.Target) (n int64, err error) {
	db, err := sql.Open("firebirdsql", t.DSN())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, `SELECT COUNT(*) FROM rdb$indices
		WHERE COALESCE(rdb$system_flag, 0) = 0 AND COALESCE(rdb$index_inactive, 0) = 0`).Scan(&n)
	return n, err
}

// flush waits until a file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
