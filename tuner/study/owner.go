package study

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v3/process"
)

// An Owner is a process that works on a study or a trial, named so that it can
// be told from a later process with the same number.
type Owner struct {
	Host string `json:"host"`
	// PIDSpace tells process numbers of containers on one host apart (Linux:
	// the PID namespace; empty elsewhere).
	PIDSpace string    `json:"pid_space,omitempty"`
	PID      int       `json:"pid"`
	Started  time.Time `json:"started"`
}

// clockSlack is by how much the start time of one process may differ between
// two readings: Linux derives it from the time of boot, which moves with
// corrections of the clock.
const clockSlack = 5 * time.Second

// Self returns the running process.
func Self() (Owner, error) {
	host, err := os.Hostname()
	if err != nil {
		return Owner{}, fmt.Errorf("name this host: %w", err)
	}
	pid := os.Getpid()
	_, started, err := inspect(pid)
	if err != nil {
		return Owner{}, fmt.Errorf("find the start time of this process: %w", err)
	}
	return Owner{Host: host, PIDSpace: pidSpace(), PID: pid, Started: started}, nil
}

// pidSpace returns the PID namespace of this process; a system without
// namespaces has but one, which needs no name.
func pidSpace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return space
}

// String names the owner for a person.
func (o Owner) String() string { return fmt.Sprintf("process %d on %s", o.PID, o.Host) }

// same reports whether both are the same process.
func (o Owner) same(p Owner) bool {
	return o.visible(p) && o.PID == p.PID &&
		o.Started.Sub(p.Started).Abs() <= clockSlack
}

// visible reports whether the owner's process number means the same to self.
func (o Owner) visible(self Owner) bool { return o.Host == self.Host && o.PIDSpace == self.PIDSpace }

// gone reports whether the owner is known to have ended. Of a process on
// another host, or in another container, nothing is known.
func (o Owner) gone(self Owner) (bool, error) {
	if !o.visible(self) {
		return false, nil
	}
	alive, started, err := inspect(o.PID)
	if err != nil {
		return false, fmt.Errorf("look for %v: %w", o, err)
	}
	now := Owner{Host: o.Host, PIDSpace: o.PIDSpace, PID: o.PID, Started: started}
	return !alive || !o.same(now), nil
}

// runsElsewhere reports whether the owner is another process that is known to
// run.
func (o Owner) runsElsewhere(self Owner) (bool, error) {
	if o.same(self) || !o.visible(self) {
		return false, nil
	}
	gone, err := o.gone(self)
	return !gone, err
}

// inspect reports whether a process of this machine runs, and since when. One
// that was killed but not yet waited for does not run.
func inspect(pid int) (alive bool, started time.Time, err error) {
	p, err := process.NewProcess(int32(pid))
	if errors.Is(err, process.ErrorProcessNotRunning) {
		return false, time.Time{}, nil
	}
	if err != nil {
		return false, time.Time{}, err
	}
	created, err := p.CreateTime()
	if err != nil {
		return vanished(pid, err)
	}
	state, err := p.Status()
	if err != nil && runtime.GOOS != "windows" { // which has no zombies to report
		return vanished(pid, err)
	}
	return !slices.Contains(state, process.Zombie), time.UnixMilli(created), nil
}

// vanished decides whether err came from a process that ended while it was
// looked at.
func vanished(pid int, err error) (bool, time.Time, error) {
	exists, existsErr := process.PidExists(int32(pid))
	if existsErr == nil && !exists {
		return false, time.Time{}, nil
	}
	return false, time.Time{}, errors.Join(err, existsErr)
}
