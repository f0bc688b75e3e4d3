package main

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/sidebyside"
)

// benchOLTPPathsJSON is the object of bench oltp --json with two paths.
type benchOLTPPathsJSON struct {
	Complete bool                `json:"complete"`
	Blocks   int                 `json:"blocks"`
	Places   []report.OLTPPlace  `json:"places"`
	Ratios   []sidebyside.Metric `json:"ratios"`
}

// compareOLTP measures a configuration in two places, in interleaved blocks. It
// ends with the first trial that has no score.
func (e *env) compareOLTP(ctx context.Context, setups []tuner.Setup, cell tuner.Cell, blocks int, sink tuner.Sink, closeSink func() error) error {
	object := benchOLTPPathsJSON{Blocks: blocks}
	var places [2]report.OLTPPlace
	err := benches(ctx, setups, tuner.NewBench, sink, func(all []*tuner.Bench) error {
		for i, b := range all {
			places[i] = report.OLTPPlace{Path: setups[i].Path, Trials: []tuner.Trial{}, Environment: b.Environment()}
		}
		return sidebyside.Run(ctx, len(all), blocks, rand.Uint64(), func(ctx context.Context, block, place int) error {
			at := &places[place]
			trial, err := all[place].Measure(ctx, cell, at.Environment.Load, int64(block+1), sink)
			if err != nil {
				return err
			}
			trial.Block = block
			at.Trials = append(at.Trials, trial)
			sink.Note("block %d of %d, %s: %.0f operations/s", block+1, blocks, at.Path, trial.OpsPerSecond)
			return scored(trial)
		})
	})
	err = errors.Join(err, closeSink())
	if len(places[0].Trials)+len(places[1].Trials) == 0 {
		return err
	}
	object.Places, object.Complete = places[:], err == nil
	ratios, compareErr := tuner.CompareOLTP(places[0].Trials, places[1].Trials)
	if object.Ratios = ratios; compareErr != nil {
		return errors.Join(err, compareErr)
	}
	if e.json {
		return errors.Join(err, e.printJSON("fbtune/bench-oltp-paths/1", object))
	}
	return errors.Join(err, e.print(func(w writer) error {
		return report.OLTPPaths(w, object.Places, object.Ratios, object.Complete)
	}))
}
