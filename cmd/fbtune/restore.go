package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/report"
)

// restoreFlags are the flags of restore.
type restoreFlags struct {
	to                         string
	list, pending, yes, dryRun bool
}

func restoreCommand(e *env) *cobra.Command {
	var f restoreFlags
	cmd := &cobra.Command{
		Use:   "restore [BACKUP]",
		Short: "List the backups that apply made, or put one back",
		Long: `List the backups that apply made, or put one back.

BACKUP is the date that the list shows, for all files of it, or one file of it. What
it replaces gets a backup as well. A file that apply had made new stays. --pending
finishes or undoes an apply that was interrupted: it is finished when all new files
are complete, else undone. It also puts back the firebird.conf that fbtune sweep or
tune --service had lent to trials when it was killed. A backup is not tried as apply does; the server is not
restarted.`,
		Example: `  fbtune restore --list
  fbtune restore --to /etc/firebird/3.0 20261201T093000Z
  fbtune restore --to /etc/firebird/3.0 --pending`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one backup at a time, not %s; see %s -h", strings.Join(args, ", "), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.restore(cmd.Context(), &f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.to, "to", "", "`root` of the installation, or the directory of its files (default: the newest installation found)")
	flags.BoolVar(&f.list, "list", false, "list the backups, as without BACKUP")
	flags.BoolVar(&f.pending, "pending", false, "finish or undo what was interrupted")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show only, change nothing")
	return cmd
}

func (e *env) restore(ctx context.Context, f *restoreFlags, args []string) error {
	switch {
	case f.pending && (f.list || len(args) > 0):
		return usagef("--pending stands alone: leave out --list and BACKUP")
	case f.list && len(args) > 0:
		return usagef("--list or BACKUP, not both")
	case f.pending:
		return e.recoverPending(ctx, f.to)
	case len(args) == 0:
		return e.listBackups(ctx, f.to)
	}
	return e.restoreBackup(ctx, f, args[0])
}

// backupsJSON is the object of restore --list --json.
type backupsJSON struct {
	Target  apply.Target   `json:"target"`
	Backups []apply.Backup `json:"backups"`
	Pending *apply.Pending `json:"pending"`
}

func (e *env) listBackups(ctx context.Context, root string) error {
	target, err := apply.Locate(ctx, root, "")
	if err != nil {
		return err
	}
	list, err := apply.Backups(target.FirebirdConf, target.DatabasesConf)
	if err != nil {
		return err
	}
	store, err := apply.Open(target.FirebirdConf)
	if err != nil {
		return mayNot(err)
	}
	pending, err := store.Pending()
	if err := errors.Join(err, store.Close()); err != nil {
		return err
	}
	if e.json {
		return e.printJSON("fbtune/backups/1", backupsJSON{target, list, pending})
	}
	return e.print(func(w writer) error { return report.Backups(w, target, list, pending) })
}

// recoverPending finishes or undoes an interrupted apply.
func (e *env) recoverPending(ctx context.Context, root string) error {
	r := replacement{env: e, yes: true}
	if err := r.open(ctx, root, ""); err != nil {
		return err
	}
	defer r.close()
	if r.done.Recovered == "" {
		r.done.Recovered = apply.Nothing
	}
	if e.json {
		return e.printJSON("fbtune/apply/1", r.done)
	}
	return e.print(func(w writer) error { return report.Recovered(w, r.done) })
}

func (e *env) restoreBackup(ctx context.Context, f *restoreFlags, name string) error {
	r := replacement{env: e, yes: f.yes, dryRun: f.dryRun}
	if err := r.open(ctx, f.to, ""); err != nil {
		return err
	}
	defer r.close()
	list, err := apply.Backups(r.target.FirebirdConf, r.target.DatabasesConf)
	if err != nil {
		return err
	}
	backup, err := apply.Find(list, name)
	if err != nil {
		return usage(err)
	}
	rules, err := r.target.Rules()
	if err != nil {
		return err
	}
	now, err := r.target.Texts()
	if err != nil {
		return err
	}
	kept, err := r.target.Kept(backup)
	if err != nil {
		return err
	}
	then := kept.Over(now)
	r.done.From = backup.Stamp
	r.compare(rules, now, then)
	files := r.target.Files(now, then)
	for i := range files {
		files[i].Model = backup.Of(files[i].Path) // who may read it is part of what is put back
	}
	return r.carryOut(ctx, files)
}
