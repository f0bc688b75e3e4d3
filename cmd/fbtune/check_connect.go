package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
	"github.com/fbtune/fbtune/internal/health"
	"github.com/fbtune/fbtune/internal/report"
)

// connected checks a server that is only asked: by what it says is in force,
// which it does from 4.0 on, and by the header of the database.
func (f *checkFlags) connected(ctx context.Context, e *env, in check.Input) (report.CheckedFile, error) {
	target, err := e.target(f.connect)
	if err != nil {
		return report.CheckedFile{}, err
	}
	d, err := inspect.FromServer(ctx, target, inspect.Options{})
	if err != nil {
		return report.CheckedFile{}, err
	}
	header := d.Statistics.Header
	read := seen{
		files:   []check.DatabaseFile{{Path: d.Path, Header: health.Header(header, d.Server)}},
		headers: []report.CheckedDatabase{{Path: d.Path, Header: header}},
	}
	read.note("the server's machine, its log and its other databases are not known; run fbtune check there")
	files := serverFiles{confPath: "server " + target.Addr}
	files.Version = d.Server
	if d.Config == nil {
		read.note("its configuration is not known, for Firebird %s does not tell it; check its files", d.Server)
		checked := files.check(in, read)
		checked.Findings = append([]check.Finding{}, check.Headers(d.Server, read.files)...)
		return checked, nil
	}
	read.note("by RDB$CONFIG, which shows what is in force for %s: lines that the engine passes over are not seen; check the files", d.Path)
	files.confText = written(d.Config)
	files.Conf = fbconf.Parse(files.confText, fbconf.Options{Name: files.confPath, Kind: fbconf.FirebirdConf, Dialect: d.Server.Dialect()})
	checked := files.check(in, read)
	for i := range checked.Findings {
		checked.Findings[i].Line = 0 // of a text that nobody wrote
	}
	return checked, nil
}

// written returns what is set of a configuration, as a firebird.conf.
func written(table configtable.Table) []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if row := table[name]; row.Set && row.Value != "" {
			fmt.Fprintf(&b, "%s = %s\n", name, row.Value)
		}
	}
	return []byte(b.String())
}
