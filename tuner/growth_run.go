package tuner

import (
	"context"
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/tuner/golden"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

// SizeBench is what a growth is measured on; [Bench] is one.
type SizeBench interface {
	Measurer
	LoadAfresh(ctx context.Context, scale workload.Scale, sink Sink) (Loading, error)
	Ensure(ctx context.Context, scale workload.Scale, sink Sink) (golden.Copy, error)
}

// NewGrowth records a new study of a growth.
func NewGrowth(ctx context.Context, store *study.Store, name string, plan Growth, env Environment) (*study.Study, error) {
	return create(ctx, store, study.Meta{Name: name, Kind: study.Growth, Space: study.SpaceOf(plan.Settings)}, plan, env)
}

// ReadGrowth returns what a growth was recorded with.
func ReadGrowth(s *study.Study) (plan Growth, env Environment, err error) {
	return plan, env, read(s, study.Growth, &plan, &env)
}

// Grow loads and measures what a study's plan asks for and the study does not
// hold yet, on the bench of each path, and returns what is known at the end. All
// sizes are loaded first; then each block goes through all of them. When ctx ends
// it stops cleanly: the error is then ctx's cause, and what was measured is still
// returned. control and sink may be nil.
func Grow(ctx context.Context, benches []SizeBench, st *study.Study, plan Growth, env Environment, control *Control, sink Sink) (*Progress, error) {
	g := &growing{benches: benches, plan: plan, cells: plan.Cells()}
	g.runner = newRunner(g, st, Limits{}, plan.Load, control, sink)
	return g.end(g.all(ctx, env))
}

// growing is one run of a growth. It measures each cell on the bench of its path.
type growing struct {
	*runner
	benches []SizeBench // by path
	plan    Growth
	cells   []Cell
}

// all does everything that is not done.
func (g *growing) all(ctx context.Context, env Environment) error {
	g.sink.emit(Event{Kind: EventPlan, Growth: &g.plan, Environment: &env})
	recorded, err := Recorded(ctx, g.study)
	if err != nil {
		return err
	}
	done := newTally(recorded)
	for i := range g.cells {
		if err := g.prepare(ctx, i, done); err != nil {
			return err
		}
	}
	return g.follow(ctx, func(l ledger) (schedule, error) {
		return &growth{newBlocks(l, g.plan.Blocks, g.cells, g.plan.Order), g.plan.Load}, nil
	})
}

// Measure measures one trial of a size.
func (g *growing) Measure(ctx context.Context, c Cell, l Load, seed int64, sink Sink) (Trial, error) {
	i := slices.IndexFunc(g.cells, func(cell Cell) bool { return cell.Name == c.Name })
	size, path := g.plan.place(i)
	l.Scale = g.plan.Sizes[size].Scale
	return g.benches[path].Measure(ctx, c, l, seed, sink)
}

// growth is where the blocks of a growth stand.
type growth struct {
	blocks
	load Load
}

// chosen returns the load of all trials.
func (g *growth) chosen() (Load, Budget) { return g.load, Budget{} }

// fault returns nil: a size that fails is a result.
func (g *growth) fault(Trial) error { return nil }

// left reports whether trials of a cell are still to be run.
func (g *growing) left(cell int, done tally) bool {
	for block := range g.plan.Blocks {
		for order, i := range g.plan.Order(block) {
			if i == cell && done.wanted(g.cells[cell].Name, Slot{Block: block, Order: order}) {
				return true
			}
		}
	}
	return false
}

// loadingOf is the name of what a study keeps of the load of a cell.
func loadingOf(c Cell) string { return "loading " + c.Name }

// prepare loads a cell's database, unless the study holds how that went, and has
// it ready while trials of it are left.
func (g *growing) prepare(ctx context.Context, cell int, done tally) error {
	size, path := g.plan.place(cell)
	c, scale, bench := g.cells[cell], g.plan.Sizes[size].Scale, g.benches[path]
	var l Loading
	before, err := g.study.Kept(ctx, loadingOf(c), &l)
	switch {
	case err != nil:
		return err
	case before && g.left(cell, done):
		copied, err := bench.Ensure(ctx, scale, g.sink)
		if err != nil {
			return err
		}
		if copied.SHA256 != l.SHA256 {
			return fmt.Errorf("the golden copy of %s is another than the study was begun with: start a new study", c.Name)
		}
	case !before:
		g.sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("loading %s, about %s, afresh", c.Name, g.plan.Sizes[size].Bytes())})
		if l, err = bench.LoadAfresh(ctx, scale, g.sink); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if err := g.study.Keep(context.WithoutCancel(ctx), loadingOf(c), l); err != nil {
			return err
		}
	}
	g.sink.emit(Event{Kind: EventLoaded, Cell: c.Name, Loading: &l, Replayed: before})
	return nil
}

// foldLoadings applies what a study keeps of the loads of a growth.
func foldLoadings(ctx context.Context, st *study.Study, plan Growth, p *Progress) error {
	for _, c := range plan.Cells() {
		var l Loading
		found, err := st.Kept(ctx, loadingOf(c), &l)
		if err != nil {
			return err
		}
		if found {
			p.Apply(Event{Kind: EventLoaded, Cell: c.Name, Loading: &l, Replayed: true})
		}
	}
	return nil
}
