package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// TestScriptsOnEach runs scripts on every Firebird that tests are to prove. They
// find its root in ROOT, its version in VERSION, and the directory of its
// security database in SECDB.
func TestScriptsOnEach(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		testscript.Run(t, testscript.Params{
			Dir: filepath.Join("testdata", "each"),
			Setup: func(e *testscript.Env) error {
				e.Setenv("FBTUNE_HOME", firebirdtest.Dir(t))
				e.Setenv("ROOT", inst.Root)
				e.Setenv("VERSION", inst.Version.String())
				e.Setenv("SECDB", inst.Dirs("").SecDB)
				return nil
			},
			Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
		})
	})
}
