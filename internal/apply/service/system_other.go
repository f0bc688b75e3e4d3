//go:build !linux

package service

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// names are the systems as people call them.
var names = map[string]string{"windows": "Windows", "darwin": "macOS"}

// supported is an error where a service cannot be taken over.
func supported() error {
	name, ok := names[runtime.GOOS]
	if !ok {
		name = runtime.GOOS
	}
	return fmt.Errorf("take over a service: not on %s yet; use Linux", name)
}

func apart(*exec.Cmd) {}

func (account) run(*exec.Cmd) {}

func awaitPort(context.Context, string) error { return nil }
