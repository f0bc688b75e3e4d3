// Package memcap holds a group of processes below a memory limit.
//
// A database server with a large page cache starts happily and dies, or takes
// its host with it, hours later when the cache has filled. RLIMIT_AS cannot
// prevent that: the cache is address space long before it is memory, and the
// Classic architecture is many processes. So the limit is one of the kernel's,
// on the group as a whole, wherever it can be had:
//
//  1. a cgroup of its own, version 2 or version 1;
//  2. a transient scope of the user's systemd;
//  3. a watchdog that adds up what the processes really use and kills them.
package memcap

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/fbtune/fbtune/probe"
)

// Cap is a memory limit that a group of processes can be started under.
type Cap interface {
	// Kind names the mechanism for a person: "cgroup v1".
	Kind() string
	// Limit is the limit.
	Limit() probe.Bytes
	// Wrap returns the command line that runs argv under the limit.
	Wrap(argv []string) []string
	// Watch kills the processes below root (a process id) when they break the
	// limit and the kernel does not do so by itself. It returns when ctx ends.
	Watch(ctx context.Context, root int)
	// HoldsFiles reports whether what the system caches of files counts too, also
	// when the program that read them has ended.
	HoldsFiles() bool
	// Kills is how often a process was killed for breaking the limit so far.
	Kills() (int, error)
	// Close removes the limit once its processes have ended.
	Close() error
}

// New returns the strongest cap this machine allows, under a name that is
// unique on it. When that is none of a cgroup's, notes say why.
func New(name string, limit probe.Bytes) (c Cap, notes []string, err error) {
	if limit <= 0 {
		return nil, nil, fmt.Errorf("cap memory at %d bytes: give a positive size such as 4G", limit)
	}
	for _, kind := range kinds {
		c, err := kind.make(name, limit)
		if err == nil && kind.strong {
			return c, nil, nil
		}
		if err == nil {
			return c, notes, nil
		}
		notes = append(notes, fmt.Sprintf("no %s: %v", kind.name, err))
	}
	return nil, notes, errors.New("cap memory: " + strings.Join(notes, "; "))
}

// kinds lists the mechanisms, strongest first.
var kinds = [...]struct {
	name   string
	strong bool // whether nothing better could be wished for
	make   func(name string, limit probe.Bytes) (Cap, error)
}{
	{"cgroup v2", true, newCgroup2},
	{"cgroup v1", true, newCgroup1},
	{"systemd user scope", false, newScope},
	{"watchdog", false, newWatchdog},
}

// scope is a transient scope unit of the user's systemd. The kernel kills
// what breaks its limit; systemd removes the unit when the last process ends.
type scope struct {
	unit  string
	limit probe.Bytes
}

func newScope(name string, limit probe.Bytes) (Cap, error) {
	if err := exec.Command("systemctl", "--user", "show-environment").Run(); err != nil {
		return nil, fmt.Errorf("ask the user's systemd: %w", err)
	}
	return &scope{unit: name + ".scope", limit: limit}, nil
}

func (s *scope) Kind() string                     { return "systemd user scope" }
func (s *scope) Limit() probe.Bytes               { return s.limit }
func (s *scope) Watch(ctx context.Context, _ int) { <-ctx.Done() }

// HoldsFiles is false: the group ends with each program, and its parent gets the
// pages.
func (s *scope) HoldsFiles() bool { return false }

func (s *scope) Wrap(argv []string) []string {
	return append([]string{
		"systemd-run", "--user", "--scope", "--quiet", "--collect", "--unit", s.unit,
		"-p", fmt.Sprintf("MemoryMax=%d", s.limit), "-p", "MemorySwapMax=0", "--",
	}, argv...)
}

// Kills asks systemd, which keeps the word of a failed unit for a while.
func (s *scope) Kills() (int, error) {
	out, err := exec.Command("systemctl", "--user", "show", "--property=Result", "--value", s.unit).Output()
	if err != nil {
		return 0, fmt.Errorf("ask systemd for %s: %w", s.unit, err)
	}
	if strings.TrimSpace(string(out)) == "oom-kill" {
		return 1, nil
	}
	return 0, nil
}

func (s *scope) Close() error { return nil }
