package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/probe"
)

// recommendFlags are the flags of recommend.
type recommendFlags struct {
	version, root, mode, workload string
	host, conf, aliases           string
	memory, reserve, storage      string
	cpus, connections             int
	connectionsGiven              bool
	share                         string
	databases                     []string
	observed                      string
	explain, compare              string
	isolation, all, force         bool
}

// request is what advice is asked for: its input, what its files are made
// from, and notes of what was assumed.
type request struct {
	input confgen.Input
	base  confgen.Base
	notes []string
}

// read makes a request from the flags, the machine and the installation.
func (f *recommendFlags) read(ctx context.Context) (request, error) {
	in, err := f.load()
	if err != nil {
		return request{}, err
	}
	saved, err := f.readHost(ctx, in.Memory != 0)
	if err != nil {
		return request{}, err
	}
	in.Host = saved.Host
	if f.observed != "" {
		if in.Observed, err = readObserved(f.observed); err != nil {
			return request{}, err
		}
	}
	r := request{input: in}
	if f.host == "" {
		r.notes = append(r.notes, measureDatabases(r.input.Databases)...)
	}
	if f.all {
		return r, nil
	}
	return r, f.readInstallation(ctx, saved.Installations, &r)
}

// load makes the part of the input that the flags alone state.
func (f *recommendFlags) load() (confgen.Input, error) {
	in := confgen.Input{CPUs: f.cpus, Connections: f.connections, Isolation: f.isolation}
	if f.connectionsGiven && f.connections < 1 { // 0 would stand for the default
		return in, usagef("--connections %d: give a number from 1", f.connections)
	}
	var err error
	if in.Workload, err = confgen.ParseWorkload(f.workload); err != nil {
		return in, usage(err)
	}
	if in.Storage, err = confgen.ParseStorage(f.storage); err != nil {
		return in, usage(err)
	}
	if f.mode != "" {
		if in.Mode, err = confgen.ParseMode(f.mode); err != nil {
			return in, usage(err)
		}
	}
	for _, size := range []struct {
		text string
		into *confgen.Bytes
	}{{f.memory, &in.Memory}, {f.reserve, &in.Reserve}} {
		if size.text == "" {
			continue
		}
		if *size.into, err = confgen.ParseSizeFlag(size.text); err != nil {
			return in, usage(err)
		}
	}
	if in.Share, err = confgen.ParseShare(f.share); err != nil {
		return in, usage(err)
	}
	for _, text := range f.databases {
		d, err := confgen.ParseDatabase(text)
		if err != nil {
			return in, usage(err)
		}
		in.Databases = append(in.Databases, d)
	}
	return in, nil
}

// measureDatabases fills in size and page size of databases that lie on this
// machine, where no flag gave them. What cannot be read is noted.
func measureDatabases(databases []confgen.Database) (notes []string) {
	for i := range databases {
		d := &databases[i]
		header, err := dbheader.Read(d.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // of another machine, or still to be made
		case err != nil:
			if d.Size == 0 || d.PageSize == 0 {
				notes = append(notes, fmt.Sprintf("%v, so its size and page size are not known; give size= and page-size=", err))
			}
			continue
		}
		if d.Size == 0 {
			d.Size = header.FileSize
		}
		if d.PageSize == 0 {
			d.PageSize = header.PageSize
		}
		if header.PageBuffers > 0 {
			notes = append(notes, fmt.Sprintf("the header of %s holds %d page buffers, with which no file has a say in its cache: run gfix -buffers 0 %q", d.Path, header.PageBuffers, d.Path))
		}
	}
	return notes
}

// readHost reads the machine, or the facts of another one with its Firebirds.
// A machine whose memory is not known is no obstacle when a flag gives it.
func (f *recommendFlags) readHost(ctx context.Context, memoryGiven bool) (probeJSON, error) {
	if f.host == "" {
		host, err := probe.Read(ctx, probe.Live(), "/")
		var unknown *probe.MemoryError
		if errors.As(err, &unknown) && memoryGiven {
			err = nil
		}
		return probeJSON{Host: host}, err
	}
	saved, err := readSavedHost(f.host)
	if err != nil {
		return probeJSON{}, err
	}
	if !saved.Host.Memory.Usable.Known() && !memoryGiven {
		return probeJSON{}, usagef("%s does not say how much memory the machine has; make it with fbtune probe --json, or give --memory", f.host)
	}
	return saved, nil
}

// readObserved reads what was observed of a running server.
func readObserved(path string) (confgen.Observed, error) {
	const make = "docs/json.md says under Observed what it must hold"
	data, err := os.ReadFile(path)
	if err != nil {
		return confgen.Observed{}, usage(fmt.Errorf("read what was observed: %w; %s", err, make))
	}
	var inspected struct {
		Schema   string            `json:"schema"`
		Observed *confgen.Observed `json:"observed"`
	}
	if err := json.Unmarshal(data, &inspected); err != nil {
		return confgen.Observed{}, usage(fmt.Errorf("read what was observed in %s: %w; %s", path, err, make))
	}
	if !strings.HasPrefix(inspected.Schema, "fbtune/inspect/") || inspected.Observed == nil {
		return confgen.Observed{}, usagef("%s does not hold what was observed: its schema is %q, not fbtune/inspect/1 with a field observed; %s", path, inspected.Schema, make)
	}
	return *inspected.Observed, nil
}

