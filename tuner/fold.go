package tuner

import (
	"context"
	"fmt"

	"github.com/fbtune/fbtune/tuner/study"
)

// Fold returns what a recorded study adds up to, without running anything.
func Fold(ctx context.Context, st *study.Study) (*Progress, error) {
	var p Progress
	var environment Environment
	plan := Event{Kind: EventPlan, Environment: &environment}
	var err error
	switch st.Kind {
	case study.Sweep:
		plan.Plan = new(Plan)
		*plan.Plan, environment, err = ReadPlan(st)
	case study.Tune:
		plan.Tuning = new(Tuning)
		*plan.Tuning, environment, err = ReadTuning(st)
	case study.Growth:
		plan.Growth = new(Growth)
		*plan.Growth, environment, err = ReadGrowth(st)
	default:
		err = fmt.Errorf("study %s is a %s, which this fbtune does not know: use a newer one", st.Name, st.Kind)
	}
	if err != nil {
		return nil, err
	}
	p.Apply(plan)
	if st.Kind == study.Growth {
		if err := foldLoadings(ctx, st, *plan.Growth, &p); err != nil {
			return nil, err
		}
	}
	trials, err := Recorded(ctx, st)
	if err != nil {
		return nil, err
	}
	for i := range trials {
		p.Apply(Event{Kind: EventResult, Trial: &trials[i], Replayed: true})
	}
	end := Event{Kind: EventEnd}
	if !st.Finished {
		end.Message = "not finished"
	}
	p.Apply(end)
	return &p, nil
}
