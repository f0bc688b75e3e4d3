package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
)

// pair is the files of one server. Either may be "".
type pair struct{ conf, databases string }

// arguments checks the files and directories of the command line. many tells
// whether there was a directory among them.
func (f *checkFlags) arguments(ctx context.Context, args []string, with surroundings) (checked []report.CheckedFile, many bool, err error) {
	var from origin
	if f.root != "" {
		inst, err := firebird.At(ctx, f.root)
		if err != nil {
			return nil, false, usage(err)
		}
		from = origin{version: inst.FullVersion(), dirs: inst.Dirs("")}
	}
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, false, usage(fmt.Errorf("check: %w; name a file or a directory", err))
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		many = true
		inside, err := configurations(arg)
		if err != nil {
			return nil, false, err
		}
		if len(inside) == 0 {
			return nil, false, usagef("check %s: no file in it ends in .conf; name a file", arg)
		}
		files = append(files, inside...)
	}
	pairs, err := paired(files)
	if err != nil {
		return nil, false, err
	}
	for _, p := range pairs {
		server, err := f.parse(p.conf, p.databases, from)
		if err != nil {
			return nil, false, err
		}
		checked = append(checked, server.check(with.Input, with.files(ctx, server.Files, nil)))
	}
	return checked, many, nil
}

// otherConfs are files of Firebird that have other grammars.
var otherConfs = []string{"plugins.conf", "fbtrace.conf", "fbintl.conf", "replication.conf", "udr_engine.conf", "directories.conf"}

// configurations returns the files below a directory that may be a server's
// configuration: those that end in .conf.
func configurations(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) {
			return nil // what cannot be read is not a configuration of ours
		}
		if err == nil && entry.Type().IsRegular() && strings.EqualFold(filepath.Ext(path), ".conf") && !slices.Contains(otherConfs, strings.ToLower(entry.Name())) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search %s for configuration files: %w", dir, err)
	}
	return files, nil
}

// paired puts a firebird.conf and a databases.conf of one directory together;
// every other file stands for itself.
func paired(files []string) ([]pair, error) {
	var pairs []pair
	confs := map[string]int{} // index of the pair that has the firebird.conf of a directory
	for _, path := range files {
		if strings.EqualFold(filepath.Base(path), "firebird.conf") {
			confs[filepath.Dir(path)] = len(pairs)
			pairs = append(pairs, pair{conf: path})
		}
	}
	for _, path := range files {
		base := strings.ToLower(filepath.Base(path))
		if base == "firebird.conf" {
			continue
		}
		isAliases, err := aliasFile(path)
		if err != nil {
			return nil, err
		}
		at, ok := confs[filepath.Dir(path)]
		switch {
		case isAliases && ok && (base == "databases.conf" || base == "aliases.conf") && pairs[at].databases == "":
			pairs[at].databases = path
		case isAliases:
			pairs = append(pairs, pair{databases: path})
		default:
			pairs = append(pairs, pair{conf: path})
		}
	}
	return pairs, nil
}

// Patterns by which a file of aliases is told from one of settings.
var (
	assignment = regexp.MustCompile(`(?m)^[ \t]*([^#\s={}][^#\r\n={}]*?)[ \t]*=[ \t]*([^\r\n]*)`)
	blockStart = regexp.MustCompile(`(?m)^[^#\r\n]*\{[ \t]*\r?$`)
)

// aliasFile reports whether a file holds aliases, as databases.conf and
// aliases.conf do: by its name, else by its first lines.
func aliasFile(path string) (bool, error) {
	base := strings.ToLower(filepath.Base(path))
	for _, word := range []string{"databases", "database.conf", "alias"} {
		if strings.Contains(base, word) {
			return true, nil
		}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("read the configuration: %w", err)
	}
	if blockStart.Match(content) {
		return true, nil
	}
	settings, aliases := 0, 0
	for _, match := range assignment.FindAllSubmatch(content, -1) {
		if _, known := confgen.Lookup(string(match[1])); known {
			settings++
		} else if strings.ContainsAny(string(match[2]), `/\`) {
			aliases++
		}
	}
	return settings == 0 && aliases > 0, nil
}