// readInstallation finds out the version, what is in force now and what the
// files are made from, and notes what it had to assume. saved are the
// installations of a saved host.
func (f *recommendFlags) readInstallation(ctx context.Context, saved []firebird.Installation, r *request) error {
	inst, err := f.installation(ctx, saved)
	if err != nil && !errors.Is(err, firebird.ErrNone) {
		return err
	}
	in := &r.input
	var dialect string
	switch {
	case f.version != "":
		var parse error
		if in.Version, parse = confgen.ParseVersion(f.version); parse != nil {
			return usage(parse)
		}
		dialect = f.version
	case inst.Build != "":
		in.Version, dialect, in.Bits = inst.Version, inst.FullVersion(), inst.Bits
	default:
		in.Version = confgen.Version{Major: 3, Minor: 0, Patch: confgen.AnyPatch}
		dialect = in.Version.String()
		r.notes = append(r.notes, fmt.Sprintf("the advice is for Firebird %s, which is assumed; say which it is with --firebird (%v)", in.Version, err))
	}
	if in.Version.Line() != inst.Version.Line() { // another version's files say nothing about this one
		inst.FirebirdConf, inst.DatabasesConf = "", ""
	}
	grammar, err := fbconf.ParseDialect(dialect)
	if err != nil {
		return usage(err)
	}
	return f.readFiles(inst, grammar, r)
}

// readFiles reads the user's files, else those of an installation.
func (f *recommendFlags) readFiles(inst firebird.Installation, dialect fbconf.Dialect, r *request) error {
	var from origin
	if inst.Build != "" {
		from = origin{inst.FullVersion(), inst.Dirs(""), fileID}
	}
	if err := f.readConf(inst.FirebirdConf, from, dialect, r); err != nil {
		return err
	}
	return f.readAliases(inst.DatabasesConf, from, dialect, r)
}

// installation is the Firebird that is advised about: the one asked for, else
// the newest of the host. The error is firebird.ErrNone when there is none.
func (f *recommendFlags) installation(ctx context.Context, saved []firebird.Installation) (firebird.Installation, error) {
	switch {
	case f.host == "" || f.root != "":
		return firebird.Choose(ctx, f.root)
	case len(saved) == 0:
		return firebird.Installation{}, firebird.ErrNone
	}
	inst := saved[0]
	inst.FirebirdConf, inst.DatabasesConf = "", "" // they lie on the other machine
	return inst, nil
}

// readConf reads the firebird.conf in use: the user's, which is then what the
// advised one is made from, else that of the installation, if any.
func (f *recommendFlags) readConf(installed string, from origin, dialect fbconf.Dialect, r *request) error {
	path := cmp.Or(f.conf, installed)
	if path == "" {
		r.notes = append(r.notes, "the firebird.conf in use is not known, so current is the default of each setting; name the file with --conf")
		return nil
	}
	file, err := readConfFile(path, fbconf.FirebirdConf, from, dialect)
	switch {
	case f.conf != "" && errors.Is(err, fs.ErrNotExist):
		return usagef("%w; check --conf", err)
	case errors.Is(err, fs.ErrNotExist):
		r.notes = append(r.notes, fmt.Sprintf("%v: an engine from 4.0 on takes that for an empty file", err))
		return nil
	case err != nil:
		return err
	}
	if f.conf != "" {
		r.base.Conf = file
	} else {
		r.base.Kept = file
	}
	r.input.Current, err = confgen.ReadCurrent(file)
	return err
}

// readAliases reads the databases.conf in use, or aliases.conf of 2.5: from it
// come the present caches of the databases that were named.
func (f *recommendFlags) readAliases(installed string, from origin, dialect fbconf.Dialect, r *request) error {
	path := cmp.Or(f.aliases, installed)
	if path == "" {
		return nil
	}
	kind := fbconf.DatabasesConf
	if dialect.Legacy() {
		kind = fbconf.AliasesConf
	}
	file, err := readConfFile(path, kind, from, dialect)
	switch {
	case f.aliases != "" && errors.Is(err, fs.ErrNotExist):
		return usagef("%w; check --databases", err)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrPermission) && f.aliases == "":
		r.notes = append(r.notes, fmt.Sprintf("%v, so the databases.conf made here does not hold what is in it: name a copy with --databases", err))
		return nil
	case err != nil:
		return err
	}
	if fatal := file.Fatal(); fatal != "" {
		return usagef("read %s: no database can be attached with it: %s; correct that first (fbtune check says how)", path, fatal)
	}
	r.base.Aliases = file
	r.notes = append(r.notes, confgen.ReadCaches(file, &r.input)...)
	return nil
}

// readConfFile reads and parses a file of a server.
func readConfFile(path string, kind fbconf.Kind, from origin, dialect fbconf.Dialect) (*fbconf.File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the present configuration: %w", err)
	}
	return from.parse(path, content, kind, dialect)
}
