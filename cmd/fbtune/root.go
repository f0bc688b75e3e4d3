package main

import (
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
	"github.com/spf13/cobra"
)

// rootCommand returns the command with all its subcommands.
func rootCommand(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "fbtune",
		Short: "Advise, measure and tune the configuration of a Firebird server",
		Long: `fbtune answers one question for people who run Firebird: which configuration is
right for this machine and this load, and how sure are we?`,
		Example: `  fbtune probe
  fbtune recommend
  fbtune sweep --quick --param DefaultDbCachePages --values 256,512,1024,2048 --modes Classic,SuperClassic`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		PersistentPreRun: func(*cobra.Command, []string) {
			if e.noColor {
				lipgloss.SetColorProfile(termenv.Ascii)
			}
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.terminal && !e.json {
				return e.tui(cmd.Context())
			}
			return cmd.Help()
		},
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&e.json, "json", false, "print exactly one JSON object on standard output")
	flags.StringVar(&e.events, "events", "", "write events to `FILE` as JSON lines while it runs")
	flags.BoolVar(&e.quiet, "quiet", false, "no progress on standard error")
	flags.BoolVar(&e.noColor, "no-color", false, "no colours (NO_COLOR does the same)")
	flags.StringVarP(&e.out, "out", "o", "", "write the result to `FILE or DIR`")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see %s -h", err, cmd.CommandPath())
	})
	root.SetUsageTemplate(root.UsageTemplate() + exitHelp + "\n")
	root.AddCommand(probeCommand(e), recommendCommand(e), settingsCommand(e), showCommand(e), checkCommand(e), inspectCommand(e), group(benchCommand(e)), sweepCommand(e), tuneCommand(e), studiesCommand(e), reportCommand(e), tuiCommand(e), diffCommand(e), applyCommand(e), restoreCommand(e), versionCommand(e), manCommand())
	return root
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// group makes a command that only holds others refuse a name it does not know.
// Left to itself cobra shows its help, as if all were well.
func group(cmd *cobra.Command) *cobra.Command {
	cmd.Args, cmd.RunE = noArguments, showHelp
	return cmd
}

// noArguments refuses arguments, which are mostly a mistyped command or flag.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasAvailableSubCommands() {
		cmd.SuggestionsMinimumDistance = 2 // letters that may be wrong
		for _, name := range cmd.SuggestionsFor(args[0]) {
			return usagef("no command %q in %s; did you mean %s?", args[0], cmd.CommandPath(), name)
		}
		return usagef("no command %q in %s; see %s -h", args[0], cmd.CommandPath(), cmd.CommandPath())
	}
	return usagef("%s takes no argument %q; see %s -h", cmd.CommandPath(), args[0], cmd.CommandPath())
}
