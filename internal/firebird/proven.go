package firebird

import (
	"fmt"
	"slices"
)

// Proof is what of fbtune works with a Firebird on a system, and how that is
// known.
type Proof struct {
	Firebird string   `json:"firebird"` // versions and packages
	System   string   `json:"system"`
	Works    string   `json:"works"`            // commands
	Proof    string   `json:"proof"`            // how that is known
	Builds   []string `json:"builds,omitempty"` // that the whole tests were run on
}

// proofs are the facts behind every claim of what works where. A row is changed
// with the tests it speaks of.
var proofs = []Proof{
	{
		Firebird: "3.0, Debian's package", System: "Linux", Works: "all commands",
		Proof: "every test, on Debian 12 with 3.0.11.33637, amd64", Builds: []string{"LI-V3.0.11.33637"},
	},
	{
		Firebird: "4.0, Debian's package", System: "Linux", Works: "all commands",
		Proof: "every test, on Debian 12 beside it with Debian 13's 4.0.5.3140, amd64", Builds: []string{"LI-V4.0.5.3140"},
	},
	{
		Firebird: "3.0 to 5.0, official builds (`--firebird-root DIR`, /opt/firebird)", System: "Linux", Works: "all commands",
		Proof: "private servers in every architecture, of a 3.0.11 laid out as one; no official build was run",
	},
	{
		Firebird: "5.0", System: "Linux", Works: "`recommend`, `show`, `settings`, `check`, `diff`, `inspect --gstat`",
		Proof: "its sources, and lines put before a real 5.0.4.1812; no server of it was run by fbtune",
	},
	{
		Firebird: "2.5", System: "Linux", Works: "`recommend`, `show`, `settings`, `check`, `diff`, `inspect --gstat`",
		Proof: "its sources; no server was run",
	},
	{
		Firebird: "3.0 and 4.0, your own server (`--service`, `--start-cmd`)", System: "Linux", Works: "`sweep`, `tune`",
		Proof: "servers that commands start, killed at every step; systemctl by a stand-in, systemd was not run",
	},
	{
		Firebird: "of any version", System: "Windows, macOS", Works: "`probe`, `recommend`, `show`, `settings`, `check`, `diff`",
		Proof: "built, not run; `bench` and `sweep` not yet",
	},
}

// Proofs returns what was proven on what, the most proven first.
func Proofs() []Proof { return slices.Clone(proofs) }

// Warnings say what a person should know who runs this installation: that
// fbtune was not tested with it.
func (i Installation) Warnings() []string {
	var list []string
	if i.Unknown != "" {
		list = append(list, i.Unknown)
	}
	tested := slices.ContainsFunc(proofs, func(p Proof) bool { return slices.Contains(p.Builds, i.Build) })
	if !tested {
		list = append(list, fmt.Sprintf("fbtune's tests were not run on the build %s; fbtune version lists those they were run on", i.Build))
	}
	return list
}
