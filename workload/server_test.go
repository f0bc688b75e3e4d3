package workload_test

import (
	"testing"

	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/workload"
)

// server returns a new, empty database of 8 KiB pages on a private server that
// ends with the test.
func server(t *testing.T) workload.Target {
	t.Helper()
	s, path := firebirdtest.Started(t, firebirdtest.Installation(t), map[string]string{"ServerMode": "Super", "DefaultDbCachePages": "16384"})
	return s.Target(path)
}
