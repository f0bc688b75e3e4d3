package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// built makes a dist whose programs, man pages and completions are there.
func built(t *testing.T) *dist {
	t.Helper()
	t.Chdir("../..")
	dir := t.TempDir()
	d := &dist{version: "0.1.0", dir: dir, build: filepath.Join(dir, "build"), date: time.Unix(1764547200, 0)}
	for _, name := range []string{"linux-amd64/fbtune", "windows-amd64/fbtune.exe", "man/fbtune.1", "completions/_fbtune"} {
		path := filepath.Join(d.build, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := compressAll(filepath.Join(d.build, "man")); err != nil {
		t.Fatal(err)
	}
	return d
}

// wanted are the files of an archive.
func wanted(p platform) []string {
	var names []string
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "README.md", "completions/_fbtune", p.program(), "man/fbtune.1.gz"} {
		names = append(names, fmt.Sprintf("fbtune-0.1.0-%s/%s", p, name))
	}
	return names
}

func TestTarball(t *testing.T) {
	d, p := built(t), platform{"linux", "amd64"}
	path := filepath.Join(d.dir, "fbtune-0.1.0-linux-amd64.tar.gz")
	var first []byte
	for range 2 { // and the second is equal
		if err := d.pack(p); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(first, content) {
			t.Error("two archives of the same differ")
		}
		first = content
	}
	compressed, err := gzip.NewReader(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		names = append(names, h.Name)
		if program := strings.HasSuffix(h.Name, "/fbtune"); program != (h.Mode&0o111 != 0) || !h.ModTime.Equal(d.date) {
			t.Errorf("%s has mode %o of %s", h.Name, h.Mode, h.ModTime)
		}
	}
	if want := wanted(p); !slices.Equal(names, want) {
		t.Errorf("archive of %v, want %v", names, want)
	}
}

func TestZip(t *testing.T) {
	d, p := built(t), platform{"windows", "amd64"}
	if err := d.pack(p); err != nil {
		t.Fatal(err)
	}
	r, err := zip.OpenReader(filepath.Join(d.dir, "fbtune-0.1.0-windows-amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var names []string
	for _, f := range r.File {
		if !f.FileInfo().IsDir() {
			names = append(names, f.Name)
		}
	}
	if want := wanted(p); !slices.Equal(names, want) {
		t.Errorf("archive of %v, want %v", names, want)
	}
}

func TestChecksums(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := checksums(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if want := fmt.Sprintf("%x  a\n", sha256.Sum256([]byte("x"))); err != nil || string(got) != want {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
}
