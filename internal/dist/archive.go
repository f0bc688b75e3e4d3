package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// archiver is what writers of archives have in common.
type archiver interface {
	AddFS(fs.FS) error
	Close() error
}

// pack makes the archive of a platform: a zip for Windows, a tar.gz for others,
// with everything in one folder.
func (d *dist) pack(p platform) (err error) {
	name := fmt.Sprintf("fbtune-%s-%s", d.version, p)
	stage := filepath.Join(d.build, "stage-"+p.String())
	if err := d.stage(p, filepath.Join(stage, name)); err != nil {
		return err
	}
	suffix := ".tar.gz"
	if p.os == "windows" {
		suffix = ".zip"
	}
	f, err := os.Create(filepath.Join(d.dir, name+suffix))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if p.os == "windows" {
		return add(zip.NewWriter(f), stage)
	}
	compressed := gzip.NewWriter(f)
	return errors.Join(add(tar.NewWriter(compressed), stage), compressed.Close())
}

// add fills an archive and closes it.
func add(a archiver, dir string) error { return errors.Join(a.AddFS(os.DirFS(dir)), a.Close()) }

// stage lays out what an archive holds, all with the date of the sources.
func (d *dist) stage(p platform, folder string) error {
	files := map[string]string{p.program(): filepath.Join(d.build, p.String(), p.program())}
	for _, name := range documents {
		files[name] = name
	}
	for _, dir := range []string{"man", "completions"} {
		entries, err := os.ReadDir(filepath.Join(d.build, dir))
		if err != nil {
			return err
		}
		for _, e := range entries {
			files[filepath.Join(dir, e.Name())] = filepath.Join(d.build, dir, e.Name())
		}
	}
	for name, from := range files {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if name == p.program() {
			mode = 0o755
		}
		if err := os.WriteFile(to, content, mode); err != nil {
			return err
		}
	}
	return filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, d.date, d.date)
	})
}

// compressAll replaces the files of a directory by compressed ones, as man
// pages are installed.
func compressAll(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(content); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		if err := errors.Join(os.WriteFile(path+".gz", b.Bytes(), 0o644), os.Remove(path)); err != nil {
			return err
		}
	}
	return nil
}

// checksums writes SHA256SUMS for the files of a directory, as sha256sum -c
// reads it.
func checksums(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(content), e.Name()))
	}
	slices.Sort(lines)
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
