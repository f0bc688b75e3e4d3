package service

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

// candidate returns the owner's firebird.conf with the settings of a trial. What
// else a load could feel is taken out, so that a trial has exactly what it says;
// all other lines, such as port, users and directories, stay.
func (s *Server) candidate(settings map[string]string) ([]byte, error) {
	file := s.base.Clone()
	for _, line := range s.base.Settings() {
		row, ok := confgen.Lookup(line.Key)
		if !ok || !tried(row) || has(settings, row.Name) {
			continue
		}
		if err := file.Remove(line.Key); err != nil {
			return nil, fmt.Errorf("make a trial's firebird.conf: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if err := file.Set(name, settings[name]); err != nil {
			return nil, fmt.Errorf("make a trial's firebird.conf: %w", err)
		}
	}
	return file.Bytes(), nil
}

// tried reports whether a setting is one that a trial stands for: a load feels
// it, and neither who may log in nor where files lie depends on it.
func tried(row confgen.Setting) bool {
	return row.Type != confgen.Text && row.Name != "WireCrypt" &&
		slices.ContainsFunc(row.FeltBy, func(l confgen.Load) bool { return l != confgen.FeltByConnect })
}

// has reports whether a setting is among others, whatever the case of its name.
func has(settings map[string]string, name string) bool {
	for key := range settings {
		if strings.EqualFold(key, name) {
			return true
		}
	}
	return false
}

// defaultPort is that of a server which is not told another.
const defaultPort = 3050

// address is where a server with a firebird.conf can be reached from its own
// machine.
func address(conf *fbconf.File) string {
	port, host := defaultPort, "127.0.0.1"
	if s, ok := conf.Lookup("RemoteServicePort"); ok {
		if n, err := strconv.ParseUint(strings.TrimSpace(s.Value), 10, 16); err == nil && n > 0 {
			port = int(n)
		}
	}
	if s, ok := conf.Lookup("RemoteBindAddress"); ok {
		if ip := net.ParseIP(s.Value); ip != nil && !ip.IsUnspecified() {
			host = s.Value
		}
	}
	return net.JoinHostPort(host, strconv.Itoa(port))
}

// isqlHost is an address as isql has it before a path.
func isqlHost(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr + ":" // address made it
	}
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + "/" + port + ":"
}

// scratchName names the directory of databases by the file of the server they
// are for.
func scratchName(conf string) string {
	sum := sha256.Sum256([]byte(conf))
	return "fbtune-service-" + hex.EncodeToString(sum[:6])
}
