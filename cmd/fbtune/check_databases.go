package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/health"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
)

// databaseFile is a database whose header is to be read.
type databaseFile struct {
	name, path string
	sample     bool // the example that Firebird's own databases.conf names, there or not
}

// files reads the headers of the databases of a server: of those that the flags
// name, and where the server is one of the installations found those that its
// databases.conf names.
func (w surroundings) files(ctx context.Context, files confgen.Files, found []firebird.Installation) seen {
	var s seen
	if w.here {
		for _, d := range w.given {
			file := databaseFile{name: d.Name, path: d.Path}
			h, err := dbheader.Read(file.path)
			if err != nil || belongs(h.ODS, files.Version, found) {
				s.add(ctx, file, files.Version, h, err)
			}
		}
	}
	if len(found) == 0 {
		return s
	}
	for _, file := range named(files) {
		if !slices.ContainsFunc(s.files, func(f check.DatabaseFile) bool { return f.Path == file.path }) {
			h, err := dbheader.Read(file.path)
			s.add(ctx, file, files.Version, h, err)
		}
	}
	return s
}

// belongs reports whether a database is one of a server of a version, and not
// of another installation that is checked as well.
func belongs(ods dbheader.ODS, v confgen.Version, found []firebird.Installation) bool {
	return ods.OpenedBy(v) || !slices.ContainsFunc(found, func(inst firebird.Installation) bool { return ods.OpenedBy(inst.Version) })
}

// named returns the databases that databases.conf names and that lie on this
// machine.
func named(files confgen.Files) []databaseFile {
	if files.Databases == nil {
		return nil
	}
	var list []databaseFile
	for _, a := range files.Databases.Aliases() {
		if a.Ignored == "" && filepath.IsAbs(a.Path) {
			list = append(list, databaseFile{a.Name, a.Path, strings.Contains(strings.ToLower(a.Raw), "dir_sampledb")})
		}
	}
	return list
}

// add adds a database, with what could be read of it.
func (s *seen) add(ctx context.Context, file databaseFile, v confgen.Version, h dbheader.Header, err error) {
	known := check.DatabaseFile{Name: file.name, Path: file.path}
	switch {
	case errors.Is(err, fs.ErrNotExist) && file.sample:
		return
	case errors.Is(err, fs.ErrPermission):
		s.note("%s is not checked: %v; run fbtune as root or as the server's account", cmp.Or(file.name, "a database"), err)
	case err != nil:
		s.note("%s is not checked: %v", cmp.Or(file.name, "a database"), err)
	default:
		known.Header = health.Header(h, v)
		s.headers = append(s.headers, report.CheckedDatabase{Name: file.name, Path: file.path, Header: h})
	}
	system := probe.Live()
	system.SMART = probe.Smartctl
	if host, err := probe.Read(ctx, system, filepath.Dir(file.path)); err == nil {
		known.Disk = host.Disk
	}
	s.files = append(s.files, known)
}
