package private

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// Paths of the server's parts.
func (s *Server) rootDir() string          { return filepath.Join(s.dir, "root") }
func (s *Server) logDir() string           { return filepath.Join(s.dir, "log") }
func (s *Server) securityDatabase() string { return filepath.Join(s.dir, "security", "security.fdb") }

// buildRoot lays out the server's root directory: what follows FIREBIRD, with
// copies of and links to the parts that are only read.
func (s *Server) buildRoot() error {
	plugins, err := os.ReadFile(s.Installation.PluginsConf())
	if err != nil {
		return fmt.Errorf("read the installation's plugins: %w", err)
	}
	if err := s.write("plugins.conf", plugins); err != nil {
		return err
	}
	for _, part := range s.Installation.Copied() {
		if err := s.user.copyTree(filepath.Join(s.Installation.Base(), part), filepath.Join(s.rootDir(), part)); err != nil {
			return fmt.Errorf("copy the installation's %s: %w", part, err)
		}
	}
	for _, part := range s.Installation.Linked() {
		from := filepath.Join(s.Installation.Base(), part)
		if _, err := os.Stat(from); err != nil {
			continue // compiled into this build, or not shipped
		}
		if err := os.Symlink(from, filepath.Join(s.rootDir(), part)); err != nil {
			return fmt.Errorf("link %s: %w", part, err)
		}
	}
	return s.writeConfig(Config{}, 0)
}

// copyTree copies a file, or a directory with all below it, for the account.
// Links are copied as what they lead to.
func (a account) copyTree(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		return errors.Join(os.WriteFile(to, data, 0o644), a.own(to))
	}
	if err := a.mkdir(to); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := a.copyTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// writeConfig writes firebird.conf and databases.conf for one start.
func (s *Server) writeConfig(c Config, port int) error {
	var conf bytes.Buffer
	own := map[string]string{
		"RemoteServicePort": fmt.Sprint(port),
		"RemoteBindAddress": "127.0.0.1",
		"SecurityDatabase":  s.securityDatabase(),
		"WireCrypt":         "Enabled",
		"TempDirectories":   filepath.Join(s.dir, "tmp"),
	}
	for _, settings := range []map[string]string{own, c.Settings} {
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			value := settings[key]
			if strings.ContainsAny(key+value, "\r\n") {
				return fmt.Errorf("write firebird.conf: %s = %q spans lines", key, value)
			}
			fmt.Fprintf(&conf, "%s = %s\n", key, value)
		}
	}
	if err := s.write("firebird.conf", conf.Bytes()); err != nil {
		return err
	}
	// Without this block the security database takes a cache of the global
	// size too (Firebird issue 2450). A brace stands alone on its line.
	security := fmt.Sprintf("security.db = %s\n{\n\tRemoteAccess = false\n\tDefaultDbCachePages = %d\n}\n",
		s.securityDatabase(), confgen.SecurityCachePages(s.Installation.Version))
	return s.write("databases.conf", []byte(security))
}

// write puts a file into the root.
func (s *Server) write(name string, data []byte) error {
	path := filepath.Join(s.rootDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("write the private server's %s: %w", name, err)
	}
	return s.user.own(path)
}

// createSecurityDatabase makes a security database with one user and a random
// password, which is kept in a file that only this user can read.
func (s *Server) createSecurityDatabase(ctx context.Context) error {
	s.Password = newPassword()
	if err := os.WriteFile(filepath.Join(s.dir, "password"), []byte(s.Password+"\n"), 0o600); err != nil {
		return fmt.Errorf("write the private server's password: %w", err)
	}
	script := fmt.Sprintf("CREATE DATABASE %s USER %s PAGE_SIZE 8192;\nCOMMIT;\nCREATE USER %s PASSWORD %s USING PLUGIN Srp;\nCOMMIT;\n",
		running.Quote(s.securityDatabase()), sysdba, sysdba, running.Quote(s.Password))
	if _, err := s.Isql(ctx, script); err != nil {
		return fmt.Errorf("create the private server's security database: %w", err)
	}
	return nil
}

// environment is what every program of the server runs with: nothing of the
// caller's but the path and the locale.
func (s *Server) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C", "HOME=" + s.dir,
		firebird.Mark + "=" + s.dir,
		"FIREBIRD=" + s.rootDir(),
		"FIREBIRD_MSG=" + s.rootDir(), // Debian's 4.0 looks for it where it was built to be
		"FIREBIRD_LOCK=" + filepath.Join(s.dir, "lock"),
		"FIREBIRD_TMP=" + filepath.Join(s.dir, "tmp"),
	}
}
