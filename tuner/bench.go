package tuner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// Setup says where and on what a bench measures.
type Setup struct {
	Version  string // of fbtune
	Firebird firebird.Installation
	Host     probe.Host
	Home     string        // fbtune's work directory
	Path     string        // where databases live; "" is Home
	Cap      confgen.Bytes // of the server's memory
	Load     Load
}

// Bench measures configurations one at a time.
type Bench struct {
	server   *private.Server
	copy     golden.Copy
	load     Load
	limit    confgen.Bytes
	database string // of the trials
	env      Environment
}

// Names in the work directory.
const (
	serversDir = "servers"
	goldenDir  = "golden"
	scratchDir = "scratch"
)

// loadConfig is what the server that loads a golden copy runs with: the loader
// is limited by writing, and 128 MiB of cache holds what it touches.
var loadConfig = map[string]string{confgen.ServerMode: string(confgen.Super), confgen.DefaultDbCachePages: "16384"}

// NewBench cleans up after killed runs, sets up a private server and loads the
// golden copy unless it is there.
func NewBench(ctx context.Context, s Setup, sink Sink) (_ *Bench, err error) {
	if err := os.MkdirAll(s.Home, 0o755); err != nil {
		return nil, fmt.Errorf("make the work directory: %w", err)
	}
	servers := filepath.Join(s.Home, serversDir)
	left, err := private.Sweep(ctx, servers)
	if err != nil {
		return nil, err
	}
	if left > 0 {
		sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("ended and removed %d server(s) that a killed run had left", left)})
	}
	key, err := golden.NewKey(s.Load.Scale, s.Load.PageSize, s.Firebird.Version)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(s.Home, "data")
	if s.Path != "" {
		if info, err := os.Stat(s.Path); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("put databases in %s: there is no such directory; make it, or name another by --path", s.Path)
		}
		if err := private.CheckDir(s.Path); err != nil {
			return nil, err
		}
		data = filepath.Join(s.Path, "fbtune")
	}
	scratch := filepath.Join(data, scratchDir)
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, fmt.Errorf("make the directory of databases: %w", err)
	}
	b := &Bench{load: s.Load, limit: s.Cap}
	b.server, err = private.New(ctx, private.Options{Installation: s.Firebird, Dir: servers, Cap: s.Cap})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close(ctx))
		}
	}()
	for _, note := range b.server.Notes() {
		sink.emit(Event{Kind: EventNote, Message: note})
	}
	dir, err := b.server.Scratch(scratch)
	if err != nil {
		return nil, err
	}
	b.database = filepath.Join(dir, "trial.fdb")
	b.copy, err = golden.Ensure(ctx, filepath.Join(data, goldenDir), key, b.loader(dir, s.Host, sink))
	if err != nil {
		return nil, err
	}
	b.env = Environment{
		Fbtune: s.Version, Firebird: s.Firebird, Host: s.Host, Isolation: b.server.Isolation(),
		Database: b.copy, CacheMode: warm, Load: s.Load,
	}
	return b, nil
}

// Environment is what the bench's figures depend on.
func (b *Bench) Environment() Environment { return b.env }

// Close ends the server and removes the trials' database.
func (b *Bench) Close(ctx context.Context) error {
	return b.server.Close(context.WithoutCancel(ctx))
}

// roomFactor is how many times the loaded size must be free: the golden copy,
// a trial's copy and its growth.
const roomFactor = 3

