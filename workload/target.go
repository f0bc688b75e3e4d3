// Package workload loads databases and drives them with a TPC-C-like load, and says what they did.
//
// It knows nothing of servers' configuration: it is given an address and a
// path, and gives back counts, latencies and violations. Three calls make it
// up: [Load] fills an empty database from a [Scale], [Run] drives it by a
// [Plan], and [Check] tests the conditions that must hold before and after.
package workload

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Target names a database on a server that answers on TCP.
type Target struct {
	Addr     string // host and port, "127.0.0.1:3050"
	Path     string // the database as the server knows it: a path or an alias
	User     string
	Password string
}

// Validate reports what keeps the target from being connected to.
func (t Target) Validate() error {
	if _, _, err := net.SplitHostPort(t.Addr); err != nil {
		return fmt.Errorf("server address %q: %w; give it as host:port", t.Addr, err)
	}
	if t.Path == "" {
		return errors.New("the database path is empty; name a database file or an alias")
	}
	if t.User == "" {
		return errors.New("the user is empty; set ISC_USER and ISC_PASSWORD")
	}
	return nil
}

// DSN returns the driver's connection string.
//
// The options are fixed on purpose. The character set is NONE, so that no text
// is converted on either side. Wire compression is never asked for: the
// driver's handshake hangs with it on Firebird 3.0.11. A cancelled call drops
// its socket when the server does not answer the cancellation in a second.
func (t Target) DSN() string {
	path := t.Path
	switch {
	case !strings.HasPrefix(path, "/"):
		path = "/" + path // an alias or a Windows path: the driver takes the slash off again
	case !strings.Contains(path[1:], "/"):
		path = "/" + path // a file in the root directory, which the driver would take for an alias
	}
	u := url.URL{
		Scheme: "firebird",
		User:   url.UserPassword(t.User, t.Password),
		Host:   t.Addr,
		Path:   path,
		RawQuery: url.Values{
			"charset":                {"NONE"},
			"cancel_hard_drop":       {"true"},
			"cancel_hard_drop_grace": {"1000"},
		}.Encode(),
	}
	return u.String()
}
