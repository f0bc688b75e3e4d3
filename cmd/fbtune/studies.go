package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

func studiesCommand(e *env) *cobra.Command {
	var storage string
	cmd := &cobra.Command{
		Use:   "studies",
		Short: "List, show, export and delete what sweep, tune and bench growth measured",
		Long: `List, show, export and delete what sweep, tune and bench growth measured.

Studies are in the work directory, whether they ran to their end or were cut short.`,
		Example: `  fbtune studies
  fbtune studies show tune-20261201-083000
  fbtune studies export sweep-20261201-083000 --format csv -o trials.csv
  fbtune studies delete sweep-20261201-083000`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.withStore(cmd.Context(), storage, func(s *study.Store) error { return e.listStudies(cmd.Context(), s) })
		},
	}
	addStorage(cmd.PersistentFlags(), &storage)
	var format string
	export := e.studyCommand(&storage, "export", "Write all trials of a study, as JSON or CSV", func(ctx context.Context, s *study.Store, name string) error {
		return e.exportStudy(ctx, s, name, format)
	})
	export.Flags().StringVar(&format, "format", "json", "json, the object that the command prints with --json, or csv, a line for each trial")
	cmd.AddCommand(
		e.studyCommand(&storage, "show", "Print a study as it was printed at its end", e.showStudy),
		export,
		e.studyCommand(&storage, "delete", "Delete a study with its trials and files; golden copies stay", e.deleteStudy),
	)
	return cmd
}

// studyCommand makes a command about one study of a storage.
func (e *env) studyCommand(storage *string, verb, short string, run func(context.Context, *study.Store, string) error) *cobra.Command {
	return &cobra.Command{
		Use:     verb + " STUDY",
		Short:   short,
		Example: fmt.Sprintf("  fbtune studies %s tune-20261201-083000", verb),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one study, such as %s tune-20261201-083000; fbtune studies lists them", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.withStore(cmd.Context(), *storage, func(s *study.Store) error {
				err := run(cmd.Context(), s, args[0])
				if errors.Is(err, study.ErrNotFound) {
					err = usage(err)
				}
				return err
			})
		},
	}
}

// studiesJSON is the object of studies --json.
type studiesJSON struct {
	Studies []report.Study `json:"studies"`
}

func (e *env) listStudies(ctx context.Context, store *study.Store) error {
	summaries, err := store.List(ctx)
	if err != nil {
		return err
	}
	object := studiesJSON{Studies: []report.Study{}}
	for _, s := range summaries {
		object.Studies = append(object.Studies, report.Study{
			Name: s.Name, Kind: s.Kind, Created: s.Created.UTC(), Finished: s.Finished,
			OK: s.Trials[study.OK], Failed: s.Trials[study.Failed], Repeated: s.Trials[study.Interrupted], Running: s.Trials[study.Running],
			Best: s.Best,
		})
	}
	if e.json {
		return e.printJSON("fbtune/studies/1", object)
	}
	return e.print(func(w writer) error { return report.Studies(w, object.Studies, time.Now()) })
}

// folded reads a study and returns what its trials add up to.
func folded(ctx context.Context, store *study.Store, name string) (*study.Study, *tuner.Progress, error) {
	st, err := store.Load(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	progress, err := tuner.Fold(ctx, st)
	return st, progress, err
}

func (e *env) showStudy(ctx context.Context, store *study.Store, name string) error {
	st, progress, err := folded(ctx, store, name)
	if err != nil {
		return err
	}
	switch st.Kind {
	case study.Sweep:
		return e.printSweep(progress.Result())
	case study.Growth:
		return e.printGrowth(progress.GrowthResult())
	}
	outcome, err := progress.Outcome()
	if err != nil {
		return err
	}
	dir, err := e.folder(name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err != nil {
		dir = ""
	}
	if e.json {
		return e.printJSON("fbtune/tune/1", tuneJSON{Study: name, Outcome: outcome, Sentences: outcome.Sentences(), Directory: dir, Files: map[string]string{}})
	}
	return e.print(func(w writer) error { return report.Tune(w, outcome, name, dir) })
}

func (e *env) exportStudy(ctx context.Context, store *study.Store, name, format string) error {
	switch format {
	case "json":
		e.json = true
		return e.showStudy(ctx, store, name)
	case "csv":
	default:
		return usagef("--format %q: write json or csv", format)
	}
	_, progress, err := folded(ctx, store, name)
	if err != nil {
		return err
	}
	return e.print(func(w writer) error {
		out := csv.NewWriter(w)
		if err := out.WriteAll(report.TrialRows(progress.Trials)); err != nil {
			return fmt.Errorf("write trials: %w", err)
		}
		return nil
	})
}

// deleteStudy deletes a study and the files of its outcome.
func (e *env) deleteStudy(ctx context.Context, store *study.Store, name string) error {
	if err := store.Delete(ctx, name); err != nil {
		return err
	}
	dir, err := e.folder(name)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("delete the files of study %s: %w", name, err)
	}
	if e.json {
		return e.printJSON("fbtune/study-deleted/1", struct {
			Study string `json:"study"`
		}{name})
	}
	return e.print(func(w writer) error {
		_, err := fmt.Fprintf(w, "deleted %s\n", name)
		return err
	})
}
