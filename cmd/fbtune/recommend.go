package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
)

// recommendFlags are the flags of recommend.
type recommendFlags struct {
	version, root, mode, workload string
	host, conf                    string
	memory, reserve               string
	cpus, connections             int
	share                         string
	databases                     []string
	isolation, force              bool
}

func recommendCommand(e *env) *cobra.Command {
	var f recommendFlags
	cmd := &cobra.Command{
		Use:   "recommend",
		Short: "Advise a firebird.conf for this machine and load, with reasons",
		Long: `Advise a firebird.conf for this machine and load, with reasons.

Each value comes with its formula and the numbers that went into it, beside what
is in force now. The memory budget adds up, worst case included. Nothing is
written unless -o names a directory, and no file there is overwritten.`,
		Example: `  fbtune recommend
  fbtune recommend --connections 200 --database erp=/data/erp.fdb,size=40G,page-size=8192
  fbtune recommend --host host.json --mode Classic --share 50% -o advised/`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.recommend(cmd.Context(), &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.version, "firebird", "", "the `version` advised for (default: that of the newest installation found, else 3.0)")
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the installation whose files are compared")
	flags.StringVar(&f.mode, "mode", "", "Super, SuperClassic or Classic (default: chosen, with reasons)")
	flags.StringVar(&f.workload, "workload", string(confgen.OLTP), "oltp, mixed or reporting")
	flags.StringVar(&f.host, "host", "", "host facts saved by probe --json (`FILE`)")
	flags.StringVar(&f.conf, "conf", "", "the firebird.conf in use (`FILE`; default: the installation's)")
	flags.StringVar(&f.memory, "memory", "", "memory of the machine, a `size` such as 32G (default: probed)")
	flags.IntVar(&f.cpus, "cpus", 0, "processors of the machine (default: probed)")
	flags.IntVar(&f.connections, "connections", 20, "connections at the same time, at most")
	flags.StringVar(&f.share, "share", "", "the `part` of the memory Firebird may have on a shared host, such as 50%")
	flags.StringVar(&f.reserve, "reserve", "", "memory kept for other programs, a `size` such as 4G")
	flags.StringArrayVar(&f.databases, "database", nil, "a database, `NAME=PATH[,size=S][,page-size=P]` (repeatable)")
	flags.BoolVar(&f.isolation, "isolation", false, "one connection's crash must not end the others'")
	flags.BoolVar(&f.force, "force", false, "overwrite files in the directory -o names")
	return cmd
}

// recommendJSON is the object of recommend --json.
type recommendJSON struct {
	confgen.Advice
	Files map[string]string `json:"files"`
}

func (e *env) recommend(ctx context.Context, f *recommendFlags) error {
	in, notes, err := f.input(ctx)
	if err != nil {
		return err
	}
	advice, err := confgen.Recommend(in)
	if err != nil {
		return adviceError(err)
	}
	advice.Warnings = append(advice.Warnings, notes...)
	conf, err := advice.Conf()
	if err != nil {
		return err
	}
	databases, err := advice.DatabasesConf()
	if err != nil {
		return err
	}
	files := []report.File{{Name: "firebird.conf", Content: string(conf)}, {Name: "databases.conf", Content: string(databases)}}
	if e.out != "" {
		dir := e.out
		if err := writeFiles(dir, files, f.force); err != nil {
			return err
		}
		e.out = "" // the rest is for standard output
	}
	if e.json {
		object := recommendJSON{Advice: advice, Files: map[string]string{}}
		for _, file := range files {
			object.Files[file.Name] = file.Content
		}
		return e.printJSON("fbtune/recommend/1", object)
	}
	return e.print(func(w writer) error { return report.Advice(w, advice, files) })
}

// adviceError marks an error of confgen.Recommend that is about what the flags
// say as one of the command line. Memory that does not suffice, or is not
// known, is no such fault.
func adviceError(err error) error {
	var (
		infeasible *confgen.Infeasible
		unknown    *probe.MemoryError
	)
	if errors.As(err, &infeasible) || errors.As(err, &unknown) {
		return err
	}
	return usage(err)
}

// writeFiles writes files into a directory, each whole or not at all, and
// refuses before it writes any when one is in the way.
func writeFiles(dir string, files []report.File, force bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the directory of the advised files: %w", err)
	}
	for _, file := range files {
		path := filepath.Join(dir, file.Name)
		if _, err := os.Lstat(path); err == nil && !force {
			return usagef("%s exists and is left alone: name another directory, or add --force", path)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("look for a file in the way: %w", err)
		}
	}
	for _, file := range files {
		if err := maybe.WriteFile(filepath.Join(dir, file.Name), []byte(file.Content), 0o644); err != nil {
			return fmt.Errorf("write the advised file: %w", err)
		}
	}
	return nil
}

