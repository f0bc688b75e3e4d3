package tuner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
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
	CapFiles bool          // whether the cap holds what the system caches of the databases too
	Load     Load
	// Server opens the server that is measured; nil stands for a private one.
	Server func(context.Context) (Server, error)
}

// Bench measures configurations one at a time.
type Bench struct {
	server   Server
	copies   map[workload.Scale]golden.Copy
	load     Load
	limit    confgen.Bytes
	golden   string // directory of the golden copies
	scratch  string // directory of the server's databases
	database string // of the trials
	env      Environment
}

// Names in the work directory.
const (
	serversDir = "servers"
	goldenDir  = "golden"
	scratchDir = "scratch"
)

// NewBench is [OpenBench] with a golden copy of the load's scale, which is loaded
// unless it is there.
func NewBench(ctx context.Context, s Setup, sink Sink) (*Bench, error) {
	b, err := OpenBench(ctx, s, sink)
	if err != nil {
		return nil, err
	}
	if b.env.Database, err = b.Ensure(ctx, s.Load.Scale, sink); err != nil {
		return nil, errors.Join(err, b.Close(ctx))
	}
	return b, nil
}

// OpenBench cleans up after killed runs and sets up a server. The bench runs
// [Bench.Rows]; for [Bench.Measure] it needs a golden copy of the scale.
func OpenBench(ctx context.Context, s Setup, sink Sink) (_ *Bench, err error) {
	data := filepath.Join(s.Home, "data")
	if s.Path != "" {
		if info, err := os.Stat(s.Path); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("put databases in %s: there is no such directory; make it, or name another by --path", s.Path)
		}
		data = filepath.Join(s.Path, "fbtune")
	}
	b := &Bench{load: s.Load, limit: s.Cap, copies: map[workload.Scale]golden.Copy{}, golden: filepath.Join(data, goldenDir)}
	if b.server, err = s.openServer(ctx, sink); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close(ctx))
		}
	}()
	for _, note := range b.server.Running().Notes {
		sink.emit(Event{Kind: EventNote, Message: note})
	}
	scratch := filepath.Join(data, scratchDir)
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return nil, fmt.Errorf("make the directory of databases: %w", err)
	}
	if b.scratch, err = b.server.Scratch(scratch); err != nil {
		return nil, err
	}
	b.database = filepath.Join(b.scratch, "trial.fdb")
	b.env = Environment{
		Fbtune: s.Version, Firebird: s.Firebird, Host: s.Host, Isolation: b.server.Running().Isolation,
		CacheMode: warm, Load: s.Load,
	}
	if b.holder() != nil {
		b.env.CacheMode = below
	}
	return b, nil
}

// Environment is what the bench's figures depend on.
func (b *Bench) Environment() Environment { return b.env }

// Close ends the server and removes the trials' database.
func (b *Bench) Close(ctx context.Context) error {
	return b.server.Close(context.WithoutCancel(ctx))
}

// Measure runs one trial of a cell with the bench's load, of which warm-up, window
// and scale may differ: of the scale a golden copy must be there ([Bench.Ensure],
// [Bench.LoadAfresh]). What makes the configuration unusable is in the trial, with
// status failed; an error is a fault of the machine or of fbtune, or the end of ctx.
func (b *Bench) Measure(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (t Trial, err error) {
	t = Trial{Cell: c.Name, Mode: c.Mode, Settings: maps.Clone(c.Settings), Started: time.Now().UTC(), Status: study.Failed, Effective: []running.Effective{}}
	env := b.env
	if env.Database, err = b.prepared(l.Scale); err != nil {
		return t, err
	}
	if err := confgen.Fits(env.Candidate(c), b.limit); err != nil {
		var refusal *confgen.DoesNotFit
		if !errors.As(err, &refusal) {
			t.Reason = err.Error()
			return t, nil
		}
		t.Refused, t.Reason = true, "refused before it ran: "+err.Error()
		return t, nil
	}
	began := time.Now()
	err = b.run(ctx, env.Database, c, l, seed, &t, sink)
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

// timed runs one step of a trial and notes how long it took.
func (b *Bench) timed(into *float64, phase string, sink Sink, step func() error) error {
	sink.emit(Event{Kind: EventPhase, Phase: phase})
	began := time.Now()
	err := step()
	*into = time.Since(began).Seconds()
	return err
}

// run is a trial up to the end of its load; the server is left running.
func (b *Bench) run(ctx context.Context, from golden.Copy, c Cell, l Load, seed int64, t *Trial, sink Sink) error {
	err := b.timed(&t.Overhead.Reset, PhaseReset, sink, func() error { return b.reset(ctx, from) })
	if err != nil {
		return err
	}
	err = b.timed(&t.Overhead.Start, PhaseStart, sink, func() error {
		return b.server.Start(ctx, private.Config{Settings: c.Settings, Database: b.database})
	})
	var start *running.StartError
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

// verify reads back what is in force.
func (b *Bench) verify(ctx context.Context, t *Trial) error {
	var err error
	if t.Effective, err = b.server.Running().Effective(ctx); err != nil {
		return b.blame(err, "does not answer")
	}
	for _, wrong := range running.Contradictions(t.Effective) {
		return fault("%s is %s in the running server (%s)", wrong.Name, wrong.Value, wrong.Note)
	}
	return nil
}

// drive runs the load.
func (b *Bench) drive(ctx context.Context, l Load, seed int64, t *Trial, sink Sink) error {
	plan := l.plan(seed)
	plan.ServerCPU, plan.MemoryStall = b.server.Running().CPU, b.memoryStall()
	phase := workload.PhaseConnect // too short for a tick as a rule
	sink.emit(Event{Kind: EventPhase, Phase: phase})
	plan.OnTick = func(tick workload.Tick) {
		if tick.Phase != phase {
			phase = tick.Phase
			sink.emit(Event{Kind: EventPhase, Phase: phase})
		}
		sink.emit(Event{Kind: EventTick, Tick: &tick})
	}
	result, err := workload.Run(ctx, b.server.Running().Target(b.database), l.Scale, plan)
	if err != nil {
		return b.blame(err, "does not carry the load")
	}
	t.Result = &result
	t.Overhead.Connect, t.Overhead.Disconnect = result.ConnectTime.Seconds(), result.Disconnect.Seconds()
	t.Warnings = append(t.Warnings, result.Warnings...)
	return nil
}

// memoryStall returns a reader of how long this machine's processes waited for
// memory; nil where the kernel does not say, and below a cap that holds the file
// cache, where the server itself waits.
func (b *Bench) memoryStall() func() (workload.Stall, error) {
	if b.holder() != nil {
		return nil
	}
	root := os.DirFS("/")
	if _, err := probe.ReadPressure(root); err != nil {
		return nil
	}
	return func() (workload.Stall, error) {
		p, err := probe.ReadPressure(root)
		return workload.Stall{Some: p.Some.Total, Full: p.Full.Total}, err
	}
}

// check judges the database and the server's log after the load.
func (b *Bench) check(ctx context.Context, t *Trial) error {
	conditions := []int{1, 2, 3}
	if b.load.Verify {
		conditions = nil // all
	}
	violations, err := workload.Check(ctx, b.server.Running().Target(b.database), conditions...)
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
	for _, f := range b.server.Running().Findings() {
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
