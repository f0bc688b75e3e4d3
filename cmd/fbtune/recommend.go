package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
)

// notWithAll are the flags that are about one version or one server.
var notWithAll = []string{"firebird", "firebird-root", "mode", "isolation", "conf", "databases", "explain", "compare"}

func recommendCommand(e *env) *cobra.Command {
	var f recommendFlags
	cmd := &cobra.Command{
		Use:   "recommend",
		Short: "Advise a firebird.conf for this machine and load, with reasons",
		Long: `Advise a firebird.conf and databases.conf for this machine and load, with reasons.

Each value comes with its formula and the numbers that went into it, beside what
is in force now. The memory budget adds up, worst case included. Nothing is
written unless -o names a directory, and no file there is overwritten.

The files are built on a template of the version and architecture, which carries
over what the files in use say about other things, such as ports. With --conf
they are that file itself, in which only the settings that change are edited.`,
		Example: `  fbtune recommend
  fbtune recommend --connections 200 --database erp=/data/erp.fdb,size=40G,page-size=8192
  fbtune recommend --firebird 5.0 --host host.json --share 50% -o advised/
  fbtune recommend --conf firebird.conf --databases databases.conf -o advised/
  fbtune recommend --explain LockMemSize
  fbtune recommend --all -o optimised/`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.connectionsGiven = cmd.Flags().Changed("connections")
			if f.all {
				for _, name := range notWithAll {
					if cmd.Flags().Changed(name) {
						return usagef("--all advises every version and architecture for a host, so --%s has no place beside it; leave one out", name)
					}
				}
				return e.recommendAll(cmd.Context(), &f)
			}
			return e.recommend(cmd.Context(), &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.version, "firebird", "", "the `version` advised for (default: that of the newest installation found, else 3.0)")
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the installation whose files are compared")
	flags.StringVar(&f.mode, "mode", "", "Super, SuperClassic or Classic (default: chosen, with reasons)")
	flags.StringVar(&f.workload, "workload", string(confgen.OLTP), "oltp, mixed or reporting")
	flags.StringVar(&f.host, "host", "", "host facts saved by probe --json (`FILE`)")
	flags.StringVar(&f.conf, "conf", "", "your firebird.conf, which is edited in the result (`FILE`; default: a template that carries over the installation's)")
	flags.StringVar(&f.aliases, "databases", "", "your databases.conf, or aliases.conf of 2.5, likewise (`FILE`; default: the installation's)")
	flags.StringVar(&f.memory, "memory", "", "memory of the machine, a `size` such as 32G (default: probed)")
	flags.IntVar(&f.cpus, "cpus", 0, "processors of the machine (default: probed)")
	flags.IntVar(&f.connections, "connections", 0, "connections at the same time, at most (default: a quarter more than observed, else 20)")
	flags.StringVar(&f.storage, "storage", "", "nvme, ssd, hdd or network (default: probed)")
	flags.StringVar(&f.share, "share", "", "the `part` of the memory Firebird may have on a shared host, such as 50%")
	flags.StringVar(&f.reserve, "reserve", "", "memory kept for other programs, a `size` such as 4G")
	flags.StringArrayVar(&f.databases, "database", nil, "a database, `NAME=PATH[,size=S][,page-size=P]` (repeatable)")
	flags.StringVar(&f.observed, "observed", "", "what the running server showed (`FILE`, an object as docs/json.md describes under Observed)")
	flags.BoolVar(&f.isolation, "isolation", false, "one connection's crash must not end the others'")
	flags.StringVar(&f.explain, "explain", "", "derive one setting, by `NAME`, and nothing else")
	flags.StringVar(&f.compare, "compare", "", "put a published rule beside: ibsurgeon")
	flags.BoolVar(&f.all, "all", false, "advise every version and architecture, into the directory -o names")
	flags.BoolVar(&f.force, "force", false, "overwrite files in the directory -o names")
	return cmd
}

// recommendJSON is the object of recommend --json.
type recommendJSON struct {
	confgen.Advice
	NothingToDo bool                     `json:"nothing_to_do"`
	Compared    []confgen.PublishedValue `json:"compared,omitempty"`
	Files       map[string]string        `json:"files"`
}

func (e *env) recommend(ctx context.Context, f *recommendFlags) error {
	asked, err := f.read(ctx)
	if err != nil {
		return err
	}
	advice, err := confgen.Recommend(asked.input)
	if err != nil {
		return adviceError(err)
	}
	advice.Warnings = append(advice.Warnings, asked.notes...)
	if f.explain != "" {
		return e.explain(advice, f.explain)
	}
	object := recommendJSON{Advice: advice, NothingToDo: advice.NothingToDo(), Files: map[string]string{}}
	switch f.compare {
	case "":
	case "ibsurgeon":
		if object.Compared, err = advice.ComparePublished(); err != nil {
			return usage(err)
		}
	default:
		return usagef("--compare %q: the rule that is known is ibsurgeon", f.compare)
	}
	files, err := advice.Files(asked.base)
	if err != nil {
		return usage(err)
	}
	if e.out != "" {
		if err := writeFiles(map[string][]confgen.ConfFile{e.out: files}, f.force); err != nil {
			return err
		}
		e.out = "" // the rest is for standard output
	}
	if e.json {
		for _, file := range files {
			object.Files[file.Name] = string(file.Content)
		}
		return e.printJSON("fbtune/recommend/1", object)
	}
	if asked.base.Conf != nil {
		files = nil // mostly the user's own, who knows it
	}
	return e.print(func(w writer) error { return report.Advice(w, advice, object.Compared, files) })
}

// explainJSON is the object of recommend --explain --json.
type explainJSON struct {
	Firebird confgen.Version         `json:"firebird"`
	Mode     confgen.Mode            `json:"mode"`
	Setting  confgen.SettingFacts    `json:"setting"`
	Advice   *confgen.Recommendation `json:"advice"` // null when fbtune leaves it as it is
}

// explain prints the derivation of one setting.
func (e *env) explain(advice confgen.Advice, name string) error {
	setting, ok := confgen.Lookup(name)
	if !ok {
		return usagef("--explain %s: no such setting is known; fbtune settings lists them", name)
	}
	object := explainJSON{Firebird: advice.Version, Mode: advice.Mode, Setting: setting.Facts(advice.Version)}
	if i := slices.IndexFunc(advice.Settings, func(r confgen.Recommendation) bool { return r.Name == setting.Name }); i >= 0 {
		object.Advice = &advice.Settings[i]
	}
	if e.json {
		return e.printJSON("fbtune/explain/1", object)
	}
	return e.print(func(w writer) error { return report.Explain(w, advice, object.Setting, object.Advice) })
}

// allJSON is the object of recommend --all --json.
type allJSON struct {
	Directory string         `json:"directory"` // where the files are; empty when none were written
	Advised   []report.Built `json:"advised"`
}

// recommendAll advises every version and architecture.
func (e *env) recommendAll(ctx context.Context, f *recommendFlags) error {
	asked, err := f.read(ctx)
	if err != nil {
		return err
	}
	object := allJSON{Directory: e.out, Advised: []report.Built{}}
	e.out = "" // the rest is for standard output
	files := map[string][]confgen.ConfFile{}
	var refused error
	for _, v := range confgen.Advised() {
		for _, mode := range confgen.Modes() {
			in := asked.input
			in.Version, in.Mode, in.Current = v, mode, nil
			built := report.Built{
				Version: v, Mode: mode, Directory: filepath.Join(v.String(), string(mode)),
				Settings: []confgen.Recommendation{}, Databases: []confgen.DatabaseAdvice{},
			}
			advice, err := confgen.Recommend(in)
			if err != nil {
				built.Reason, refused = err.Error(), adviceError(err)
			} else {
				built.Settings, built.Budget = advice.Settings, &advice.Budget
				built.Databases = append(built.Databases, advice.Databases...)
				dir := filepath.Join(object.Directory, built.Directory)
				if files[dir], err = advice.Files(confgen.Base{}); err != nil {
					return err
				}
			}
			object.Advised = append(object.Advised, built)
		}
	}
	if len(files) == 0 {
		return refused
	}
	if object.Directory != "" {
		if err := writeFiles(files, f.force); err != nil {
			return err
		}
	}
	if e.json {
		return e.printJSON("fbtune/recommend-all/1", object)
	}
	return e.print(func(w writer) error { return report.All(w, object.Directory, object.Advised) })
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

// writeFiles writes files into directories, each whole or not at all, and
// refuses before it writes any when one is in the way.
func writeFiles(byDirectory map[string][]confgen.ConfFile, force bool) error {
	contents := map[string][]byte{}
	for dir, files := range byDirectory {
		for _, file := range files {
			path := filepath.Join(dir, file.Name)
			contents[path] = file.Content
			if _, err := os.Lstat(path); err == nil && !force {
				return usagef("%s exists and is left alone: name another directory, or add --force", path)
			} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("look for a file in the way: %w", err)
			}
		}
	}
	for path, content := range contents {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the directory of the advised files: %w", err)
		}
		if err := maybe.WriteFile(path, content, 0o644); err != nil {
			return fmt.Errorf("write the advised file: %w", err)
		}
	}
	return nil
}