// input makes the input of the advice from the flags, the machine and the
// installation. The notes say what was assumed.
func (f *recommendFlags) input(ctx context.Context) (in confgen.Input, notes []string, err error) {
	if in, err = f.load(); err != nil {
		return in, nil, err
	}
	saved, err := f.readHost(ctx, in.Memory != 0)
	if err != nil {
		return in, nil, err
	}
	in.Host = saved.Host
	notes, err = f.readInstallation(ctx, saved.Installations, &in)
	return in, notes, err
}

// load makes the part of the input that the flags alone state.
func (f *recommendFlags) load() (confgen.Input, error) {
	in := confgen.Input{CPUs: f.cpus, Connections: f.connections, Isolation: f.isolation}
	if f.connections < 1 { // 0 would stand for the default
		return in, usagef("--connections %d: give a number from 1", f.connections)
	}
	var err error
	if in.Workload, err = confgen.ParseWorkload(f.workload); err != nil {
		return in, usage(err)
	}
	if f.mode != "" {
		if in.Mode, err = confgen.ParseMode(f.mode); err != nil {
			return in, usage(err)
		}
	}
	for _, size := range []struct {
		text string
		into *confgen.Bytes
	}{{f.memory, &in.Memory}, {f.reserve, &in.Reserve}} {
		if size.text == "" {
			continue
		}
		if *size.into, err = confgen.ParseSizeFlag(size.text); err != nil {
			return in, usage(err)
		}
	}
	if in.Share, err = confgen.ParseShare(f.share); err != nil {
		return in, usage(err)
	}
	for _, text := range f.databases {
		d, err := confgen.ParseDatabase(text)
		if err != nil {
			return in, usage(err)
		}
		in.Databases = append(in.Databases, d)
	}
	return in, nil
}

// readHost reads the machine, or the facts of another one with its Firebirds.
// A machine whose memory is not known is no obstacle when a flag gives it.
func (f *recommendFlags) readHost(ctx context.Context, memoryGiven bool) (probeJSON, error) {
	if f.host == "" {
		host, err := probe.Read(ctx, probe.Live(), "/")
		var unknown *probe.MemoryError
		if errors.As(err, &unknown) && memoryGiven {
			err = nil
		}
		return probeJSON{Host: host}, err
	}
	saved, err := readSavedHost(f.host)
	if err != nil {
		return probeJSON{}, err
	}
	if !saved.Host.Memory.Usable.Known() && !memoryGiven {
		return probeJSON{}, usagef("%s does not say how much memory the machine has; make it with fbtune probe --json, or give --memory", f.host)
	}
	return saved, nil
}

// readInstallation finds out the version and what is in force now, and notes
// what it had to assume. saved are the installations of a saved host.
func (f *recommendFlags) readInstallation(ctx context.Context, saved []firebird.Installation, in *confgen.Input) (notes []string, err error) {
	inst, err := f.installation(ctx, saved)
	if err != nil && !errors.Is(err, firebird.ErrNone) {
		return nil, err
	}
	var dialect string
	switch {
	case f.version != "":
		if in.Version, err = confgen.ParseVersion(f.version); err != nil {
			return nil, usage(err)
		}
		dialect = f.version
		if in.Version.Line() != inst.Version.Line() {
			inst.FirebirdConf = "" // another version's file says nothing about this one
		}
	case inst.Build != "":
		in.Version, dialect = inst.Version, inst.FullVersion()
	default:
		in.Version = confgen.Version{Major: 3, Minor: 0, Patch: confgen.AnyPatch}
		dialect = in.Version.String()
		notes = append(notes, fmt.Sprintf("the advice is for Firebird %s, which is assumed; say which it is with --firebird (%v)", in.Version, err))
	}
	conf := cmp.Or(f.conf, inst.FirebirdConf)
	if conf == "" {
		return append(notes, "the firebird.conf in use is not known, so current is the default of each setting; name the file with --conf"), nil
	}
	err = readCurrent(in, conf, dialect)
	if f.conf != "" && errors.Is(err, fs.ErrNotExist) {
		err = usagef("%w; check --conf", err)
	}
	return notes, err
}

// installation is the Firebird that is advised about: the one asked for, else
// the newest of the host. The error is firebird.ErrNone when there is none.
func (f *recommendFlags) installation(ctx context.Context, saved []firebird.Installation) (firebird.Installation, error) {
	switch {
	case f.host == "" || f.root != "":
		return firebird.Choose(ctx, f.root)
	case len(saved) == 0:
		return firebird.Installation{}, firebird.ErrNone
	}
	inst := saved[0]
	inst.FirebirdConf = "" // it lies on the other machine
	return inst, nil
}

// readCurrent reads a firebird.conf as the engine of a version would.
func readCurrent(in *confgen.Input, path, version string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the present configuration: %w", err)
	}
	dialect, err := fbconf.ParseDialect(version)
	if err != nil {
		return err
	}
	in.Current, err = confgen.ReadCurrent(fbconf.Parse(data, fbconf.Options{Name: path, Dialect: dialect, Files: fbconf.HostFiles()}))
	return err
}
