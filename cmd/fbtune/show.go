package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/report"
)

func showCommand(e *env) *cobra.Command {
	var (
		f        fileFlags
		database string
	)
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show the settings in force, as the engine takes them from its files",
		Long: `Show the settings in force, as the engine takes them from its files.

Each setting comes with its value as RDB$CONFIG prints it, with what the engine
does with it after its bounds, and with the line it is from. Page buffers in the
header of a database, which override both files, are not seen here.`,
		Example: `  fbtune show
  fbtune show --database erp
  fbtune show --conf firebird.conf --databases databases.conf --firebird 4.0.3 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.show(cmd.Context(), &f, database) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.conf, "conf", "", "the firebird.conf shown (`FILE`; default: the installation's)")
	flags.StringVar(&f.databases, "databases", "", "the databases.conf, or aliases.conf of 2.5, beside it (`FILE`)")
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the installation whose files are shown (default: the newest found)")
	flags.StringVar(&database, "database", "", "the database, an `alias or path`, whose settings are shown (default: the server's)")
	f.add(flags)
	return cmd
}

// showJSON is the object of show --json.
type showJSON struct {
	Firebird confgen.Version `json:"firebird"`
	Mode     confgen.Mode    `json:"mode"`
	Database string          `json:"database"`
	confgen.Shown
}

func (e *env) show(ctx context.Context, f *fileFlags, database string) error {
	files, err := f.read(ctx)
	if err != nil {
		return err
	}
	shown := files.Show(database)
	shown.Warnings = append(shown.Warnings, files.Notes...)
	if e.json {
		err = e.printJSON("fbtune/show/1", showJSON{files.Version, files.ServerMode(), database, shown})
	} else {
		err = e.print(func(w writer) error { return report.Shown(w, files.Files, database, shown) })
	}
	if err == nil && shown.Fatal != "" {
		err = findingsError("the server would not work with these files; fbtune check says what to write instead")
	}
	return err
}
