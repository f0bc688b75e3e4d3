package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/report"
)

// checkFlags are the flags of check.
type checkFlags struct {
	fileFlags
	host        string
	connections int
	databases   []string
	connect     string
	rules       bool
}

func checkCommand(e *env) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR...]",
		Short: "Find what is wrong with a configuration, and what to write instead",
		Long: `Find what is wrong with a configuration, and what to write instead.

Firebird passes over most mistakes in silence: 64MB is 0, "on" is false, a
misspelt setting is ignored, the first of two lines counts, page buffers in a
database's header override every file. Each finding says what the engine will do
and where that is known from.

Without arguments every Firebird of this machine is checked: its files, its log,
the headers of the databases that databases.conf names, and what the machine has
for them. What cannot be read is said in a note. A directory is searched for the
files of many servers, which get one line each, worst first. A firebird.conf and a
databases.conf in one directory belong together. With --connect a server is asked:
what is in force (from 4.0 on) and the header of the database.

Severities: server down, error (a line does something else than it says, or
nothing), warning (costs speed, memory or safety), note.`,
		Example: `  fbtune check
  fbtune check --database /data/erp.fdb --connections 200
  fbtune check firebird.conf databases.conf --firebird 4.0.3
  fbtune check --host host.json --connections 200 /srv/configs
  fbtune check --connect db1:erp
  fbtune check --rules`,
		RunE: func(cmd *cobra.Command, args []string) error { return e.check(cmd.Context(), &f, args) },
	}
	flags := cmd.Flags()
	f.add(flags)
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the installation that is checked, or whose directories macros in the files stand for (default: all that are found)")
	flags.StringVar(&f.host, "host", "", "check against the machine of these facts, saved by probe --json (`FILE`)")
	flags.IntVar(&f.connections, "connections", 20, "connections at the same time, at most, for the arithmetic of memory and limits")
	flags.StringArrayVar(&f.databases, "database", nil, "a database that is open, `PATH or NAME=PATH[,size=S][,page-size=P]` (repeatable; default: the aliases); its header is read when it is on this machine")
	flags.StringVar(&f.connect, "connect", "", "check a server by what it says of itself, `host[/port]:database`")
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
	if f.connect != "" && len(args) > 0 {
		return usagef("--connect %s: check files or a server, not both", f.connect)
	}
	with, err := f.surroundings(ctx, len(args) == 0 && f.connect == "")
	if err != nil {
		return err
	}
	var (
		checked []report.CheckedFile
		many    bool // servers of a directory, which get a line each
	)
	switch {
	case f.connect != "":
		checked = make([]report.CheckedFile, 1)
		checked[0], err = f.connected(ctx, e, with.Input)
	case len(args) == 0:
		checked, err = f.installations(ctx, with)
	default:
		checked, many, err = f.arguments(ctx, args, with)
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

// given reads the databases of the flags. A path alone is a database without an
// alias.
func (f *checkFlags) given() ([]confgen.Database, error) {
	var all []confgen.Database
	for _, text := range f.databases {
		path, _, _ := strings.Cut(text, ",")
		_, err := os.Stat(path)
		alone := !strings.Contains(path, "=") && (strings.ContainsAny(path, `/\`) || err == nil)
		if alone {
			text = "database=" + text
		}
		d, err := confgen.ParseDatabase(text)
		if err != nil {
			return nil, usage(err)
		}
		if alone {
			d.Name = ""
		}
		if _, err := os.Stat(d.Path); err == nil {
			if d.Path, err = filepath.Abs(d.Path); err != nil { // as aliases have it
				return nil, err
			}
		}
		all = append(all, d)
	}
	return all, nil
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
