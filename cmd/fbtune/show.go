package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
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
does with it after its bounds, and with the line it is from. Macros such as
$(dir_secDb) stand for the directories of the installation. Page buffers in the
header of the database asked for, which override both files, are shown where the
database can be read.`,
		Example: `  fbtune show
  fbtune show --database erp
  fbtune show --firebird-root /opt/firebird
  fbtune show --conf firebird.conf --databases databases.conf --firebird 4.0.3 --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.show(cmd.Context(), &f, database) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.conf, "conf", "", "the firebird.conf shown (`FILE`; default: the installation's)")
	flags.StringVar(&f.databases, "databases", "", "the databases.conf, or aliases.conf of 2.5, beside it (`FILE`)")
	flags.StringVar(&f.root, "firebird-root", "", "`directory` of the installation whose files are shown, or whose directories macros stand for (default: the newest found, of the files' version)")
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
	if database != "" {
		overrideByHeader(&shown, files, database)
	}
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

// overrideByHeader puts the page buffers of a database's header in force, when
// the database can be read here and its header has some.
func overrideByHeader(shown *confgen.Shown, files serverFiles, database string) {
	path := database
	if files.Databases != nil {
		d, _ := files.Databases.Database(database)
		path = d.Path
	}
	if !filepath.IsAbs(path) {
		return
	}
	h, err := dbheader.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // on another machine, or not made yet
	case err != nil:
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("page buffers in the header would override the files, and could not be seen: %v", err))
		return
	case h.PageBuffers == 0:
		return
	}
	for i := range shown.Settings {
		if s := &shown.Settings[i]; s.Name == confgen.DefaultDbCachePages {
			s.Means = fmt.Sprintf("%d pages, by the header of %s", h.PageBuffers, path)
			shown.Warnings = append(shown.Warnings, fmt.Sprintf("DefaultDbCachePages = %s has no effect on %s while its header holds %d page buffers; run gfix -buffers 0 %s for the files to count", s.Value, database, h.PageBuffers, path))
		}
	}
}
