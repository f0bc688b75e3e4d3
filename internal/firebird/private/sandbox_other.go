//go:build !linux

package private

import (
	"errors"
	"os/exec"
)

// sandbox is not available: private servers run on Linux only.
type sandbox struct{ notes []string }

var errLinuxOnly = errors.New("private servers run on Linux only, not on this system yet")

func newSandbox() sandbox { return sandbox{notes: []string{errLinuxOnly.Error()}} }

func (sandbox) String() string { return "not set apart" }

func (sandbox) serve(_ account, server []string, _, _ string) []string { return server }

func (account) become(argv []string) []string { return argv }

func detach(*exec.Cmd) {}

func terminate(int) error { return errLinuxOnly }
