package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
)

func settingsCommand(e *env) *cobra.Command {
	var version string
	cmd := &cobra.Command{
		Use:   "settings [NAME]",
		Short: "Show Firebird's settings: defaults, bounds, effect, by version",
		Long: `Show Firebird's settings: defaults, bounds, effect, by version.

Without a name it lists every setting of 2.5 to 6.0 (6.0 as a preview), and the
ones of HQbird and RED Database, which stock Firebird ignores. With a name it
shows one in full, with what the engine makes of numbers outside its bounds.`,
		Example: `  fbtune settings
  fbtune settings LockHashSlots
  fbtune settings --firebird 4.0.3 --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("one setting at a time, not %s; see %s -h", strings.Join(args, ", "), cmd.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return e.settings(args, version) },
	}
	cmd.Flags().StringVar(&version, "firebird", "", "the `version` whose settings are shown, such as 4.0 or 5.0.4 (default: all)")
	return cmd
}

// settingsJSON is the object of settings --json.
type settingsJSON struct {
	Firebird string                 `json:"firebird"` // the version asked for; empty: all
	Settings []confgen.SettingFacts `json:"settings"`
}

func (e *env) settings(args []string, version string) error {
	var v confgen.Version
	if version != "" {
		var err error
		if v, err = knownVersion(version); err != nil {
			return usage(err)
		}
	}
	if len(args) == 1 {
		facts, err := settingFacts(args[0], v)
		if err != nil {
			return usage(err)
		}
		if e.json {
			return e.printJSON("fbtune/settings/1", settingsJSON{version, []confgen.SettingFacts{facts}})
		}
		return e.print(func(w writer) error { return report.Setting(w, facts) })
	}
	list := []confgen.SettingFacts{}
	for _, s := range confgen.All() {
		if facts := s.Facts(v); version == "" || facts.In != nil {
			list = append(list, facts)
		}
	}
	if version == "" {
		for _, s := range confgen.VendorSettings() {
			list = append(list, s.Facts())
		}
	}
	if e.json {
		return e.printJSON("fbtune/settings/1", settingsJSON{version, list})
	}
	return e.print(func(w writer) error { return report.Settings(w, list) })
}

// settingFacts returns the facts about a setting of Firebird or of a vendor.
// The error of a name that is neither says which may be meant.
func settingFacts(name string, v confgen.Version) (confgen.SettingFacts, error) {
	if s, ok := confgen.Lookup(name); ok {
		return s.Facts(v), nil
	}
	if s, ok := confgen.LookupVendor(name); ok {
		return s.Facts(), nil
	}
	if instead, ok := confgen.Imagined(name); ok {
		return confgen.SettingFacts{}, usagef("no version of Firebird has a setting %s: %s", name, instead)
	}
	if instead, ok := confgen.Forerunner(name); ok {
		if instead == "" {
			instead = "it has no successor"
		} else {
			instead = "now " + instead
		}
		return confgen.SettingFacts{}, usagef("%s is a setting of Firebird before 2.5; %s", name, instead)
	}
	for _, line := range confgen.Lines() {
		if s, ok := confgen.Suggest(name, line); ok {
			return confgen.SettingFacts{}, usagef("no version of Firebird has a setting %s; did you mean %s?", name, s.Name)
		}
	}
	return confgen.SettingFacts{}, usagef("no version of Firebird has a setting %s; fbtune settings lists them", name)
}

// knownVersion reads a version that the catalogue covers.
func knownVersion(text string) (confgen.Version, error) {
	v, err := confgen.ParseVersion(text)
	if err != nil {
		return v, err
	}
	names := make([]string, 0, len(confgen.Lines()))
	for _, line := range confgen.Lines() {
		if line == v.Line() {
			return v, nil
		}
		names = append(names, line.String())
	}
	return v, usagef("Firebird %s is not among the versions fbtune knows: %s", v, strings.Join(names, ", "))
}