// loader returns the loader of the bench's golden copy, which works in dir.
func (b *Bench) loader(dir string, host probe.Host, sink Sink) golden.Loader {
	return func(ctx context.Context) (string, workload.LoadResult, error) {
		need := confgen.Bytes(roomFactor * b.load.Scale.EstimatedBytes())
		if free := host.Disk.Free; free.Known() && free.Or(0) < need {
			return "", workload.LoadResult{}, fmt.Errorf("load a database: %s free in %s, %s needed; free some, choose another --path, or fewer --warehouses",
				free.Or(0), host.Disk.Path, need)
		}
		path := filepath.Join(dir, "loading.fdb")
		if err := b.server.CreateDatabase(ctx, path, b.load.PageSize); err != nil {
			return "", workload.LoadResult{}, err
		}
		sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("loading %d warehouses, about %s, once; later runs use the copy",
			b.load.Scale.Warehouses, confgen.Bytes(b.load.Scale.EstimatedBytes()))})
		if err := b.server.Start(ctx, private.Config{Settings: loadConfig, Database: path}); err != nil {
			return "", workload.LoadResult{}, fmt.Errorf("start a server to load: %w", err)
		}
		var one sync.Mutex // the loader's goroutines report at the same time
		result, err := workload.Load(ctx, b.server.Target(path), b.load.Scale, workload.LoadOptions{
			Progress: func(p workload.LoadProgress) {
				one.Lock()
				defer one.Unlock()
				sink.emit(Event{Kind: EventLoad, Phase: p.Phase, Done: p.Done, Total: p.Total})
			},
		})
		if err != nil && ctx.Err() == nil {
			if died := b.server.DiedSoon(); died != nil {
				err = died // all else is its consequence
			}
		}
		if err := errors.Join(err, b.server.Stop(ctx)); err != nil {
			return "", workload.LoadResult{}, fmt.Errorf("load a database: %w", err)
		}
		return path, result, flush(path)
	}
}

// flush waits until a file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return errors.Join(f.Sync(), f.Close())
}

// Measure runs one trial of a cell with the bench's load, of which warm-up and
// window may differ. What makes the configuration unusable is
// in the trial, with status failed; an error is a fault of the machine or of
// fbtune, or the end of ctx.
func (b *Bench) Measure(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
	t := Trial{Cell: c.Name, Mode: c.Mode, Settings: maps.Clone(c.Settings), Started: time.Now().UTC(), Status: study.Failed, Effective: []private.Effective{}}
	if err := confgen.Fits(b.env.Candidate(c), b.limit); err != nil {
		var refusal *confgen.DoesNotFit
		if !errors.As(err, &refusal) {
			t.Reason = err.Error()
			return t, nil
		}
		t.Refused, t.Reason = true, "refused before it ran: "+err.Error()
		return t, nil
	}
	began := time.Now()
	err := b.run(ctx, c, l, seed, &t, sink)
	err = errors.Join(err, b.timed(&t.Overhead.Stop, PhaseStop, sink, func() error { return b.server.Stop(ctx) }))
	t.Overhead.Other = time.Since(began).Seconds() - t.Overhead.Total() - measured(t.Result)
	if ctx.Err() != nil {
		return t, context.Cause(ctx)
	}
	var failed *candidateError
	if errors.As(err, &failed) {
		t.Reason = failed.reason
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.Status, t.OpsPerSecond = study.OK, t.Result.OpsPerSecond
	return t, nil
}

// measured is the time of warm-up and window, in seconds.
func measured(r *workload.Result) float64 {
	if r == nil {
		return 0
	}
	return (r.Warmup + r.Window).Seconds()
}

// candidateError is the fault of a configuration.
type candidateError struct{ reason string }

func (e *candidateError) Error() string { return e.reason }

func fault(format string, args ...any) error {
	return &candidateError{reason: fmt.Sprintf(format, args...)}
}

// timed runs one step of a trial and notes how long it took.
func (b *Bench) timed(into *float64, phase string, sink Sink, step func() error) error {
	sink.emit(Event{Kind: EventPhase, Phase: phase})
	began := time.Now()
	err := step()
	*into = time.Since(began).Seconds()
	return err
}

// run is a trial up to the end of its load; the server is left running.
func (b *Bench) run(ctx context.Context, c Cell, l Load, seed int64, t *Trial, sink Sink) error {
	err := b.timed(&t.Overhead.Reset, PhaseReset, sink, b.reset)
	if err != nil {
		return err
	}
	err = b.timed(&t.Overhead.Start, PhaseStart, sink, func() error {
		return b.server.Start(ctx, private.Config{Settings: c.Settings, Database: b.database})
	})
	var start *private.StartError
	if errors.As(err, &start) {
		return fault("does not start: %v", start)
	}
	if err != nil {
		return err
	}
	err = b.timed(&t.Overhead.Verify, PhaseVerify, sink, func() error { return b.verify(ctx, t) })
	if err != nil {
		return err
	}
	if err := b.drive(ctx, l, seed, t, sink); err != nil {
		return err
	}
	return b.timed(&t.Overhead.Check, PhaseCheck, sink, func() error { return b.check(ctx, t) })
}

// reset puts a fresh copy in place.
func (b *Bench) reset() error {
	if err := os.Remove(b.database); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove the last trial's database: %w", err)
	}
	if err := b.copy.CopyTo(b.database); err != nil {
		return err
	}
	return b.server.Adopt(b.database)
}

