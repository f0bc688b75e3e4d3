// Package probe tells what this machine is: its processors, its memory and
// the limits set on it, the disk under a path, and the operating system's
// limits that a Firebird server meets.
//
// On Linux every fact but the free space of a disk is read from files, through
// an [fs.FS], so that the captured tree of another machine can be probed in a
// test. Elsewhere gopsutil gives what it knows, the rest is absent with the
// reason.
package probe
