package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Control is how a service is started and stopped: as the systemd service of a
// name, or by commands.
type Control struct {
	Name        string // of a systemd service
	Start, Stop string // commands for sh, without a name
}

// validate reports what keeps the control from being used.
func (c Control) validate() error {
	if c.Name == "" && (c.Start == "" || c.Stop == "") {
		return errors.New("take over a service: its name, or a command that starts it and one that stops it, is needed")
	}
	if c.Name != "" && strings.HasPrefix(c.Name, "-") {
		return fmt.Errorf("take over the service %q: that is no name of a service", c.Name)
	}
	return supported()
}

// String names the service, for reports.
func (c Control) String() string {
	if c.Name != "" {
		return "service " + c.Name
	}
	return fmt.Sprintf("the server of %q", c.Start)
}

// start starts the service. What it prints is in the error.
func (c Control) start(ctx context.Context) error {
	if c.Name == "" {
		return call(ctx, "sh", "-c", c.Start)
	}
	// systemd refuses a fifth start within ten seconds unless they are forgotten.
	// It fails for a service it has not loaded, where there is nothing to forget.
	_ = call(ctx, "systemctl", "reset-failed", c.Name)
	return call(ctx, "systemctl", "start", c.Name)
}

// stop stops the service.
func (c Control) stop(ctx context.Context) error {
	if c.Name == "" {
		return call(ctx, "sh", "-c", c.Stop)
	}
	return call(ctx, "systemctl", "stop", c.Name)
}

// secrets are the variables that no command inherits: a server it starts would
// keep them.
var secrets = []string{"ISC_USER", "ISC_PASSWORD"}

// outputTail is how much of what a command printed is worth showing.
const outputTail = 2 << 10

// call runs a command until it ends. What it started may run on, so its output
// goes to a file: a pipe would stay open as long as that.
func call(ctx context.Context, argv ...string) (err error) {
	what := strings.Join(argv, " ")
	out, err := os.CreateTemp("", "fbtune-output-*")
	if err != nil {
		return fmt.Errorf("run %s: %w", what, err)
	}
	defer func() { err = errors.Join(err, out.Close(), os.Remove(out.Name())) }()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(secrets, name)
	})
	cmd.Stdout, cmd.Stderr = out, out
	apart(cmd)
	failed := cmd.Run()
	if failed == nil {
		return nil
	}
	printed, err := tail(out)
	if err != nil {
		return errors.Join(failed, err)
	}
	return fmt.Errorf("run %s: %w: %s", what, failed, printed)
}

// tail returns the end of a file.
func tail(f *os.File) (string, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	data, err := io.ReadAll(f)
	text := strings.TrimSpace(string(data))
	return text[max(0, len(text)-outputTail):], err
}
