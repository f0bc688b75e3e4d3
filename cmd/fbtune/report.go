package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/report/document"
	"github.com/fbtune/fbtune/tuner/study"
)

func reportCommand(e *env) *cobra.Command {
	var storage, format, charts string
	cmd := &cobra.Command{
		Use:   "report STUDY",
		Short: "Write a study as a report: a page with charts, Markdown, CSV, JSON or text",
		Long: `Write a study as a report, finished or not: the answer in three sentences, the
figures with their intervals, charts, how it was measured and in what environment.

html is one file that needs no network and no script. md is for issues and forums.
csv is trials.csv and seconds.csv in the directory that -o names. json is what
fbtune studies export prints, txt what fbtune studies show prints.`,
		Example: `  fbtune report tune-20261201-083000 -o report.html
  fbtune report tune-20261201-083000 --format md
  fbtune report sweep-20261201-083000 --format csv -o trials/
  fbtune report sweep-20261201-083000 -o report.html --charts charts/`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one study, such as fbtune report tune-20261201-083000; fbtune studies lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.json {
				format = "json"
			}
			return e.withStore(cmd.Context(), storage, func(s *study.Store) error {
				err := e.report(cmd.Context(), s, args[0], format, charts)
				if errors.Is(err, study.ErrNotFound) {
					err = usage(err)
				}
				return err
			})
		},
	}
	addStorage(cmd.Flags(), &storage)
	cmd.Flags().StringVar(&format, "format", "html", "one of "+strings.Join(reportFormats, ", "))
	cmd.Flags().StringVar(&charts, "charts", "", "write the charts as SVG and PNG to `DIR`")
	return cmd
}

// reportFormats are the forms of a report.
var reportFormats = []string{"html", "md", "csv", "json", "txt"}

func (e *env) report(ctx context.Context, store *study.Store, name, format, charts string) error {
	switch {
	case !slices.Contains(reportFormats, format):
		return usagef("--format %q: write one of %s", format, strings.Join(reportFormats, ", "))
	case format == "csv" && e.out == "":
		return usagef("--format csv writes trials.csv and seconds.csv; name their directory with -o DIR")
	}
	_, progress, err := folded(ctx, store, name)
	if err != nil {
		return err
	}
	d, err := document.New(name, progress)
	if err != nil {
		return err
	}
	if charts != "" {
		files := map[string]func(io.Writer) error{}
		for _, c := range d.Charts() {
			files[c.Name+".svg"], files[c.Name+".png"] = c.SVG, c.PNG
		}
		if err := writeAll(charts, files); err != nil {
			return err
		}
	}
	switch format {
	case "html":
		return e.print(d.HTML)
	case "md":
		return e.print(d.Markdown)
	case "csv":
		return writeAll(e.out, map[string]func(io.Writer) error{"trials.csv": d.TrialsCSV, "seconds.csv": d.SecondsCSV})
	case "json":
		e.json = true
		return e.showStudy(ctx, store, name)
	}
	return e.showStudy(ctx, store, name) // txt
}

// writeAll writes files to a directory, which it makes.
func writeAll(dir string, files map[string]func(io.Writer) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of the report: %w", err)
	}
	for name, write := range files {
		file := env{out: filepath.Join(dir, name)}
		if err := file.print(write); err != nil {
			return err
		}
	}
	return nil
}
