//go:build !linux

package postgrestest

import "os/exec"

// runAs does nothing: the tests start a server on Linux only.
func runAs(*exec.Cmd, int, int) {}
