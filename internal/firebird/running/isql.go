package running

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// isqlTimeout bounds a script of a few statements.
const isqlTimeout = time.Minute

// Isql has the installation's isql run a script, and returns what it printed.
func (s *Server) Isql(ctx context.Context, script string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, isqlTimeout)
	defer cancel()
	cmd := s.Tool(ctx, s.Installation.Isql(), "-quiet", "-bail")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %s (%w)", filepath.Base(s.Installation.Isql()), strings.TrimSpace(string(out)), err)
	}
	return string(out), nil
}

// Create creates an empty database file: through the server that host names, as
// isql has it before a path ("127.0.0.1/3051:"), or without one where host is
// empty. A file in the way is an error, and is left alone.
func (s *Server) Create(ctx context.Context, host, path string, pageSize int) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("create database %s: the file exists already; name another or remove it yourself", path)
	}
	owner := ""
	if host == "" { // a server asks for the user itself
		owner = " USER " + s.User
	}
	_, err := s.Isql(ctx, fmt.Sprintf("CREATE DATABASE %s%s PAGE_SIZE %d;\nCOMMIT;\n", Quote(host+path), owner, pageSize))
	if err != nil {
		return fmt.Errorf("create database %s: %w", path, err)
	}
	return nil
}

// Quote returns text as an SQL string.
func Quote(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
