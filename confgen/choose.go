package confgen

import "fmt"

// choice is an architecture and the reason for it.
type choice struct {
	mode Mode
	why  string
}

// choices returns the architectures to try for given facts, best first. The
// first that fits in the memory is advised.
func choices(f facts) []choice {
	cpus := "all CPUs"
	if f.cpus.Known() {
		cpus = fmt.Sprintf("all %d usable CPUs", f.cpus.Value)
	}
	switch {
	case f.Mode != "":
		return []choice{{f.Mode, "as asked for"}}
	case f.Isolation:
		return []choice{{Classic, "isolation was asked for: each connection is a process of its own, and its crash ends no other; it costs a page cache and metadata per connection"}}
	case f.Version.AtLeast(v30):
		return []choice{{Super, fmt.Sprintf("one page cache for all %d connections, no page locks, and from 3.0 on it uses %s; choose Classic when one connection's crash must not end the others (rule of thumb: measure with fbtune sweep)",
			f.Connections, cpus)}}
	case f.cpus.Value == 1 || f.cpus.Known() && len(f.Databases) >= f.cpus.Value:
		return []choice{{Super, fmt.Sprintf("2.5's Super uses one CPU per database, and with %d databases on %d CPUs none is idle; one page cache per database, no page locks",
			max(len(f.Databases), 1), f.cpus.Value)}}
	}
	return []choice{
		{SuperClassic, fmt.Sprintf("2.5's Super uses one CPU per database, SuperClassic uses %s (IBSurgeon's 1.7 TB database: 169 operations/s in Super, 392 in SuperClassic); choose Classic when one connection's crash must not end the others", cpus)},
		{Super, fmt.Sprintf("SuperClassic would use %s, but a page cache for each of %d connections does not fit in the memory; 2.5's Super uses one CPU per database", cpus, f.Connections)},
	}
}

// servers25 are the programs that are the architectures of 2.5, which has no
// ServerMode.
var servers25 = map[Mode]string{
	Super:        "fbserver (Windows: fbserver.exe)",
	SuperClassic: "fb_smp_server (Windows: fb_inet_server.exe -m)",
	Classic:      "fb_inet_server, started by xinetd (Windows: fb_inet_server.exe)",
}
