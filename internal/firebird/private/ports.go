package private

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// ports hands out a loopback port for every start, never the same twice: the
// listener of Classic before 3.0.12 cannot bind a port again for up to a
// minute (Firebird issue 8181), waits in silence and then gives up.
type ports struct{ used map[int]bool }

// The range lies below the kernel's own for outgoing connections (from 32768),
// so that no client takes a port between the choice and the start.
const (
	firstPort = 20000
	lastPort  = 32000
)

// next returns a port nothing listens on.
func (p *ports) next() (int, error) {
	if p.used == nil {
		p.used = map[int]bool{}
	}
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if p.used[port] {
			continue
		}
		l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			return 0, fmt.Errorf("find a free port: %w", err)
		}
		p.used[port] = true
		return port, nil
	}
	return 0, errors.New("find a free port: none of 1000 tried between 20000 and 32000 on 127.0.0.1 is free")
}
