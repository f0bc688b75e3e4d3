package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
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
	in, err := f.input(ctx)
	if err != nil {
		return err
	}
	advice, err := confgen.Recommend(in)
	if err != nil {
		return err
	}
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
		if err := renameio.WriteFile(filepath.Join(dir, file.Name), []byte(file.Content), 0o644); err != nil {
			return fmt.Errorf("write the advised file: %w", err)
		}
	}
	return nil
}

// input makes the input of the advice from the flags, the machine and the
// installation.
func (f *recommendFlags) input(ctx context.Context) (confgen.Input, error) {
	in := confgen.Input{CPUs: f.cpus, Connections: f.connections, Isolation: f.isolation}
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
	if in.Host, err = f.readHost(ctx, in.Memory != 0); err != nil {
		return in, err
	}
	return in, f.readInstallation(ctx, &in)
}

// readHost reads the machine, or the facts of another one. A machine whose
// memory is not known is no obstacle when a flag gives it.
func (f *recommendFlags) readHost(ctx context.Context, memoryGiven bool) (probe.Host, error) {
	if f.host == "" {
		host, err := probe.Read(ctx, probe.Live(), "/")
		var unknown *probe.MemoryError
		if errors.As(err, &unknown) && memoryGiven {
			return host, nil
		}
		return host, err
	}
	data, err := os.ReadFile(f.host)
	if err != nil {
		return probe.Host{}, usage(fmt.Errorf("read the host facts: %w", err))
	}
	var saved probeJSON
	if err := json.Unmarshal(data, &saved); err != nil {
		return probe.Host{}, usage(fmt.Errorf("read the host facts in %s: %w; make the file with fbtune probe --json -o %s", f.host, err, f.host))
	}
	if !saved.Host.Memory.Usable.Known() && !memoryGiven {
		return probe.Host{}, usagef("%s does not say how much memory the machine has; make it with fbtune probe --json, or give --memory", f.host)
	}
	return saved.Host, nil
}

// readInstallation finds out the version and what is in force now. Facts of
// another host have no installation here.
func (f *recommendFlags) readInstallation(ctx context.Context, in *confgen.Input) error {
	var inst firebird.Installation
	if f.host == "" || f.root != "" {
		found, err := firebird.Choose(ctx, f.root)
		switch {
		case err == nil:
			inst = found
		case f.root != "" || !errors.Is(err, firebird.ErrNone):
			return err
		}
	}
	in.Version = confgen.Version{Major: 3, Minor: 0, Patch: confgen.AnyPatch}
	dialect := in.Version.String()
	if inst.Build != "" {
		in.Version, dialect = inst.Version, inst.FullVersion()
	}
	if f.version != "" {
		v, err := confgen.ParseVersion(f.version)
		if err != nil {
			return usage(err)
		}
		if inst.Build != "" && v.Line() != inst.Version.Line() && f.conf == "" {
			inst = firebird.Installation{} // another version's file says nothing about this one
		}
		in.Version, dialect = v, f.version
	}
	conf := f.conf
	if conf == "" {
		conf = inst.FirebirdConf
	}
	if conf == "" {
		return nil
	}
	return readCurrent(in, conf, dialect)
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
