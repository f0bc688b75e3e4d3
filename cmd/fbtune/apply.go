package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/apply/trial"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
)

// errNotApplied is the error of files that the engine would not work with.
var errNotApplied = errors.New("not put in place: the engine refuses the files")

// applyFlags are the flags of apply.
type applyFlags struct {
	from, to, root, limit string
	yes, dryRun           bool
}

func applyCommand(e *env) *cobra.Command {
	var f applyFlags
	cmd := &cobra.Command{
		Use:   "apply --from DIR --to ROOT",
		Short: "Put a firebird.conf and databases.conf in place, with backups",
		Long: `Put a firebird.conf and databases.conf in place, with backups.

Shows the difference and tries the files on a private server of the same
installation first: with a copy, in which the port, the address, the security
database and the temporary directories are replaced. What the engine refuses is
not put in place. Then it asks, and replaces both files as one: the old ones stay
beside them under a dated name, owner, mode and labels are kept, links are
followed. A power cut on the way leaves what the next apply or restore finishes or
undoes. The server is not restarted.`,
		Example: `  fbtune recommend -o advised/ && fbtune apply --from advised/ --to /etc/firebird/3.0
  fbtune apply --from advised/ --to /opt/firebird --dry-run
  fbtune apply --from tune-20261201-083000 --to /etc/firebird/3.0`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.apply(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.from, "from", "", "`directory` of the new firebird.conf, databases.conf or both, or the name of a study of fbtune tune")
	flags.StringVar(&f.to, "to", "", "`root` of the installation, or the directory of its files")
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the Firebird that tries the files (default: the one they are for, else the newest found)")
	flags.StringVar(&f.limit, "cap", "", "hard memory cap of the private server, a `size` such as 4G (default: half of the memory)")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show and try only, change nothing")
	return cmd
}

func (e *env) apply(ctx context.Context, f *applyFlags) error {
	if f.from == "" || f.to == "" {
		return usagef("say which files go where: --from DIR --to ROOT")
	}
	if err := e.fromStudy(&f.from); err != nil {
		return err
	}
	r := replacement{env: e, yes: f.yes, dryRun: f.dryRun}
	if err := r.open(ctx, f.to, f.root); err != nil {
		return err
	}
	defer r.close()
	rules, err := r.target.Rules()
	if err != nil {
		return err
	}
	from, err := rules.Find(f.from)
	if err != nil {
		return wrongPath(err)
	}
	now, err := r.target.Texts()
	if err != nil {
		return err
	}
	then := from.Over(now)
	r.done.From = f.from
	r.compare(rules, now, then)
	if !r.done.Difference.Same() {
		tried, err := e.try(ctx, f, r.target, rules, then)
		if err != nil {
			return err
		}
		r.done.Trial = &tried
		if tried.Refused != "" {
			return errors.Join(r.show(false), fmt.Errorf("%w: %s", errNotApplied, tried.Refused))
		}
	}
	return r.carryOut(ctx, r.target.Files(now, then))
}

// fromStudy replaces the name of a study by the folder of its files, unless
// there is a directory of that name.
func (e *env) fromStudy(from *string) error {
	if _, err := os.Stat(*from); err == nil || strings.ContainsAny(*from, `/\`) {
		return nil
	}
	dir, err := e.folder(*from)
	if err != nil {
		return err
	}
	if _, err := os.Stat(dir); err == nil {
		*from = dir
	}
	return nil
}

// try has a private server of the target's installation say whether it works
// with the files.
func (e *env) try(ctx context.Context, f *applyFlags, target apply.Target, rules compare.Rules, texts compare.Texts) (trial.Trial, error) {
	if target.NoServer != nil {
		return trial.Trial{}, fmt.Errorf("try the files: %w", target.NoServer)
	}
	home, err := home(e)
	if err != nil {
		return trial.Trial{}, err
	}
	limit, err := trialCap(ctx, f.limit)
	if err != nil {
		return trial.Trial{}, err
	}
	return trial.Run(ctx, trial.Options{Installation: target.Installation, Dir: filepath.Join(home, "trials"), Cap: limit}, rules, texts)
}

// trialCap is the memory cap that was asked for, or that of every private
// server.
func trialCap(ctx context.Context, asked string) (confgen.Bytes, error) {
	if asked != "" {
		limit, err := confgen.ParseSizeFlag(asked)
		return limit, usage(err)
	}
	host, err := probe.Read(ctx, probe.Live(), "/")
	if err != nil {
		return 0, err
	}
	return tuner.DefaultCap(host)
}

// replacement is what apply and restore have in common: files of a target are
// compared with others, shown, and replaced when a person wants that.
type replacement struct {
	env         *env
	yes, dryRun bool
	target      apply.Target
	store       *apply.Store
	done        report.Applied
	planShown   bool
}

// open finds the target and holds it, and finishes or undoes what an
// interrupted run left there.
func (r *replacement) open(ctx context.Context, root, serverRoot string) (err error) {
	if !r.yes && !r.dryRun && !r.env.terminal {
		return usagef("nobody can be asked here: add --yes, or --dry-run to see what would be done")
	}
	if r.target, err = apply.Locate(ctx, root, serverRoot); err != nil {
		return err
	}
	if r.store, err = apply.Open(r.target.FirebirdConf); err != nil {
		return err
	}
	r.done = report.Applied{
		Target: r.target, Replaced: apply.Replaced{Files: []string{}, Backups: []string{}},
		Besides: []string{}, Notes: append([]string{}, r.target.Notes...),
	}
	pending, err := r.store.Pending()
	switch {
	case err != nil:
	case pending != nil && r.dryRun:
		r.done.Notes = append(r.done.Notes, fmt.Sprintf("the run of %s was interrupted and would be finished or undone first", pending.Started.Format(time.DateTime)))
	case pending != nil:
		r.done.Recovered, err = r.store.Recover()
		if pending.Loan != nil {
			r.done.Notes = append(r.done.Notes, lentNote(pending.Loan))
		}
	}
	if err != nil {
		r.close()
	}
	return mayNot(err)
}

func (r *replacement) close() { _ = r.store.Close() } // it was only locked

// compare notes the difference between two pairs of files.
func (r *replacement) compare(rules compare.Rules, now, then compare.Texts) {
	d := compare.Compare(rules.Read(r.target.Root, now), rules.Read(r.done.From, then))
	r.done.Difference = &d
	r.done.Besides = d.Besides(r.target.Installation.Running)
}

// show prints what was done or found.
func (r *replacement) show(applied bool) error {
	r.done.Applied = applied
	if r.env.json {
		return r.env.printJSON("fbtune/apply/1", r.done)
	}
	return r.env.print(func(w writer) error { return report.Result(w, r.done, r.planShown) })
}

// carryOut replaces the files when that is wanted, and shows the outcome.
func (r *replacement) carryOut(ctx context.Context, files []apply.File) error {
	if r.dryRun || r.done.Difference.Same() {
		return r.show(false)
	}
	if !r.yes {
		if err := report.Plan(r.env.stderr, r.done); err != nil {
			return err
		}
		r.planShown = true
		wanted, err := r.env.ask(ctx, "\nPut the new files in place? [y/N] ")
		if err != nil {
			return err
		}
		if !wanted {
			return r.show(false)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	replaced, err := r.store.Replace(files, time.Now())
	if err != nil {
		return mayNot(err)
	}
	r.done.Replaced = replaced
	return r.show(true)
}

// mayNot adds to an error about rights who has them.
func mayNot(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w; run fbtune as root, or as the owner of the files", err)
	}
	return err
}
