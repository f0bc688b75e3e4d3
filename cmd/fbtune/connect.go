package main

import (
	"net"
	"regexp"
	"strings"

	"github.com/fbtune/fbtune/workload"
)

// firebirdPort is where a server listens unless it is told otherwise.
const firebirdPort = "3050"

// Forms of --connect. The host may be an IPv6 address in brackets.
var (
	// connectForm is Firebird's own: host:database, host/port:database.
	connectForm = regexp.MustCompile(`^(\[[^\]]+\]|[^:/\[\]]+)(?:/([0-9]+))?:(.+)$`)
	// portFirst is what drivers take: host:port/database.
	portFirst = regexp.MustCompile(`^(\[[^\]]+\]|[^:/\[\]]+):([0-9]+)/(.+)$`)
	// driveForm is a path of Windows, which would be a host of one letter.
	driveForm = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
)

// target reads --connect, and user and password from where Firebird's own
// programs take them.
func (e *env) target(connect string) (workload.Target, error) {
	host, port, database := "", "", ""
	switch {
	case driveForm.MatchString(connect):
		return workload.Target{}, usagef("--connect %s: this is a path without a host; write localhost:%s", connect, connect)
	case portFirst.MatchString(connect):
		m := portFirst.FindStringSubmatch(connect)
		host, port, database = m[1], m[2], m[3]
		// host:port//data/x.fdb is the path as it stands; the slash of
		// host:port/data/x.fdb both ends the port and begins the path.
		if strings.Contains(database, "/") && !strings.HasPrefix(database, "/") && !driveForm.MatchString(database) {
			database = "/" + database
		}
	default:
		m := connectForm.FindStringSubmatch(connect)
		if m == nil {
			return workload.Target{}, usagef("--connect %s: write host[/port]:database, such as localhost:/data/erp.fdb or db1/3051:erp", connect)
		}
		host, port, database = m[1], m[2], m[3]
	}
	if port == "" {
		port = firebirdPort
	}
	t := workload.Target{
		Addr: net.JoinHostPort(strings.Trim(host, "[]"), port), Path: database,
		User: e.getenv("ISC_USER"), Password: e.getenv("ISC_PASSWORD"),
	}
	if t.User == "" {
		return workload.Target{}, usagef("--connect %s: set ISC_USER and ISC_PASSWORD, which Firebird's own programs read too", connect)
	}
	return t, nil
}
