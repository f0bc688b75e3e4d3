package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
)

// checkFlags are the flags of check.
type checkFlags struct {
	fileFlags
	host        string
	connections int
	databases   []string
	rules       bool
}

func checkCommand(e *env) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR...]",
		Short: "Find what is wrong with configuration files, and what to write instead",
		Long: `Find what is wrong with configuration files, and what to write instead.

Firebird passes over most mistakes in silence: 64MB is 0, "on" is false, a
misspelt setting is ignored, the first of two lines counts. Each finding says what
the engine will do and where that is known from. Without arguments the files of
every Firebird of this machine are checked, against its memory too. A directory
is searched for the files of many servers, which get one line each, worst first.
A firebird.conf and a databases.conf in one directory belong together.

Severities: server down, error (a line does something else than it says, or
nothing), warning (costs speed, memory or safety), note.`,
		Example: `  fbtune check
  fbtune check firebird.conf databases.conf --firebird 4.0.3
  fbtune check --host host.json --connections 200 /srv/configs
  fbtune check --rules`,
		RunE: func(cmd *cobra.Command, args []string) error { return e.check(cmd.Context(), &f, args) },
	}
	flags := cmd.Flags()
	f.add(flags)
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the installation that is checked (default: all that are found)")
	flags.StringVar(&f.host, "host", "", "check against the machine of these facts, saved by probe --json (`FILE`)")
	flags.IntVar(&f.connections, "connections", 20, "connections at the same time, at most, for the arithmetic of memory")
	flags.StringArrayVar(&f.databases, "database", nil, "a database that is open, `NAME=PATH[,size=S][,page-size=P]` (repeatable; default: the aliases)")
	flags.BoolVar(&f.rules, "rules", false, "list the rules, with their sources")
	return cmd
}

// checkJSON is the object of check --json.
type checkJSON struct {
	Findings []check.Finding      `json:"findings"`
	Servers  []report.CheckedFile `json:"servers"`
}

func (e *env) check(ctx context.Context, f *checkFlags, args []string) error {
	if f.rules {
		return e.checkRules()
	}
	with, err := f.input(ctx, len(args) == 0)
	if err != nil {
		return err
	}
	var (
		checked []report.CheckedFile
		many    bool // servers of a directory, which get a line each
	)
	if len(args) == 0 {
		checked, err = f.installations(ctx, with)
	} else {
		checked, many, err = f.arguments(args, with)
	}
	if err != nil {
		return err
	}
	report.SortChecked(checked)
	object := checkJSON{Findings: []check.Finding{}, Servers: checked}
	serious := 0
	for _, c := range checked {
		object.Findings = append(object.Findings, c.Findings...)
		serious += c.Count(check.Warning)
	}
	if e.json {
		err = e.printJSON("fbtune/check/1", object)
	} else {
		err = e.print(func(w writer) error { return report.Checked(w, checked, many) })
	}
	if err == nil && serious > 0 {
		err = findingsError("%d of warning and above, in %s", serious, counted(len(checked), "configuration"))
	}
	return err
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// input is what is known about the server besides its files.
func (f *checkFlags) input(ctx context.Context, live bool) (check.Input, error) {
	in := check.Input{Connections: f.connections}
	if f.connections < 1 {
		return in, usagef("--connections %d: give a number from 1", f.connections)
	}
	for _, text := range f.databases {
		d, err := confgen.ParseDatabase(text)
		if err != nil {
			return in, usage(err)
		}
		in.Open = append(in.Open, d)
	}
	switch {
	case f.host != "":
		saved, err := readSavedHost(f.host)
		in.Host = &saved.Host
		return in, err
	case live:
		host, err := probe.Read(ctx, probe.Live(), "/")
		var unknown *probe.MemoryError
		if err != nil && !errors.As(err, &unknown) {
			return in, err
		}
		in.Host = &host
		in.Exists = isDirectory
		in.Addresses = addresses()
	}
	return in, nil
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// addresses returns the network addresses of this machine, none when they
// cannot be read.
func addresses() []string {
	nets, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var list []string
	for _, n := range nets {
		if ip, ok := n.(*net.IPNet); ok {
			list = append(list, ip.IP.String())
		}
	}
	return list
}

// installations checks the installation asked for, or every one found.
func (f *checkFlags) installations(ctx context.Context, with check.Input) ([]report.CheckedFile, error) {
	var found []firebird.Installation
	if f.root != "" {
		inst, err := firebird.At(ctx, f.root)
		if err != nil {
			return nil, err
		}
		found = append(found, inst)
	} else {
		var broken []error
		if found, broken = firebird.Find(ctx); len(found) == 0 {
			return nil, usagef("%w; or name files to check", errors.Join(append([]error{firebird.ErrNone}, broken...)...))
		}
	}
	var checked []report.CheckedFile
	for _, inst := range found {
		files, err := f.installed(inst)
		if err != nil {
			return nil, err
		}
		checked = append(checked, files.check(with))
	}
	return checked, nil
}

// check runs the rules over a server's files.
func (s serverFiles) check(with check.Input) report.CheckedFile {
	with.Files, with.ConfText, with.DatabasesText = s.Files, s.confText, s.databasesText
	return report.CheckedFile{
		Conf: s.confPath, Databases: s.databasesPath, Firebird: s.Version, Windows: s.Windows,
		Notes: append([]string{}, s.Notes...), Findings: append([]check.Finding{}, check.Run(with)...),
	}
}

// checkRules lists the rules.
func (e *env) checkRules() error {
	rules := check.Rules()
	if e.json {
		return e.printJSON("fbtune/check-rules/1", struct {
			Rules []check.Rule `json:"rules"`
		}{rules})
	}
	return e.print(func(w writer) error { return report.Rules(w, rules) })
}
