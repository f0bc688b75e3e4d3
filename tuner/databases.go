package tuner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/workload"
)

// Loading is a database that was loaded for the time it takes, whether or not
// there was a golden copy already.
type Loading struct {
	Load  workload.LoadResult `json:"load"`
	Flush time.Duration       `json:"flush_ns"` // until all of it was on the disk, after the check
	// SHA256 is of the golden copy that trials start from: the file that was
	// loaded, or an older one with the same content.
	SHA256 string `json:"sha256"`
}

// Duration is how long rows, keys, indexes and the flush took. The check of the
// content is no part of a load.
func (l Loading) Duration() time.Duration { return l.Load.Load + l.Load.Index + l.Flush }

// BytesPerSecond is the size of the loaded file by its duration.
func (l Loading) BytesPerSecond() float64 { return float64(l.Load.Bytes) / l.Duration().Seconds() }

// RowsPerSecond is the number of its rows by its duration.
func (l Loading) RowsPerSecond() float64 { return float64(l.Load.Rows) / l.Duration().Seconds() }

// Ensure has a golden copy of a scale ready for trials, loading it unless it is
// there.
func (b *Bench) Ensure(ctx context.Context, scale workload.Scale, sink Sink) (golden.Copy, error) {
	key, err := b.key(scale)
	if err != nil {
		return golden.Copy{}, err
	}
	c, err := golden.Ensure(ctx, b.golden, key, func(ctx context.Context) (string, workload.LoadResult, error) {
		sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("loading %d warehouses, about %s, once; later runs use the copy",
			scale.Warehouses, confgen.Bytes(scale.EstimatedBytes()))})
		path, l, err := b.fill(ctx, scale, sink)
		return path, l.Load, err
	})
	if err == nil {
		b.copies[scale] = c
	}
	return c, err
}

// LoadAfresh loads a scale although there may be a golden copy, and has one ready
// for trials.
func (b *Bench) LoadAfresh(ctx context.Context, scale workload.Scale, sink Sink) (Loading, error) {
	key, err := b.key(scale)
	if err != nil {
		return Loading{}, err
	}
	path, l, err := b.fill(ctx, scale, sink)
	if err != nil {
		return Loading{}, err
	}
	c, err := golden.Keep(b.golden, key, path, l.Load)
	if err != nil {
		return Loading{}, err
	}
	b.copies[scale], l.SHA256 = c, c.SHA256
	return l, nil
}

// key returns what makes the golden copy of a scale.
func (b *Bench) key(scale workload.Scale) (golden.Key, error) {
	return golden.NewKey(scale, b.load.PageSize, b.env.Firebird.Version)
}

// has reports whether there is a golden copy of a scale.
func (b *Bench) has(scale workload.Scale) (bool, error) {
	key, err := b.key(scale)
	return err == nil && golden.Has(b.golden, key), err
}

// prepared returns the golden copy of a scale that is ready.
func (b *Bench) prepared(scale workload.Scale) (golden.Copy, error) {
	c, ok := b.copies[scale]
	if !ok {
		return c, fmt.Errorf("measure %d warehouses at cardinality %g: no database of them was made ready", scale.Warehouses, scale.Cardinality)
	}
	return c, nil
}

// roomFactor is how many times the loaded size must be free: the golden copy,
// a trial's copy and its growth.
const roomFactor = 3

// Room is how much must be free on the disk of the databases.
func (l Load) Room() confgen.Bytes { return roomOf(l.Scale) }

// roomOf is how much must be free to load and measure a scale.
func roomOf(scale workload.Scale) confgen.Bytes {
	return confgen.Bytes(roomFactor * scale.EstimatedBytes())
}

// fill loads a scale into a new database, and returns its path once it is closed
// and on the disk.
func (b *Bench) fill(ctx context.Context, scale workload.Scale, sink Sink) (string, Loading, error) {
	need := roomOf(scale)
	if disk := b.env.Host.Disk; disk.Free.Known() && disk.Free.Or(0) < need {
		return "", Loading{}, fmt.Errorf("load a database: %s free in %s, %s needed; free some, choose another --path, or fewer --warehouses",
			disk.Free.Or(0), disk.Path, need)
	}
	path := filepath.Join(b.scratch, "loading.fdb")
	if err := b.server.CreateDatabase(ctx, path, b.load.PageSize); err != nil {
		return "", Loading{}, err
	}
	if err := b.server.Start(ctx, private.Config{Settings: b.loadSettings(), Database: path}); err != nil {
		return "", Loading{}, fmt.Errorf("start a server to load: %w", err)
	}
	var one sync.Mutex // the loader's goroutines report at the same time
	result, err := workload.Load(ctx, b.server.Running().Target(path), scale, workload.LoadOptions{
		Progress: func(p workload.LoadProgress) {
			one.Lock()
			defer one.Unlock()
			sink.emit(Event{Kind: EventLoad, Phase: p.Phase, Done: p.Done, Total: p.Total})
		},
	})
	if err != nil && ctx.Err() == nil {
		if died := b.diedSoon(); died != nil {
			err = died // all else is its consequence
		}
	}
	if err := errors.Join(err, b.server.Stop(ctx)); err != nil {
		return "", Loading{}, fmt.Errorf("load a database: %w", err)
	}
	began := time.Now()
	err = flush(path)
	return path, Loading{Load: result, Flush: time.Since(began)}, err
}

// loadCache is the page cache of the server that loads: the loader is limited by
// writing, and 128 MiB hold what it touches.
const loadCache = 128 * confgen.MiB

// loadSettings is what the server that loads runs with. Below a cap that holds
// the file cache too, its own takes no more than a quarter. From 5.0 on each of
// its connections makes an index with as many workers as there are processors.
func (b *Bench) loadSettings() map[string]string {
	cache := loadCache
	if b.holder() != nil {
		cache = min(cache, b.limit/4)
	}
	settings := map[string]string{
		confgen.ServerMode:          string(confgen.Super),
		confgen.DefaultDbCachePages: fmt.Sprint(int64(cache) / int64(b.load.PageSize)),
	}
	for _, name := range []string{confgen.ParallelWorkers, confgen.MaxParallelWorkers} {
		if _, known := confgen.Default(name, b.env.Firebird.Version, confgen.Super); known {
			settings[name] = strconv.Itoa(b.env.Host.CPU.Usable.Or(1))
		}
	}
	return settings
}

// flush waits until a file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return errors.Join(f.Sync(), f.Close())
}

// reset puts a fresh copy in place. Below a cap that holds the file cache it is
// the server's cache that it is in afterwards, and the golden copy in none.
func (b *Bench) reset(ctx context.Context, from golden.Copy) error {
	if err := os.Remove(b.database); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove the last trial's database: %w", err)
	}
	if err := from.CopyTo(b.database); err != nil {
		return err
	}
	holder := b.holder()
	if err := b.server.Adopt(b.database); err != nil || holder == nil {
		return err
	}
	if err := private.Uncache(from.Path); err != nil {
		return err
	}
	return holder.Warm(ctx, b.database)
}
