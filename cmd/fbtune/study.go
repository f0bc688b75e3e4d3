package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
)

// studyFlags say which study a command runs.
type studyFlags struct {
	study   string
	resume  bool
	storage string
	worker  string
	mixed   bool
}

func (f *studyFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.study, "study", "", "`name` of the study (default: made from the time)")
	flags.BoolVar(&f.resume, "resume", false, "go on with a study: the one named, else the latest unfinished one")
}

// addSharing adds the flags of studies that several machines can work on.
func (f *studyFlags) addSharing(cmd *cobra.Command) {
	flags := cmd.Flags()
	addStorage(flags, &f.storage)
	flags.StringVar(&f.worker, "worker", "", "`name` of this machine in a shared study (default: its host name)")
	flags.BoolVar(&f.mixed, "mixed", false, "work on a shared study that was begun on another kind of machine")
}

// addStorage adds the flag that says where studies are kept.
func addStorage(flags *pflag.FlagSet, storage *string) {
	flags.StringVar(storage, "storage", "", "where studies are kept: a `database` that several machines share, postgres://user@host/name, or a file (default: in the work directory)")
}

// resumable are the flags that go together with --resume; every other one is
// part of the study and cannot change.
var resumable = []string{"resume", "study", "storage", "worker", "mixed", "force", "json", "events", "quiet", "no-color", "out"}

// named takes the study's name from the arguments, which --resume may have, and
// refuses flags that do not go together.
func (f *studyFlags) named(cmd *cobra.Command, args []string) error {
	name := cmd.Name()
	if dsn, err := study.ParseDSN(f.storage); (f.worker != "" || f.mixed) && (err != nil || !dsn.Shared()) {
		return usagef("--worker and --mixed are for a study that several machines share; name it by --storage postgres://user@host/name")
	}
	switch {
	case len(args) > 1:
		return usagef("%s resumes one study at a time, not %s; name one of them", name, strings.Join(args, ", "))
	case len(args) == 1:
		if !f.resume || f.study != "" {
			return usagef("%s takes no argument %q; name a study with --study %s, or resume it with --resume %s", name, args[0], args[0], args[0])
		}
		f.study = args[0]
	}
	return nil
}

// fresh gives a new study a name from the time, unless it has one.
func (f *studyFlags) fresh(kind study.Kind) {
	if f.study == "" {
		f.study = string(kind) + "-" + time.Now().UTC().Format("20060102-150405")
	}
}

// reopen finds the study of a kind to go on with.
func (f *studyFlags) reopen(cmd *cobra.Command, store *study.Store, kind study.Kind) (*study.Study, error) {
	var given string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(resumable, flag.Name) {
			given = flag.Name
		}
	})
	if given != "" {
		return nil, usagef("--%s contradicts --resume: a study goes on as it was planned; leave it out, or start a new study", given)
	}
	ctx := cmd.Context()
	if f.study == "" {
		latest, err := store.LatestUnfinished(ctx, kind)
		if errors.Is(err, study.ErrNone) {
			return nil, usagef("there is no unfinished %s to resume; start one (fbtune %s -h), or see fbtune studies", kind, kind.Command())
		}
		if err != nil {
			return nil, err
		}
		f.study = latest
	}
	st, err := store.Load(ctx, f.study)
	if errors.Is(err, study.ErrNotFound) {
		return nil, usage(err)
	}
	if err != nil {
		return nil, err
	}
	return st, errors.Join(st.Adopt(ctx), f.join(store, st))
}

// join gives this process its name in a study that several share.
func (f *studyFlags) join(store *study.Store, st *study.Study) error {
	if !store.Shared() {
		return nil
	}
	if f.worker == "" {
		host, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("name this machine: %w; give --worker", err)
		}
		f.worker = host
	}
	st.Worker = f.worker
	return nil
}

// comparable returns why a study must not go on in an environment, or nil.
func (f *studyFlags) comparable(st *study.Study, recorded, now tuner.Environment) error {
	if st.Worker != "" {
		return recorded.Like(now, f.mixed)
	}
	return recorded.Same(now)
}

// withStore opens the studies of a storage, those of the work directory when it
// is empty, for a function.
func (e *env) withStore(ctx context.Context, storage string, use func(*study.Store) error) error {
	if storage == "" {
		home, err := home(e)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(home, 0o755); err != nil {
			return fmt.Errorf("make the work directory: %w", err)
		}
		storage = filepath.Join(home, "studies.db")
	}
	dsn, err := study.ParseDSN(storage)
	if err != nil {
		return usage(err)
	}
	store, err := study.OpenDSN(ctx, dsn)
	if err != nil {
		return err
	}
	return errors.Join(use(store), store.Close())
}

// folder returns where the files of a study are.
func (e *env) folder(name string) (string, error) {
	home, err := home(e)
	return filepath.Join(home, "studies", name), err
}

// benched runs a function with a bench that is closed afterwards.
func benched(ctx context.Context, setup tuner.Setup, sink tuner.Sink, run func(*tuner.Bench) (*tuner.Progress, error)) (*tuner.Progress, error) {
	bench, err := tuner.NewBench(ctx, setup, sink)
	if err != nil {
		return nil, err
	}
	progress, err := run(bench)
	return progress, errors.Join(err, bench.Close(ctx))
}

// begun returns a study that was made for this process. A name that is taken is
// an error of the command line.
func (f *studyFlags) begun(store *study.Store, st *study.Study, err error) (*study.Study, error) {
	if errors.Is(err, study.ErrExists) {
		return nil, usage(err)
	}
	if err != nil {
		return nil, err
	}
	return st, f.join(store, st)
}
