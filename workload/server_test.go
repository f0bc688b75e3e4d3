package workload_test

import (
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/workload"
)

// server returns a new, empty database of 8 KiB pages on a private server that
// ends with the test.
func server(t *testing.T) workload.Target {
	t.Helper()
	return serverOf(t, firebirdtest.Installation(t))
}

// serverOf is server for one of several Firebirds.
func serverOf(t *testing.T, inst firebird.Installation) workload.Target {
	t.Helper()
	s, path := firebirdtest.Started(t, inst, map[string]string{"ServerMode": "Super", "DefaultDbCachePages": "16384"})
	return s.Target(path)
}
