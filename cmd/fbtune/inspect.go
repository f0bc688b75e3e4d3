package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// inspectFlags are the flags of inspect.
type inspectFlags struct {
	connect, gstat, root string
	watch                time.Duration
	noTables, all        bool
}

func inspectCommand(e *env) *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "inspect [DATABASE]",
		Short: "Find what is wrong with a database, and what to do in order of gain",
		Long: `Find what is wrong with a database, and what to do in order of gain.

With --connect a server is asked, by its services and monitoring tables: header,
tables and indices as gstat -r shows them, open transactions and who holds the
oldest, attachments. On the server's own machine its lock table (fb_lock_print)
and temporary files are looked at too; for those of another account fbtune must
be root. With --watch the server is watched under its own load: peak of
attachments, cache hits, waits, temporary files.

Without a server a DATABASE file of this machine gives its header, and its tables
and indices by the installed gstat, which is run as the file's owner and only
while no server has the file open. --gstat takes an output that was saved on any
machine, of Firebird 2.5 to 5.0. What cannot be known is said, with what to do.

All the database notices is an attachment and a few transactions. gstat reads every
page of tables and indices: leave that out with --no-tables on a large database in
use.

User and password come from ISC_USER and ISC_PASSWORD. The object of --json is
what recommend --observed reads.`,
		Example: `  fbtune inspect --connect localhost:/data/erp.fdb --watch 5m
  fbtune inspect --connect db1/3051:erp --no-tables
  fbtune inspect /data/erp.fdb
  gstat -r erp > erp.txt; fbtune inspect --gstat erp.txt --all
  fbtune inspect --connect localhost:erp --watch 1h --json -o seen.json
  fbtune recommend --observed seen.json`,
		Args: cobra.ArbitraryArgs, // which check counts
		RunE: func(cmd *cobra.Command, args []string) error { return e.inspect(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.connect, "connect", "", "the server to ask, `host[/port]:database`")
	flags.StringVar(&f.gstat, "gstat", "", "read what gstat printed (-h, -a or -r) from `FILE`")
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of a build whose gstat and fb_lock_print may be run, beside the installations found")
	flags.DurationVar(&f.watch, "watch", 0, "watch the server for a `duration`, such as 5m")
	flags.BoolVar(&f.noTables, "no-tables", false, "leave out tables and indices, for which gstat reads all their pages")
	flags.BoolVar(&f.all, "all", false, fmt.Sprintf("show all findings, tables and indices, not the first %d of each", report.MostInspected))
	return cmd
}

func (e *env) inspect(ctx context.Context, f inspectFlags, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	sink, closeSink, err := e.sink()
	if err != nil {
		return err
	}
	d, err := f.gather(ctx, e, args, sink)
	if err := errors.Join(err, closeSink()); err != nil {
		return err
	}
	inspected := report.Inspect(d)
	if e.json {
		err = e.printJSON("fbtune/inspect/1", inspected)
	} else {
		err = e.print(func(w writer) error { return report.Inspection(w, inspected, f.all) })
	}
	if err != nil {
		return err
	}
	serious := 0
	for _, finding := range inspected.Findings {
		if finding.Severity.AtLeast(check.Warning) {
			serious++
		}
	}
	if serious > 0 {
		return findingsError("%d of warning and above", serious)
	}
	return nil
}

// check refuses flags that say more or less than one thing to inspect.
func (f inspectFlags) check(args []string) error {
	named := len(args)
	for _, flag := range []string{f.connect, f.gstat} {
		if flag != "" {
			named++
		}
	}
	switch {
	case named != 1:
		return usagef("give one of these: a database file, --connect, --gstat; see fbtune inspect -h")
	case f.watch < 0:
		return usagef("--watch %s: give a duration above 0, such as 5m", f.watch)
	case f.watch > 0 && f.connect == "":
		return usagef("--watch takes a server to watch; give --connect")
	}
	return nil
}

// gather inspects what the flags name.
func (f inspectFlags) gather(ctx context.Context, e *env, args []string, sink tuner.Sink) (d inspect.Database, err error) {
	if f.gstat != "" {
		return fromOutput(f.gstat)
	}
	o := inspect.Options{Tables: !f.noTables, Watch: f.watch, Note: func(format string, args ...any) {
		sink(tuner.Event{Kind: tuner.EventNote, Time: time.Now(), Message: fmt.Sprintf(format, args...)})
	}}
	if o.Installations, err = f.installations(ctx); err != nil {
		return d, err
	}
	if f.connect == "" {
		d, err = inspect.FromFile(ctx, args[0], o)
		return d, usage(err)
	}
	target, err := e.target(f.connect)
	if err != nil {
		return d, err
	}
	return inspect.FromServer(ctx, target, o)
}

// fromOutput reads a saved output of gstat.
func fromOutput(path string) (d inspect.Database, err error) {
	file, err := os.Open(path)
	if err != nil {
		return d, usagef("--gstat: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	d, err = inspect.FromOutput(path, file)
	return d, usage(err)
}

// installations returns the builds whose programs may be run, that of
// --firebird-root first.
func (f inspectFlags) installations(ctx context.Context) ([]firebird.Installation, error) {
	found, _ := firebird.Find(ctx) // of broken ones nothing can be run
	if f.root == "" {
		return found, nil
	}
	inst, err := firebird.At(ctx, f.root)
	if err != nil {
		return nil, usage(err)
	}
	return append([]firebird.Installation{inst}, found...), nil
}
