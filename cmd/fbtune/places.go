package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/tuner"
)

// compareBlocks is how many blocks two places are compared in unless --blocks
// says otherwise.
const compareBlocks = 5

// places are the flags of where something is measured, in one place or in two
// that are compared.
type places struct {
	paths  []string
	blocks int
}

func (p *places) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&p.paths, "path", nil, "`directory` on the disk (default: the work directory); twice to compare two")
	cmd.Flags().IntVar(&p.blocks, "blocks", 1, fmt.Sprintf("how often everything is measured; with two paths the default is %d", compareBlocks))
}

// settle checks the flags and fills in what depends on others.
func (p *places) settle(cmd *cobra.Command) error {
	if len(p.paths) > 2 {
		return usagef("%d paths: give one, or two to compare", len(p.paths))
	}
	if len(p.paths) == 2 && !cmd.Flags().Changed("blocks") {
		p.blocks = compareBlocks
	}
	if p.blocks < 1 {
		return usagef("--blocks %d: give at least 1", p.blocks)
	}
	return nil
}

// absolute makes paths absolute and refuses those that are no directories.
func absolute(paths []string) error {
	for i, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return usagef("--path: %w; give a directory on the disk", err)
		}
		if !info.IsDir() {
			return usagef("--path %s: not a directory; give a directory on the disk", path)
		}
		if paths[i], err = filepath.Abs(path); err != nil {
			return fmt.Errorf("resolve --path %s: %w", path, err)
		}
	}
	return nil
}

// setups returns what is needed to measure in each place, the work directory for
// want of a path.
func (p *places) setups(ctx context.Context, e *env, f *loadFlags, load tuner.Load) ([]tuner.Setup, error) {
	if err := absolute(p.paths); err != nil {
		return nil, err
	}
	paths := p.paths
	if len(paths) == 0 {
		paths = []string{""}
	}
	var setups []tuner.Setup
	for _, path := range paths {
		f.path = path
		setup, err := f.setup(ctx, e, load)
		if err != nil {
			return nil, err
		}
		setups = append(setups, setup)
	}
	return setups, nil
}

// benches opens a bench for each setup, calls run with them, and closes them.
func benches(ctx context.Context, setups []tuner.Setup, open func(context.Context, tuner.Setup, tuner.Sink) (*tuner.Bench, error), sink tuner.Sink, run func([]*tuner.Bench) error) (err error) {
	var all []*tuner.Bench
	defer func() {
		for _, b := range all {
			err = errors.Join(err, b.Close(ctx))
		}
	}()
	for _, setup := range setups {
		b, err := open(ctx, setup, sink)
		if err != nil {
			return err
		}
		all = append(all, b)
	}
	return run(all)
}
