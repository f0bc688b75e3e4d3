package check

import (
	"net"
	"slices"
)

// networkRules are about connections over the network.
func networkRules() []Rule {
	return []Rule{
		{
			ID: "wire-compression", Severity: Note, From: v30, find: perLine(wireCompression),
			About:  "compression asked for at the server, where it does nothing",
			Source: "builds/install/misc/firebird.conf (WireCompression): the client decides",
		},
		{
			ID: "wire-crypt-off", Severity: Note, From: v30, find: perLine(wireCryptOff),
			About:  "connections that are not encrypted",
			Source: "builds/install/misc/firebird.conf (WireCrypt)",
		},
		{
			ID: "port", Severity: Note, find: perLine(ports),
			About:  "a port that is given twice",
			Source: "src/remote/inet.cpp: RemoteServicePort is asked first",
		},
		{
			ID: "bind-address", Severity: ServerDown, find: perLine(bindAddress),
			About:  "an address that the machine does not have",
			Source: "measured on 4.0.5: exit code 2, \"Cannot assign requested address\"",
		},
	}
}

func wireCompression(s *subject, l line) (Finding, bool) {
	return Finding{}.does("write it into the firebird.conf of the clients, if the network is slow", "compresses only what this file's own clients send: at the server it has no effect"),
		l.row.Name == "WireCompression" && l.Bool(s.Dialect())
}

func wireCryptOff(s *subject, l line) (Finding, bool) {
	return Finding{}.does("write Enabled, where the network is not safe", "encrypts nothing: a little less processor time, and passwords of Legacy_Auth and all data can be read on the way"),
		l.row.Name == "WireCrypt" && s.means(l) == "Disabled"
}

func ports(s *subject, l line) (Finding, bool) {
	port, in, _ := s.views[0].number("RemoteServicePort")
	return Finding{}.does("keep one of the two", "listens on RemoteServicePort = %d (line %d) and never looks at this", port, in.Line),
		l.row.Name == "RemoteServiceName" && l.alias == "" && in.Set && port != 0
}

func bindAddress(s *subject, l line) (Finding, bool) {
	ip := net.ParseIP(l.Value)
	missing := l.row.Name == "RemoteBindAddress" && len(s.Addresses) > 0 && ip != nil && !ip.IsUnspecified() && !ip.IsLoopback() && !slices.Contains(s.Addresses, ip.String())
	return Finding{}.does("write an address of the machine, or delete the line to listen on all", "ends at its start: the machine has no address %s", l.Value), missing
}
