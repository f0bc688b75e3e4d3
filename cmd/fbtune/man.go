package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes the man pages, for who makes packages.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the man pages of all commands into a directory",
		Example: `  SOURCE_DATE_EPOCH=0 fbtune man dist/man`,
		Hidden:  true,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one directory; see %s -h", cmd.CommandPath())
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("make the directory of man pages: %w", err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // the header has the date
			header := doc.GenManHeader{Title: "FBTUNE", Section: "1", Source: "fbtune", Manual: "fbtune"}
			if err := doc.GenManTree(root, &header, args[0]); err != nil {
				return fmt.Errorf("write the man pages: %w", err)
			}
			return nil
		},
	}
}
