package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
)

// versionJSON is the object of version --json.
type versionJSON struct {
	Go     string           `json:"go"`     // version it was built with
	System string           `json:"system"` // it was built for
	Proofs []firebird.Proof `json:"proofs"`
}

func versionCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which fbtune this is, and what was proven on which Firebird",
		Long: `Say which fbtune this is, and what was proven on which Firebird.

A build that is not in the list works by the rules of its version; whatever runs a
server of it says so.`,
		Example: `  fbtune version
  fbtune version --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			object := versionJSON{Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Proofs: firebird.Proofs()}
			if e.json {
				return e.printJSON("fbtune/version/1", object)
			}
			built := fmt.Sprintf("fbtune %s, built with %s for %s", version(), object.Go, object.System)
			return e.print(func(w writer) error { return report.Version(w, built, object.Proofs) })
		},
	}
}
