package apply

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Backup is what a replacement kept, under one stamp.
type Backup struct {
	Stamp string       `json:"stamp"`
	Made  time.Time    `json:"made"`
	Files []BackupFile `json:"files"`
}

// BackupFile is one file of a backup.
type BackupFile struct {
	Path   string `json:"path"`   // what it is the backup of, links followed
	Backup string `json:"backup"` // where it is
	Bytes  int64  `json:"bytes"`
}

// Of returns the backup of a file that the server opens as path, or "".
func (b Backup) Of(path string) string {
	file, err := realPath(path)
	if err != nil {
		return ""
	}
	for _, f := range b.Files {
		if f.Path == file {
			return f.Backup
		}
	}
	return ""
}

// stamped matches the stamp of a backup; a number tells those of one second
// apart.
var stamped = regexp.MustCompile(`^(\d{8}T\d{6}Z)(?:-(\d+))?$`)

// Backups lists the backups of files, newest first.
func Backups(paths ...string) ([]Backup, error) {
	byStamp := map[string]*Backup{}
	for _, path := range paths {
		file, err := realPath(path)
		if err != nil {
			return nil, fmt.Errorf("look for backups: %w", err)
		}
		entries, err := os.ReadDir(filepath.Dir(file))
		if err != nil {
			return nil, fmt.Errorf("look for backups: %w", err)
		}
		for _, entry := range entries {
			stamp, ok := strings.CutPrefix(entry.Name(), filepath.Base(file)+mark)
			parts := stamped.FindStringSubmatch(stamp)
			if !ok || parts == nil {
				continue
			}
			made, err := time.Parse(stampLayout, parts[1])
			info, statErr := entry.Info()
			if err != nil || statErr != nil || !info.Mode().IsRegular() {
				continue // no date, or gone meanwhile: none of ours
			}
			b := byStamp[stamp]
			if b == nil {
				b = &Backup{Stamp: stamp, Made: made}
				byStamp[stamp] = b
			}
			b.Files = append(b.Files, BackupFile{Path: file, Backup: file + mark + stamp, Bytes: info.Size()})
		}
	}
	list := make([]Backup, 0, len(byStamp))
	for _, b := range byStamp {
		list = append(list, *b)
	}
	slices.SortFunc(list, func(a, b Backup) int { return compareStamps(b.Stamp, a.Stamp) })
	return list, nil
}

// compareStamps orders stamps by age: by length within a second, so that -10
// comes after -9.
func compareStamps(a, b string) int {
	if c := strings.Compare(a[:len(stampLayout)], b[:len(stampLayout)]); c != 0 {
		return c
	}
	if c := len(a) - len(b); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// Find returns the backup that a person names: by its stamp, or one file of it
// by its name or path.
func Find(list []Backup, name string) (Backup, error) {
	for _, b := range list {
		if b.Stamp == name {
			return b, nil
		}
		for _, f := range b.Files {
			if f.Backup == name || filepath.Base(f.Backup) == name {
				b.Files = []BackupFile{f}
				return b, nil
			}
		}
	}
	return Backup{}, fmt.Errorf("no backup %q; fbtune restore --list shows them", name)
}