// verify reads back what is in force.
func (b *Bench) verify(ctx context.Context, t *Trial) error {
	var err error
	if t.Effective, err = b.server.Effective(ctx); err != nil {
		return b.blame(err, "does not answer")
	}
	for _, wrong := range private.Contradictions(t.Effective) {
		return fault("%s is %s in the running server (%s)", wrong.Name, wrong.Value, wrong.Note)
	}
	return nil
}

// drive runs the load.
func (b *Bench) drive(ctx context.Context, l Load, seed int64, t *Trial, sink Sink) error {
	plan := l.plan(seed)
	plan.ServerCPU, plan.MemoryStall = b.server.CPU, memoryStall()
	phase := workload.PhaseConnect // too short for a tick as a rule
	sink.emit(Event{Kind: EventPhase, Phase: phase})
	plan.OnTick = func(tick workload.Tick) {
		if tick.Phase != phase {
			phase = tick.Phase
			sink.emit(Event{Kind: EventPhase, Phase: phase})
		}
		sink.emit(Event{Kind: EventTick, Tick: &tick})
	}
	result, err := workload.Run(ctx, b.server.Target(b.database), l.Scale, plan)
	if err != nil {
		return b.blame(err, "does not carry the load")
	}
	t.Result = &result
	t.Overhead.Connect, t.Overhead.Disconnect = result.ConnectTime.Seconds(), result.Disconnect.Seconds()
	t.Warnings = append(t.Warnings, result.Warnings...)
	return nil
}

// memoryStall returns a reader of how long this machine's processes waited for
// memory, or nil where the kernel does not say.
func memoryStall() func() (workload.Stall, error) {
	root := os.DirFS("/")
	if _, err := probe.ReadPressure(root); err != nil {
		return nil
	}
	return func() (workload.Stall, error) {
		p, err := probe.ReadPressure(root)
		return workload.Stall{Some: p.Some.Total, Full: p.Full.Total}, err
	}
}

// blame turns the error of a call on the running server into the server's own
// reason when it died, and into the candidate's fault in any case.
func (b *Bench) blame(err error, what string) error {
	if died := b.server.DiedSoon(); died != nil {
		return fault("%s: %v", what, died)
	}
	if log := b.server.Log(); log != "" {
		return fault("%s: %v\nfirebird.log ends:\n%s", what, err, log)
	}
	return fault("%s: %v", what, err)
}

// check judges the database and the server's log after the load.
func (b *Bench) check(ctx context.Context, t *Trial) error {
	conditions := []int{1, 2, 3}
	if b.load.Verify {
		conditions = nil // all
	}
	violations, err := workload.Check(ctx, b.server.Target(b.database), conditions...)
	if err != nil {
		return b.blame(err, "does not answer after the load")
	}
	if len(violations) > 0 {
		texts := make([]string, len(violations))
		for i, v := range violations {
			texts[i] = v.String()
		}
		return fault("the load left the database inconsistent: %s", strings.Join(texts, "; "))
	}
	for _, f := range b.server.Findings() {
		if f.Fatal {
			return fault("%s (firebird.log: %s)", f.Means, f.Text)
		}
		t.Warnings = append(t.Warnings, f.Means+" (firebird.log: "+f.Text+")")
	}
	if died := b.server.Died(); died != nil { // a killed process of Classic leaves the others
		return fault("after the load: %v", died)
	}
	return nil
}
