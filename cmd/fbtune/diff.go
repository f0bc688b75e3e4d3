package main

import (
	"errors"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
)

func diffCommand(e *env) *cobra.Command {
	var version string
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Show how two configurations differ, as the engine takes them",
		Long: `Show how two configurations differ, as the engine takes them.

A and B are files, or directories that hold firebird.conf and databases.conf.
Settings are compared by what is in force, defaults, bounds and duplicates
included: 64M and 67108864 are the same, a line below another one of its name is
none. What remains are lines that differ in text only. A difference is no finding:
the exit status is 0 with one and without.`,
		Example: `  fbtune diff /etc/firebird/3.0 advised/
  fbtune diff firebird.conf.before firebird.conf --firebird 4.0`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("name two configurations, A and B; see %s -h", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.diff(cmd, args[0], args[1], version) },
	}
	cmd.Flags().StringVar(&version, "firebird", "", "the `version` by whose rules both are read (default: what the files look like, else that of the newest installation found)")
	return cmd
}

// diffJSON is the object of diff --json.
type diffJSON struct {
	compare.Difference
	Why string `json:"firebird_why"` // how the version was chosen
}

func (e *env) diff(cmd *cobra.Command, pathA, pathB, version string) error {
	v, why, err := diffVersion(cmd, []string{pathA, pathB}, version)
	if err != nil {
		return err
	}
	rules, err := compare.NewRules(v)
	if err != nil {
		return err
	}
	a, err := rules.Open(pathA)
	if err != nil {
		return wrongPath(err)
	}
	b, err := rules.Open(pathB)
	if err != nil {
		return wrongPath(err)
	}
	if a, b, err = compare.Common(a, b); err != nil {
		return usage(err)
	}
	d := compare.Compare(a, b)
	if e.json {
		return e.printJSON("fbtune/diff/1", diffJSON{d, why})
	}
	return e.print(func(w writer) error { return report.Difference(w, d, report.Compared) })
}

// wrongPath marks the error of a path that does not lead to a configuration as
// one of the command line.
func wrongPath(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, compare.ErrNone) {
		return usage(err)
	}
	return err
}

// diffVersion is the version asked for, else the one that a file tells, else
// that of the newest installation, else one that is assumed.
func diffVersion(cmd *cobra.Command, paths []string, asked string) (v confgen.Version, why string, err error) {
	if asked != "" {
		v, err := knownVersion(asked)
		return v, "given", usage(err)
	}
	assumed, err := compare.NewRules(confgen.Version{Major: 3, Minor: 0, Patch: confgen.AnyPatch})
	if err != nil {
		return v, "", err
	}
	for _, path := range paths {
		texts, err := assumed.Find(path)
		if err != nil {
			return v, "", wrongPath(err)
		}
		for _, content := range [][]byte{texts.Conf, texts.Databases} {
			if guess, why, sure := confgen.GuessVersion(content); sure {
				return guess, path + ": " + why, nil
			}
		}
	}
	inst, err := firebird.Choose(cmd.Context(), "")
	switch {
	case err == nil:
		return inst.Version, "the newest installation found", nil
	case errors.Is(err, firebird.ErrNone):
		return assumed.Version, "assumed: nothing tells the version", nil
	}
	return v, "", err
}
