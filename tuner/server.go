package tuner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// Server is what a bench runs its trials on: a server of fbtune's own
// ([private.Server]), or the user's service, whose files are lent to trials
// (internal/apply/service).
type Server interface {
	// Scratch makes a directory below parent in which the server's databases
	// can live, and which goes with the server.
	Scratch(parent string) (string, error)
	// CreateDatabase creates an empty database; a file in the way is an error.
	CreateDatabase(ctx context.Context, path string, pageSize int) error
	// Adopt gives a file to the account the server runs as.
	Adopt(path string) error

	// Start starts the server with a configuration and returns once it answered
	// a query. What keeps it from that is a [*running.StartError].
	Start(ctx context.Context, c private.Config) error
	// Running is the server as it was started, to be asked and connected to.
	Running() *running.Server
	// Died is why the server does not run any more, or nil.
	Died() error
	// Stop ends the server; one that does not run is no error.
	Stop(ctx context.Context) error
	// Close ends the server for good, and undoes what was done for it.
	Close(ctx context.Context) error
}

// fileHolder is a server whose memory cap holds what the system caches of the
// databases too, when HoldsFiles says so.
type fileHolder interface {
	HoldsFiles() bool
	// Warm has a database cached below the cap, as far as that has room.
	Warm(ctx context.Context, path string) error
}

// holder returns the bench's server if its cap holds the file cache, else nil.
func (b *Bench) holder() fileHolder {
	if h, ok := b.server.(fileHolder); ok && h.HoldsFiles() {
		return h
	}
	return nil
}

// Service is the plan's record of a server that is not fbtune's own.
type Service struct {
	Name  string `json:"name,omitempty"`      // of systemd's service
	Start string `json:"start_cmd,omitempty"` // or the command that starts the server
	Stop  string `json:"stop_cmd,omitempty"`  // and the one that stops it
	Files string `json:"files,omitempty"`     // directory of its firebird.conf; "" is the installation's
}

// openServer returns the server of a setup, after it has cleaned up what killed
// runs left.
func (s Setup) openServer(ctx context.Context, sink Sink) (Server, error) {
	if err := os.MkdirAll(s.Home, 0o755); err != nil {
		return nil, fmt.Errorf("make the work directory: %w", err)
	}
	dir := filepath.Join(s.Home, serversDir)
	left, err := private.Sweep(ctx, dir)
	if err != nil {
		return nil, err
	}
	if left > 0 {
		sink.emit(Event{Kind: EventNote, Message: fmt.Sprintf("ended and removed %d server(s) that a killed run had left", left)})
	}
	for _, warning := range s.Firebird.Warnings() {
		sink.emit(Event{Kind: EventNote, Message: warning})
	}
	if s.Server != nil {
		return s.Server(ctx)
	}
	if s.Path != "" {
		if err := private.CheckDir(s.Path); err != nil {
			return nil, err
		}
	}
	return private.New(ctx, private.Options{Installation: s.Firebird, Dir: dir, Cap: s.Cap, Files: s.CapFiles})
}
