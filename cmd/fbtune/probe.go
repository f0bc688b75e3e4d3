package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
)

// probeJSON is the object of probe --json, which recommend --host reads back.
type probeJSON struct {
	Host          probe.Host              `json:"host"`
	Installations []firebird.Installation `json:"installations"`
	Warnings      []string                `json:"warnings"`
}

func probeCommand(e *env) *cobra.Command {
	var path, root string
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Say what this machine is, and which Firebirds it has",
		Long: `Say what this machine is, and which Firebirds it has.

Every number says where it came from; what cannot be learned says why. Limits of
containers and services (cgroups) count: they are what a server can have.`,
		Example: `  fbtune probe
  fbtune probe --path /data --firebird-root /opt/firebird-4.0
  fbtune probe --json -o host.json   # for fbtune recommend --host host.json, at a desk`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.probe(cmd, path, root) },
	}
	cmd.Flags().StringVar(&path, "path", "/", "`directory` of the databases, whose disk is described")
	cmd.Flags().StringVar(&root, "firebird-root", "", "`directory` of an unpacked build that is listed too")
	return cmd
}

func (e *env) probe(cmd *cobra.Command, path, root string) error {
	found, broken := firebird.Find(cmd.Context())
	if root != "" {
		inst, err := firebird.At(cmd.Context(), root)
		if err != nil {
			return usage(err)
		}
		found = withInstallation(found, inst)
	}
	host, err := probe.Read(cmd.Context(), probe.Closely(), path)
	var unknown *probe.MemoryError
	if err != nil && !errors.As(err, &unknown) {
		return err
	}
	object := probeJSON{Host: host, Installations: lists(found), Warnings: append([]string{}, host.Warnings...)}
	for _, b := range broken {
		object.Warnings = append(object.Warnings, b.Error())
	}
	if e.json {
		return errors.Join(e.printJSON("fbtune/probe/1", object), err)
	}
	shown := e.print(func(w writer) error { return report.Probe(w, host, found, object.Warnings) })
	return errors.Join(shown, err)
}

// withInstallation adds an installation to those found, unless it is one of
// them; the newest stays first.
func withInstallation(found []firebird.Installation, inst firebird.Installation) []firebird.Installation {
	if slices.ContainsFunc(found, func(f firebird.Installation) bool { return f.Root == inst.Root }) {
		return found
	}
	found = append(found, inst)
	slices.SortStableFunc(found, func(a, b firebird.Installation) int { return b.Version.Compare(a.Version) })
	return found
}

// lists returns the installations with no list left out: in JSON none is [],
// never null.
func lists(found []firebird.Installation) []firebird.Installation {
	all := append([]firebird.Installation{}, found...)
	for i := range all {
		all[i].Running = append([]int{}, all[i].Running...)
	}
	return all
}

// readSavedHost reads what probe --json wrote, here or on another machine.
func readSavedHost(path string) (probeJSON, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return probeJSON{}, usage(fmt.Errorf("read the host facts: %w; make the file with fbtune probe --json -o %s", err, path))
	}
	var saved probeJSON
	if err := json.Unmarshal(data, &saved); err != nil {
		return probeJSON{}, usage(fmt.Errorf("read the host facts in %s: %w; make the file with fbtune probe --json -o %s", path, err, path))
	}
	return saved, nil
}
