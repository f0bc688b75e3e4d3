package private

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/memcap"
)

// Names in the directory of private servers.
const (
	dirPrefix  = "fbtune-"
	claimName  = "claim"
	recordName = "server.json"
)

// record is what a later run must know to clean up after this one.
type record struct {
	Owner   int       `json:"owner"`             // process id of fbtune, for people
	Started time.Time `json:"started"`           // for people
	Cgroup  string    `json:"cgroup,omitempty"`  // to be removed
	Scratch []string  `json:"scratch,omitempty"` // to be removed
}

// record writes what a later run must know.
func (s *Server) record() error {
	r := record{Owner: os.Getpid(), Started: time.Now(), Scratch: s.scratch}
	if group, ok := s.cap.(interface{ Dir() string }); ok {
		r.Cgroup = group.Dir()
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("record the private server: %w", err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, recordName), data, 0o644); err != nil {
		return fmt.Errorf("record the private server: %w", err)
	}
	return nil
}

// Sweep ends and removes what killed runs left in the directory of private
// servers, and only that: a directory whose owner lives is locked by it, and a
// process is known by the mark in its environment. It returns how many servers
// were left.
func Sweep(ctx context.Context, dir string) (int, error) {
	dirs, err := filepath.Glob(filepath.Join(dir, dirPrefix+"*"))
	if err != nil {
		return 0, fmt.Errorf("look for servers left by killed runs: %w", err)
	}
	var failures []error
	left := 0
	for _, d := range dirs {
		claim, err := claim(d)
		if err != nil {
			continue // its owner lives
		}
		left++
		failures = append(failures, remains(ctx, d), claim.Close())
	}
	return left, errors.Join(failures...)
}

// remains ends the processes of one dead server and removes its files.
func remains(ctx context.Context, dir string) error {
	if err := endMarked(ctx, dir); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(dir, recordName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clean up after a killed run: %w", err)
	}
	var r record
	if len(data) > 0 {
		if err := json.Unmarshal(data, &r); err != nil {
			return fmt.Errorf("clean up after a killed run: read %s: %w", filepath.Join(dir, recordName), err)
		}
	}
	for _, scratch := range r.Scratch {
		if filepath.Base(scratch) != filepath.Base(dir) {
			return fmt.Errorf("clean up after a killed run: %s names %s, which is not its own; remove both by hand", filepath.Join(dir, recordName), scratch)
		}
		if err := os.RemoveAll(scratch); err != nil {
			return fmt.Errorf("clean up after a killed run: %w", err)
		}
	}
	if filepath.Base(r.Cgroup) == filepath.Base(dir) {
		if err := memcap.Remove(r.Cgroup); err != nil {
			return fmt.Errorf("clean up after a killed run: %w", err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("clean up after a killed run: %w", err)
	}
	return nil
}

// endMarked kills the processes that carry a server's mark until none is left.
func endMarked(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, killTimeout)
	defer cancel()
	for {
		pids := firebird.AllMarked()[dir]
		if len(pids) == 0 {
			return nil
		}
		memcap.Kill(pids)
		select {
		case <-ctx.Done():
			return fmt.Errorf("end processes %v of a private server: they do not die", pids)
		case <-time.After(attemptPause):
		}
	}
}
