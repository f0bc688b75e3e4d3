package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
)

// surroundings are what a server is checked against beside its files.
type surroundings struct {
	check.Input                    // what the flags and the machine say, for all servers
	given       []confgen.Database // by the flags
	here        bool               // whether the servers are those of this machine, and not of a saved one
}

// surroundings reads what servers are checked against. installed tells whether
// they are those of this machine, and not files that were named.
func (f *checkFlags) surroundings(ctx context.Context, installed bool) (surroundings, error) {
	with := surroundings{Input: check.Input{Connections: f.connections}, here: f.host == ""}
	if f.connections < 1 {
		return with, usagef("--connections %d: give a number from 1", f.connections)
	}
	var err error
	if with.given, err = f.given(); err != nil {
		return with, err
	}
	with.Open = with.given
	switch {
	case !with.here:
		saved, err := readSavedHost(f.host)
		with.Host = &saved.Host
		return with, err
	case installed:
		host, err := probe.Read(ctx, probe.Closely(), "/")
		var unknown *probe.MemoryError
		if err != nil && !errors.As(err, &unknown) {
			return with, err
		}
		with.Host = &host
		with.Addresses = addresses()
	}
	return with, nil
}

// addresses returns the network addresses of this machine, none when they
// cannot be read.
func addresses() []string {
	nets, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var list []string
	for _, n := range nets {
		if ip, ok := n.(*net.IPNet); ok {
			list = append(list, ip.IP.String())
		}
	}
	return list
}

// seen is what was read of a server besides its files.
type seen struct {
	files   []check.DatabaseFile
	headers []report.CheckedDatabase
	log     string // its path, when it was read
	notes   []string
}

// note adds what could not be read, or had to be assumed.
func (s *seen) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// installations checks the installation asked for, or every one found.
func (f *checkFlags) installations(ctx context.Context, with surroundings) ([]report.CheckedFile, error) {
	var found []firebird.Installation
	if f.root != "" {
		inst, err := firebird.At(ctx, f.root)
		if err != nil {
			return nil, usage(err)
		}
		found = append(found, inst)
	} else {
		var broken []error
		if found, broken = firebird.Find(ctx); len(found) == 0 {
			return nil, usagef("%w; or name files to check", errors.Join(append([]error{firebird.ErrNone}, broken...)...))
		}
	}
	var checked []report.CheckedFile
	for _, inst := range found {
		files, err := f.installed(inst)
		if err != nil {
			return nil, err
		}
		in, s := with.Input, with.files(ctx, files.Files, found)
		if with.here {
			with.server(ctx, inst, &in, &s)
		}
		readLog(inst, &in, &s)
		checked = append(checked, files.check(in, s))
	}
	return checked, nil
}

// server fills in what the machine is to the server of an installation: as its
// process has it where it runs.
func (w surroundings) server(ctx context.Context, inst firebird.Installation, in *check.Input, s *seen) {
	p := serverOf(inst)
	if p.pid != 0 {
		host, err := probe.Read(ctx, p.system(), "/")
		if err == nil {
			host.Disk, host.Busy = w.Host.Disk, w.Host.Busy
			in.Host = &host
			s.note("memory, processors and limits are those of its process %d", p.pid)
		}
	}
	in.DefaultTemp, in.LockDirectory = p.temp, p.locks
	in.Directory = func(path string) check.Directory { return p.directory(ctx, path) }
}

// readLog reads the log of an installation.
func readLog(inst firebird.Installation, in *check.Input, s *seen) {
	lines, partial, err := firebird.ReadLog(inst.Log())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.note("there is no log %s", inst.Log())
		return
	case err != nil:
		s.note("the log is not checked: %v; run fbtune as root or as the server's account", err)
		return
	case partial:
		s.note("only the end of %s is checked, for it is large", inst.Log())
	}
	s.log, in.LogPath, in.Now = inst.Log(), inst.Log(), time.Now()
	for _, l := range lines {
		in.Log = append(in.Log, check.LogLine(l))
	}
}

// check runs the rules over a server's files and what else was read of it.
func (s serverFiles) check(with check.Input, read seen) report.CheckedFile {
	with.Files, with.ConfText, with.DatabasesText = s.Files, s.confText, s.databasesText
	with.DatabaseFiles = read.files
	return report.CheckedFile{
		Conf: s.confPath, Databases: s.databasesPath, Firebird: s.Version, Windows: s.Windows,
		Notes: append(append([]string{}, s.Notes...), read.notes...), Findings: append([]check.Finding{}, check.Run(with)...),
		Log: read.log, DatabaseFiles: append([]report.CheckedDatabase{}, read.headers...),
	}
}
